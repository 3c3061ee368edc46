"""Builds two knowledge bases on one object store whose recipes begin alike, and prints the seconds of both as JSON."""

import argparse
import asyncio
import json
import time
from pathlib import Path

from heta_framework.common.stores import LocalObjectStore
from heta_framework.kb import KnowledgeBase
from perf.knowledge_base_child import STEPS, Clocked, make_recipe


async def measure(objects: LocalObjectStore, texts: list[str]) -> dict[str, float]:
    """Seconds of the first build, with parsing, splitting and embedding, and of the second, which finds them done."""
    for number, text in enumerate(texts):
        await objects.put(f"raw/{number:06}.txt", text.encode())
    seconds = {}
    for name in ("first", "second"):
        recipe = make_recipe(objects, Clocked(), STEPS["vector_search"])
        start = time.perf_counter()
        await KnowledgeBase.create(recipe=recipe, name=name)
        seconds[name] = time.perf_counter() - start
    return seconds


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    options = parser.parse_args()
    texts = json.loads(options.corpus.read_text(encoding="utf-8"))["texts"]
    print(json.dumps(asyncio.run(measure(LocalObjectStore(options.folder), texts))))


if __name__ == "__main__":
    main()
