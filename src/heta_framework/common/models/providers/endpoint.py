"""What a provider's client depends on: models that agree in it share one client."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from pydantic import SecretStr
from pydantic_ai.exceptions import UserError

from heta_framework.common.config.url_secrets import without_secrets_in
from heta_framework.common.models.errors import CallFailed, ModelSetupError
from heta_framework.common.models.providers.building import Built
from heta_framework.common.models.providers.failures import call_failures
from heta_framework.common.models.providers.opened import opened
from heta_framework.common.models.settings import EndpointConfig

Build = Callable[[EndpointConfig, str | None], Built]


class Endpoint:
    """A model of a provider that is built where it is needed; hashable, so that equal ones are built once."""

    def __init__(self, config: EndpointConfig, key: str | None, build: Build) -> None:
        self._config = config
        self._key = None if key is None else SecretStr(key)
        self._build = build
        self._same = (build, config.model_id, config.resolved_base_url(), config.timeout_s, config.max_concurrency, key)

    def build(self) -> Built:
        """A model of its own."""
        return self._build(self._config, None if self._key is None else self._key.get_secret_value())

    def described(self) -> Any:
        """A model that is only looked at, never asked, so that its client opens no connection; shared."""
        return _described(self).model

    async def here(self) -> Any:
        """The model whose connections belong to the running event loop."""
        return await opened(self, self.build)

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Turn what a provider's client raises into ``CallFailed`` that does not tell the key.

        Where nobody could be reached, or something else than a model answered, the words name the address; where the
        key was refused, the variable that it came from.

        Raises:
            CallFailed: the attempt failed.
            ModelSetupError: the provider's model cannot do what is asked of it.
        """
        try:
            with call_failures():
                yield
        except UserError as error:
            raise ModelSetupError(f"model {self._config.model_id!r}: {error}") from error
        except CallFailed as failure:
            failure.args = (f"{failure}{self._whereabouts(failure)}",)
            raise

    def _whereabouts(self, failure: CallFailed) -> str:
        if failure.status == 401 and self._key and self._config.api_key() == self._key.get_secret_value():
            return f" [key from {self._config.key_variable}]"
        address = without_secrets_in(self._config.resolved_base_url())
        if not address or failure.status not in (None, 404, 405):
            return ""
        hint = "" if failure.kind == "request" and failure.status is None else "; most end in /v1"
        return f" [base_url {address}{hint}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Endpoint) and self._same == other._same

    def __hash__(self) -> int:
        return hash(self._same)


@lru_cache(maxsize=64)
def _described(endpoint: Endpoint) -> Built:
    return endpoint.build()
