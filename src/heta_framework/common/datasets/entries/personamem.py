"""PersonaMem: questions about users whose preferences change, over contexts of three sizes."""

from heta_framework.common.datasets.entries.licences import unknown_licence
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_HOME = "https://huggingface.co/datasets/bowen-upenn/PersonaMem"


def _entry(name: str, size: str, notes: str) -> DatasetEntry:
    files = (f"questions_{size}.csv", f"shared_contexts_{size}.jsonl")
    return DatasetEntry(
        name=name,
        title=f"PersonaMem: dynamic user profiles, {size} tokens a context",
        files=tuple(DatasetFile(url=f"{_HOME}/resolve/main/{file}", filename=file) for file in files),
        licence=unknown_licence(_HOME),
        homepage="https://github.com/bowen-upenn/PersonaMem",
        citation=(
            'Jiang et al., "Know Me, Respond to Me: Benchmarking LLMs for Dynamic User Profiling and Personalized '
            'Responses at Scale", COLM 2025, arXiv:2504.14225'
        ),
        notes=f"{notes}Its source publishes no checksum: the first download is recorded and enforced from then on.",
    )


PERSONAMEM = (
    _entry("personamem", "32k", "589 questions. "),
    _entry("personamem_128k", "128k", ""),
    _entry("personamem_1m", "1M", ""),
)
