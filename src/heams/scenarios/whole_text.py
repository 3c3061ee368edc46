"""Text that can be written as UTF-8: a Python string may hold half a character, an artifact may not."""

from typing import Annotated

from pydantic import AfterValidator


def refuse_half_characters(text: str) -> str:
    """Return ``text`` unchanged.

    Raises:
        ValueError: it holds a lone surrogate, which neither UTF-8 nor strict JSON can express.
    """
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as cause:
            raise ValueError(f"half a character (lone surrogate) at position {cause.start}") from None
    return text


WholeText = Annotated[str, AfterValidator(refuse_half_characters)]
