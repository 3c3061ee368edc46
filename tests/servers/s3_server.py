"""A real S3 server, moto, as a process on loopback. It holds its objects in memory: killing it loses them all."""

import itertools
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from typing import Any
from urllib.request import Request, urlopen

from child_process import HOST, free_port, start_child, wait_until_it_listens

SECRET_KEY = "s3-canary-3Hk8vQ2mYw7LrT5x"  # noqa: S105
"""The secret of all tests against S3. It must appear in no error, no repr and no file."""


@dataclass(frozen=True)
class S3Bucket:
    """Where an empty bucket is and how to get in."""

    bucket: str
    endpoint_url: str
    access_key_id: str = "test-key"
    secret_access_key: str = SECRET_KEY
    region: str = "us-east-1"

    def arguments(self) -> dict[str, Any]:
        """Everything as arguments of `S3ObjectStore` or `S3ObjectStoreConfig`."""
        return asdict(self)


class S3Server:
    """One moto server; `start` and `kill` may alternate, the port stays, the objects do not."""

    def __init__(self) -> None:
        self._port = free_port()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the server is)
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)

    @property
    def endpoint_url(self) -> str:
        """The address of the server."""
        return f"http://{HOST}:{self._port}"

    def start(self) -> None:
        """Start the server, or go on if it runs (about a second)."""
        if self._process is not None:
            return
        command = [sys.executable, "-m", "moto.server", "-H", HOST, "-p", str(self._port)]
        self._process = start_child(command, stdout=self._log, stderr=self._log)
        wait_until_it_listens(self._process, self._port, self._said)

    def kill(self) -> None:
        """SIGKILL the server: connections are refused from now on, and every object is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the server."""
        self.kill()
        self._log.close()

    def fresh_bucket(self) -> S3Bucket:
        """Make an empty bucket and say how to reach it."""
        place = S3Bucket(bucket=f"test-{next(self._numbers)}", endpoint_url=self.endpoint_url)
        self.make_bucket(place.bucket)
        return place

    def make_bucket(self, name: str) -> None:
        """Make a bucket of this name, for instance again after a kill."""
        urlopen(Request(f"{self.endpoint_url}/{name}", method="PUT", data=b"")).close()  # noqa: S310

    def put_raw(self, bucket: str, path: str) -> None:
        """Store an empty object under a path as it stands in an address, legal as a key of ours or not."""
        urlopen(Request(f"{self.endpoint_url}/{bucket}/{path}", method="PUT", data=b"")).close()  # noqa: S310

    def _said(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")
