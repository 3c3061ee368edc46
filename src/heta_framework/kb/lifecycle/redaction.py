"""What a knowledge base's record still says of documents that are gone is taken out of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.lifecycle.inputs import SOURCE_DOCUMENTS, UPDATE_ARTIFACT, earlier_inputs
from heta_framework.kb.lifecycle.step_identity import step_identities
from heta_framework.kb.steps.issues import StepIssue

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.run_record import StepRunRecord

SOURCE_KEYS = "source_keys"


def with_identities(
    steps: tuple[StepRunRecord, ...], recipe: KnowledgeRecipe, artifacts: Mapping[str, Any]
) -> tuple[StepRunRecord, ...]:
    """The records of steps that ran, as if what the artifacts name now were what the build was given."""
    identities = step_identities(recipe, earlier_inputs(artifacts))
    return tuple(replace(step, identity=identities[step.index]) for step in steps)


def inputs_without(artifacts: Mapping[str, Any], ids: Collection[str], keys: Collection[str]) -> dict[str, Any]:
    """The inputs that name raw documents, without these."""
    kept: dict[str, Any] = {}
    if artifacts.get(SOURCE_DOCUMENTS) is not None:
        given = [(one, SourceDocument.of(one)) for one in artifacts[SOURCE_DOCUMENTS]]
        kept[SOURCE_DOCUMENTS] = tuple(
            one for one, source in given if not (source.document_id in ids or _is_unnamed(source, keys))
        )
    if artifacts.get(SOURCE_KEYS) is not None:
        kept[SOURCE_KEYS] = tuple(key for key in artifacts[SOURCE_KEYS] if key not in keys)
    return kept


def inputs_after_updates(artifacts: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs that name raw documents as updates have left them; none where there was no update.

    A caller may still hold those of before and give them again: what was removed must not come back into the record.
    """
    if UPDATE_ARTIFACT not in artifacts:
        return {}
    return {key: artifacts[key] for key in (SOURCE_DOCUMENTS, SOURCE_KEYS) if key in artifacts}


def issues_without(issues: Collection[StepIssue], ids: Collection[str], keys: Collection[str]) -> tuple[StepIssue, ...]:
    """The issues that do not speak of these documents."""
    named = {*keys, *(repr(one) for one in ids)}
    return tuple(issue for issue in issues if issue.subject.id not in ids and not _names(issue, named))


def _is_unnamed(source: SourceDocument, keys: Collection[str]) -> bool:
    return source.document_id is None and source.key in keys


def _names(issue: StepIssue, named: Collection[str]) -> bool:
    said = json.dumps(asdict(issue), ensure_ascii=False)
    return any(json.dumps(name, ensure_ascii=False)[1:-1] in said for name in named)
