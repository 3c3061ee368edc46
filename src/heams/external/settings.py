"""Configuration that agents and memory systems of the same transport have in common."""

from pathlib import Path
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

_CONTROL = frozenset(map(chr, [*range(32), 127]))


def _without_zero(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not hold a zero byte")
    return text


def _program(command: list[str]) -> list[str]:
    if not command[0].strip():
        raise ValueError("must begin with the name of a program")
    return command


def _variable(name: str) -> str:
    if not name or "=" in name:
        raise ValueError("must be the name of an environment variable")
    return _without_zero(name)


def _server_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be a URL such as http://127.0.0.1:8000/")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password; send them in 'headers'")
    if (
        not _CONTROL.isdisjoint(url) or not 0 <= (parts.port or 0) < 65536
    ):  # .port raises ValueError when it is no number
        raise ValueError("must be a URL such as http://127.0.0.1:8000/")
    return url


def _header_name(name: str) -> str:
    if not name or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError("must be the name of an HTTP header")
    return name


def _header_value(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if not text.isascii() or not _CONTROL.isdisjoint(text):
        raise ValueError("must be ASCII text on one line")
    return value


Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
Argument = Annotated[str, AfterValidator(_without_zero)]
VariableName = Annotated[str, AfterValidator(_variable)]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ProgramSettings(_Settings):
    """A program that speaks JSON lines on stdin and stdout.

    ``command`` is the program and its arguments; no shell reads it. ``cwd`` is its working folder; a relative one
    in a configuration file, and so the default, is taken from the project root. The program sees
    PATH, HOME, LANG and ``env``, and the rest of the environment only with ``inherit_env``. ``call_timeout_s`` is the
    program's own time for one request. ``processes`` run side by side; a scope stays with its process. ``files`` are
    what the program is made of: their content becomes part of the configuration's identity.
    """

    not_data: ClassVar[frozenset[str]] = frozenset({"cwd"})
    """Path fields that say where to work; what lies there is no part of the configuration's identity."""

    command: Annotated[list[Argument], Field(min_length=1), AfterValidator(_program)]
    cwd: Path = Path()
    env: dict[VariableName, Argument] = Field(default_factory=dict, repr=False)
    inherit_env: bool = False
    files: tuple[Path, ...] = ()
    startup_timeout_s: Seconds = 30.0
    call_timeout_s: Seconds = 120.0
    processes: int = Field(default=1, ge=1, le=256)


class ServerSettings(_Settings):
    """A server that takes the same messages as the bodies of POST requests to one URL.

    ``headers`` go with every request and are never shown. ``verify`` is false to accept any certificate, or a file
    with the certificates to trust. ``call_timeout_s`` is the time for one request and its whole answer.
    """

    url: Annotated[str, AfterValidator(_server_url)]
    headers: dict[Annotated[str, AfterValidator(_header_name)], Annotated[SecretStr, AfterValidator(_header_value)]] = (
        Field(default_factory=dict)
    )
    verify: bool | Path = True
    startup_timeout_s: Seconds = 30.0
    call_timeout_s: Seconds = 120.0
