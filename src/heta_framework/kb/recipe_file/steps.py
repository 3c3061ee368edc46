"""One entry under ``steps``: the name of a step, and the settings that differ from its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, WithJsonSchema

from heta_framework.common.config import nearest
from heta_framework.kb.recipe_file.step_catalogue import STEP_TYPES, StepType


class NamedStep(BaseModel):
    """A step by name; ``settings`` are as written and checked by `heta_framework.kb.recipe_file.step_settings`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    settings: Mapping[str, JsonValue] = Field(default_factory=dict)

    @property
    def type(self) -> StepType:
        """Where the step is found."""
        return STEP_TYPES[self.name]


def _entry(written: Any) -> Any:
    if isinstance(written, NamedStep):
        return written
    name, settings = (written, None) if isinstance(written, str) else _only_pair(written)
    if name not in STEP_TYPES:
        near = nearest(name, STEP_TYPES)
        hint = f"; did you mean {near!r}?" if near else ""
        raise ValueError(f"no step is named {name!r}; allowed: {', '.join(STEP_TYPES)}{hint}")
    if settings is None or isinstance(settings, Mapping):
        return {"name": name, "settings": settings or {}}
    raise ValueError(f"the settings of {name!r} must be a mapping (key: value)")


def _only_pair(written: Any) -> tuple[str, Any]:
    if not isinstance(written, Mapping) or len(written) != 1:
        raise ValueError("a step is its name, or a mapping of its name to its settings")
    ((name, settings),) = written.items()
    return str(name), settings


_SCHEMA = {
    "anyOf": [
        {"enum": list(STEP_TYPES)},
        {"type": "object", "propertyNames": {"enum": list(STEP_TYPES)}, "minProperties": 1, "maxProperties": 1},
    ]
}
StepEntry = Annotated[NamedStep, BeforeValidator(_entry), WithJsonSchema(_SCHEMA)]
"""``embed_chunks``, or ``{split_documents: {chunk_size: 256}}``."""
