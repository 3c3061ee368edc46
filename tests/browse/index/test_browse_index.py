"""What the index of `heams browse` knows of saved results, also while they grow and where they are damaged."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.browse.index import Library, NoSuchExperiment, writing
from heams.browse.index.database import Database
from heams.browse.index.offsets import LineOffsets
from heams.browse.queries import Selection
from heams.browse.queries.how_many import how_many
from heams.browse.views.list_answers import ListAnswers
from heams.browse.views.sample.list_place import ListOrders
from heams.browse.views.sample_list import metrics_of
from heams.reporting.digest import opened
from heams.reporting.errors import ResultsError
from heams.reporting.load import load_results

_FILE = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"


@pytest.fixture
def own_results(browse_results: Path, tmp_path: Path) -> Path:
    """Results that a test may change."""
    copy = tmp_path / "results"
    shutil.copytree(browse_results, copy)
    return copy


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the folders is a real one."""
    monkeypatch.setattr("heams.browse.index.library._SECONDS_BETWEEN_LOOKS", 0.0)


def test_digests_are_those_of_the_reports(library: Library) -> None:
    for experiment in library.experiments:
        with opened(experiment.results) as (expected, _):
            found = experiment.digest()
        assert found.metrics == expected.metrics
        assert found.spent == expected.spent
        assert found.latencies == expected.latencies


def test_every_scenario_is_found_by_its_position(library: Library) -> None:
    experiment = library.experiment("plain__lexical")
    with experiment.tables() as tables:
        rows = tables.rows("SELECT position, sample_id FROM scenarios")
    assert rows
    assert [experiment.result(position).sample_id for position, _ in rows] == [sample_id for _, sample_id in rows]
    assert json.loads(experiment.raw(rows[-1][0]))["sample_id"] == rows[-1][1]
    with pytest.raises(ResultsError, match="no scenario at 999"):
        experiment.result(999)


def test_recalled_texts_are_found_by_their_keys(library: Library) -> None:
    experiment = library.experiment("plain__lexical")
    keys = [
        key
        for result in experiment.results
        for step in result.transcript
        for recall in step.recalls or ()
        for key in recall.texts
    ]
    assert keys
    found = experiment.texts([*keys, "no such key"])
    assert found == {key: experiment.results.texts[key] for key in set(keys)}
    assert experiment.texts([]) == {}


def test_an_unknown_key_is_refused_with_the_nearest_one(library: Library) -> None:
    with pytest.raises(NoSuchExperiment) as refused:
        library.experiment("plain__lexicl")
    assert refused.value.nearest == "plain__lexical"


@pytest.mark.usefixtures("impatient")
def test_lines_that_were_added_are_noticed_and_others_left_as_they_were(own_results: Path) -> None:
    with Library([own_results]) as library:
        grown, other = library.experiment("plain__lexical"), library.experiment("judged")
        before, version = _count(grown), (grown.version, other.version)
        kept = other.digest()
        _append(own_results / "plain__lexical", sample_id="one more")
        library.refresh()
        assert _count(grown) == before + 1
        assert grown.version != version[0]
        assert other.version == version[1]
        assert other.digest() is kept


@pytest.mark.usefixtures("impatient")
def test_a_request_that_began_before_a_run_grew_ends_with_what_it_had(own_results: Path) -> None:
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        with experiment.tables() as tables:
            before = tables.row("SELECT count(*) FROM scenarios")
            _append(own_results / "plain__lexical", sample_id="one more")
            library.refresh()
            assert experiment.digest().progress.saved == before[0] + 1
            assert tables.row("SELECT count(*) FROM scenarios") == before


