"""OpenTelemetry spans of agents and model requests, where the program or its environment asks for them.

Asked for is: a tracer provider that the program has set itself, or the standard variables of the exporter
(``OTEL_EXPORTER_OTLP_ENDPOINT``) together with the extra ``otel``. ``OTEL_SDK_DISABLED=true`` asks for none.
Spans follow the semantic conventions for generative AI; ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=false``
keeps prompts and answers out of them.
"""

import logging
import os
from functools import cache
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.instrumented import InstrumentationSettings, InstrumentedModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from heta_framework.common.models.providers.chat import PathModel

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


def instrumentation() -> InstrumentationSettings | None:
    """Settings for an agent's ``instrument``; None where no spans are asked for."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    provider = _set_by_the_program() or (_by_the_environment() if any(map(os.environ.get, _ENDPOINTS)) else None)
    return None if provider is None else _settings(provider)


def traced(path: PathModel, vote: int = 0) -> Model:
    """``path`` for direct requests: the ``vote``-th repetition, with a span where spans are asked for."""
    repeated = _Repeated(path, vote)
    settings = instrumentation()
    return repeated if settings is None else InstrumentedModel(repeated, settings)


class _Repeated(WrapperModel):
    def __init__(self, path: PathModel, vote: int) -> None:
        super().__init__(path)
        self._path, self._vote = path, vote

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        return await self._path.request(messages, model_settings, model_request_parameters, vote=self._vote)


@cache
def _settings(provider: Any) -> InstrumentationSettings:
    content = os.environ.get(_CONTENT, "true").lower() != "false"
    return InstrumentationSettings(tracer_provider=provider, include_content=content, include_binary_content=False)


def _set_by_the_program() -> Any:
    """The global tracer provider, None while it is the placeholder that records nothing."""
    from opentelemetry import trace

    provider = trace.get_tracer_provider()
    return None if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider) else provider


@cache
def _by_the_environment() -> Any:
    """A tracer provider that exports as the environment says; it flushes when the program ends."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        logging.getLogger(__name__).warning("spans are asked for, but need a package: pip install 'heams[otel]'")
        return None
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
