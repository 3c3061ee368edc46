"""What makes two recipes the same: all that decides what is found, and nothing that only says where it is kept."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from pydantic import BaseModel

from heta_framework.kb.recipe_file.building import made_step
from heta_framework.kb.recipe_file.settings import RecipeSettings

_REACHED_AND_LIMITED = {
    "api_key_env",
    "base_url",
    "max_attempts",
    "max_concurrency",
    "prices",
    "requests_per_minute",
    "timeout_s",
    "tokens_per_minute",
}


def recipe_fingerprint(settings: RecipeSettings) -> str:
    """64 hex digits over models with their sampling, parsers, kinds of stores, and steps with all their settings.

    Left out are name, description and metadata, paths and addresses of stores, and how models are reached and limited.
    """
    content = {
        "models": {slot: _model(choice) for slot, choice in settings.models if choice is not None},
        "parsers": sorted(settings.parsers) if settings.parsers else "all",
        "stores": {slot: store.type for slot, store in settings.stores.by_slot().items()},  # type: ignore[attr-defined]
        "steps": [[step.name, repr(_settings(step))] for step in map(made_step, settings.steps)],
    }
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _model(choice: Any) -> Any:
    return choice.model_dump(mode="json", exclude=_REACHED_AND_LIMITED) if isinstance(choice, BaseModel) else choice


def _settings(step: Any) -> Any:
    return getattr(step, "config", step)
