"""One file over HTTP, continued where an earlier try was cut.

A pooch downloader: pooch calls it with a temporary file, checks the hash of what it finds there and only then gives
the file its final name. What arrives is kept beside that name in `<name>.part`, so that the next try asks only for the
rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from heta_framework.common.datasets.entry import DatasetFile
from heta_framework.common.datasets.errors import DownloadError

if TYPE_CHECKING:
    import httpx

Progress = Callable[[str, int, int], None]
"""Called with the file's name, the bytes received so far and the bytes of the whole file (0 where nobody says)."""

_ATTEMPTS = 4
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(?:(\d+)|\*)")
_LARGEST = 64 << 30  # where nobody says how long a file is, so that a server cannot fill the disk
_BUSY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}


class _TransferError(Exception):
    """The transfer stopped early in a way that another try may mend."""


class ResumingDownloader:
    """Downloads one file; retries what the network broke, up to 4 times."""

    def __init__(self, file: DatasetFile, part: Path, *, timeout: float, progress: Progress | None = None) -> None:
        """Prepare a download.

        Args:
            file: what to download.
            part: where the bytes received so far are kept.
            timeout: seconds to wait for a connection, and for the next bytes.
            progress: is told how far the download is.
        """
        self._file = file
        self._part = part
        self._timeout = timeout
        self._progress = progress
        self._size = file.size

    def __call__(self, url: str, output_file: str, _pooch: Any) -> None:
        """Download `url` to `output_file`.

        Raises:
            DownloadError: the server refuses, or the connection breaks for good.
            OSError: the file cannot be written.
        """
        import httpx
        import stamina

        try:
            for attempt in stamina.retry_context(
                on=(httpx.TransportError, _TransferError), attempts=_ATTEMPTS, timeout=None
            ):
                with attempt:
                    self._fetch_rest(url)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise DownloadError(
                f"no connection to {httpx.URL(url).host} ({error}): is the network reachable? Without it, put {url} "
                f"there by hand as {self._part.with_suffix('')}"
            ) from error
        except (httpx.HTTPError, _TransferError) as error:
            raise DownloadError(
                f"{url} was cut after {self._received()}{self._of_all()} bytes ({error}); run it again to resume"
            ) from error
        self._part.replace(output_file)

    def _received(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0

    def _of_all(self) -> str:
        return "" if self._size is None else f" of {self._size}"

    def _fetch_rest(self, url: str) -> None:
        import httpx

        received = self._received()
        if self._file.size is not None and received > self._file.size:
            self._part.unlink()
            received = 0
        if received == self._file.size:
            return
        # identity: size and hash are those of the plain file, and a range of a compressed one could not be joined
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={received}-"} if received else {})
        with httpx.stream("GET", url, headers=headers, timeout=self._timeout, follow_redirects=True) as response:
            start = self._start(response, received)
            with self._part.open("ab" if start else "wb") as part:
                self._receive(response, part, start)

    def _start(self, response: httpx.Response, received: int) -> int:
        """The byte of the file at which the answer's content starts: where we stopped, or 0."""
        self._require_success(response, received)
        start, size = _announced(response)
        if self._file.size is None:
            self._size = size
        elif size not in (None, self._file.size):
            self._refuse(f"{response.url} has {size} bytes")
        if start not in (0, received):
            self._start_over(received)
        return start

    def _require_success(self, response: httpx.Response, received: int) -> None:
        status = response.status_code
        if status in _BUSY or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _TransferError(f"the server answers {status} {response.reason_phrase}")
        if status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            self._start_over(received)
        if status not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            raise DownloadError(f"{response.url} answers {status} {response.reason_phrase}: the file may have moved")

    def _start_over(self, received: int) -> NoReturn:
        self._part.unlink(missing_ok=True)
        raise _TransferError(f"the server cannot continue at byte {received}")

    def _refuse(self, what: str) -> NoReturn:
        self._part.unlink(missing_ok=True)
        registered = (
            f"the registered file has {self._file.size}" if self._file.size else f"at most {_LARGEST} are allowed"
        )
        raise DownloadError(f"{what}, {registered}: it is another file and was not kept")

    def _receive(self, response: httpx.Response, part: BinaryIO, received: int) -> None:
        for chunk in response.iter_raw():
            received += len(chunk)
            if received > (self._file.size or _LARGEST):
                self._refuse(f"{response.url} sends {received} bytes and more")
            part.write(chunk)
            if self._progress:
                self._progress(self._file.filename, received, self._size or 0)
        if self._size is not None and received < self._size:
            raise _TransferError("the connection was closed early")


def _announced(response: httpx.Response) -> tuple[int, int | None]:
    """At which byte the content starts (-1 where that cannot be told) and how long the whole file is, if said."""
    if response.status_code == HTTPStatus.PARTIAL_CONTENT:
        match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
        return (int(match[1]), int(match[2]) if match[2] else None) if match else (-1, None)
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdecimal() else None
