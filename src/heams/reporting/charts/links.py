"""Links on marks: paths of our own only.

The renderer resolves relative addresses against a site of its own, so they travel under a placeholder that no address
can have, and come out as they were.
"""

import re

_PLACEHOLDER = "https://own.invalid/?"
_OWN = re.compile(r"(?!//)(?![^/?#]*:)[^\\\x00-\x20\x7f-\xa0]+")


def packed(path: str) -> str:
    """``path`` for a chart's specification.

    Raises:
        ValueError: it leads to another site, has a scheme, or holds characters that no path has.
    """
    if not _OWN.fullmatch(path):
        raise ValueError(
            f"a chart links to paths of its own site, such as '/run/one' or 'one/report.md'; found {path!r}"
        )
    return _PLACEHOLDER + path


def unpacked(address: str) -> str | None:
    """The path that was packed; None for any other address."""
    path = address.removeprefix(_PLACEHOLDER)
    return path if path != address and _OWN.fullmatch(path) else None
