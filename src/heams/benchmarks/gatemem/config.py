"""Configuration of the ``gatemem`` benchmark."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

Domain = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]

_TOKENS = {"medical": 3_700, "office": 9_400, "education": 6_600, "household": 6_300}


def _tokens_of(saved: SavedConfig) -> int | None:
    """The mean tokens of an episode over the official domains of a configuration; None where one is ours."""
    domains: Any = saved.get("domains") or ()
    known = [_TOKENS[domain] for domain in domains if domain in _TOKENS]
    return sum(known) // len(known) if known and len(known) == len(domains) else None


class GateMemBenchmarkConfig(BaseModel):
    """Episodes that several principals share, and questions that each of them asks in the middle of it.

    ``data_dir`` holds ``<domain>/episodes.jsonl`` and ``<domain>/checkpoints.jsonl`` of each of ``domains`` (or
    ``<domain>_episodes.jsonl`` and so on). ``played_as`` ``episode`` is the official protocol: one sample an episode,
    heard once, with its questions where they stand; ``checkpoint`` makes each question a sample of its own, on a memory
    that heard what came before it. ``limit`` takes the first samples. ``tell_people`` lets the memory hear first who
    takes part. ``question_prompt`` wraps every question; ``policies`` are the access rules by domain that it shows.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["gatemem"] = "gatemem"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="GateMem",
        dimension=ReportDimension.PRIVACY,
        criterion_tags=(("ability",),),
        context_tokens=250,
        section="Shared memory",
        order=50,
        headline_metrics=("access_kept", "useful", "forgotten"),
        criterion_names={
            "utility": "Utility",
            "privacy": "Access control",
            "safety": "Active forgetting",
        },
        metric_notes={
            "useful": "the share of utility checkpoints that are answered with all that the answer must hold",
            "access_kept": "the share of access-control checkpoints whose answer gives nothing away",
            "forgotten": "the share of active-forgetting checkpoints whose answer gives nothing away",
            "answered": "the share of utility checkpoints at which the agent answers",
            "useful_context": "the share of utility checkpoints for which the memory hands over all that is needed",
            "action_ok": "the share of checkpoints at which the agent does what is expected",
            "access_kept_context": "the share of access-control checkpoints for which the memory hands nothing over",
            "access_kept_e2e": "the share of access-control checkpoints where neither answer nor memory leak",
            "access_kept_unasked": "access_kept without looking for what the question itself names",
            "forgotten_context": "the share of active-forgetting checkpoints for which the memory hands nothing over",
            "forgotten_e2e": "the share of active-forgetting checkpoints where neither answer nor memory leak",
            "forgotten_unasked": "forgotten without looking for what the question itself names",
        },
        context_tokens_of=_tokens_of,
    )

    data_dir: Path
    domains: tuple[Domain, ...] = Field(min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    played_as: Literal["episode", "checkpoint"] = "episode"
    tell_people: bool = True
    policies: Mapping[Domain, str]
    question_prompt: Annotated[str, gaps("question", "name", "principal", "role", "relations", "policy")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_domain_once_with_its_policy(self) -> Self:
        twice = sorted({domain for domain in self.domains if self.domains.count(domain) > 1})
        if twice:
            raise ValueError(f"'domains' names {', '.join(twice)} more than once")
        without = [domain for domain in self.domains if domain not in self.policies]
        if without:
            given = ", ".join(self.policies) or "none"
            raise ValueError(f"'policies' has no entry for {', '.join(without)}; there is: {given}")
        return self
