"""What is written with a checksum is read back as it was, or not at all."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.kb.lifecycle.json_values import is_json_safe, only_json_safe, with_notes
from heta_framework.kb.lifecycle.sealed_json import TornRecordError, seal, unseal

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
_records = st.dictionaries(st.text().filter(lambda key: key != "checksum"), _values)


@settings(max_examples=30)
@given(_records)
def test_a_sealed_record_comes_back_as_it_was(record: dict[str, Any]) -> None:
    assert unseal(seal(record)) == record


@settings(max_examples=30)
@given(_records, st.data())
def test_a_cut_record_is_recognised(record: dict[str, Any], data: st.DataObject) -> None:
    sealed = seal(record)
    with pytest.raises(TornRecordError):
        unseal(sealed[: data.draw(st.integers(0, len(sealed) - 1))])


@settings(max_examples=30)
@given(st.integers(0, 9), st.integers(0, 9))
def test_an_altered_record_is_recognised(written: int, found: int) -> None:
    altered = seal({"count": written}).replace(b'"count":%d' % written, b'"count":%d' % found)
    if written == found:
        assert unseal(altered) == {"count": written}
    else:
        with pytest.raises(TornRecordError, match="checksum differs"):
            unseal(altered)


@pytest.mark.parametrize("data", [b"", b"[]", b"3", b"\xff\xfe", b'{"checksum": 1}'])
def test_what_was_never_sealed_is_recognised(data: bytes) -> None:
    with pytest.raises(TornRecordError):
        unseal(data)


def test_values_that_json_cannot_hold_are_left_out_or_noted() -> None:
    values = {"keys": ("a",), "nan": float("nan"), "set": {1}, "deep": {"x": [object()]}, "int_key": {1: 2}}
    assert only_json_safe(values) == {"keys": ("a",)}
    assert with_notes(values)["set"] == {"type": "set", "manifest_note": "runtime artifact omitted"}
    assert is_json_safe({"lone surrogate": "\ud800"})
