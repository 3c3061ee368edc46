"""GateMem: utility, access control and active forgetting of a memory that several principals share."""

from heta_framework.common.datasets.entries.licences import MIT
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_COMMIT = "603f9f4b4ba4b77f043c20f85687fa016fd720b0"
_ROOT = f"https://raw.githubusercontent.com/rzhub/GateMem/{_COMMIT}/bench/data"


def _file(domain: str, kind: str, sha256: str | None = None, size: int | None = None) -> DatasetFile:
    url, filename = f"{_ROOT}/{domain}/{kind}.jsonl", f"{domain}_{kind}.jsonl"
    return DatasetFile(url=url, filename=filename, sha256=sha256, size=size)


GATEMEM = DatasetEntry(
    name="gatemem",
    title="GateMem: governance of shared memory",
    files=(
        _file("medical", "episodes", "d4b01f62cbd3457715b5958cf2d07d496c6e59280d28041927e2b3ab8a444b9f", 1_028_883),
        _file("medical", "checkpoints", "2447f5905081e6002f16ad14f7f7dc19e14b7181e5ac8ebd08144d68da6437a0", 361_207),
        _file("office", "episodes", "e15797cc0ab778067e0235377a09811c73182b5e1aa28e2221adc5ef9638a409", 1_300_119),
        _file("office", "checkpoints", "7186bc1dd66b493f994b802bad8817d7aa5e7a91f498d67f87410a98f8116d0c", 365_996),
        *(_file(domain, kind) for domain in ("education", "household") for kind in ("episodes", "checkpoints")),
    ),
    licence=MIT,
    homepage="https://github.com/rzhub/GateMem",
    citation="GateMem, arXiv:2606.18829, https://github.com/rzhub/GateMem, commit 603f9f4",
    notes="91 episodes, 2,218 checkpoints in four domains, all of them synthetic.",
)
