"""How an S3 object store is reached: its settings, checked, and what obstore is told of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit, urlunsplit

from heta_framework.common.stores.object.keys import check_prefix

S3AddressingStyle = Literal["auto", "path", "virtual"]
"""Where the bucket stands in an address; ``auto``: in the path with an `endpoint_url`, else in the name of the host."""

_SIGNATURES = (None, "s3v4")


@dataclass(frozen=True)
class S3ObjectStoreConfig:
    """Where the bucket is and how to get in.

    Without keys, the environment's ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY`` and ``AWS_SESSION_TOKEN`` are used,
    or the role of the machine. Keys are in no repr.

    Attributes:
        bucket: The name of the bucket, which must exist.
        prefix: What stands before every key in the bucket, a key itself or empty.
        endpoint_url: The address of the server; without it Amazon's for the region.
        region: The region of the bucket, ``us-east-1`` if neither it nor the environment names one.
        access_key_id, secret_access_key, session_token: The keys.
        addressing_style: Where the bucket stands in an address.
        signature_version: ``s3v4``, the one that is spoken; None means it too.
        verify: Whether the server's certificate is checked, or a PEM file of further authorities to trust.
    """

    bucket: str
    prefix: str = ""
    endpoint_url: str | None = None
    region: str | None = None
    access_key_id: str | None = field(default=None, repr=False)
    secret_access_key: str | None = field(default=None, repr=False)
    session_token: str | None = field(default=None, repr=False)
    addressing_style: S3AddressingStyle = "auto"
    signature_version: str | None = None
    verify: bool | str = True

    def __post_init__(self) -> None:
        if not self.bucket.strip():
            raise ValueError("bucket must not be empty")
        check_prefix(self.prefix)
        if self.addressing_style not in get_args(S3AddressingStyle):
            allowed = ", ".join(get_args(S3AddressingStyle))
            raise ValueError(f"addressing_style must be one of: {allowed}; got {self.addressing_style!r}")
        if self.signature_version not in _SIGNATURES:
            raise ValueError(f"signature_version must be 's3v4' or None, got {self.signature_version!r}")
        if (self.access_key_id is None) != (self.secret_access_key is None):
            raise ValueError("access_key_id and secret_access_key belong together; one of them is missing")
        if self.endpoint_url is not None and urlsplit(self.endpoint_url).scheme not in ("http", "https"):
            raise ValueError(f"endpoint_url must start with http:// or https://, got {self.endpoint_url!r}")

    def store_options(self) -> dict[str, Any]:
        """The arguments of ``obstore.store.S3Store`` beside the bucket."""
        settings = {
            "endpoint": self._endpoint(),
            "region": self.region,
            "access_key_id": self.access_key_id,
            "secret_access_key": self.secret_access_key,
            "session_token": self.session_token,
            "virtual_hosted_style_request": self._virtual(),
        }
        return {
            "config": {name: value for name, value in settings.items() if value is not None},
            "client_options": self._client_options(),
            "retry_config": {
                "max_retries": 3,
                "retry_timeout": timedelta(minutes=1),
                "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=2), "base": 2},
            },
        }

    def _virtual(self) -> bool:
        return self.addressing_style == "virtual" or (self.addressing_style == "auto" and self.endpoint_url is None)

    def _endpoint(self) -> str | None:
        if self.endpoint_url is None or not self._virtual():
            return self.endpoint_url
        parts = urlsplit(self.endpoint_url)
        return urlunsplit(parts._replace(netloc=f"{self.bucket}.{parts.netloc}"))

    def _client_options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"connect_timeout": timedelta(seconds=5), "timeout": timedelta(minutes=2)}
        if self.endpoint_url is not None and urlsplit(self.endpoint_url).scheme == "http":
            options["allow_http"] = True
        if self.verify is False:
            options["allow_invalid_certificates"] = True
        elif isinstance(self.verify, str):
            options["root_certificate"] = Path(self.verify).read_bytes()
        return options
