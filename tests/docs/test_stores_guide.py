"""Every Python block of the guide to stores runs as it stands, against real servers where it needs one."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from s3_server import S3Bucket

PAGE = Path(__file__).parents[2] / "docs/guides/stores.md"


def test_the_blocks_of_the_guide_run(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    postgres: str,
    s3: "S3Bucket",
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "DATABASE_URL": postgres,
        "KB_BUCKET": s3.bucket,
        "S3_ENDPOINT_URL": s3.endpoint_url,
        "AWS_ACCESS_KEY_ID": s3.access_key_id,
        "AWS_SECRET_ACCESS_KEY": s3.secret_access_key,
    }.items():
        monkeypatch.setenv(name, value)
    scope: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 7
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), scope)  # noqa: S102 - the page is ours
    said = capsys.readouterr().out
    assert said.count("b'Press the red button.'") == 2
    assert "red 0.994 red" in said
    assert "m1" in said
    assert "sqlite [{'number': 1, 'name': 'key'}" in said
    assert "postgresql [{'number': 1, 'name': 'key'}" in said
    assert "['button', 'lamp']" in said
