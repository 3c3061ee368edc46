"""The transcript of a sample, a page of steps at a time, with an outline of all of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from heams.browse.queries.verdicts_of import SampleVerdict
from heams.browse.views.sample.verdicts import title_of
from heams.orchestration.results import RunResult, TranscriptStep
from heta_framework.common.models.usage import Usage

STEPS_A_PAGE = 100
OUTLINED_FROM = 6
"""A transcript of fewer steps needs no outline."""
_BY_THEMSELVES = frozenset({"user_stimulus", "forget_request", "memory_inspection", "document_ingestion"})
"""Actions that have a line each in the outline; runs of others have one together."""
_OF_A_CALL = frozenset({"tool", "arguments", "result", "outcome", "text"})


@dataclass(frozen=True, slots=True)
class StepView:
    """One step, at ``place`` of the saved transcript.

    ``type`` and ``title`` say what was done, ``who`` spoke, and ``at`` when, on the simulated clock.
    """

    of: TranscriptStep
    place: int
    type: str
    title: str
    who: str | None
    at: str | None
    usage: Usage | None
    recalled: int | None
    calls: tuple["ToolCall", ...]
    verdicts: tuple[SampleVerdict, ...]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool: its name (None: a text in between), what it was given, what came back, and how it ended.

    What a program of somebody else calls otherwise is in ``given``.
    """

    tool: str | None
    given: Any
    result: Any
    outcome: str | None


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """One step of the outline, or several of a kind from ``first`` to ``last``."""

    type: str
    first: int
    last: int
    title: str
    verdicts: tuple[SampleVerdict, ...]
    status: str

    @property
    def page(self) -> int:
        """The page of steps that it is on, if steps are numbered without gaps."""
        return self.first // STEPS_A_PAGE + 1


@dataclass(frozen=True, slots=True)
class Transcript:
    """``steps`` of page ``page`` of ``pages``."""

    steps: tuple[StepView, ...]
    outline: tuple[OutlineLine, ...]
    page: int
    pages: int
    first: int
    last: int
    total: int


def transcript(result: RunResult, verdicts: Sequence[SampleVerdict], page: int | None, at: int | None) -> Transcript:
    """The page ``page`` of the steps; without it the one with the step ``at``."""
    by_step: dict[int | None, list[SampleVerdict]] = {}
    for verdict in verdicts:
        by_step.setdefault(verdict.step, []).append(verdict)
    steps = result.transcript
    pages = max(1, -(-len(steps) // STEPS_A_PAGE))
    place = next((place for place, step in enumerate(steps) if step.index == at), 0)
    shown = min(page or place // STEPS_A_PAGE + 1, pages)
    start = (shown - 1) * STEPS_A_PAGE
    some = steps[start : start + STEPS_A_PAGE]
    return Transcript(
        steps=tuple(_view(start + place, step, by_step.get(step.index, [])) for place, step in enumerate(some)),
        outline=tuple(_outline(steps, by_step)) if len(steps) >= OUTLINED_FROM else (),
        page=shown,
        pages=pages,
        first=start + 1 if some else 0,
        last=start + len(some),
        total=len(steps),
    )


def type_of(step: TranscriptStep) -> str:
    """The type of a step's action."""
    return str(step.action.get("type", "unknown"))


def total_usage(usage: Mapping[Any, Usage] | None) -> Usage | None:
    """What all roles consumed together; None where nobody said."""
    return sum(usage.values(), Usage()) if usage else None


def _view(place: int, step: TranscriptStep, verdicts: Iterable[SampleVerdict]) -> StepView:
    return StepView(
        of=step,
        place=place,
        type=type_of(step),
        title=title_of(step),
        who=_who(step),
        at=f"{step.at:%Y-%m-%d %H:%M}" if step.at is not None else None,
        usage=total_usage(step.usage),
        recalled=sum(len(recall.ids) for recall in step.recalls) if step.recalls is not None else None,
        calls=tuple(_call(entry) for entry in step.tool_calls or ()),
        verdicts=tuple(verdicts),
    )


def _who(step: TranscriptStep) -> str | None:
    said = step.action.get("speaker") or step.action.get("principal") or step.principal
    return str(said) if said is not None else None


def _call(entry: Mapping[str, Any]) -> ToolCall:
    rest = {name: value for name, value in entry.items() if name not in _OF_A_CALL}
    tool, outcome = entry.get("tool"), entry.get("outcome")
    return ToolCall(
        tool=None if tool is None else str(tool),
        given=entry.get("arguments", rest or None),
        result=entry.get("text") if tool is None else entry.get("result"),
        outcome=None if outcome is None else str(outcome),
    )


def _outline(
    steps: Sequence[TranscriptStep], by_step: Mapping[int | None, Sequence[SampleVerdict]]
) -> Iterator[OutlineLine]:
    outlined = [placed for placed in enumerate(steps) if type_of(placed[1]) != "feedback" or placed[1].status != "ok"]
    kinds = groupby(outlined, key=lambda placed: _kind(placed[0], placed[1]))
    for _, placed in kinds:
        run = [step for _, step in placed]
        verdicts = tuple(verdict for step in run for verdict in by_step.get(step.index, ()))
        status = next((step.status for step in run if step.status != "ok"), "ok")
        yield OutlineLine(type_of(run[0]), run[0].index, run[-1].index, title_of(run[0]), verdicts, status)


def _kind(place: int, step: TranscriptStep) -> tuple[str, int | None]:
    type_ = type_of(step)
    return type_, place if type_ in _BY_THEMSELVES else None
