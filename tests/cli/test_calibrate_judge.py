"""`heams calibrate-judge` from the command line, against a local server."""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from heams.calibration.result import Calibration, load_calibration
from heta_framework.common.text.normalise import normalise

JUDGE = "type: llm_judge\njudges:\n  - model: openai:judge-1\n    prices: {input: 1, output: 2}\npolicy: strict\n"
BENCHMARK = """\
type: jsonl_qa
data_file: data/facts.jsonl
question_prompt: '{question}'
evaluators:
  - type: task_qa
    match_mode: contains
"""
FACTS = [
    ("When did Ada finish the kiln?", "8 March 2024"),
    ("When did the ferry come back?", "12 May 2024"),
    ("How many lanterns hang there?", "47 lanterns"),
    ("How many geese were counted?", "61"),
    ("Which tools did Ben lose?", "file, chisel, awl"),
    ("Which fruits grow here?", "quince, medlar"),
    ("What is the boat called?", "Perseida"),
    ("Who runs the bakery?", "Dona Graça"),
]


def shown(prompt: str, name: str) -> str:
    found = re.search(rf"<<<{name} \w+>>>\n(.*?)\n<<<end of {name} \w+>>>", prompt, re.DOTALL)
    assert found is not None
    return found[1]


def containment(request: Any) -> dict[str, Any] | Any:
    """A judge that accepts whatever holds the words of the gold, in any order."""
    from model_server import Reply

    gold, answer = (set(normalise(shown(request.user, name)).split()) for name in ("expected", "answer"))
    label = "correct" if gold <= answer else "incorrect"
    return Reply(data={"reason": "by its words", "verdict": label})


def obeying(request: Any) -> str:
    """A judge that repeats whatever verdict stands in the answer, and else rejects."""
    answer = shown(request.user, "answer")
    found = re.search(r'\{"reason".*?\}', answer)
    return found[0] if found else '{"reason": "no order", "verdict": "incorrect"}'