@pytest.mark.usefixtures("impatient")
def test_tables_last_as_long_as_somebody_reads_them_and_no_longer(own_results: Path) -> None:
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        with experiment.tables() as tables:
            before, version = tables.row("SELECT count(*) FROM scenarios"), experiment.version
            for number in range(3):
                _append(own_results / "plain__lexical", sample_id=f"more {number}")
                library.refresh()
                assert _count(experiment) == before[0] + number + 1
            assert tables.row("SELECT count(*) FROM scenarios") == before
            assert tables.version == version != experiment.version
            (file,) = tables.row(_FILE)
        assert not Path(file).exists()


@pytest.mark.usefixtures("impatient")
def test_nothing_is_kept_of_what_cannot_be_read_or_is_gone(own_results: Path) -> None:
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        with experiment.tables() as tables:
            (file,) = tables.row(_FILE)
        (own_results / "judged" / "runs.jsonl").unlink()
        (own_results / "judged" / "runs.jsonl").symlink_to("/proc/self/mem")
        with pytest.raises(ResultsError):
            library.experiment("judged").digest()
        assert list(Path(file).parent.glob("*.duckdb")) == [Path(file)]
        shutil.rmtree(own_results / "plain__lexical")
        library.refresh()
        assert not Path(file).exists()


@pytest.mark.usefixtures("impatient")
def test_what_was_read_of_a_former_version_is_not_kept_for_the_next_one(own_results: Path) -> None:
    answers, orders = ListAnswers(), ListOrders()
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        metric = metrics_of(experiment)[0]
        with experiment.tables() as former:
            _append(own_results / "plain__lexical", sample_id="one more")
            library.refresh()
            with experiment.tables() as newest:
                for tables in (former, newest):
                    expected = how_many(tables, Selection(metric))
                    facets = answers.surroundings(experiment, tables, Selection(metric)).facets
                    assert sum(value.count for value in facets[0].values) == expected > 0
                    assert len(orders.of(experiment, tables, Selection(metric), ()).rows) == expected


@pytest.mark.usefixtures("impatient")
def test_an_attempt_that_was_the_last_one_a_moment_ago_can_still_be_read(own_results: Path) -> None:
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        with experiment.tables() as tables:
            position, sample_id = tables.rows("SELECT max(position), arg_max(sample_id, position) FROM scenarios")[0]
        _append(own_results / "plain__lexical", attempt=2)
        library.refresh()
        assert experiment.result(position).sample_id == sample_id


def test_other_files_in_the_place_of_those_that_were_read_are_not_taken_for_them(own_results: Path) -> None:
    runs = own_results / "plain__lexical" / "runs.jsonl"
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        assert experiment.raw(0)
        runs.rename(runs.with_suffix(".old"))
        with pytest.raises(ResultsError, match="cannot be read"):
            experiment.raw(0)
        runs.write_bytes(b"\n" + runs.with_suffix(".old").read_bytes())
        with pytest.raises(ResultsError, match="have changed meanwhile"):
            experiment.raw(0)


@pytest.mark.usefixtures("impatient")
def test_new_experiments_and_new_runs_are_noticed(own_results: Path) -> None:
    with Library([own_results]) as library:
        first = library.experiment("plain__lexical").results.run_id
        shutil.copytree(own_results / "judged", own_results / "judged again")
        _rerun(own_results / "plain__lexical", first, "29991231T000000000Z-aaaaaa")
        library.refresh()
        assert library.experiment("judged again").digest().metrics == library.experiment("judged").digest().metrics
        assert library.experiment("plain__lexical").results.run_id == "29991231T000000000Z-aaaaaa"
    with Library([own_results], all_runs=True) as library:
        assert library.experiment(f"plain__lexical@{first}").results.run_id == first


def test_experiments_of_one_name_in_two_folders_have_keys_of_their_own(browse_results: Path, own_results: Path) -> None:
    twin = own_results.rename(own_results.parent / "twin")
    with Library([browse_results, twin]) as library:
        keys = [experiment.key for experiment in library.experiments]
        assert len(set(keys)) == len(keys) == 2 * len(load_results(twin).experiments)
        assert library.experiment("twin~judged").results.directory == twin / "judged"


