"""Opens the language model of a configuration."""

from heta_framework.common.models.language.model import ToolCallingLanguageModel
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.models.usage import UsageRole


def open_language_model(config: LanguageModelConfig, *, role: UsageRole) -> ToolCallingLanguageModel:
    """The model of ``config``, its calls metered for ``role``.

    Raises:
        ModelSetupError: there is no key, or the provider's extra is not installed.
    """
    return ToolCallingLanguageModel.from_config(config, role=role)
