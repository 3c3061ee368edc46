"""Whether environment variables have the values that a run began with, told without saving the values.

Saved is a salted hash of each value, cut to 64 bits; the salt is drawn for every run. Short values could be guessed
from it, which is why variables that speak of a secret are never in ``Component.environment``.
"""

from collections.abc import Mapping
from hashlib import sha256
from secrets import token_hex

from pydantic import BaseModel, ConfigDict

from heams.orchestration.experiment import Component, Experiment

_DIGITS = 16


class EnvironmentDigests(BaseModel):
    """Per component kind and variable: 16 hexadecimal digits of sha256 over salt, name and value."""

    model_config = ConfigDict(frozen=True)

    salt: str
    agent: Mapping[str, str] = {}
    memory_system: Mapping[str, str] = {}
    benchmark: Mapping[str, str] = {}


def environment_digests(experiment: Experiment) -> EnvironmentDigests | None:
    """The digests to save with a run that begins; None where no value comes from the environment."""
    if not any(component.environment for component in experiment.components):
        return None
    salt = token_hex(16)
    digests = {component.kind: _digests(component, salt) for component in experiment.components}
    return EnvironmentDigests(salt=salt, **digests)


def changed_variables(saved: EnvironmentDigests, experiment: Experiment) -> list[str]:
    """The variables that have another value than when ``saved`` was written.

    Those that only one of both knows are not named: then the configuration as written has changed as well.
    """
    changed: dict[str, None] = {}
    for component in experiment.components:
        before: Mapping[str, str] = getattr(saved, component.kind)
        now = _digests(component, saved.salt)
        changed |= {name: None for name in now if before.get(name, now[name]) != now[name]}
    return list(changed)


def _digests(component: Component, salt: str) -> dict[str, str]:
    return {
        name: sha256(f"{salt}\0{name}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        for name, text in component.environment.items()
    }
