"""Datasets on disk: downloaded once, checked by their checksum, never half there under their final name."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from heta_framework.common.datasets.checksums import (
    digests,
    expected_digests,
    first_difference,
    record_of,
    remember,
)
from heta_framework.common.datasets.download import Progress, ResumingDownloader
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile
from heta_framework.common.datasets.errors import DownloadError, LicenceNotAccepted
from heta_framework.common.datasets.registry import find_entry

CACHE_VARIABLES = ("HEAMS_CACHE_DIR", "HEAMS_DATA_DIR")
_UNUSABLE = {"missing", "corrupt"}
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class FileState(BaseModel):
    """How one file of a dataset stands in the cache.

    Attributes:
        path: where it belongs.
        state: "ok", "missing", "corrupt" (its content is not the registered or first downloaded one) or "unchecked"
            (it is there, and nothing is known yet that it could be compared with).
        algorithm: of the digests below.
        expected: the digest it should have; None where none is known.
        found: the digest of what is there; None where nothing is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path
    state: Literal["ok", "missing", "corrupt", "unchecked"]
    algorithm: str = "sha256"
    expected: str | None
    found: str | None = None


def default_cache_dir() -> Path:
    """The folder of $HEAMS_CACHE_DIR or $HEAMS_DATA_DIR, else the user's cache folder of this system."""
    chosen = next(filter(None, map(os.environ.get, CACHE_VARIABLES)), None)
    if chosen:
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("heams"))


def fetch(
    name: str,
    *,
    cache_dir: Path | None = None,
    accept_licence: bool = False,
    progress: Progress | None = None,
    timeout: float = 30.0,
) -> list[Path]:
    """Return the paths of a dataset's files, downloading those that are missing or corrupt.

    Args:
        name: a name of `registry()`.
        cache_dir: the files go to `<cache_dir>/<name>/`; `default_cache_dir()` when left out.
        accept_licence: needed as soon as something must be downloaded whose licence asks for it.
        progress: is told how far each file is: (filename, bytes received, bytes in all).
        timeout: seconds to wait for a connection, and for the next bytes.

    Raises:
        UnknownDatasetError, LicenceNotAccepted, DownloadError: all of them `DatasetError`.
    """
    return fetch_entry(
        find_entry(name), cache_dir=cache_dir, accept_licence=accept_licence, progress=progress, timeout=timeout
    )


def fetch_entry(
    entry: DatasetEntry,
    *,
    cache_dir: Path | None = None,
    accept_licence: bool = False,
    progress: Progress | None = None,
    timeout: float = 30.0,
) -> list[Path]:
    """As `fetch`, for an entry that need not be registered."""
    states = verify_entry(entry, cache_dir)
    if any(state.state in _UNUSABLE for state in states):
        if entry.licence.needs_acceptance and not accept_licence:
            raise LicenceNotAccepted(entry)
        with _explained(entry, states[0].path.parent), _only_one(states[0].path.parent):
            for file, state in zip(entry.files, states, strict=True):
                _download(entry, file, state.path, timeout=timeout, progress=progress)
    for file, state in zip(entry.files, states, strict=True):
        remember(file, state.path)
    return [state.path for state in states]


def verify(name: str, cache_dir: Path | None = None) -> list[FileState]:
    """Compare the files in the cache with what they should be; downloads and records nothing.

    Raises:
        UnknownDatasetError: no such dataset.
    """
    return verify_entry(find_entry(name), cache_dir)


def verify_entry(entry: DatasetEntry, cache_dir: Path | None = None) -> list[FileState]:
    """As `verify`, for an entry that need not be registered."""
    folder = (cache_dir or default_cache_dir()) / entry.name
    return [_state(file, folder / file.filename) for file in entry.files]


def _state(file: DatasetFile, path: Path) -> FileState:
    expected = expected_digests(file, path)
    algorithm = next(iter(expected), "sha256")
    if not path.is_file():
        return FileState(path=path, state="missing", algorithm=algorithm, expected=expected.get(algorithm))
    found = digests(path, expected or [algorithm])
    wrong = first_difference(expected, found)
    state: Literal["ok", "corrupt", "unchecked"] = "corrupt" if wrong else "ok" if expected else "unchecked"
    shown = wrong or algorithm
    return FileState(path=path, state=state, algorithm=shown, expected=expected.get(shown), found=found[shown])


def _download(entry: DatasetEntry, file: DatasetFile, path: Path, *, timeout: float, progress: Progress | None) -> None:
    part = path.with_name(f"{path.name}.part")
    resumes = part.exists()
    downloader = ResumingDownloader(file, part, timeout=timeout, progress=progress)
    try:
        _retrieve(file, path, downloader)
    except ValueError as error:
        if not resumes:
            raise DownloadError(f"{file.url} is not {_which_file(file, path)}: {error}") from None
        # the beginning, kept from an earlier try, and the rest may be of two versions of the file: once more, whole
        _download(entry, file, path, timeout=timeout, progress=progress)


def _which_file(file: DatasetFile, path: Path) -> str:
    record = record_of(path)
    if file.sha256 or not record.exists():
        return "the registered file"
    return f"the file that was downloaded first (its sha256 is in {record}; remove that to take the new one)"


def _retrieve(file: DatasetFile, path: Path, downloader: ResumingDownloader) -> None:
    import pooch

    known = next((f"{algorithm}:{digest}" for algorithm, digest in expected_digests(file, path).items()), None)
    pooch.retrieve(file.url, known_hash=known, fname=path.name, path=path.parent, downloader=downloader)


@contextmanager
def _explained(entry: DatasetEntry, folder: Path) -> Iterator[None]:
    try:
        yield
    except DownloadError as error:
        raise DownloadError(f"dataset {entry.name!r}: {error}") from error
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DownloadError(
                f"dataset {entry.name!r}: no room left for its {_size_words(entry)} in {folder} ({error.strerror}); "
                "make room and run it again to resume"
            ) from error
        raise DownloadError(f"dataset {entry.name!r} cannot be written to {folder}: {error}") from error


def _size_words(entry: DatasetEntry) -> str:
    return "files" if entry.size is None else f"{entry.size} bytes"


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Let one process at a time download into `folder`, and keep pooch from reporting to the terminal itself."""
    import pooch
    from filelock import FileLock

    folder.mkdir(parents=True, exist_ok=True)
    logger = pooch.get_logger()
    level = logger.level
    with FileLock(folder / ".download.lock"):
        logger.setLevel(logging.WARNING)
        try:
            yield
        finally:
            logger.setLevel(level)
