"""Material as data: every piece stands between two marker lines that carry a code nobody could know beforehand.

The code is a hash of all material of the call, so equal calls are equal (and can be cached), while a text cannot
contain the code that it will be fenced with: it would have to contain its own hash. Whatever looks like a marker, or
like the control tokens of a chat template, is pulled apart inside the material.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from heta_framework.common.text.surrogates import replace_surrogates

Material = Mapping[str, str | Sequence[str]]
"""By gap: a text, or entries that are numbered from 1."""

_CODE_LENGTH = 16
_INVISIBLE = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]*"
_LOOKALIKES = ("<＜‹〈⟨﹤⋖", ">＞›〉⟩﹥⋗")
_CONTROL = re.compile(
    r"<(?=\||/?(?:s|system|start_of_turn|end_of_turn)>)|\|(?=>)|\[(?=/?(?:INST|SYS)\])", re.IGNORECASE
)
_RUNS = [re.compile(f"(?:[{signs}]{_INVISIBLE}){{2,}}") for signs in _LOOKALIKES]


def fence_code(material: Material) -> str:
    """The code of a call: 16 hex digits of the hash of its material, names included."""
    whole = sha256()
    for name, content in sorted(material.items()):
        parts = [content] if isinstance(content, str) else list(content)
        for part in (name, str(len(parts)), *parts):
            data = part.encode("utf-8", "surrogatepass")
            whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()[:_CODE_LENGTH]


def fenced(name: str, content: str | Sequence[str], code: str) -> str:
    """One piece of material between its markers."""
    text = neutral(content) if isinstance(content, str) else _numbered(content)
    return f"<<<{name} {code}>>>\n{text}\n<<<end of {name} {code}>>>"


def neutral(text: str) -> str:
    """``text`` with runs of angle brackets and control tokens pulled apart; everything else stays as it is."""
    for run in _RUNS:
        text = run.sub(lambda found: " ".join(found.group()), text)
    return replace_surrogates(_CONTROL.sub(lambda found: f"{found.group()} ", text))


def _numbered(entries: Sequence[str]) -> str:
    """Further lines of an entry are indented, so that none can pass for another entry."""
    lines = (f"{number}. " + neutral(entry).replace("\n", "\n   ") for number, entry in enumerate(entries, start=1))
    return "\n".join(lines) or "(none)"
