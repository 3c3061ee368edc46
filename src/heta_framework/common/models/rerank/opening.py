"""Opens the reranker of a configuration."""

from heta_framework.common.models.rerank.remote import RerankModel
from heta_framework.common.models.settings import RerankModelConfig
from heta_framework.common.models.usage import UsageRole


def open_rerank_model(config: RerankModelConfig, *, role: UsageRole = "embedding") -> RerankModel:
    """The reranker of ``config``, its calls metered for ``role``.

    Raises:
        ModelSetupError: no endpoint is named.
    """
    return RerankModel.from_config(config, role=role)
