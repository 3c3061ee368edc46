"""What a build is given, and the knowledge base's own notes among the artifacts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from heta_framework.kb.documents import DocumentLike, SourceDocument, several
from heta_framework.kb.lifecycle.json_values import is_json_safe, is_note
from heta_framework.kb.namespace import namespace_of
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT

SOURCE_DOCUMENTS = "source_documents"
INPUTS_ARTIFACT = "kb_initial_artifacts"
UPDATE_ARTIFACT = "kb_update"
LISTING_NOTES = "kb_listing_notes"
"""The keys of the step cache under which the listing was noted for others; none once a document of it is gone."""


def checked_inputs(
    initial_artifacts: Mapping[str, Any] | None, documents: Iterable[DocumentLike] | None = None
) -> dict[str, Any]:
    """The initial artifacts; source documents as dicts, so that they can be written down.

    Args:
        documents: the source documents, where the artifacts do not hold them.

    Raises:
        TypeError, ValueError: one of the source documents is none, or they are given twice.
    """
    inputs = dict(initial_artifacts or {})
    if documents is not None:
        if SOURCE_DOCUMENTS in inputs:
            raise ValueError(f"documents and initial_artifacts[{SOURCE_DOCUMENTS!r}] say the same; give one of them")
        inputs[SOURCE_DOCUMENTS] = several("documents", documents)
    if inputs.get(SOURCE_DOCUMENTS) is not None:
        inputs[SOURCE_DOCUMENTS] = tuple(asdict(SourceDocument.of(given)) for given in inputs[SOURCE_DOCUMENTS])
    return inputs


def checked_metadata(metadata: Mapping[str, str] | None) -> dict[str, str]:
    """The caller's metadata.

    Raises:
        TypeError: JSON cannot hold it; found now, and not when the build is over.
    """
    found = dict(metadata or {})
    for key, value in found.items():
        if not isinstance(key, str) or not is_json_safe(value):
            raise TypeError(f"metadata[{key!r}] must be a value that JSON can hold, found {type(value).__name__}")
    return found


def starting_artifacts(name: str, inputs: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """What the first step finds: the inputs, the namespace, and what earlier runs noted."""
    notes = {key: value for key, value in earlier.items() if key in (UPDATE_ARTIFACT, LISTING_NOTES)}
    given = {key: value for key, value in inputs.items() if not is_note(value)}
    return {**given, **notes, NAMESPACE_ARTIFACT: namespace_of(name), INPUTS_ARTIFACT: sorted(inputs)}


def earlier_inputs(artifacts: Mapping[str, Any]) -> dict[str, Any]:
    """What an earlier run was given."""
    return {key: artifacts[key] for key in artifacts.get(INPUTS_ARTIFACT, ()) if key in artifacts}
