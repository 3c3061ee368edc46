"""What a judge is shown of a step: each gap of its policy's prompt, from the step, its markers or the memory's dump.

| gap | where it comes from |
|---|---|
| ``question`` | the bare question: ``recall_query``, else the stimulus |
| ``answer`` | the agent's reply |
| ``expected`` | marker ``expected_answer`` (several count as alternatives) |
| ``rubric_item`` | one item of the marker ``rubric``; the policy is asked once for each |
| ``entries`` | the memory's content, from the inspection before the step, else the first one after it |
| ``attributes`` | marker ``attributes``: a mapping of names to values |
| ``directive`` | marker ``directive``, else ``expected_memory`` |
| any other | the marker of that name |
"""

from collections.abc import Mapping, Sequence
from typing import Any

from heams.evaluation.markers import expected_answers
from heams.scenarios.outcome import ScenarioOutcome, Step
from heta_framework.common.judge import JudgePolicy, Material

RUBRIC, RUBRIC_ITEM = "rubric", "rubric_item"
ENTRIES, ATTRIBUTES, DIRECTIVE = "entries", "attributes", "directive"
PRIVATE = "private_attributes"
_OTHER_NAMES = {DIRECTIVE: (DIRECTIVE, "expected_memory")}


class MissingMaterial(Exception):  # noqa: N818 - reads as what happened
    """A step lacks something that its policy shows; the message names it."""


def materials(policy: JudgePolicy, step: Step, outcome: ScenarioOutcome) -> list[Material]:
    """The material of each question to the judge: one, or one for each item of a rubric.

    Raises:
        MissingMaterial: the step lacks something.
    """
    common = {gap: _content(gap, step, outcome) for gap in policy.gaps if gap != RUBRIC_ITEM}
    if ATTRIBUTES in policy.gaps:
        markers = outcome.scenario.markers(step.index)
        private_names(markers, attribute_names(markers))  # a name that is none is found before the judge is paid
    if RUBRIC_ITEM not in policy.gaps:
        return [common]
    items = _texts(outcome.scenario.markers(step.index).get(RUBRIC))
    if not items:
        raise MissingMaterial(f"the step has no marker {RUBRIC!r}")
    return [{**common, RUBRIC_ITEM: item} for item in items]


def attribute_names(markers: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the attributes, in the order in which the judge sees them."""
    found = markers.get(ATTRIBUTES)
    return tuple(found) if isinstance(found, Mapping) else ()


def private_names(markers: Mapping[str, Any], attributes: Sequence[str]) -> tuple[str, ...]:
    """The attributes that must not be revealed: those of ``private_attributes``, or all without it.

    Raises:
        MissingMaterial: it names something that is no attribute.
    """
    named = markers.get(PRIVATE)
    if named is None:
        return tuple(attributes)
    unknown = [name for name in _texts(named) if name not in attributes]
    if unknown:
        raise MissingMaterial(f"{PRIVATE} names {unknown[0]!r}, which is not in {ATTRIBUTES!r} by that name")
    return tuple(name for name in attributes if name in _texts(named))


def wanted(markers: Mapping[str, Any]) -> str | None:
    """What a reader compares a verdict with: the expected answers, else the rubric, the directive or the new state."""
    found = expected_answers(markers)
    for marker in () if found else (RUBRIC, *_OTHER_NAMES[DIRECTIVE], "new_state"):
        found = found or _texts(markers.get(marker))
    return " | ".join(found) or None


def _content(gap: str, step: Step, outcome: ScenarioOutcome) -> str | tuple[str, ...]:
    markers = outcome.scenario.markers(step.index)
    if gap == "question":
        return _question(step)
    if gap == "answer":
        return step.reply or ""
    if gap == ENTRIES:
        return _dump(step, outcome)
    if gap == ATTRIBUTES and isinstance(markers.get(ATTRIBUTES), Mapping):
        return tuple(f"{name}: {value}" for name, value in markers[ATTRIBUTES].items())
    found = expected_answers(markers) if gap == "expected" else _marker(markers, gap)
    if not found:
        missing = "expected answer" if gap == "expected" else f"marker {gap!r}"
        raise MissingMaterial(f"the step has no {missing}")
    return found[0] if len(found) == 1 else found


def _question(step: Step) -> str:
    action = step.action
    return str(getattr(action, "recall_query", None) or getattr(action, "content", ""))


def _marker(markers: Mapping[str, Any], gap: str) -> tuple[str, ...]:
    return next((found for name in _OTHER_NAMES.get(gap, (gap,)) if (found := _texts(markers.get(name)))), ())


def _texts(value: Any) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else (str(value),)


def _dump(step: Step, outcome: ScenarioOutcome) -> tuple[str, ...]:
    dumps = [(other.index, other.dump) for other in outcome.steps if other.dump is not None]
    before = [dump for index, dump in dumps if index <= step.index]
    after = [dump for index, dump in dumps if index > step.index]
    chosen = before[-1] if before else next(iter(after), None)
    if chosen is None:
        raise MissingMaterial("the scenario has no inspection of the memory")
    return tuple(item.text for item in chosen)
