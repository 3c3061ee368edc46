"""The files of a registered dataset: from the workspace, from the data cache, else downloaded into the workspace."""

from __future__ import annotations

from pathlib import Path

import anyio.to_thread

from heta_framework.common.config.url_secrets import without_secrets_in
from heta_framework.common.datasets import DatasetEntry, DatasetFile, default_cache_dir, fetch_entry, verify_entry
from heta_framework.evaluation.types import BenchmarkResource, BenchmarkResourceKind, BenchmarkWorkspace

_USABLE = {"ok", "unchecked"}


async def registered_files(
    entry: DatasetEntry, workspace: BenchmarkWorkspace, *, download: bool, accept_licence: bool
) -> list[Path]:
    """The paths of an entry's files, in its order, each checked against its checksum.

    Raises:
        FileNotFoundError: they are not there and must not be downloaded; it says where they can be put.
        DatasetError: they cannot be downloaded, or their licence was not accepted.
    """
    return await anyio.to_thread.run_sync(_found_or_fetched, entry, workspace.cache_dir, download, accept_licence)


def resource_of(
    entry: DatasetEntry,
    file: DatasetFile,
    *,
    name: str,
    kind: BenchmarkResourceKind = "file",
    required: bool = True,
    **metadata: object,
) -> BenchmarkResource:
    """A registered file as a benchmark tells of it."""
    facts = {"filename": file.filename, "licence": entry.licence.name, "pinned_by": file.pin, **metadata}
    return BenchmarkResource(
        name=name,
        uri=without_secrets_in(file.url),
        kind=kind,
        checksum=file.checksum,
        size_bytes=file.size,
        required=required,
        metadata=facts,
    )


def require_web_address(field: str, address: str) -> None:
    """Refuse what is no address of the web.

    Raises:
        ValueError: it does not begin with http:// or https://, or holds white space.
    """
    if not address.startswith(("http://", "https://")) or any(letter.isspace() for letter in address):
        raise ValueError(f"{field} must be an address that begins with http:// or https://; found {address!r}")


def _found_or_fetched(entry: DatasetEntry, cache_dir: Path, download: bool, accept_licence: bool) -> list[Path]:
    for folder in dict.fromkeys((cache_dir, default_cache_dir())):
        if all(state.state in _USABLE for state in verify_entry(entry, folder)):
            return fetch_entry(entry, cache_dir=folder)
    if not download:
        _refuse_missing(entry, cache_dir)
    return fetch_entry(entry, cache_dir=cache_dir, accept_licence=accept_licence)


def _refuse_missing(entry: DatasetEntry, cache_dir: Path) -> None:
    states = verify_entry(entry, cache_dir)
    wrong = ", ".join(f"{state.path} ({state.state})" for state in states if state.state not in _USABLE)
    addresses = ", ".join(file.url for file in entry.files)
    raise FileNotFoundError(
        f"dataset {entry.name!r} is not there: {wrong}; put {addresses} there by hand, or allow the download"
    )
