"""Keys of models, and those in addresses, reach the endpoint and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import CANARY_KEY

import heams
from heams.orchestration.resolve import resolve_run_mapping
from heta_framework.common.config.url_secrets import url_secrets, without_secrets_in, without_url_secrets

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
Server = Callable[..., "LocalServer"]


def _written(folder: Path) -> str:
    files = (path for path in folder.rglob("*") if path.is_file())
    return "".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def test_an_endpoint_that_repeats_the_key_it_refuses(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    from heams.cli.progress_plain import PlainProgress

    openai_server(faults=[{"fault": "unauthorised"}])
    config = one_experiment(questions(2), agent=reader, retries=0)
    results = list(heams.run(config, tmp_path / "out", listener=PlainProgress(), record=tmp_path / "c.jsonl"))
    assert {result.status for result in results} == {"error"}
    assert "401" in _written(tmp_path / "out")
    assert CANARY_KEY not in _written(tmp_path)
    assert CANARY_KEY not in "".join(capfd.readouterr())


def test_a_model_that_repeats_the_key(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    openai_server(brain={"fixed": f"The key is {CANARY_KEY}, honestly."})
    (result,) = heams.run(one_experiment(questions(1), agent=reader), tmp_path / "out")
    assert result.transcript[0].reply == "The key is ***, honestly."


def test_secrets_in_an_address_are_used_and_not_saved(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    server = openai_server(brain={"fixed": "the pass word is sesame-open"})
    monkeypatch.setenv("HOST_KEY", "from-the-environment")
    host = server.base_url.removeprefix("http://")
    reader["base_url"] = f"http://ada:sesame-open@{host}?api_key=${{HOST_KEY}}&version=2"
    config = one_experiment(questions(1), agent=reader)
    (experiment,) = resolve_run_mapping(config).experiments
    assert {"sesame-open", "from-the-environment", CANARY_KEY} <= experiment.agent.secrets
    results = heams.run(config, tmp_path / "out", record=tmp_path / "c.jsonl.zst")
    saved = results.experiments[0].config
    assert saved["agent_config"]["base_url"] == f"http://ada:***@{host}?api_key=${{HOST_KEY}}&version=2"
    written = _written(tmp_path / "out")
    assert "sesame-open" not in written
    assert "from-the-environment" not in written


@pytest.mark.parametrize(
    ("address", "hidden", "secrets"),
    [
        ("https://u:p%40ss@h/v1", "https://u:***@h/v1", ["p%40ss", "p@ss"]),
        ("https://token@h/v1", "https://***@h/v1", ["token", "token"]),
        ("https://h/v1?key=abc&model=x", "https://h/v1?key=***&model=x", ["abc", "abc"]),
        (
            "https://u:${PASS}@h/?sig=${SIG}",
            "https://u:${PASS}@h/?sig=${SIG}",
            ["${PASS}", "${PASS}", "${SIG}", "${SIG}"],
        ),
        ("https://u:${PASS:-typed}@h", "https://u:***@h", ["${PASS:-typed}", "${PASS:-typed}"]),
        ("https://h/v1?model=a@b", "https://h/v1?model=a@b", []),
        ("http://h/path@x?version=1", "http://h/path@x?version=1", []),
        ("see https://u:p@h for key=1", "see https://u:p@h for key=1", []),
        ("HTTPS://u:p@h", "HTTPS://u:***@h", ["p", "p"]),
    ],
)
def test_secrets_of_addresses(address: str, hidden: str, secrets: list[str]) -> None:
    assert without_secrets_in(address) == hidden
    assert list(url_secrets({"x": [address]})) == secrets
    assert without_url_secrets({"x": [address, 1, None]}) == {"x": [hidden, 1, None]}


@given(st.text(alphabet="abc:@/?=&#%${}-_. ", max_size=40))
def test_an_address_is_hidden_once_and_for_all(rest: str) -> None:
    address = "https://" + rest
    once = without_secrets_in(address)
    assert without_secrets_in(once) == once
    assert without_secrets_in(rest) == rest
