"""One knowledge base, built and asked, in a process of its own; runs on our package and on the published one.

It prints a line of JSON: seconds of the build and of the embedding model in it, milliseconds a query, and how many
files and bytes the build derived. The model is wordllama on both sides, each through what is at hand there.
"""

import argparse
import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any

from heta_framework.common.models import EmbeddingRequest, EmbeddingResult
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
from heta_framework.kb import (
    DocumentParserRegistry,
    EmbedChunks,
    IndexFullText,
    IndexVectors,
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    SplitDocuments,
    SplitDocumentsConfig,
    TextParser,
)

TOP_K = 10
BUILDS = 3
STEPS: dict[str, Any] = {"vector_search": (EmbedChunks, IndexVectors), "full_text_search": (IndexFullText,)}


class Clocked:
    """An embedding model that counts the seconds that are spent in it."""

    model_name = "wordllama:l2_supercat_256"
    dimension = 256

    def __init__(self) -> None:
        self.seconds = 0.0
        self._model = _open_model()
        self.embed_texts(["a first text loads everything"])
        self.seconds = 0.0

    def embed_texts(self, texts: Any) -> Any:
        """Unit vectors (n, 256); ours takes them as they are."""
        start = time.perf_counter()
        vectors = self._model(list(texts))
        self.seconds += time.perf_counter() - start
        return vectors

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """The same for one request."""
        return EmbeddingResult(vectors=self.embed_texts(request.texts).tolist(), model_name=self.model_name)

    async def embed_many(self, requests: Any) -> list[EmbeddingResult]:
        """The same for several requests."""
        return [await self.embed(request) for request in requests]


def _open_model() -> Any:
    try:
        from heta_framework.common.models import WordLlamaEmbedding
    except ImportError:
        import wordllama

        shipped = Path(wordllama.__file__).parent
        loaded = wordllama.WordLlama.load(cache_dir=shipped, disable_download=True)
        return lambda texts: loaded.embed(texts, norm=True)
    return WordLlamaEmbedding().embed_texts


async def measure(folder: Path, texts: list[str], questions: list[str], mode: str) -> dict[str, Any]:
    """Build knowledge bases of ``texts`` below ``folder``, each from nothing; ask the last one all ``questions``.

    The fastest build counts: the others were disturbed, or loaded what a process loads once.
    """
    builds = [await build(folder / str(number), texts, mode) for number in range(BUILDS)]
    kb, _ = builds[-1]
    start = time.perf_counter()
    found = [len((await kb.query(question, mode=mode, top_k=TOP_K)).results) for question in questions]
    asking = time.perf_counter() - start
    if kb.run_record.status != "succeeded" or min(found) < TOP_K:
        raise SystemExit(f"the build {kb.run_record.status}, and {found.count(TOP_K)} questions were answered in full")
    objects: LocalObjectStore = kb.recipe.stores.objects
    derived = [info.size for info in await objects.list() if not info.key.startswith("raw/")]
    return {
        **min((spent for _, spent in builds), key=lambda spent: spent["build_s"]),
        "query_ms": asking / len(questions) * 1_000,
        "files": len(derived),
        "bytes": sum(derived),
        "chunks": kb.run_record.artifacts["split_documents_result"].chunk_count,
    }


async def build(folder: Path, texts: list[str], mode: str) -> tuple[KnowledgeBase, dict[str, float]]:
    """A knowledge base in a folder of its own, and the seconds that it took."""
    objects, model = LocalObjectStore(folder), Clocked()
    for number, text in enumerate(texts):
        await objects.put(f"raw/{number:06}.txt", text.encode())
    recipe = make_recipe(objects, model, STEPS[mode])
    start, cpu = time.perf_counter(), time.process_time()
    kb = await KnowledgeBase.create(recipe=recipe, name="measured")
    spent = {"build_s": time.perf_counter() - start, "build_cpu_s": time.process_time() - cpu}
    return kb, spent | {"embedding_s": model.seconds}


def make_recipe(objects: LocalObjectStore, model: Clocked, steps: tuple[Any, ...]) -> KnowledgeRecipe:
    """Text files in chunks of 1,024 characters, and the named steps upon them, as they come."""
    return KnowledgeRecipe(
        models=KnowledgeModels(embedding=model),
        stores=KnowledgeStores(objects=objects, vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore()),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(SplitDocumentsConfig(encoding_name="unicode")),
            *(step() for step in steps),
        ),
    )


def refuse_network() -> None:
    """Let every look-up of a host fail at once.

    The published package asks for the table of a tokenizer with each document; what it waits for a network is not what
    is measured.
    """

    def refused(*_: Any, **__: Any) -> Any:
        raise socket.gaierror("measured without a network")

    socket.getaddrinfo = refused


def main() -> None:
    """Measure what the command line names."""
    refuse_network()
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=sorted(STEPS))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True, help="JSON: {texts: [...], questions: [...]}")
    options = parser.parse_args()
    corpus = json.loads(options.corpus.read_text(encoding="utf-8"))
    print(json.dumps(asyncio.run(measure(options.folder, corpus["texts"], corpus["questions"], options.mode))))


if __name__ == "__main__":
    main()
