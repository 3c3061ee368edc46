"""The guide to models in Python works as shown, against a local server."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from model_server import LocalServer

VERDICT = {"label": "right", "reason": "it is"}


def test_its_blocks_run(
    repository: Path, openai_server: "Callable[..., LocalServer]", capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [{"user": "Which city", "reply": "Berlin"}, {"user": "Right or wrong", "reply": {"data": VERDICT}}]
    server = openai_server(brain={"rules": rules, "otherwise": "echo"})
    page = (repository / "docs/guides/models_in_python.md").read_text(encoding="utf-8")
    scope: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "models_in_python.md", "exec"), scope)  # noqa: S102 - the page is ours
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("Berlin TokenUsage(input_tokens=")
    assert shown[1].startswith("label='right' reason='it is' {")
    assert shown[2].startswith("[(1, 0.")
    assert shown[3] == "label='right' reason='it is'"
    assert shown[4] == "1 None", "an endpoint of one's own has no list price"
    assert server.log.summary().whole.calls == 3