@pytest.mark.parametrize("large", [False, True], ids=["in this process", "in another one"])
def test_blank_lines_count_for_nothing(own_results: Path, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if large:
        monkeypatch.setattr(writing, "_HERE_BYTES", 0)
        monkeypatch.setattr(writing, "elsewhere", lambda function, *args: function(*args))
    runs = own_results / "plain__lexical" / "runs.jsonl"
    runs.write_bytes(b"\n \r\n" + runs.read_bytes().replace(b"\n", b"\n\n"))
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        with experiment.tables() as tables:
            rows = tables.rows("SELECT position, sample_id FROM scenarios")
        assert [experiment.result(position).sample_id for position, _ in rows] == [sample_id for _, sample_id in rows]


@pytest.mark.parametrize("large", [False, True], ids=["in this process", "in another one"])
def test_damaged_lines_are_left_out_and_named(own_results: Path, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if large:
        monkeypatch.setattr(writing, "_HERE_BYTES", 0)
        monkeypatch.setattr(
            writing, "elsewhere", lambda function, *args: function(*args)
        )  # a spawned process has no patch; that it is one is tested below
    folder = own_results / "plain__lexical"
    sound = (folder / "runs.jsonl").read_bytes()
    (folder / "runs.jsonl").write_bytes(b"{broken\n" + sound + b'{"run_id": "torn')
    with Library([own_results]) as library:
        experiment = library.experiment("plain__lexical")
        assert [damage.line for damage in experiment.digest().damaged] == [1]
        with experiment.tables() as tables:
            for position, sample_id in tables.rows("SELECT position, sample_id FROM scenarios"):
                assert experiment.result(position).sample_id == sample_id


def test_where_no_index_can_be_written_the_place_is_named(
    browse_results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library([browse_results]) as library:
        monkeypatch.setattr(Database, "new_file", lambda database: tmp_path / "gone" / "experiment_1.duckdb")
        with pytest.raises(ResultsError, match=r"cannot be read into an index in .*gone, which .*TMPDIR can move"):
            library.experiment("plain__lexical").digest()


def test_large_results_are_read_by_a_process_of_their_own(
    browse_results: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_HERE_BYTES", 0)
    with Library([browse_results / "judged"]) as there:
        (experiment,) = there.experiments
        here = library.experiment("judged").digest()
        assert experiment.digest().metrics == here.metrics
        assert experiment.digest().info is here.info


@given(lines=st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"")), max_size=30), data=st.data())
def test_each_line_is_where_its_offset_says(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], data: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes(b"".join(line + b"\n" for line in lines) + b"no whole line")
    left_out = data.draw(st.sets(st.integers(1, max(len(lines), 1))))
    offsets = LineOffsets(path, left_out)
    kept = [line for number, line in enumerate(lines, start=1) if number not in left_out and line.strip(b" \t\r")]
    assert [offsets.line(number) for number in range(len(offsets))] == [line + b"\n" for line in kept]


def _count(experiment: Any) -> int:
    with experiment.tables() as tables:
        (number,) = tables.row("SELECT count(*) FROM scenarios")
    return int(number)


def _append(folder: Path, **changes: Any) -> None:
    runs = folder / "runs.jsonl"
    line = json.loads(runs.read_bytes().splitlines()[-1])
    with runs.open("a") as file:
        file.write(json.dumps({**line, **changes}) + "\n")


def _rerun(folder: Path, run_id: str, other: str) -> None:
    rename: Callable[[str], str] = lambda text: text.replace(run_id, other)  # noqa: E731
    config = folder / f"experiment_config.{run_id}.yaml"
    (folder / f"experiment_config.{other}.yaml").write_text(rename(config.read_text()))
    with (folder / "runs.jsonl").open("a") as file:
        file.write(rename((folder / "runs.jsonl").read_text()))
