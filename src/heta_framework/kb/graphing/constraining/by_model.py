"""Facts that a language model finds a place for in a schema."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.asking import Reply, ask_until_usable, attributes_of, records_of, text_of
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.prompts import graph_prompt

if TYPE_CHECKING:
    from heta_framework.common.models.language.protocol import LanguageModelProtocol

Kept = list[tuple[int, dict[str, Any]]]
"""Positions of the facts that stay, each with the fields that change."""

_PROMPTS = {"entities": "constrain_entities", "relations": "constrain_relations"}
_ID_FIELDS = {"entities": "entity_id", "relations": "relation_id"}


class SchemaModel:
    """Asks a model about the facts of a chunk."""

    def __init__(
        self,
        model: LanguageModelProtocol,
        schema: Mapping[str, Any],
        *,
        step: str,
        max_attempts: int,
        temperature: float,
    ) -> None:
        self._model = model
        self._schema = json.dumps(schema, ensure_ascii=False, default=str)
        self._step = step
        self._max_attempts = max_attempts
        self._temperature = temperature

    @property
    def settings(self) -> tuple[object, ...]:
        """Everything that a judgement depends on beside chunk and facts."""
        versions = [graph_prompt(name).version for name in _PROMPTS.values()]
        return (self._model.model_name, *versions, self._temperature, self._schema)

    async def judged(self, stage: str, chunk: Chunk, facts: list[Fact]) -> Kept:
        """Which of the facts stay; ``stage`` is ``entities`` or ``relations``.

        Raises:
            NoUsableReplyError: the model gave none.
        """
        return await ask_until_usable(
            self._model,
            graph_prompt(_PROMPTS[stage]),
            {"schema": self._schema, stage: json.dumps(facts, ensure_ascii=False), "text": chunk.text},
            partial(_kept, stage=stage, facts=facts),
            keys=(stage,),
            trace_context={"step": self._step, "stage": stage, "chunk_id": chunk.chunk_id},
            max_attempts=self._max_attempts,
            temperature=self._temperature,
        )


def fingerprint(facts: list[Fact]) -> str:
    """What facts say, whatever chunk they belong to."""
    said = [[fact.get(name) for name in ("name", "type", "subtype", "description")] for fact in facts]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:24]


def applied(kept: Kept, facts: list[Fact]) -> list[Fact]:
    """The facts that stay, with what changes."""
    return [{**facts[position], **changes} for position, changes in kept if position < len(facts)]


def _kept(reply: Reply, *, stage: str, facts: list[Fact]) -> Kept:
    by_id = {fact[_ID_FIELDS[stage]]: position for position, fact in enumerate(facts)}
    by_name = {fact["name"]: position for position, fact in reversed(list(enumerate(facts)))}
    kept: dict[int, dict[str, Any]] = {}
    for record in records_of(reply, stage):
        position = by_id.get(record.get(_ID_FIELDS[stage]))
        if position is None and stage == "entities":
            position = by_name.get(text_of(record, "name") or "")
        if position is not None:
            kept.setdefault(position, _changes(record))
    return sorted(kept.items())


def _changes(record: Mapping[str, Any]) -> dict[str, Any]:
    fields = {
        "type": text_of(record, "type"),
        "subtype": text_of(record, "subtype"),
        "description": text_of(record, "description"),
        "attributes": attributes_of(record, "attributes"),
    }
    return {name: value for name, value in fields.items() if value and name in record}
