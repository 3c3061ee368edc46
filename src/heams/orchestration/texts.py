"""Texts of recalled items, each stored once: results refer to them by a hash of their content."""

from functools import partial
from pathlib import Path

from heams.orchestration.store import TEXTS, ResultWriter
from heta_framework.common.durable_lines import TextBook, known_ids


def open_text_book(writer: ResultWriter, directory: Path) -> TextBook:
    """Hands out text ids and queues each new text for ``texts.jsonl``, ahead of the result that refers to it."""
    return TextBook(partial(writer.submit, TEXTS), known_ids(directory / TEXTS))
