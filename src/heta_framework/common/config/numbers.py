"""Numbers in configurations: ``true`` is no number, although Python takes it for 1.

Text of digits is one, because ``${NAME}`` is always replaced by text.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticKnownError


def _no_flag_for_int(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


def _no_flag_for_float(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticKnownError("float_type")
    return value


WholeNumber = Annotated[int, BeforeValidator(_no_flag_for_int)]
"""An integer: ``3``, ``3.0`` or, from a variable, ``"3"``; never ``true``."""

Number = Annotated[float, BeforeValidator(_no_flag_for_float), Field(allow_inf_nan=False)]
"""A finite number: ``0.5``, ``3`` or, from a variable, ``"0.5"``; never ``true``."""
