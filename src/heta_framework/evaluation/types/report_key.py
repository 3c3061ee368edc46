"""Where a report lies in the object store."""

from __future__ import annotations

import hashlib
import re

from heta_framework.common.stores.fields import required_text
from heta_framework.kb.runtime import REPORTS_FOLDER, KnowledgeBaseRuntime

REPORT_FILE = "report.json"
_PLAIN = re.compile(r"[a-z0-9_-][a-z0-9._-]{0,119}")
_ROOM = 80


def default_report_key(knowledge_base_name: str, report_id: str) -> str:
    """``_heta/knowledge_bases/{knowledge_base_name}/evaluations/{report_id}/report.json``.

    A name or an id that is not made of ``a-z``, ``0-9``, ``_`` and ``-`` alone (an id may hold ``.``) is there as a
    readable form with a hash of its own, so that no two of them share a report and none opens folders.
    """
    knowledge_base = KnowledgeBaseRuntime(required_text("knowledge_base_name", knowledge_base_name))
    return f"{knowledge_base.prefix}/{REPORTS_FOLDER}/{_folder(required_text('report_id', report_id))}/{REPORT_FILE}"


def report_folder(report_key: str) -> str:
    """The folder of a report's files: its key without the file's name."""
    return report_key.rpartition("/")[0]


def _folder(report_id: str) -> str:
    if _PLAIN.fullmatch(report_id):
        return report_id
    slug = re.sub(r"[^a-z0-9]+", "_", report_id.lower()).strip("_")[:_ROOM] or "report"
    return f"{slug}-{hashlib.sha256(report_id.encode()).hexdigest()[:8]}"
