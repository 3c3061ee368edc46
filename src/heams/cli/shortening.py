"""Long messages of others, cut where a sentence ends."""

import re

_ENDS = re.compile(r"[.!?;](?=\s)")


def shortened(message: str, limit: int) -> str:
    """``message`` on one line of about ``limit`` characters: cut after a sentence, else after a word, and marked."""
    line = " ".join(message.split())
    if len(line) <= limit:
        return line
    ends = [found.end() for found in _ENDS.finditer(line, 0, limit + 1)]
    cut = ends[-1] if ends else line.rfind(" ", 0, limit + 1)
    return f"{line[: cut if cut > 0 else limit]} ..."
