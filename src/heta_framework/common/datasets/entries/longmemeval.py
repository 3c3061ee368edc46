"""LongMemEval: 500 questions with haystacks of three sizes, as cleaned by its authors in 2025."""

from heta_framework.common.datasets.entries.licences import MIT
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_HOME = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned"
_REVISION = f"{_HOME}/resolve/98d7416c24c778c2fee6e6f3006e7a073259d48f"
_SIZES = {
    "longmemeval_oracle": (
        "longmemeval_oracle.json",
        "821a2034d219ab45846873dd14c14f12cfe7776e73527a483f9dac095d38620c",
        15_388_478,
        "only the sessions that hold evidence",
    ),
    "longmemeval_s": (
        "longmemeval_s_cleaned.json",
        "d6f21ea9d60a0d56f34a05b609c79c88a451d2ae03597821ea3d5a9678c3a442",
        277_383_467,
        "some 40 sessions (115,000 tokens) a question",
    ),
    "longmemeval_m": (
        "longmemeval_m_cleaned.json",
        "9d79e5524794a2e6900a3aa9cb7d9152c5a3e8319c9a87c25494ba1eacee495f",
        2_737_100_077,
        "some 500 sessions (1.5 million tokens) a question",
    ),
}

LONGMEMEVAL = tuple(
    DatasetEntry(
        name=name,
        title=f"LongMemEval: {holds}",
        files=(DatasetFile(url=f"{_REVISION}/{filename}", filename=filename, sha256=sha256, size=size),),
        licence=MIT,
        homepage=_HOME,
        citation=(
            'Wu, Wang, Yu, Zhang, Chang and Yu, "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive '
            'Memory", ICLR 2025, arXiv:2410.10813'
        ),
        notes="The cleaned files of September 2025: results with the first release do not compare.",
    )
    for name, (filename, sha256, size, holds) in _SIZES.items()
)
