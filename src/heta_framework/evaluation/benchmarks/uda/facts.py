"""Where UDA is published, and what its subsets are."""

from __future__ import annotations

from typing import Literal

UdaSubset = Literal["fin", "tat", "paper_tab", "paper_text", "feta", "nq"]

UDA_GITHUB_URL = "https://github.com/qinchuanhui/UDA-Benchmark"
UDA_QA_BASE_URL = "https://raw.githubusercontent.com/qinchuanhui/UDA-Benchmark/main/dataset/qa"
UDA_EXTENDED_BENCH_BASE_URL = (
    "https://raw.githubusercontent.com/qinchuanhui/UDA-Benchmark/main/dataset/extended_qa_info_bench"
)
UDA_SOURCE_DOCS_REPO_ID = "qinchuanhui/UDA-QA"
UDA_SOURCE_DOCS_URL = f"https://huggingface.co/datasets/{UDA_SOURCE_DOCS_REPO_ID}"

CITATION = "UDA: A Benchmark Suite for Retrieval Augmented Generation in Real-world Document Analysis"
LICENCE = "CC-BY-SA-4.0"

FOLDERS = {
    "fin": "fin_docs",
    "tat": "tat_docs",
    "paper_tab": "paper_docs",
    "paper_text": "paper_docs",
    "feta": "wiki_feta_docs",
    "nq": "wiki_nq_docs",
}
"""The folder with a subset's documents, also the name of its archive."""
