"""Configurations that name further configuration files: those are read before a run, so that it sees all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pydantic import BaseModel

from heta_framework.common.config import YamlDocument


@dataclass(frozen=True, slots=True)
class Completion:
    """A configuration with what its files say.

    ``documents`` are the files, whose ``${VARIABLES}`` count as those of the configuration; ``secrets`` are values that
    must never reach an artifact or a message.
    """

    config: BaseModel
    documents: tuple[YamlDocument, ...] = ()
    secrets: tuple[str, ...] = ()


@runtime_checkable
class Completable(Protocol):
    """A configuration that is not whole by itself."""

    def completed(self, document: YamlDocument, env: Mapping[str, str]) -> Completion:
        """The whole configuration; ``document`` is where it was read from, its paths have been resolved.

        Raises:
            ConfigError: a file cannot be used, or does not fit.
        """
        ...


def complete(config: BaseModel, document: YamlDocument, env: Mapping[str, str]) -> Completion:
    """What the configuration completes itself to; most are whole as they are."""
    return config.completed(document, env) if isinstance(config, Completable) else Completion(config)
