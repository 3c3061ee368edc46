"""Secrets that stand in addresses: ``https://user:password@host`` and ``https://host/v1?key=...``."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from heta_framework.common.config.secrecy import is_secret_name

HIDDEN = "***"
_USER = re.compile(r"^(https?://)([^/?#]*)@", re.IGNORECASE)
_PARAMETER = re.compile(r"([?&])([^=&#]+)=([^&#]*)")
_ONLY_REFERENCES = re.compile(r"(?:\$\{[A-Za-z_][A-Za-z0-9_]*\})+")
_SECRET_PARAMETERS = frozenset({"key", "apikey", "sig", "signature", "code", "auth"})


def without_url_secrets(data: Any) -> Any:
    """Configuration data as it is saved: secrets in addresses hidden, ``${VARIABLES}`` kept."""
    if isinstance(data, dict):
        return {name: without_url_secrets(value) for name, value in data.items()}
    if isinstance(data, list):
        return [without_url_secrets(item) for item in data]
    return without_secrets_in(data) if isinstance(data, str) else data


def without_secrets_in(address: str) -> str:
    """An address with its secrets hidden; any other text as it is."""
    if not address.lower().startswith(("http://", "https://")):
        return address
    address = _USER.sub(lambda found: f"{found[1]}{_hidden_user(found[2])}@", address)
    return _PARAMETER.sub(_hidden_parameter, address)


def url_secrets(data: Any) -> Iterator[str]:
    """The secrets in all addresses of configuration data, as written and decoded."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for item in data:
            yield from url_secrets(item)
    elif isinstance(data, str) and data.lower().startswith(("http://", "https://")):
        yield from _secrets_in(data)


def _secrets_in(address: str) -> Iterator[str]:
    user = _USER.match(address)
    found = [_secret_of_user(user[2])] if user else []
    found += [value for _, name, value in _PARAMETER.findall(address) if _is_secret(name)]
    for secret in filter(None, found):
        yield secret
        yield unquote(secret)


def _secret_of_user(user: str) -> str:
    name, colon, password = user.partition(":")
    return password if colon else name


def _hidden_user(user: str) -> str:
    name, colon, _ = user.partition(":")
    secret = _secret_of_user(user)
    shown = secret if _kept(secret) else HIDDEN
    return f"{name}:{shown}" if colon else shown


def _hidden_parameter(found: re.Match[str]) -> str:
    sign, name, value = found.groups()
    return f"{sign}{name}={HIDDEN}" if _is_secret(name) and not _kept(value) else found[0]


def _is_secret(name: str) -> bool:
    return name.lower() in _SECRET_PARAMETERS or is_secret_name(name)


def _kept(secret: str) -> bool:
    return not secret or bool(_ONLY_REFERENCES.fullmatch(secret))
