"""Objects in memory with evaluations on the disk: a store like any other, of which only those outlive the process."""

from pathlib import Path

import pytest

from heams.recipe_evaluation.reports_on_disk import ReportsOnDisk
from heta_framework.common.stores.object.many import delete_many, get_many, put_many
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

REPORT = "_heta/knowledge_bases/kb/evaluations/run/report.json"
MANIFEST = "_heta/knowledge_bases/kb/manifest.json"
RAW = "raw/benchmarks/b/evaluations/d/x.txt"


@pytest.mark.anyio
async def test_evaluations_alone_outlive_the_process(tmp_path: Path) -> None:
    store = ReportsOnDisk(tmp_path / "reports")
    assert isinstance(store, ObjectStoreProtocol)
    await put_many(store, {key: key.encode() for key in (REPORT, MANIFEST, RAW)})
    assert await get_many(store, [RAW, REPORT]) == [RAW.encode(), REPORT.encode()]
    assert [info.key for info in await store.list()] == sorted([REPORT, MANIFEST, RAW])
    assert [info.key for info in await store.list("_heta/knowledge_bases/kb")] == [REPORT, MANIFEST]
    assert store.path_of(REPORT).read_bytes() == REPORT.encode()
    again = ReportsOnDisk(tmp_path / "reports")
    assert [await again.exists(key) for key in (REPORT, MANIFEST, RAW)] == [True, False, False]
    await delete_many(store, [REPORT, RAW])
    assert [await store.exists(key) for key in (REPORT, MANIFEST, RAW)] == [False, True, False]
    with pytest.raises(FileNotFoundError):
        await store.get(REPORT)
