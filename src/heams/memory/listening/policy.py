"""Instructions to a model in a configuration."""

from typing import Annotated

from pydantic import Field, StringConstraints

Policy = Annotated[
    str, StringConstraints(pattern=r"\S"), Field(description="Instructions that stand above the prompt of that name.")
]
"""Every word that a model reads as an instruction stands in the configuration."""