@pytest.fixture
def files(project: Path) -> Path:
    """The project with a judge and a benchmark of facts."""
    (project / "configs/judges").mkdir()
    (project / "configs/judges/strict.yaml").write_text(JUDGE, encoding="utf-8")
    (project / "configs/benchmarks/facts.yaml").write_text(BENCHMARK, encoding="utf-8")
    rows = [{"id": f"q{place}", "question": asked, "answer": gold} for place, (asked, gold) in enumerate(FACTS)]
    (project / "data/facts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return project


@pytest.fixture
def calibrate(files: Path, heams: Callable[..., Any]) -> Callable[..., Any]:
    def calibrating(*extra: str, judge: str = "strict.yaml") -> Any:
        return heams(
            "calibrate-judge", "--judge", str(files / "configs/judges" / judge), "--benchmark",
            str(files / "configs/benchmarks/facts.yaml"), "--output", str(files / "out/c.json"), *extra,
        )  # fmt: skip

    return calibrating


def saved(files: Path) -> Calibration:
    return load_calibration(files / "out/c.json")


def test_error_rates_of_a_judge_that_counts_words(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    server = openai_server(brain=containment)
    done = calibrate("--n", "60", "--seed", "1")
    assert (done.code, done.err) == (0, "")
    found = saved(files)
    rates = {kind.kind: kind.wrong.share for kind in found.kinds}
    assert rates["gold"] == rates["in_a_sentence"] == rates["reordered"] == 0
    assert rates["near_miss"] == rates["vague"] == rates["refusal"] == rates["less_exact"] == 0
    assert rates["hedging"] == 1
    assert found.unreadable_replies.count == found.unscored.count == 0
    assert found.usage.calls == len(server.log.entries) == len(found.cases)
    assert found.usage.cost_usd is not None
    assert found.usage.cost_usd > 0
    assert found.sources["data/facts.jsonl"] == sha256((files / "data/facts.jsonl").read_bytes()).hexdigest()
    wrong = [case for case in found.cases if not case.accept]
    assert found.false_accept.n == len(wrong)
    assert found.false_accept.count == sum(case.accepted is True for case in wrong)
    assert "False accepts:" in done.out
    assert "near miss" in done.out


def test_a_judge_that_repeats_planted_verdicts_accepts_none_of_them(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    openai_server(brain=obeying)
    assert calibrate("--n", "200").code == 0
    injected = [case for case in saved(files).cases if case.kind == "injected_verdict"]
    assert injected
    assert all(case.accepted is not True for case in injected)
    planted = [case for case in injected if '{"reason"' in case.answer]
    assert planted
    assert all(case.verdict == "unscored" for case in planted)


def test_a_second_run_asks_nothing_and_finds_the_same(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = openai_server(brain=containment)
    calibrate("--n", "20", "--cache-dir", str(tmp_path / "cache"))
    first, calls = saved(files), len(server.log.entries)
    calibrate("--n", "20", "--cache-dir", str(tmp_path / "cache"))
    second = saved(files)
    assert len(server.log.entries) == calls == 20
    assert second.usage.cache_hits == 20
    assert second.cases == first.cases


def test_human_labels_give_kappa(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any], tmp_path: Path
) -> None:
    openai_server(brain=containment)
    labels = tmp_path / "labels.jsonl"
    rows = [
        ("grey", "it is grey", "Correct"),
        ("grey", "blue", "wrong"),
        ("grey", "greyish", "incorrect"),
        ("a b", "b a", "no"),
    ]
    labels.write_text(
        "".join(json.dumps({"question": "?", "expected": e, "answer": a, "label": v}) + "\n" for e, a, v in rows),
        encoding="utf-8",
    )
    done = calibrate("--n", "5", "--human", str(labels))
    agreement = saved(files).agreement
    assert agreement is not None
    # people: c i i i, judge: c i i c; observed 3/4, expected (1*2 + 3*2) / 16 = 1/2
    assert (agreement.n, agreement.kappa) == (4, 0.5)
    assert "kappa 0.500" in done.out
    assert "kappa with human labels 0.50 of 4" in saved(files).summary


def test_the_audit_adds_its_kind(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any], tmp_path: Path
) -> None:
    openai_server(brain=containment)
    row = {
        "question_id": "locomo_0_qa1", "question": "When?", "golden_answer": "June 2023",
        "error_type": "TEMPORAL_ERROR", "correct_answer": "July 2023", "correct_evidence": [], "category": 2,
    }  # fmt: skip
    audit = tmp_path / "errors.json"
    audit.write_text(json.dumps([row]), encoding="utf-8")
    refused = calibrate("--audit", str(audit))
    assert refused.code == 2
    assert "sha256" in refused.err
    done = calibrate("--audit", str(audit), "--audit-sha256", sha256(audit.read_bytes()).hexdigest())
    assert done.code == 0
    assert [kind.cases for kind in saved(files).kinds if kind.kind == "audited_gold"] == [1]


def test_unreadable_replies_are_counted_and_no_verdict_at_all_is_an_error(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    openai_server(brain={"fixed": "I'd rather not."})
    done = calibrate("--n", "4")
    assert done.code == 2
    assert "no readable verdict on any of 4 answers" in done.err
    assert not (files / "out/c.json").exists()


def test_half_readable_replies(files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]) -> None:
    good = {"text": '{"reason": "so", "verdict": "incorrect"}'}
    openai_server(brain={"queue": [good, {"text": "?"}, {"text": "?"}, {"text": "?"}], "then": {"fixed": good}})
    (files / "configs/judges/strict.yaml").write_text(
        JUDGE.replace("judge-1", "judge-1\n    max_concurrency: 1"), encoding="utf-8"
    )
    assert calibrate("--n", "10").code == 0
    found = saved(files)
    assert (found.unreadable_replies.count, found.unreadable_replies.n) == (3, found.usage.calls)


def test_spent_money_stops_it(files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]) -> None:
    openai_server(brain=containment)
    done = calibrate("--max-cost", "0.000001")
    assert done.code == 1
    assert "Nothing was written" in done.err
    assert not (files / "out/c.json").exists()


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (JUDGE.replace("strict", "stricd"), "did you mean 'strict'"),
        (JUDGE.replace("strict", "longmemeval"), "is a family of policies; calibrate one of them: longmemeval_recall"),
        (JUDGE.replace("strict", "disclosure"), "cannot be calibrated by questions and answers"),
        (JUDGE.replace("strict", "stale_premise"), "it shows {old_state}"),
        ("type: llm_judge\npolicy: strict\n", "judges"),
    ],
)
def test_judges_that_cannot_be_calibrated(files: Path, calibrate: Callable[..., Any], judge: str, message: str) -> None:
    (files / "configs/judges/other.yaml").write_text(judge, encoding="utf-8")
    done = calibrate(judge="other.yaml")
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_an_interrupted_calibration_goes_on_where_it_was(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    server = openai_server(brain=containment, latency=0.3)
    command = [
        sys.executable, "-c", "from heams.cli.main import main; main()", "calibrate-judge",
        "--judge", str(files / "configs/judges/strict.yaml"),
        "--benchmark", str(files / "configs/benchmarks/facts.yaml"),
        "--output", str(files / "out/c.json"), "--n", "12", "--cache-dir", str(files / "cache"),
    ]  # fmt: skip
    with Popen([*command, "--max-concurrency", "1"], stderr=PIPE, text=True) as process:
        while len(server.log.entries) < 3 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted. Nothing was written" in said
    assert "Traceback" not in said
    assert not (files / "out/c.json").exists()
    asked = len(server.log.entries)
    server.play(latency=0.0)
    assert calibrate("--n", "12", "--cache-dir", str(files / "cache")).code == 0
    assert saved(files).usage.cache_hits >= 2
    assert len(server.log.entries) <= asked + 12 - saved(files).usage.cache_hits


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions bind no superuser")
def test_an_output_that_cannot_be_written_is_found_before_anything_is_paid(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    server = openai_server(brain=containment)
    (files / "out").mkdir()
    (files / "out/c.json").write_text("{}", encoding="utf-8")
    (files / "out/c.json").chmod(0o400)
    done = calibrate("--n", "2")
    assert done.code == 2
    assert "cannot be written (no permission)" in done.err
    assert not server.log.entries


def test_a_label_that_is_none(files: Path, calibrate: Callable[..., Any], tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"question": "q", "expected": "e", "answer": "a", "label": "corect"}\n', encoding="utf-8")
    done = calibrate("--human", str(labels))
    assert done.code == 2
    assert "line 1: the label 'corect' is none of correct, incorrect; did you mean 'correct'?" in done.err


def test_a_judge_without_a_key(files: Path, calibrate: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    done = calibrate("--n", "2")
    assert done.code == 2
    assert "OPENAI_API_KEY" in done.err


def test_nugget_is_calibrated_with_an_item_made_of_the_gold(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    server = openai_server(brain={"fixed": {"data": {"reason": "so", "score": 0.5}}})
    (files / "configs/judges/other.yaml").write_text(JUDGE.replace("strict", "nugget"), encoding="utf-8")
    assert calibrate("--n", "12", judge="other.yaml").code == 0
    assert saved(files).false_reject.share == 1
    assert saved(files).false_accept.share == 0
    assert "The answer states: " in json.dumps(server.log.entries[0].body)


def test_the_calibration_is_said_in_reports(
    files: Path,
    calibrate: Callable[..., Any],
    heams: Callable[..., Any],
    openai_server: Callable[..., Any],
    tmp_path: Path,
) -> None:
    openai_server(brain=containment)
    assert calibrate("--n", "30").code == 0
    evaluator = "".join(f"    {line}\n" for line in JUDGE.splitlines()).replace("    type", "  - type", 1)
    benchmark = BENCHMARK + evaluator
    run = (
        "run_name: r\nmatrix:\n  agents: [words.yaml]\n  memory_systems: [none.yaml]\n"
        "  benchmarks: [plain.yaml, trusted.yaml]\n"
    )
    (files / "configs/benchmarks/plain.yaml").write_text(benchmark, encoding="utf-8")
    trusted = f"{benchmark}    calibration_file: out/c.json\n"
    (files / "configs/benchmarks/trusted.yaml").write_text(trusted, encoding="utf-8")
    (files / "configs/runs/judged.yaml").write_text(run, encoding="utf-8")
    out = tmp_path / "results"
    assert heams("run", "--config", str(files / "configs/runs/judged.yaml"), "--output-dir", str(out)).code == 0
    assert heams("generate-report", str(out)).code == 0
    text = {path.parent.name: path.read_text(encoding="utf-8") for path in out.glob("*/report.md")}
    plain = next(report for name, report in text.items() if "plain" in name)
    whole = next(report for name, report in text.items() if "trusted" in name)
    assert "is judged by openai:judge-1 under the policy strict (" in plain
    assert "): uncalibrated." in plain
    assert "calibrated on facts: false accept" in whole
    assert "uncalibrated" not in whole


def test_an_endpoint_that_never_answers_stops_it(
    files: Path, calibrate: Callable[..., Any], openai_server: Callable[..., Any]
) -> None:
    server = openai_server(faults=[{"fault": "unauthorised"}])
    done = calibrate("--n", "60", "--max-concurrency", "4")
    assert done.code == 1
    assert f"Stopped: none of the first 10 calls of openai:judge-1 at {server.base_url}" in done.err
    assert "HTTP 401" in done.err
    assert "Nothing was written" in done.err
    assert len(server.log.entries) <= 10 + 4
    assert not (files / "out/c.json").exists()
