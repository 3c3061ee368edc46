"""What S3 or the way to it answered, told in a sentence: the words of the server, never those of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from heta_framework.common.stores.object.errors import ObjectStoreError

_CODE = re.compile(r"<Code>([^<]*)</Code>")
_MESSAGE = re.compile(r"<Message>([^<]*)</Message>")
_STATUS = re.compile(r"status code: (\d+[^:\n]*)")

# Signs in the library's text, the first that is found decides.
_REASONS = {
    "ConnectionRefused": "nobody listens there (connection refused)",
    "dns error": "the name of the host is not known",
    "operation timed out": "no answer in time",
    "TimedOut": "no answer in time",
    "UnknownIssuer": "its certificate is not trusted; see `verify`",
    "invalid peer certificate": "its certificate is not trusted; see `verify`",
    "169.254.169.254": "no keys were given, none are in the environment, and the machine has no role",
    "connection closed": "the connection was cut",
    "ConnectionReset": "the connection was cut",
    "IncompleteMessage": "the connection was cut",
    "error decoding response body": "the connection was cut",
    "NetworkUnreachable": "there is no way to that host",
    "HostUnreachable": "there is no way to that host",
    "error sending request": "nobody answers there",
    "invalid path": "it holds objects whose names are no keys (an empty segment, for instance) and cannot be listed",
}


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Turn obstore's errors into `ObjectStoreError`; a missing object stays FileNotFoundError for the caller."""
    from obstore.exceptions import BaseError, NotFoundError

    try:
        yield
    except (FileNotFoundError, NotFoundError) as error:
        if "NoSuchBucket" in str(error):
            raise ObjectStoreError(f"{place}: there is no such bucket") from None
        raise FileNotFoundError from None
    except (BaseError, OSError) as error:
        raise ObjectStoreError(f"{place}: {_reason(str(error))}") from None


def _reason(text: str) -> str:
    code = _CODE.search(text)
    if code and code[1] == "NoSuchBucket":
        return "there is no such bucket"
    if code:
        message = _MESSAGE.search(text)
        return f"{message[1].rstrip('.') if message else 'refused'} ({code[1]})"
    for sign, reason in _REASONS.items():
        if sign in text:
            return reason
    status = _STATUS.search(text)
    if status:
        return f"the server answered {status[1].strip()}"
    return text.split("\n", 1)[0]
