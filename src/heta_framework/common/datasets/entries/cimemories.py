"""CIMemories: profiles whose attributes belong into some messages and must stay out of others."""

from heta_framework.common.datasets.entries.licences import CC_BY_NC_4
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

CIMEMORIES = DatasetEntry(
    name="cimemories",
    title="CIMemories: contextual integrity of persistent memory",
    files=(
        DatasetFile(
            url=(
                "https://raw.githubusercontent.com/facebookresearch/CIMemories/"
                "e39806e92ec66db120c0f3b73c9cb105e7ff5314/data/data_openai_gpt-oss-120b.json"
            ),
            filename="data_openai_gpt-oss-120b.json",
            sha256="08101f8bf2ba387fa639a1218cbc8fb8c528742115f9fc5ee4305b2cd094b3cb",
            size=524_959,
        ),
    ),
    licence=CC_BY_NC_4,
    homepage="https://github.com/facebookresearch/CIMemories",
    citation=(
        "Mireshghallah, Mangaokar, Kokhlikyan, Zharmagambetov, Zaheer, Mahloujifar and Chaudhuri, "
        '"CIMemories: A Compositional Benchmark for Contextual Integrity of Persistent Memory in LLMs", '
        "arXiv:2511.14937"
    ),
    notes=(
        "10 synthetic people with 142 to 150 attributes and 49 messages each. What belongs into which message is "
        "published apart, at https://huggingface.co/datasets/facebook/CIMemories."
    ),
)
