"""Where MultiHop-RAG is published."""

MULTIHOP_RAG_CORPUS_URL = "https://huggingface.co/datasets/yixuantt/MultiHopRAG/resolve/main/corpus.json"
MULTIHOP_RAG_QUERIES_URL = "https://huggingface.co/datasets/yixuantt/MultiHopRAG/resolve/main/MultiHopRAG.json"

HOMEPAGE = "https://github.com/yixuantt/MultiHop-RAG"
CITATION = "MultiHop-RAG: Benchmarking Retrieval-Augmented Generation for Multi-Hop Queries"
