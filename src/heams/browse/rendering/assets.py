"""The files that pages load: all of them ours, each under an address that changes with its content."""

import hashlib
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
_DIGITS = 10


@cache
def static_url(name: str) -> str:
    """The address of a file in ``static/``, for ever the same content."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:_DIGITS]}"
