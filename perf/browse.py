"""How fast `heams browse` shows many results, and what it takes in memory. `python -m perf.browse`

The results are those of a real run (a conversation's questions, asked of a lexical memory), its lines repeated under
other sample ids until there are as many evaluation records. Pages are asked for over HTTP from a server of its own, one
after the other. Bars are for 100,000 records; the same is measured once more with ten times as many, without a bar.
"""

import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from perf.bars import BARS, Figure
from perf.places import ROOT
from perf.script import Session, run_scripts

_RUN = ROOT / "configs/runs/quickstart.yaml"
_HEAMS = Path(sys.executable).with_name("heams")
_METRIC = "locomo_qa/f1"
_ADDRESS = re.compile(r"http://[^\s]+")
_ASKED = 20
_BARS = ("browse_index", "browse_list", "browse_filter", "browse_sample", "browse_memory")


def measure(session: Session) -> Iterator[Figure]:
    """Figures beside their bars for the first number of records; those of the second are printed."""
    with TemporaryDirectory(prefix="heams-perf-") as place:
        real = _real_run(Path(place))
        for bar, value in _figures(_many(real, Path(place) / "many", session.scale.browse_records)):
            yield Figure(bar, value)
        if session.scale.browse_records_beyond:
            records = session.scale.browse_records_beyond
            for bar, value in _figures(_many(real, Path(place) / "beyond", records)):
                print(f"with {records:,} records: {BARS[bar].what}: {value:.3g} {BARS[bar].unit}", flush=True)


def _figures(results: Path) -> list[tuple[str, float]]:
    index = _indexed(results)
    with _serving(results) as (client, process):
        key = next(entry.name for entry in results.iterdir())
        samples = f"/run/{key}/samples"
        client.get(f"/run/{key}").raise_for_status()  # once this is there, nothing is computed behind the pages
        listed = client.get(samples, params={"metric": _METRIC})
        last = _median(client, [(samples, {"metric": _METRIC, "page": number}) for number in range(1, _ASKED + 1)])
        filtered = _median(
            client, [(samples, {"metric": _METRIC, "q": f"tag.category:{tag}"}) for tag in _tags(results)]
        )
        ids = list(dict.fromkeys(re.findall(r"sample\?id=[^\"]+", listed.text)))[:_ASKED]
        one = _median(client, [(f"/run/{key}/{found.replace('&amp;', '&')}", None) for found in ids])
        return list(zip(_BARS, (index, last, filtered, one, _highest_memory(process)), strict=True))


def _real_run(folder: Path) -> Path:
    command = [_HEAMS, "run", "--config", _RUN, "--output-dir", folder / "real", "--plain"]
    subprocess.run([*map(str, command)], cwd=ROOT, check=True, capture_output=True)
    return next((folder / "real").glob("*lexical*"))


def _many(real: Path, results: Path, records: int) -> Path:
    """Results of one experiment with at least ``records`` evaluation records."""
    target = results / real.name
    target.mkdir(parents=True)
    for file in real.glob("*.*"):
        if file.name != "runs.jsonl":
            (target / file.name).write_bytes(file.read_bytes())
    lines = [json.loads(line) for line in (real / "runs.jsonl").read_text(encoding="utf-8").splitlines()]
    written = 0
    with (target / "runs.jsonl").open("w", encoding="utf-8") as file:
        for turn in count():
            for line in lines:
                if written >= records:
                    return results
                file.write(json.dumps({**line, "sample_id": f"{line['sample_id']}-{turn}"}, ensure_ascii=False) + "\n")
                written += len(line["records"])
    raise AssertionError("unreachable: the turns are endless")


_INDEX = """
if __name__ == "__main__":
    import sys, time
    from pathlib import Path
    from heams.browse.index import Library

    began = time.perf_counter()
    with Library([Path(sys.argv[1])]) as library:
        with library.experiments[0].tables() as tables:
            tables.row("SELECT count(*) FROM records")
        print(time.perf_counter() - began)
"""


def _indexed(results: Path) -> float:
    """Seconds from opening the results until they can be asked, in a new process."""
    program = results.parent / "index.py"
    program.write_text(_INDEX, encoding="utf-8")
    done = subprocess.run([sys.executable, str(program), str(results)], check=True, capture_output=True, text=True)
    return float(done.stdout)


@contextmanager
def _serving(results: Path) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    command = [str(_HEAMS), "browse", str(results), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield httpx.Client(base_url=_address(process), timeout=300), process
        finally:
            process.terminate()


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = _ADDRESS.search(line)
        if found:
            return found.group().rstrip("/.")
    raise RuntimeError("the server ended before it said where it is")


def _median(client: httpx.Client, asked: list[tuple[str, dict[str, str | int] | None]]) -> float:
    """Milliseconds an answer; what was asked first is asked again."""
    client.get(asked[0][0], params=asked[0][1]).raise_for_status()
    taken = []
    for path, params in asked:
        began = time.perf_counter()
        client.get(path, params=params).raise_for_status()
        taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken)


def _tags(results: Path) -> list[str]:
    runs = next(results.glob("*/runs.jsonl"))
    with runs.open(encoding="utf-8") as file:
        found = {json.loads(line)["tags"]["category"] for line, _ in zip(file, range(200), strict=False)}
    return sorted(found)


def _highest_memory(process: "subprocess.Popen[str]") -> float:
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


if __name__ == "__main__":
    run_scripts(measure)
