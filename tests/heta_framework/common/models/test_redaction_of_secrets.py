"""Registered secrets do not get through, in whatever spelling a message holds them."""

import json
from urllib.parse import quote

import pytest

from heta_framework.common.models import redaction
from heta_framework.common.models.redaction import REDACTED, redact, register_secret


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_secrets", ())


def test_a_registered_secret_is_taken_out_wherever_it_stands() -> None:
    register_secret("sk-12345678")
    assert redact("key sk-12345678, again (sk-12345678)") == f"key {REDACTED}, again ({REDACTED})"
    assert redact("nothing here") == "nothing here"


def test_spellings_in_json_and_in_addresses_are_known() -> None:
    value = 'pass/word "one" ü'
    register_secret(value)
    for spelling in (value, json.dumps(value), quote(value, safe="")):
        assert "word" not in redact(f"said: {spelling}")


def test_a_secret_that_holds_another_is_taken_out_whole() -> None:
    register_secret("sk-short")
    register_secret("sk-short-and-long")
    assert redact("sk-short-and-long sk-short") == f"{REDACTED} {REDACTED}"


@pytest.mark.parametrize("value", ["", "a", "abc"])
def test_values_that_hide_nothing_are_ignored(value: str) -> None:
    register_secret(value)
    assert redact("an abc of a thing") == "an abc of a thing"
