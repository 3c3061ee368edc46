"""Verdicts that are announced by form: ``\\boxed{...}``, ``<verdict>...</verdict>``, a row of a table.

They are written out as ``verdict: ...`` on a line of their own, where they are not copied from the material.
"""

import re

from heta_framework.common.judge.quotations import GONE, OwnWords

_BOXED = re.compile(r"\\boxed\{\s*(?:\\(?:text|textbf|mathrm|mathbf)\{)?(?P<said>[^{}\n]*)\}{1,2}\$*")
_TAGGED = re.compile(
    r"<(?P<tag>verdict|label|score|answer|judge?ment|grade|rating|result|final_answer)>\s*(?P<said>[^<>\n]{1,60}?)\s*"
    r"</(?P=tag)>",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"^[ \t]*\|[ *`]*(?:final |overall )?(?:verdict|label|score|judge?ment|grade|rating|result)[ *`]*\|"
    r"(?P<said>[^|\n]+)\|[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


def boxed_written_out(text: str, own: OwnWords) -> str:
    """``text`` with what is boxed written out; before JSON is looked for, since boxes have braces."""
    return _written_out(_BOXED, text, own)


def written_out(text: str, own: OwnWords) -> str:
    """``text`` with what stands in tags and in rows of tables written out."""
    return _written_out(_ROW, _written_out(_TAGGED, text, own), own)


def _written_out(form: re.Pattern[str], text: str, own: OwnWords) -> str:
    def line(match: re.Match[str]) -> str:
        return GONE if own.copies(match.group()) else f"\nverdict: {match['said'].strip()}\n"

    return form.sub(line, text)
