"""What can go wrong with a dataset.

DatasetError
├── UnknownDatasetError    no such name in the registry
├── LicenceNotAccepted     the licence was not accepted yet
├── DownloadError          the file could not be had, or is not the registered one
└── ArchiveError           an archive cannot be unpacked, or must not be
"""

from __future__ import annotations

from heta_framework.common.datasets.entry import DatasetEntry, Licence


class DatasetError(Exception):
    """A dataset cannot be had; the message says why and what to do."""


class UnknownDatasetError(DatasetError):
    """No dataset of that name is registered."""


class DownloadError(DatasetError):
    """A download failed; what was received so far is kept for the next try unless the message says otherwise."""


class ArchiveError(DatasetError, ValueError):
    """An archive is damaged, or holds what must not be unpacked."""


class LicenceNotAccepted(DatasetError):  # noqa: N818 (it states a fact, the user made no error)
    """The dataset's licence must be accepted before it is downloaded.

    Attributes:
        entry: the dataset, with its licence.
    """

    def __init__(self, entry: DatasetEntry) -> None:
        self.entry = entry
        licence = entry.licence
        super().__init__(
            f"dataset {entry.name!r} ({entry.title}) {_standing(licence)}: {licence.url}\n"
            f"  {licence.terms}\n"
            f"  commercial use: {licence.commercial_words}\n"
            "To accept it, pass accept_licence=True, or --accept-licence on the command line."
        )


def _standing(licence: Licence) -> str:
    return "has no licence that is known here" if licence.name == "unknown" else f"is under {licence.name}"
