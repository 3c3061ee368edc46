"""Ids in files whose columns are separated by white space.

An id with white space would be read as two columns. It is refused, unless the caller wants such ids escaped: white
space, NUL and ``%`` are then percent-encoded in every id, which `unescaped_id` reverts. Reading never reverts anything:
a ``%20`` in somebody's file is part of the id there, as it is for trec_eval.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote, unquote

_UNFIT = re.compile(r"[\s\0]")
_ESCAPED = re.compile(r"[\s\0%]")


def escaped_id(identifier: str) -> str:
    """The id without white space, NUL or bare ``%``."""
    return _ESCAPED.sub(lambda found: quote(found[0], safe=""), identifier)


def unescaped_id(escaped: str) -> str:
    """What `escaped_id` was made from."""
    return unquote(escaped)


def fit_id(identifier: str) -> str:
    """The id itself.

    Raises:
        ValueError: it is empty, or cannot be one column.
    """
    if not identifier:
        raise ValueError("an id is empty, which no column can hold")
    if _UNFIT.search(identifier):
        raise ValueError(
            f"the id {identifier!r} holds white space or NUL, and columns are separated by white space; "
            f"with escaped ids (escape_ids, --escape-ids) each such character becomes %XX, and % becomes %25"
        )
    return identifier


def id_writer(*, escape: bool) -> Callable[[str], str]:
    """How ids are written: escaped, or as they are where they fit."""
    return (lambda identifier: fit_id(escaped_id(identifier))) if escape else fit_id
