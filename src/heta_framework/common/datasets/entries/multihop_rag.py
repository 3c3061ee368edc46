"""MultiHop-RAG: news articles and questions that need two to four of them."""

from heta_framework.common.datasets.entries.licences import ODC_BY_1
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_BASE = "https://huggingface.co/datasets/yixuantt/MultiHopRAG/resolve/main"

MULTIHOP_RAG = DatasetEntry(
    name="multihop_rag",
    title="MultiHop-RAG: questions across news articles",
    files=(
        DatasetFile(url=f"{_BASE}/corpus.json", filename="corpus.json"),
        DatasetFile(url=f"{_BASE}/MultiHopRAG.json", filename="MultiHopRAG.json"),
    ),
    licence=ODC_BY_1,
    homepage="https://github.com/yixuantt/MultiHop-RAG",
    citation=(
        'Tang and Yang, "MultiHop-RAG: Benchmarking Retrieval-Augmented Generation for Multi-Hop Queries", '
        "COLM 2024, arXiv:2401.15391"
    ),
    notes="Its source publishes no checksum: the first download is recorded and enforced from then on.",
)
