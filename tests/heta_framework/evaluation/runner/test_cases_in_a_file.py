"""Cases wait in a temporary file: as they were, whatever they hold."""

from pathlib import Path

import pytest

from heta_framework.evaluation.runner.spool import Spool
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkExpected


def test_items_come_back_as_they_were_in_any_order(tmp_path: Path) -> None:
    spool: Spool[BenchmarkCase] = Spool(tmp_path)
    cases = [BenchmarkCase(f"c{n}", f"Q{n}?", BenchmarkExpected(value={"n": n, "at": tmp_path})) for n in range(500)]
    for case in cases[:250]:
        spool.append(case)
    assert spool[240] == cases[240]
    assert spool[7] == cases[7]
    for case in cases[250:]:
        spool.append(case)
    assert [spool[n] for n in (499, 0, 300, -1)] == [cases[499], cases[0], cases[300], cases[499]]
    assert spool[60:70] == cases[60:70]
    assert list(spool) == cases
    assert len(spool) == 500
    with pytest.raises(IndexError):
        spool[500]
    assert list(tmp_path.iterdir()) == []  # nothing is left behind a killed process
    spool.close()


def test_what_cannot_be_pickled_stays_in_memory() -> None:
    spool: Spool[BenchmarkCase] = Spool()
    odd = BenchmarkCase("odd", "Q?", BenchmarkExpected(value=lambda: 7))
    cases = [BenchmarkCase(f"c{n}", "Q?") for n in range(100)]
    for case in (*cases[:10], odd, *cases[10:]):
        spool.append(case)
    assert spool[10] is odd
    assert list(spool) == [*cases[:10], odd, *cases[10:]]
    spool.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_said_with_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115 - closed by the spool
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full)
    spool: Spool[str] = Spool(tmp_path)
    for n in range(63):
        spool.append(f"case {n}")
    with pytest.raises(OSError, match=f"No space left on device: the cases cannot be kept.*{tmp_path.name}"):
        spool.append("the last of a block")
    spool.close()
