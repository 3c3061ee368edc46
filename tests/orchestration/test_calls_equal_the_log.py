"""What a run says it used is what the server says it delivered, also when a fifth of all requests go wrong."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.reporting.digest import opened
from heams.reporting.spending import total
from heams.scenarios.usage import Usage, UsageByRole, add_usage

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
FAULTS = [
    {"fault": {"kind": "rate_limited", "retry_after": 0.01}, "share": 0.06},
    {"fault": "server_error", "share": 0.06},
    {"fault": "disconnect", "share": 0.04},
    {"fault": {"kind": "cut", "part": 0.5}, "share": 0.04},
]


def _sum(found: list[dict[str, Any]]) -> Usage:
    usages: list[UsageByRole] = [
        {role: Usage.model_validate(usage) for role, usage in line.get("usage", {}).items()} for line in found
    ]
    return sum(add_usage(usages).values(), Usage())


def test_under_faults_calls_tokens_cost_and_cuts_equal_the_log(
    openai_server: "Callable[..., LocalServer]",
    questions: Build,
    one_experiment: Build,
    searcher: dict[str, Any],
    lines: Build,
    cost_of: "Callable[[LocalServer], float]",
    tmp_path: Path,
) -> None:
    server = openai_server(faults=FAULTS, cached_tokens=2)
    config = one_experiment(questions(60, history=12), agent=searcher, memory={"type": "lexical"}, retries=1)
    results = list(heams.run(config, tmp_path / "out"))

    assert len(results) == 60
    assert all((result.status == "completed") != (result.error is not None) for result in results)
    outcomes = Counter(record.outcome for result in results for record in result.records)
    assert outcomes.keys() <= {"scored", "error"}
    assert outcomes["scored"] > 50
    used, summary = _sum(lines()), server.summary()
    assert summary.cut >= 3, "the script should have cut some replies"
    assert summary.refused >= 3
    assert used.calls == summary.whole.calls
    assert used.input_tokens == summary.whole.prompt
    assert used.output_tokens == summary.whole.completion
    assert used.cached_tokens == summary.whole.cached
    assert not used.estimated
    assert used.possibly_billed == summary.cut
    assert used.retries == summary.refused + summary.cut
    known = (summary.whole.prompt * 1.0 + summary.whole.completion * 4.0) / 1_000_000
    assert used.cost_usd == pytest.approx(known) == pytest.approx(cost_of(server))

    with opened(heams.load_results(tmp_path / "out").experiments[0]) as (digest, _):
        reported = total(digest.spent).usage
    assert reported.cost_usd == pytest.approx(used.cost_usd)
    summed = {"cost_usd": 0.0, "seconds": 0.0}  # floats, summed in another order
    assert reported.model_copy(update=summed) == used.model_copy(update=summed)


def test_a_step_says_what_it_used(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, reader: dict[str, Any],
    tmp_path: Path,
) -> None:  # fmt: skip
    openai_server(brain={"fixed": "kettle 0"})
    (result,) = heams.run(one_experiment(questions(1), agent=reader), tmp_path / "out")
    (step,) = result.transcript
    assert step.usage == result.usage
    assert result.usage["agent"].calls == 1
    assert result.usage["agent"].seconds > 0


def test_a_scenario_that_times_out_keeps_what_it_used(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, searcher: dict[str, Any],
    tmp_path: Path,
) -> None:  # fmt: skip
    hanging = [{"fault": "none", "times": 1}, {"fault": "hang", "text": "search"}]
    server = openai_server(faults=hanging)
    config = one_experiment(
        questions(1, history=3), agent=searcher, memory={"type": "lexical"}, retries=0, scenario_timeout_s=2
    )
    (result,) = heams.run(config, tmp_path / "out")
    assert result.error is not None
    assert (result.error.type, result.error.phase) == ("Timeout", "step 0")
    assert result.usage["agent"].calls == server.summary().whole.calls == 1
    assert result.usage["agent"].possibly_billed == server.summary().cut == 1


def test_repeats_are_asked_anew_also_with_a_cache_and_attempts_are_not(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, reader: dict[str, Any],
    tmp_path: Path,
) -> None:  # fmt: skip
    server = openai_server(brain={"fixed": "kettle 0"})
    config = one_experiment(questions(2), agent=reader, repeats=3)
    heams.run(config, tmp_path / "out", cache_dir=tmp_path / "cache")
    assert server.summary().whole.calls == 6
    results = list(heams.run(config, tmp_path / "other", cache_dir=tmp_path / "cache"))
    assert server.summary().whole.calls == 6
    assert [result.usage["agent"].cache_hits for result in results] == [1] * 6
