"""Names of experiments: each becomes a folder beside the reports of a results folder, on any file system."""

import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Final

NAME_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
LONGEST_NAME: Final = 150
_LONGEST_LABEL: Final = 80
_JOINT: Final = "__"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def allowed_name(name: str) -> str:
    """``name`` as it is, for use as a validator.

    Raises:
        ValueError: files that a results folder holds are called like this, or a file system would change it.
    """
    if name.casefold().endswith(".md"):
        raise ValueError("must not end in '.md', which is how reports beside the experiment's folder are called")
    if name.endswith("."):
        raise ValueError("must not end in '.', which some file systems drop")
    return name


def safe_label(text: str) -> str:
    """``text`` as a part of an experiment's name: itself where it is one, else a slug with a hash of the text.

    Labels begin and end with a letter or digit and hold no ``__``, so that joined labels can be told apart.
    """
    slug = _slug(text)
    return slug if slug == text else f"{slug or 'component'}-{_digest(text, 6)}"


def joined_name(labels: Sequence[str]) -> str:
    """The name of an experiment of a matrix; a hash stands for the end of a name that is too long."""
    name = _JOINT.join(labels)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 13]}-{_digest(name, 12)}"


def distinct_labels(labels: Sequence[str | None]) -> list[str | None]:
    """The labels with a number behind those that were there before; case does not tell labels apart."""
    taken: set[str] = set()
    return [None if label is None else _not_taken(label, taken) for label in labels]


def _not_taken(label: str, taken: set[str]) -> str:
    numbered = (label if number == 1 else f"{label}-{number}" for number in count(1))
    free = next(candidate for candidate in numbered if candidate.casefold() not in taken)
    taken.add(free.casefold())
    return free


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    slug = re.sub(r"_{2,}", "_", _UNSAFE.sub("_", plain))
    slug = re.sub(r"\.md$", "_md", slug.strip("._-"), flags=re.IGNORECASE)
    return slug[:_LONGEST_LABEL].rstrip("._-")


def _digest(text: str, length: int) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
