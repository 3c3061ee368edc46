"""The type of a document: by its media type where that is known, else by its key's suffix."""

from __future__ import annotations

_BY_MEDIA_TYPE = {
    "application/csv": "csv",
    "application/json": "json",
    "application/jsonl": "jsonl",
    "application/ndjson": "ndjson",
    "application/pdf": "pdf",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "xlsb",
    "application/vnd.ms-excel.sheet.macroenabled.12": "xlsm",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/x-jsonlines": "jsonl",
    "application/x-ndjson": "ndjson",
    "application/x-pdf": "pdf",
    "application/xhtml+xml": "html",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "text/plain": "txt",
    "text/tab-separated-values": "tsv",
    "text/x-markdown": "md",
}


def file_type_of(key: str, media_type: str | None) -> str:
    """The type, e.g. ``pdf``; empty where neither the media type nor the suffix tells.

    A media type that says nothing of the format (``application/octet-stream``, an unknown one) leaves it to the suffix;
    without a suffix any ``text/...`` is ``txt``.
    """
    plain = (media_type or "").partition(";")[0].strip().lower()
    stem, _, ending = key.rpartition("/")[2].rpartition(".")
    suffix = ending.lower() if stem else ""
    return _BY_MEDIA_TYPE.get(plain) or suffix or ("txt" if plain.startswith("text/") else "")
