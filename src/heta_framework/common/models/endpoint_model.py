"""What models behind an endpoint have in common: a name, and a pickle that is their configuration and never a key."""

from typing import Any, Self

from heta_framework.common.models.settings import EndpointConfig
from heta_framework.common.models.usage import UsageRole


class EndpointModel:
    """A model behind an endpoint. Pickled, it is its configuration; where it is loaded, that environment has the key.

    A model that was given its key cannot be pickled: the key would be lost, or be in the pickle for everybody to read.
    Copies are the model itself, which never changes.
    """

    _config: EndpointConfig
    _role: UsageRole
    _given_key: bool

    @property
    def model_name(self) -> str:
        """As it was given."""
        return self._config.model

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model_name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._given_key:
            raise TypeError(
                f"{self!r} cannot be pickled, because it was given an 'api_key', which no pickle should hold; "
                f"set {self._config.key_variable} instead, here and where it is loaded"
            )
        return _reopened, (type(self), self._config, self._role)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def _reopened(kind: Any, config: Any, role: UsageRole) -> Any:
    return kind.from_config(config, role=role)
