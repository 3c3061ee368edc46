"""Vectors as they are kept in a reply: float32, little-endian, base64, a quarter of what decimal digits would take."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue


def packed(vectors: Sequence[Sequence[float]]) -> dict[str, JsonValue]:
    """Vectors of one dimension as JSON."""
    import numpy as np

    matrix = np.asarray(vectors, dtype="<f4")
    return {"count": len(vectors), "float32": base64.b64encode(matrix.tobytes()).decode("ascii")}


def unpacked(body: Mapping[str, Any]) -> list[list[float]]:
    """The vectors of ``packed``.

    Raises:
        ValueError: ``body`` holds something else.
    """
    import numpy as np

    try:
        numbers = np.frombuffer(base64.b64decode(body["float32"], validate=True), dtype="<f4")
        rows: list[list[float]] = numbers.reshape(int(body["count"]), -1).tolist() if body["count"] else []
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the kept reply holds no vectors ({error})") from error
    return rows
