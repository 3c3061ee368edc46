"""What can be known of a run's models before the first call: are keys and addresses usable, and prices known?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Component, Experiment
from heams.orchestration.used_models import UsedModel
from heta_framework.common.config.url_secrets import without_secrets_in
from heta_framework.common.models.pricing import has_price
from heta_framework.common.models.settings import BASE_URL_ENV, EndpointConfig, address_problem

_OTHER_CREDENTIALS = frozenset({"bedrock"})
"""Providers that can do without the variable: their clients look for credentials elsewhere too."""


@dataclass(frozen=True, slots=True)
class PlannedModel:
    """A model that a run will call, and where it is named. ``experiment`` is the first one that needs it."""

    experiment: str
    component: Component
    used: UsedModel

    @property
    def endpoint(self) -> EndpointConfig:
        """The model's endpoint."""
        return self.used.endpoint

    @property
    def place(self) -> str:
        """Component, file and field, for messages."""
        return f"{self.component.place}, {self.used.field}" if self.used.field else self.component.place

    @property
    def address(self) -> str:
        """Where it is called, without secrets; empty for the provider's own endpoint."""
        return without_secrets_in(self.endpoint.resolved_base_url())

    @property
    def has_key(self) -> bool:
        """Whether the variable with its key is set."""
        return self.endpoint.api_key() is not None

    @property
    def lacks_key(self) -> bool:
        """Whether it cannot be called, because it needs a key and has none."""
        keyless = self.endpoint.resolved_base_url() or self.endpoint.provider in _OTHER_CREDENTIALS
        return not self.has_key and not keyless


def planned_models(experiments: Iterable[Experiment]) -> list[PlannedModel]:
    """The models of the experiments, each place once."""
    found: dict[tuple[int, str], PlannedModel] = {}
    for experiment in experiments:
        for component in experiment.components:
            for used in component.models:
                found.setdefault((id(component), used.field), PlannedModel(experiment.name, component, used))
    return list(found.values())


def check_models(experiments: Iterable[Experiment], *, replaying: bool, max_cost: bool) -> None:
    """Make sure that all models can be called; a replayed run calls none.

    Raises:
        RunRefused: a key is missing or unusable, an address is none, or (``max_cost``) a price is unknown; every such
            model is named.
    """
    if replaying:
        return
    problems = [problem for model in planned_models(experiments) for problem in _problems(model, max_cost=max_cost)]
    if problems:
        raise RunRefused("\n".join(problems))


def _problems(model: PlannedModel, *, max_cost: bool) -> Iterator[str]:
    name, variable = model.endpoint.model_id, model.endpoint.key_variable
    if model.lacks_key:
        yield (
            f"experiment {model.experiment!r}: {model.place}: model {name!r} needs a key: the environment variable "
            f"{variable} is not set. Set it, name another with 'api_key_env', or give a 'base_url' that asks for none"
        )
    key_problem, address_is_wrong = model.endpoint.key_problem(), address_problem(model.endpoint.resolved_base_url())
    if key_problem:
        yield f"experiment {model.experiment!r}: {model.place}: model {name!r} cannot be called: {key_problem}"
    if model.address and address_is_wrong:
        variable = BASE_URL_ENV[model.endpoint.provider]
        yield f"experiment {model.experiment!r}: {model.place}: {variable} is {model.address!r}, but {address_is_wrong}"
    if max_cost and not has_price(model.endpoint):
        where = f" at {model.address}" if model.address else ""
        yield (
            f"experiment {model.experiment!r}: {model.place}: the price of model {name!r}{where} is unknown, so what a "
            "run spends cannot be limited. Add 'prices: {input: ..., output: ...}' (USD per million tokens)"
        )
