"""Loads a library that is an extra: with its telemetry off, and a plain word where it is not installed."""

import os
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import TypeVar

from heta_framework.common.models.errors import ModelSetupError

_T = TypeVar("_T")


def loaded(extra: str, distribution: str, load: Callable[[], _T], *, environment: Mapping[str, str]) -> _T:
    """What ``load`` imports. ``environment`` is set before, and stays: libraries read it when they are imported.

    Raises:
        ModelSetupError: the extra is not installed.
    """
    os.environ.update(environment)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a library uses that is deprecated is not its user's business
            return load()
    except ImportError as missing:
        raise ModelSetupError(
            f"memory system {extra!r} needs {distribution} ({missing}): install it with pip install 'heams[{extra}]'"
        ) from missing


def named_version(distribution: str) -> str:
    """``distribution==version``, as installed."""
    return f"{distribution}=={version(distribution)}"
