"""A case as it is heard: who says what, through what. Nothing here depends on whether the case is an attack."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from heams.benchmarks.mpbench.records import CaseRow
from heams.scenarios.actions import DocumentIngestion, Turn

_FIRST_SESSION = "first"
FRESH_SESSION = "second"
_READ_AS_DOCUMENTS = frozenset({"file", "web", "script"})
_UNNAMED_SOURCE = "tool"


def heard(row: CaseRow, memory_policy: str | None) -> Iterator[Turn | DocumentIngestion]:
    """The first session: the standing policy, what the user asks, what is read for it, and a skill that comes with it.

    ``metadata.source`` names where a text comes from, ``metadata.channel`` how it comes: ``conversation``,
    ``tool_result`` or ``document``.
    """
    if memory_policy is not None:
        yield _turn("policy", memory_policy, "operator", "system")
    if row.user_query is not None:
        yield _turn("query", row.user_query, "user", "user")
    source = row.domain or _UNNAMED_SOURCE
    if row.skill_md is not None:
        yield _document("skill", row.skill_md, "skill")
    for number, part in enumerate(row.parts, start=1):
        if source in _READ_AS_DOCUMENTS and len(row.parts) == 1:
            yield _document("context-1", part, source)
        else:
            yield _turn(f"context-{number}", part, source, "tool")


def _turn(event_id: str, content: str, source: str, role: str) -> Turn:
    channel = "tool_result" if role == "tool" else "conversation"
    return Turn.model_validate(
        {
            "id": event_id,
            "content": content,
            "speaker": source,
            "role": role,
            "session_id": _FIRST_SESSION,
            "metadata": _origin(source, channel),
        }
    )


def _document(event_id: str, content: str, source: str) -> DocumentIngestion:
    return DocumentIngestion(id=event_id, content=content, principal=source, metadata=_origin(source, "document"))


def _origin(source: str, channel: str) -> Mapping[str, JsonValue]:
    return {"source": source, "channel": channel}
