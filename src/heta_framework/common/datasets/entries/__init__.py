"""The datasets that are registered, one module a source."""

from heta_framework.common.datasets.entries.beam import BEAM
from heta_framework.common.datasets.entries.beir import BEIR, beir_entry
from heta_framework.common.datasets.entries.cimemories import CIMEMORIES
from heta_framework.common.datasets.entries.gatemem import GATEMEM
from heta_framework.common.datasets.entries.locomo import LOCOMO, LOCOMO_AUDIT
from heta_framework.common.datasets.entries.longmemeval import LONGMEMEVAL
from heta_framework.common.datasets.entries.mpbench import MPBENCH
from heta_framework.common.datasets.entries.multihop_rag import MULTIHOP_RAG
from heta_framework.common.datasets.entries.personamem import PERSONAMEM
from heta_framework.common.datasets.entries.stale import STALE
from heta_framework.common.datasets.entries.uda import UDA, uda_documents, uda_labels

ENTRIES = (
    LOCOMO,
    LOCOMO_AUDIT,
    *BEIR,
    MULTIHOP_RAG,
    *UDA,
    GATEMEM,
    BEAM,
    *PERSONAMEM,
    CIMEMORIES,
    MPBENCH,
    STALE,
    *LONGMEMEVAL,
)

__all__ = ["ENTRIES", "MULTIHOP_RAG", "beir_entry", "uda_documents", "uda_labels"]
