"""Where replies of models are cached: nowhere, unless somebody says where."""

import os
from collections.abc import Mapping
from pathlib import Path

CACHE_DIR_ENV = "HEAMS_MODEL_CACHE_DIR"


def model_cache_dir(given: Path | None, env: Mapping[str, str] | None = None) -> Path | None:
    """The folder of the cache: ``given`` (an option), else what ``HEAMS_MODEL_CACHE_DIR`` names, else None.

    There is no default folder: a cache answers a repeated question with the same reply and so hides how much replies
    vary. Whoever uses one shall have asked for it.
    """
    if given is not None:
        return given.expanduser()
    named = (os.environ if env is None else env).get(CACHE_DIR_ENV, "").strip()
    return Path(named).expanduser() if named else None
