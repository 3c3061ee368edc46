"""Small things that commands say: next steps that can be copied, retries in words, damage in the summary."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

Heams = Callable[..., tuple[int, str, str]]


def test_init_quotes_the_folder_to_change_into(heams: Heams, tmp_path: Path) -> None:
    folder = tmp_path / "sp ace; 'x'"
    code, out, _ = heams("init", folder)
    assert code == 0
    (line,) = (line.strip() for line in out.splitlines() if line.strip().startswith("cd "))
    assert shlex.split(line) == ["cd", str(folder)]


def test_a_retry_is_said_in_words(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    import stamina

    from heams.cli.datasets import _retries_in_words

    with _retries_in_words():
        for attempt in stamina.retry_context(on=ConnectionError, attempts=2, wait_initial=0, wait_jitter=0):
            with attempt:
                if attempt.num == 1:
                    raise ConnectionError("refused")
    assert capsys.readouterr().err == "the connection failed; retry 1 in 0.0 s\n"
    assert "stamina" not in caplog.text


def test_the_summary_names_damaged_lines(project: Path, heams: Heams, tmp_path: Path) -> None:
    run = ("run", "--config", project / "configs/runs/mine.yaml", "--output-dir", "out", "--plain")
    assert heams(*run)[0] == 0
    with (tmp_path / "elsewhere/out/words__none__mine/texts.jsonl").open("a") as file:
        file.write("garbage\n")
    code, out, err = heams(*run)
    assert code == 0, err
    assert "words__none__mine: 1 line is unreadable and left out: texts.jsonl:1 (" in out


def test_a_folder_in_the_place_of_a_report_is_named(project: Path, heams: Heams, tmp_path: Path) -> None:
    assert heams("run", "--config", project / "configs/runs/mine.yaml", "--output-dir", "out", "--plain")[0] == 0
    (tmp_path / "elsewhere/out/report.md").mkdir()
    code, _, err = heams("generate-report", "out")
    assert code == 2
    assert "out/report.md: a folder stands in the place of the report; move it away" in err
