"""Where in the data a pydantic error is.

Pydantic puts more into a location than the path through the data: the tag of a discriminated union, the member of a
plain union (`int`, `list[str]`), `[key]`. These parts are left out here.
"""

from typing import Any

from heta_framework.common.config.tree import Loc


def locate(data: Any, loc: Loc, found: Any) -> Loc:
    """Return the path through `data` that the pydantic location `loc` stands for.

    A tag may be spelled like a key beside it, so several paths can fit. The value that pydantic reports as `found` is
    the very object in `data` unless a validator replaced it; the path that leads to it wins, otherwise the longest.
    """
    paths: dict[Loc, Any] = {(): data}
    for part in loc:
        longer = {(*path, part): value[part] for path, value in paths.items() if _holds(value, part)}
        paths |= longer
    return max(paths, key=lambda path: (paths[path] is found, len(path)))


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value)
