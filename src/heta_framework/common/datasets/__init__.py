"""Datasets of others: a registry with pinned files and licences, and a download that resumes and checks."""

from heta_framework.common.datasets.download import Progress
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile, Licence
from heta_framework.common.datasets.errors import (
    ArchiveError,
    DatasetError,
    DownloadError,
    LicenceNotAccepted,
    UnknownDatasetError,
)
from heta_framework.common.datasets.fetch import (
    FileState,
    default_cache_dir,
    fetch,
    fetch_entry,
    verify,
    verify_entry,
)
from heta_framework.common.datasets.registry import find_entry, registry
from heta_framework.common.datasets.unpack import UnpackLimits, unpacked

__all__ = [
    "ArchiveError",
    "DatasetEntry",
    "DatasetError",
    "DatasetFile",
    "DownloadError",
    "FileState",
    "Licence",
    "LicenceNotAccepted",
    "Progress",
    "UnknownDatasetError",
    "UnpackLimits",
    "default_cache_dir",
    "fetch",
    "fetch_entry",
    "find_entry",
    "registry",
    "unpacked",
    "verify",
    "verify_entry",
]
