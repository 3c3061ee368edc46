"""What is known of BEIR's datasets beyond their files."""

from __future__ import annotations

BEIR_GITHUB_URL = "https://github.com/beir-cellar/beir"
BEIR_DATASET_BASE_URL = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets"
BEIR_RECOMMENDED_DATASETS = ("scifact", "nfcorpus", "fiqa", "hotpotqa")

CITATION = "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models"

TASK_TYPES = {
    "scifact": "scientific_fact_retrieval",
    "nfcorpus": "biomedical_information_retrieval",
    "fiqa": "financial_question_answering_retrieval",
    "hotpotqa": "multi_hop_question_answering_retrieval",
}
ANY_TASK_TYPE = "information_retrieval"

DESCRIPTIONS = {
    "scifact": "Scientific claims and the abstracts that support or refute them; 5,183 documents, 300 test queries.",
    "nfcorpus": "Questions on nutrition and medical abstracts, graded; 3,633 documents, 323 test queries.",
    "fiqa": "Financial questions and answers from forums; 57,638 documents, 648 test queries.",
    "hotpotqa": "Questions that need two articles of Wikipedia; 5.2 million documents, 7,405 test queries.",
}

QUERIES_ARE_DOCUMENTS = frozenset({"arguana", "quora"})
"""Datasets whose queries stand in the corpus under the same id, where finding the query itself is no merit."""
