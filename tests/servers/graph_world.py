"""Small knowledge graphs: documents, a model that reads them, and stores that can be looked through byte by byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heta_framework.common.models import (
    EmbeddingRequest,
    EmbeddingResult,
    FunctionLanguageModel,
    ModelRequest,
)
from heta_framework.common.stores import InMemoryVectorStore, LocalObjectStore, SQLStore
from heta_framework.kb import (
    DocumentParserRegistry,
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    SourceDocument,
    SplitDocuments,
    TextParser,
)
from heta_framework.kb.derived.pack import decode_pack
from heta_framework.kb.procedures import HetaGraphProcedure

HARBOUR = {
    "lamp": "Ada Quill keeps the lamp of Port Sorrel. Port Sorrel has a stone pier.",
    "ferry": "The ferry Petrel sails from Port Sorrel to Gull Island. Ivo Brandt commands the ferry Petrel.",
    "bakery": "Gull Island has a bakery. The bakery sells rye bread.",
}
VOCABULARY = [
    "ada",
    "quill",
    "lamp",
    "port",
    "sorrel",
    "stone",
    "pier",
    "ferry",
    "petrel",
    "gull",
    "island",
    "ivo",
    "brandt",
    "bakery",
    "rye",
    "bread",
    "keeps",
    "sails",
    "commands",
]


class CountedWords:
    """An embedding that counts the words of a small vocabulary; a text without any has no vector."""

    model_name = "counted-words"

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Embed one request."""
        self.texts += request.texts
        return EmbeddingResult([vector(text) for text in request.texts], self.model_name)

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        """Embed several."""
        return [await self.embed(request) for request in requests]


def vector(text: str) -> list[float]:
    """How often each word of the vocabulary occurs."""
    words = [word.strip(".,?!:").lower() for word in text.split()]
    return [float(words.count(word)) for word in VOCABULARY]


@dataclass
class Reader:
    """A language model that reads with a table: what stands in a text is in the replies about it.

    Attributes:
        entities: description by name.
        relations: (source, name, target).
        overrides: replies by ``step`` or ``step/stage`` or ``step/phase`` of the trace context, in the place of others.
    """

    entities: Mapping[str, str] = field(default_factory=dict)
    relations: Sequence[tuple[str, str, str]] = ()
    overrides: dict[str, str | Callable[[ModelRequest], str]] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def model(self) -> FunctionLanguageModel:
        """As a recipe takes it."""
        return FunctionLanguageModel(self._answer, model_name="reader")

    def _answer(self, request: ModelRequest) -> str:
        trace = dict(request.trace_context or {})
        self.asked.append(trace)
        self.prompts.append(request.prompt or "")
        step, stage = trace.get("step", trace.get("query_mode")), trace.get("stage") or trace.get("phase")
        for key in (f"{step}/{stage}", step):
            if key in self.overrides:
                given = self.overrides[key]
                return given if isinstance(given, str) else given(request)
        told = (request.prompt or "").rpartition("<<<text ")[2]
        if stage == "entity_extraction":
            return json.dumps(
                {"entities": [_entity(name, said) for name, said in self.entities.items() if name in told]}
            )
        if stage == "relation_extraction":
            there = [one for one in self.relations if one[0] in told and one[2] in told]
            return json.dumps({"relations": [_relation(*one) for one in there]})
        return "{}"


def _entity(name: str, said: str) -> dict[str, Any]:
    return {"name": name, "type": "thing", "subtype": None, "description": said, "attributes": {}}


def _relation(source: str, name: str, target: str) -> dict[str, Any]:
    said = f"{source} {name} {target}."
    return {"source": source, "target": target, "type": name, "name": name, "description": said, "attributes": {}}


HARBOUR_READER = {
    "entities": {
        "Ada Quill": "Keeper of a lamp.",
        "Port Sorrel": "A port with a stone pier.",
        "Petrel": "A ferry.",
        "Gull Island": "An island.",
        "Ivo Brandt": "He commands a ferry.",
        "bakery": "It sells rye bread.",
    },
    "relations": (
        ("Ada Quill", "keeps the lamp of", "Port Sorrel"),
        ("Petrel", "sails from", "Port Sorrel"),
        ("Petrel", "sails to", "Gull Island"),
        ("Ivo Brandt", "commands", "Petrel"),
        ("Gull Island", "has", "bakery"),
    ),
}


class GraphWorld:
    """The stores of a test, and recipes over them."""

    def __init__(self, folder: Path, *, sql_url: str | None = None) -> None:
        self.folder = folder
        self.objects = LocalObjectStore(folder / "objects")
        self.vectors = InMemoryVectorStore()
        self.sql = SQLStore(sql_url or f"sqlite:///{folder}/graph.db")
        self.embedding: CountedWords | None = CountedWords()

    async def put(self, documents: Mapping[str, str]) -> list[SourceDocument]:
        """Store documents under their ids."""
        for name, text in documents.items():
            await self.objects.put(f"raw/{name}.txt", text.encode())
        return [SourceDocument(f"raw/{name}.txt", name) for name in documents]

    def recipe(self, *, language: Any = None, steps: Sequence[Any] | None = None, **procedure: Any) -> KnowledgeRecipe:
        """A recipe that builds a graph."""
        embedded = self.embedding is not None
        return KnowledgeRecipe(
            models=KnowledgeModels(language=language, embedding=self.embedding),
            stores=KnowledgeStores(objects=self.objects, vector=self.vectors if embedded else None, sql=self.sql),
            parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
            steps=(
                ParseDocuments(),
                SplitDocuments(),
                *(steps if steps is not None else (HetaGraphProcedure(**procedure),)),
            ),
        )

    async def build(
        self, documents: Mapping[str, str] = HARBOUR, *, name: str = "harbour", recipe: KnowledgeRecipe | None = None
    ) -> KnowledgeBase:
        """A knowledge base of these documents."""
        sources = await self.put(documents)
        return await KnowledgeBase.create(
            recipe=recipe or self.recipe(), name=name, initial_artifacts={"source_documents": sources}
        )

    async def table(self, kb: KnowledgeBase, logical: str) -> list[dict[str, Any]]:
        """All rows of a table, in a fixed order."""
        namespace = kb.run_record.artifacts["kb_namespace"]
        rows = await self.sql.fetch_all(f'SELECT * FROM "{logical}__{namespace}"')  # noqa: S608 - names of our own
        return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))

    async def graph(self, kb: KnowledgeBase) -> dict[str, list[dict[str, Any]]]:
        """All tables."""
        names = ("entities", "relations", "graph_evidence", "graph_passages", "graph_synonyms")
        return {name: await self.table(kb, name) for name in names}

    async def everything_stored(self, kb: KnowledgeBase) -> str:
        """All that the stores hold beside the raw documents, as one text."""
        parts = [json.dumps(await self.graph(kb))]
        for collection in list(self.vectors._collections):
            held = self.vectors._collection(collection)
            found = held.search(_everything(len(VOCABULARY)))
            parts += [f"{one.id} {one.text} {one.metadata}" for one in found]
        for info in await self.objects.list(""):
            if not info.key.startswith("raw/"):
                data = await self.objects.get(info.key)
                records = decode_pack(data) if info.key.endswith(".pack") else {"": data}
                parts += [f"{info.key} {key} {value.decode('utf-8', 'replace')}" for key, value in records.items()]
        return "\n".join(parts)


def _everything(dimension: int) -> Any:
    from heta_framework.common.stores.vector import VectorQuery

    return VectorQuery([1.0] * dimension, 10_000)
