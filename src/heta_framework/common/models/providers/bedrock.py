"""AWS's client for Bedrock: by bearer token, else by whatever account AWS's own settings name."""

from typing import Any

from heta_framework.common.models.errors import ModelSetupError
from heta_framework.common.models.settings import EndpointConfig


def bedrock_client(config: EndpointConfig, key: str | None) -> Any:
    """A client without retries of its own, with a connection for each of ``max_concurrency`` calls.

    Raises:
        ModelSetupError: no region is set.
        ImportError: boto3 is not installed.
    """
    import boto3
    from botocore.config import Config
    from botocore.exceptions import NoRegionError
    from botocore.session import Session
    from botocore.tokens import FrozenAuthToken

    class BearerSession(Session):  # type: ignore[misc, unused-ignore]
        def get_auth_token(self, **_: Any) -> FrozenAuthToken:
            return FrozenAuthToken(key or "")

        def get_credentials(self) -> None:
            return None

    settings: dict[str, Any] = {
        "read_timeout": config.timeout_s,
        "retries": {"total_max_attempts": 1},
        "max_pool_connections": config.max_concurrency,
        **({} if key is None else {"signature_version": "bearer"}),
    }
    session = boto3.Session(botocore_session=None if key is None else BearerSession())
    try:
        return session.client("bedrock-runtime", config=Config(**settings), endpoint_url=config.base_url)
    except NoRegionError as error:
        raise ModelSetupError(f"model {config.model_id!r} needs a region: set AWS_DEFAULT_REGION") from error
