"""Objects in a bucket: what goes wrong there is told in a sentence that holds no secret."""

from __future__ import annotations

import subprocess
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heta_framework.common.stores import ObjectStoreError, S3ObjectStore, S3ObjectStoreConfig

if TYPE_CHECKING:
    from s3_server import S3Bucket, S3Server

pytestmark = pytest.mark.anyio


async def _refusals(store: S3ObjectStore) -> list[str]:
    """What each call says when it fails, with all that a traceback would print."""
    said = []
    for call in (
        store.put("a", b""),
        store.get("a"),
        store.exists("a"),
        store.list(),
        store.list("a"),
        store.delete("a"),
    ):
        with pytest.raises(ObjectStoreError) as caught:
            await call
        said.append("".join(traceback.format_exception(caught.value)))
    return said


async def test_a_bucket_that_is_not_there_is_named(s3: S3Bucket) -> None:
    store = S3ObjectStore(**replace(s3, bucket="no-such-bucket").arguments())
    for said in await _refusals(store):
        assert f"the S3 bucket 'no-such-bucket' at {s3.endpoint_url}: there is no such bucket" in said
        assert "RetryError" not in said


async def test_a_server_that_died_is_told_and_used_again_when_it_is_back(s3: S3Bucket, s3_server: S3Server) -> None:
    store = S3ObjectStore(**s3.arguments())
    await store.put("a", b"1")
    s3_server.kill()
    with pytest.raises(ObjectStoreError, match="connection refused") as caught:
        await store.get("a")
    assert s3.secret_access_key not in "".join(traceback.format_exception(caught.value))
    assert "reqwest" not in "".join(traceback.format_exception(caught.value))
    s3_server.start()
    s3_server.make_bucket(s3.bucket)
    await store.put("a", b"2")
    assert await store.get("a") == b"2"


async def test_objects_of_others_that_have_no_key_stop_only_the_listing(s3: S3Bucket, s3_server: S3Server) -> None:
    s3_server.put_raw(s3.bucket, "raw//twice")
    store = S3ObjectStore(**s3.arguments())
    await store.put("ours/a", b"")
    with pytest.raises(ObjectStoreError, match="names are no keys"):
        await store.list()
    assert [info.key for info in await store.list("ours")] == ["ours/a"]


async def test_stores_below_different_prefixes_do_not_meet(s3: S3Bucket) -> None:
    one, other = (S3ObjectStore(**s3.arguments(), prefix=prefix) for prefix in ("kb", "kb2/"))
    await one.put("a", b"1")
    await other.put("a", b"2")
    assert [await one.get("a"), await other.get("a")] == [b"1", b"2"]
    assert [info.key for info in await S3ObjectStore(**s3.arguments()).list()] == ["kb/a", "kb2/a"]
    with pytest.raises(ValueError, match="with the prefix"):
        await one.put("/".join(["x" * 255] * 4), b"")


async def test_a_large_object_is_sent_in_parts(s3: S3Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heta_framework.common.stores.object.s3._ONE_REQUEST", 6_000_000)
    data = bytes(range(256)) * 50_000
    store = S3ObjectStore(**s3.arguments())
    await store.put("large", data)
    assert await store.get("large") == data


async def test_a_client_of_obstore_stands_in_for_the_settings(s3: S3Bucket) -> None:
    from obstore.store import S3Store

    client = S3Store(s3.bucket, **S3ObjectStoreConfig(**s3.arguments()).store_options())
    store = S3ObjectStore(s3.bucket, client=client)
    await store.put("a", b"1")
    assert await store.get("a") == b"1"
    with pytest.raises(TypeError, match="got object"):
        S3ObjectStore(s3.bucket, client=object())


def test_a_short_program_ends_well() -> None:
    script = """
import anyio
from heta_framework.common.stores import ObjectStoreError, S3ObjectStore

async def ask(store):
    try:
        await store.get("a")
    except ObjectStoreError as error:
        assert "refused" in str(error), error

async def ask_often():
    store = S3ObjectStore("b", endpoint_url="http://127.0.0.1:1", access_key_id="k", secret_access_key="s")
    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(ask, store)

anyio.run(ask_often)
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_secrets_are_in_no_repr() -> None:
    secrets = {"access_key_id": "AKIDEXAMPLE", "secret_access_key": "wJalrXUtnFEMI", "session_token": "tok-12345"}
    config = S3ObjectStoreConfig("bucket", **secrets)
    shown = f"{config!r} {S3ObjectStore('bucket', region='eu-west-1', **secrets)!r}"
    assert not any(secret in shown for secret in secrets.values())
    assert "bucket" in shown


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"bucket": " "}, "bucket must not be empty"),
        ({"prefix": "../up"}, r"segment '\.\.'"),
        ({"prefix": "/"}, "relative"),
        ({"addressing_style": "dns"}, "auto, path, virtual"),
        ({"signature_version": "s3"}, "'s3v4' or None"),
        ({"access_key_id": "k"}, "belong together"),
        ({"endpoint_url": "minio:9000"}, "must start with http"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], said: str) -> None:
    for make in (S3ObjectStoreConfig, S3ObjectStore):
        with pytest.raises(ValueError, match=said):
            make(**({"bucket": "b"} | settings))


@pytest.mark.parametrize(
    ("style", "endpoint", "expected", "virtual"),
    [
        ("auto", None, None, True),
        ("path", None, None, False),
        ("auto", "http://host:9000", "http://host:9000", False),
        ("virtual", "https://host:9000/s3", "https://b.host:9000/s3", True),
    ],
)
def test_the_bucket_stands_in_the_address_where_the_style_says(
    style: Any, endpoint: str | None, expected: str | None, virtual: bool
) -> None:
    options = S3ObjectStoreConfig("b", endpoint_url=endpoint, addressing_style=style).store_options()
    assert options["config"].get("endpoint") == expected
    assert options["config"]["virtual_hosted_style_request"] is virtual
    assert options["client_options"].get("allow_http", False) is (endpoint == "http://host:9000")


def test_certificates_are_checked_unless_told_otherwise(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(b"pem")
    options = [
        S3ObjectStoreConfig("b", verify=verify).store_options()["client_options"]
        for verify in (True, False, str(tmp_path / "ca.pem"))
    ]
    assert [option.get("allow_invalid_certificates", False) for option in options] == [False, True, False]
    assert options[2]["root_certificate"] == b"pem"
