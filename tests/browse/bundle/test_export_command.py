"""`heams browse --export` on the command line."""

import re
import shutil
from pathlib import Path

from typer.testing import CliRunner

from heams.cli.main import app


def test_it_says_what_was_written_and_what_was_not(browse_results: Path, tmp_path: Path) -> None:
    shutil.copytree(browse_results / "failing", tmp_path / "results" / "failing")
    file = tmp_path / "failing.html"
    done = CliRunner().invoke(
        app, ["browse", str(tmp_path / "results"), "--export", str(file), "--export-samples", "0"]
    )
    assert done.exit_code == 0, done.output
    assert re.fullmatch(rf"{re.escape(str(file))}: \d+ pages, \d+ KB \(the results: \d+ KB\)\n", done.stdout)
    assert "this file has at most 0 samples each" in done.stderr
    assert file.read_bytes().startswith(b"<!doctype html>\n")


def test_samples_of_a_file_need_a_file(browse_results: Path) -> None:
    done = CliRunner().invoke(app, ["browse", str(browse_results), "--export-samples", "5"])
    assert done.exit_code == 2
    assert "--export-samples says how many samples the file of --export has; name that file" in done.stderr
