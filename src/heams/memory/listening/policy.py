"""What the configurations of memories that listen have in common: instructions to a model, and how much it reads."""

from typing import Annotated

from pydantic import Field, StringConstraints

Policy = Annotated[
    str, StringConstraints(pattern=r"\S"), Field(description="Instructions that stand above the prompt of that name.")
]
"""Every word that a model reads as an instruction stands in the configuration."""

BatchTokens = Annotated[
    int,
    Field(
        ge=64,
        description="The most tokens of events that the model reads at once (shipped tokenizer); a longer event is "
        "read in parts.",
    ),
]
"""Keeps a batch within the context of a model, whatever was said."""
