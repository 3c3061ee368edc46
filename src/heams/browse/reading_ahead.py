"""Reads all results in a thread while nobody asks, so that pages find them ready."""

from threading import Event, Thread
from types import TracebackType
from typing import Self

from heams.browse.index import Library
from heams.reporting.errors import ResultsError
from heta_framework.common.config import ConfigError

_PATIENCE_SECONDS = 1.0


class ReadingAhead:
    """Use as a context manager: whoever leaves it waits a moment at most, whatever is being read."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._ended = Event()
        self._thread = Thread(target=self._read, name="heams-browse-reading-ahead", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join(_PATIENCE_SECONDS)

    def _read(self) -> None:
        for experiment in self._library.experiments:
            if self._ended.is_set():
                return
            try:
                experiment.digest()
            except (ResultsError, ConfigError):
                continue  # whoever opens the experiment is told
            except Exception:
                if not self._ended.is_set():
                    raise
                return  # the index was closed in the middle of it: nobody wants the result any more
