"""A price that is not known is not 0, and neither is the usage that an outside program keeps to itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.cli.summary import print_summary
from heams.reporting.reports import write_reports
from heams.scenarios.usage import Usage

Begin = Callable[..., Any]
Record = Callable[..., Any]


@pytest.fixture
def shown(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """The cost in the common report, the rows of model usage, and what the terminal says of costs."""

    def show() -> tuple[str, list[str], str]:
        own, common = write_reports(tmp_path / "results")
        head, _, row = [line for line in common.read_text().splitlines() if line.startswith("| ")][:3]
        place = head.split(" | ").index("cost, USD")
        usage = own.read_text().split("## Model usage")[1].split("\n## ")[0]
        monkeypatch.setenv("COLUMNS", "200")
        print_summary(tmp_path / "results", ["one"], Path("results"))
        said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Cost")]
        return row.split(" | ")[place], [line for line in usage.splitlines() if line[:2] == "| "][2:], "".join(said)

    return show


@pytest.mark.parametrize("kind", ["command", "http"])
def test_an_outside_program_that_reports_nothing_cost_nobody_knows_what(
    experiment: Begin, record: Record, shown: Callable[[], Any], kind: str
) -> None:
    experiment("one", agent=kind).add("a", record(1.0))
    cost, usage, said = shown()
    assert cost == "not reported"
    assert usage == ["| agent | — | not reported | not reported | not reported | not reported | not reported |"]
    assert said == "Cost, USD: lexical not reported."


def test_what_others_cost_is_still_said(experiment: Begin, record: Record, shown: Callable[[], Any]) -> None:
    experiment("one", memory="command").add("a", record(1.0), usage={"agent": Usage(calls=1, cost_usd=0.5)})
    cost, usage, _ = shown()
    assert cost == "0.5000 and what was not reported"
    assert usage[-1].endswith("| 0.5000 and what was not reported |")


def test_a_program_that_reports_its_usage_is_like_any_other(
    experiment: Begin, record: Record, shown: Callable[[], Any]
) -> None:
    experiment("one", agent="command").add("a", record(1.0), usage={"agent": Usage(calls=1, cost_usd=0.25)})
    assert shown()[0] == "0.2500"


def test_a_cost_of_null_is_unknown(experiment: Begin, record: Record, shown: Callable[[], Any]) -> None:
    experiment("one").add("a", record(1.0), usage={"agent": Usage(calls=1, input_tokens=9, cost_usd=None)})
    cost, usage, said = shown()
    assert cost == "unknown"
    assert usage == ["| answering | agent | 1 | 9 | 0 | 0 | unknown |"]
    assert said == "Cost, USD: lexical unknown."


def test_components_of_ours_without_a_model_cost_nothing(
    experiment: Begin, record: Record, shown: Callable[[], Any]
) -> None:
    experiment("one").add("a", record(1.0))
    assert shown() == ("0", [], "")
