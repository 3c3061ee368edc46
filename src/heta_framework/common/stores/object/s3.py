"""Objects in a bucket of S3, or of any server that speaks its protocol, over obstore.

Its blocking calls in worker threads, not its asynchronous ones: their threads may still wake futures of Python when the
interpreter is on its way out, which aborts short programs (pyo3-async-runtimes, issue 40).
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.common.stores.object.errors import ObjectStoreError
from heta_framework.common.stores.object.keys import LONGEST_KEY, check_data, check_key, check_prefix, shown
from heta_framework.common.stores.object.protocol import ObjectInfo
from heta_framework.common.stores.object.s3_config import S3AddressingStyle, S3ObjectStoreConfig
from heta_framework.common.stores.object.s3_errors import explained

if TYPE_CHECKING:
    from obstore.store import S3Store

_ONE_REQUEST = 64 * 1024 * 1024  # bytes up to which a put is one request; larger ones are sent in parts
_DELETES_A_REQUEST = 1000


class S3ObjectStore:
    """An object store in a bucket that exists. S3 itself makes every put atomic.

    The parameters are those of `S3ObjectStoreConfig`; a `client`, an ``obstore.store.S3Store`` of the bucket, stands
    in for all that tell how to reach it. Refused connections and server errors are tried again three times.
    """

    def __init__(
        self,
        bucket: str,
        *,
        prefix: str = "",
        endpoint_url: str | None = None,
        region: str | None = None,
        access_key_id: str | None = None,
        secret_access_key: str | None = None,
        session_token: str | None = None,
        addressing_style: S3AddressingStyle = "auto",
        signature_version: str | None = None,
        verify: bool | str = True,
        client: Any | None = None,
    ) -> None:
        config = S3ObjectStoreConfig(
            bucket=bucket,
            prefix=prefix,
            endpoint_url=endpoint_url,
            region=region,
            access_key_id=access_key_id,
            secret_access_key=secret_access_key,
            session_token=session_token,
            addressing_style=addressing_style,
            signature_version=signature_version,
            verify=verify,
        )
        self._base = f"{stem}/" if (stem := check_prefix(prefix)) else ""
        self._place = f"the S3 bucket {bucket!r}" + (f" at {endpoint_url}" if endpoint_url else "")
        self._client = _opened(config) if client is None else _checked(client)
        self._bucket_was_seen = False

    def __repr__(self) -> str:
        return f"S3ObjectStore({self._place.removeprefix('the ')}, prefix={self._base.rstrip('/')!r})"

    async def put(self, key: str, data: bytes) -> None:
        """Store `data` under `key`, in place of what was there.

        Raises:
            TypeError: the key is no string or the data no bytes.
            ValueError: the key breaks a rule of keys.
            ObjectStoreError: the bucket is not there, not open to these keys, or nobody answers.
        """
        await to_thread.run_sync(self._put, self._path(key), check_data(data))

    async def get(self, key: str) -> bytes:
        """The object under `key`; FileNotFoundError where there is none."""
        path = self._path(key)
        try:
            return await to_thread.run_sync(self._get, path)
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no object {shown(key)} in {self._place}") from None

    async def exists(self, key: str) -> bool:
        """Whether there is an object under exactly this key."""
        return await to_thread.run_sync(self._info, self._path(key)) is not None

    async def list(self, prefix: str = "") -> builtins.list[ObjectInfo]:
        """Every object under `prefix` (``a`` holds ``a`` and ``a/b``, not ``ab``), sorted by key."""
        stem = check_prefix(prefix)
        found = await to_thread.run_sync(self._below, f"{self._base}{stem}")
        if stem and not prefix.endswith("/"):
            itself = await to_thread.run_sync(self._info, self._path(stem))
            found += [itself] if itself else []
        return sorted(found, key=lambda info: info.key)

    async def delete(self, key: str) -> None:
        """Remove the object under `key`; a key that is not there is passed over."""
        await self.delete_many([key])

    async def delete_many(self, keys: Sequence[str]) -> None:
        """Remove the objects under these keys, a thousand a request; those that are not there are passed over."""
        paths = [self._path(key) for key in keys]
        for start in range(0, len(paths), _DELETES_A_REQUEST):
            await to_thread.run_sync(self._delete, paths[start : start + _DELETES_A_REQUEST])

    async def aclose(self) -> None:
        """Connections close by themselves when they are idle."""

    def _path(self, key: str) -> str:
        path = f"{self._base}{check_key(key)}"
        if len(path.encode()) > LONGEST_KEY:
            raise ValueError(f"the key {shown(key)} with the prefix of this store is longer than {LONGEST_KEY} bytes")
        return path

    def _put(self, path: str, data: bytes) -> None:
        with explained(self._place):
            self._client.put(path, data, use_multipart=len(data) > _ONE_REQUEST)

    def _get(self, path: str) -> bytes:
        with explained(self._place):
            return bytes(self._client.get(path).bytes())

    def _delete(self, paths: builtins.list[str]) -> None:
        with suppress(FileNotFoundError), explained(self._place):
            self._client.delete(paths)

    def _below(self, path: str) -> builtins.list[ObjectInfo]:
        with explained(self._place):
            return [self._shown(entry) for page in self._client.list(path.rstrip("/") or None) for entry in page]

    def _info(self, path: str) -> ObjectInfo | None:
        try:
            with explained(self._place):
                return self._shown(self._client.head(path))
        except FileNotFoundError:
            self._see_bucket()
            return None

    def _see_bucket(self) -> None:
        """A head that finds nothing does not tell a missing object from a missing bucket: look once."""
        if not self._bucket_was_seen:
            self._below(f"{self._base}never/there")
            self._bucket_was_seen = True

    def _shown(self, entry: Mapping[str, Any]) -> ObjectInfo:
        tag = entry["e_tag"]
        key = entry["path"].removeprefix(self._base)
        return ObjectInfo(key, entry["size"], entry["last_modified"], tag.strip('"') if tag else None)


def _opened(config: S3ObjectStoreConfig) -> S3Store:
    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    try:
        return S3Store(config.bucket, **config.store_options())
    except (BaseError, ValueError) as error:
        first = str(error).split("\n", 1)[0]
        raise ObjectStoreError(f"the S3 bucket {config.bucket!r} cannot be opened: {first}") from None


def _checked(client: Any) -> S3Store:
    from obstore.store import S3Store

    if not isinstance(client, S3Store):
        raise TypeError(f"client must be an obstore.store.S3Store, got {type(client).__name__}")
    return client
