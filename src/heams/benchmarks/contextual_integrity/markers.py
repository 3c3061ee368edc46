"""What the evaluators and the roll-up learn of a context, and agent and memory never do."""

from typing import Final

from pydantic import JsonValue

from heams.benchmarks.contextual_integrity.labelling import Scored
from heams.benchmarks.contextual_integrity.labels import PRIVATE, SHARE, Label
from heams.evaluation.llm_judge_material import ATTRIBUTES
from heams.evaluation.llm_judge_material import PRIVATE as PRIVATE_ATTRIBUTES
from heams.evaluation.markers import EVIDENCE
from heams.evaluation.revealed import ATTRIBUTE_TAGS, BESIDE

USER: Final = "ci_user"
TASK: Final = "ci_task"
DOMAIN: Final = "domain"


def markers_of(scored: Scored) -> dict[str, JsonValue]:
    """The labelled attributes with their values, which of them are private, and where those to be shared were told."""
    attributes = {key: scored.person.attributes[key] for key in scored.labels}
    return {
        ATTRIBUTES: {key: one.value for key, one in attributes.items()},
        PRIVATE_ATTRIBUTES: list(_under(scored, PRIVATE)),
        ATTRIBUTE_TAGS: {key: {DOMAIN: one.domain} for key, one in attributes.items()},
        BESIDE: {key: one.beside for key, one in attributes.items() if one.beside},
        EVIDENCE: [attributes[key].event_id for key in _under(scored, SHARE)],
        USER: scored.person.name,
        TASK: scored.context.row.task,
    }


def _under(scored: Scored, wanted: Label) -> list[str]:
    return [key for key, label in scored.labels.items() if label == wanted]
