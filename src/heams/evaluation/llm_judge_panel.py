"""The judges of a configuration, and one question to a judge that is put in pages when there are many entries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heta_framework.common.judge import ClaimsPolicy, Judge, Judgement, ListPolicy, Material
from heta_framework.common.models.many import in_order


def judges_of(config: LLMJudgeEvaluatorConfig) -> Mapping[str, Judge]:
    """A judge for each policy of ``config``, by the policy's name.

    Raises:
        ModelSetupError: a model cannot be called as it is configured.
    """
    from heta_framework.common.models.language.opening import open_language_model

    models = [open_language_model(judge, role="judge") for judge in config.judges]
    return {
        name: Judge(policy, models, votes=config.votes, tie=config.tie, reminders=config.reminders)
        for name, policy in config.policies.items()
    }


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgements on one material, one per page; ``chosen`` are places among all its entries."""

    material: Material
    judgements: tuple[Judgement, ...]
    chosen: tuple[int, ...] = ()
    value: float | None = None
    passed: bool | None = None
    problem: str = ""
    coverage: float | None = None
    """The share of entries that were not left out, for policies about claims."""

    @property
    def to_be_repeated(self) -> bool:
        """Whether there is no value and a model that could not be reached may be why."""
        return any(judgement.to_be_repeated for judgement in self.judgements)


@dataclass(frozen=True, slots=True)
class JudgedPages:
    """Asks ``judge`` about a material. Only policies that list entries are paged: the others need all at once."""

    judge: Judge
    entries_per_call: int

    async def ask(self, material: Material) -> Judged:
        """One judgement, or one for each page of entries."""
        policy = self.judge.policy
        if not isinstance(policy, ListPolicy):
            return await self._once(material)
        entries = _entries(material[policy.items])
        if not entries:
            return Judged(material, (), value=0.0, passed=True)
        pages = [
            entries[start : start + self.entries_per_call] for start in range(0, len(entries), self.entries_per_call)
        ]
        judgements = await in_order(self.judge.ask({**material, policy.items: page}) for page in pages)
        judged = Judged(material, tuple(judgements))
        problem = next((each.problem for each in judgements if each.outcome == "unscored"), "")
        if problem:
            return replace(judged, problem=problem)
        chosen = tuple(
            page * self.entries_per_call + place for page, each in enumerate(judgements) for place in each.chosen
        )
        value = policy.value_of(len(chosen), len(entries))
        return replace(judged, chosen=chosen, value=value, passed=not chosen)

    async def _once(self, material: Material) -> Judged:
        judgement = await self.judge.ask(material)
        return Judged(
            material,
            (judgement,),
            chosen=judgement.chosen,
            value=judgement.value,
            passed=judgement.passed,
            problem=judgement.problem,
            coverage=self._coverage(judgement, material),
        )

    def _coverage(self, judgement: Judgement, material: Material) -> float | None:
        """None when the memory holds nothing, or no vote could be read."""
        if not isinstance(self.judge.policy, ClaimsPolicy) or not any(vote.readable for vote in judgement.votes):
            return None
        return judgement.coverage if _entries(material[self.judge.policy.items]) else None


def _entries(content: Any) -> tuple[str, ...]:
    return (content,) if isinstance(content, str) else tuple(content)
