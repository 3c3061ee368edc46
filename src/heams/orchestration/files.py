"""Small files that are replaced as a whole: readers see the old content or the new one, never a mixture."""

import os
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def replace_file(path: Path, content: str | bytes) -> None:
    """Write ``content`` to ``path`` atomically and durably."""
    replace_with(path, [content.encode("utf-8") if isinstance(content, str) else content])


def replace_with(path: Path, parts: Iterable[bytes]) -> None:
    """Write ``parts``, one after the other, to ``path`` atomically and durably."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def file_name_for(identifier: str) -> str:
    """A file name for an arbitrary id: the id itself where it is harmless, else a slug with a hash of the id."""
    slug = _UNSAFE.sub("_", identifier).strip("._")[:80]
    if slug == identifier:
        return slug
    return f"{slug or 'id'}-{sha256(identifier.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
