"""Cranfield's documents and questions, and as many more documents as wanted: copies with words exchanged.

In a copy three words of ten, anywhere, are exchanged for words of the whole collection, so that no two are equal.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

_EXCHANGED = 0.3


def cranfield_at_hand() -> Cranfield | None:
    """The collection; None, and a line that says so, where ``HEAMS_DATA_DIR`` has it not."""
    folder = Path(os.environ.get("HEAMS_DATA_DIR", "")) / "cranfield-beir"
    if (folder / "corpus.jsonl").is_file():
        return Cranfield(folder)
    print(f"{folder} does not hold Cranfield, set HEAMS_DATA_DIR: knowledge bases are not measured", flush=True)
    return None


class Cranfield:
    """What ``folder`` holds: ``corpus.jsonl`` and ``queries.jsonl``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def documents(self) -> list[str]:
        """Title and text of each document."""
        return [f"{row['title']}\n\n{row['text']}".strip() for row in self._rows("corpus.jsonl")]

    @cached_property
    def questions(self) -> list[str]:
        """The questions, in the file's order."""
        return [row["text"] for row in self._rows("queries.jsonl")]

    def write_part(self, folder: Path, documents: int, questions: int) -> Path:
        """The first documents and questions, and the labels between them, as a folder in BEIR's layout."""
        texts, queries = self._rows("corpus.jsonl")[:documents], self._rows("queries.jsonl")[:questions]
        asked, known = ({row["_id"] for row in rows} for rows in (queries, texts))
        header, *labels = (self._folder / "qrels/test.tsv").read_text(encoding="utf-8").splitlines()
        triples = [line.split("\t") for line in labels]
        kept = ["\t".join(triple) for triple in triples if triple[0] in asked and triple[1] in known]
        (folder / "qrels").mkdir(parents=True)
        for name, rows in (("corpus", texts), ("queries", queries)):
            lines = [f"{json.dumps(row)}\n" for row in rows]
            (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
        (folder / "qrels/test.tsv").write_text("\n".join([header, *kept, ""]), encoding="utf-8")
        return folder

    def copies(self, count: int) -> Iterator[str]:
        """``count`` texts, the same ones every time."""
        chance = random.Random(0)
        words = [document.split(" ") for document in self.documents]
        vocabulary = sorted({word for document in words for word in document})
        for _ in range(count):
            copy = chance.choice(words).copy()
            for place in chance.sample(range(len(copy)), int(_EXCHANGED * len(copy))):
                copy[place] = chance.choice(vocabulary)
            yield " ".join(copy)

    def _rows(self, name: str) -> list[dict[str, str]]:
        return [json.loads(line) for line in (self._folder / name).read_text(encoding="utf-8").splitlines()]
