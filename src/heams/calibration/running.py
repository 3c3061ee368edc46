"""Puts cases and labelled answers before a judge, and counts what it got wrong."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from heams.calibration.cases import Case
from heams.calibration.human_labels import HumanLabel
from heams.calibration.result import Agreement, Calibration, CaseResult, KindResult, Rate
from heams.calibration.subject import Subject
from heta_framework.common.judge import Judge, Judgement, Material, cohens_kappa
from heta_framework.common.models.calls.scope import CallScope, call_scope
from heta_framework.common.models.many import in_order
from heta_framework.common.models.usage import Usage

OnJudged = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Exam:
    """What a judge is put to: cases with a known verdict, labels by people, and where both come from."""

    subject: Subject
    benchmark: str
    seed: int
    cases: Sequence[Case]
    labels: Sequence[HumanLabel] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


async def calibrate(
    exam: Exam, judge: Judge, on_judged: OnJudged = lambda done, total: None, *, at_once: int = 16
) -> Calibration:
    """Ask the judge about everything, ``at_once`` answers at a time; ``on_judged`` hears how many of how many are done.

    Raises:
        CostLimitReached, ReplayMiss: no call can be made any more.
    """
    subject = exam.subject
    shown = [subject.material_of(case) for case in exam.cases]
    shown += [subject.material(label.question, label.golds, label.answer) for label in exam.labels]
    with call_scope(CallScope()) as scope:
        judged = await _ask_all(judge, shown, on_judged, at_once)
    of_cases, of_labels = judged[: len(exam.cases)], judged[len(exam.cases) :]
    results = tuple(_result(case, judgement) for case, judgement in zip(exam.cases, of_cases, strict=True))
    return Calibration(
        judge=subject.config.identity,
        judge_hash=subject.config.identity_hash,
        models=judge.model_names,
        policy=f"{subject.policy.name} (version {subject.policy.version})",
        benchmark=exam.benchmark,
        sources=exam.sources,
        seed=exam.seed,
        kinds=_kinds(results),
        false_accept=_wrong([result for result in results if not result.accept]),
        false_reject=_wrong([result for result in results if result.accept]),
        unreadable_replies=Rate.of(sum(each.parse_failures for each in judged), sum(each.replies for each in judged)),
        unscored=Rate.of(sum(each.value is None for each in judged), len(judged)),
        agreement=_agreement(exam.labels, of_labels),
        usage=scope.usage.get("judge", Usage()),
        cases=results,
    )


async def _ask_all(judge: Judge, shown: Sequence[Material], on_judged: OnJudged, at_once: int) -> list[Judgement]:
    done = 0
    room = asyncio.Semaphore(at_once)

    async def ask(material: Material) -> Judgement:
        nonlocal done
        async with room:
            judgement = await judge.ask(material)
        done += 1
        on_judged(done, len(shown))
        return judgement

    return await in_order(ask(material) for material in shown)


def _result(case: Case, judgement: Judgement) -> CaseResult:
    return CaseResult(
        id=case.id,
        kind=case.kind,
        accept=case.accept,
        question=case.question,
        expected=case.expected,
        answer=case.answer,
        accepted=judgement.passed,
        verdict=verdict_of(judgement),
        reason=judgement.reason,
    )


def verdict_of(judgement: Judgement) -> str:
    """The verdict as people would label it."""
    if judgement.value is None:
        return "unscored"
    return judgement.label if judgement.label is not None else f"{judgement.value:g}"


def _kinds(results: Sequence[CaseResult]) -> tuple[KindResult, ...]:
    kinds: dict[tuple[str, bool], list[CaseResult]] = {}
    for result in results:
        kinds.setdefault((result.kind, result.accept), []).append(result)
    ordered = sorted(kinds.items(), key=lambda entry: not entry[0][1])
    return tuple(
        KindResult(
            kind=kind,
            accept=accept,
            cases=len(members),
            unscored=sum(member.accepted is None for member in members),
            wrong=_wrong(members),
        )
        for (kind, accept), members in ordered
    )


def _wrong(results: Sequence[CaseResult]) -> Rate:
    """How many verdicts are wrong; cases without a verdict are left out."""
    decided = [result for result in results if result.accepted is not None]
    return Rate.of(sum(result.accepted != result.accept for result in decided), len(decided))


def _agreement(labels: Sequence[HumanLabel], judged: Sequence[Judgement]) -> Agreement | None:
    if not labels:
        return None
    pairs = [
        (label.label, verdict_of(each)) for label, each in zip(labels, judged, strict=True) if each.value is not None
    ]
    people, judge = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Agreement(
        n=len(pairs),
        unscored=len(labels) - len(pairs),
        kappa=cohens_kappa(people, judge) if pairs else None,
        same=Rate.of(sum(a == b for a, b in pairs), len(pairs)),
    )
