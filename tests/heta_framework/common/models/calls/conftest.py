"""Model calls without a provider: what is sent is counted, and answered by a function of the request."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from heta_framework.common.models.calls.call import CallKind, ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig


class Desk:
    """Makes calls and answers those that reach it. ``asked`` holds the texts that were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: Callable[[str], Awaitable[ModelReply]] = self.reply

    async def reply(self, text: str) -> ModelReply:
        """The reply to every text, unless a test sets another ``answer``."""
        return ModelReply(
            body={"text": f"to {text}", "number": len(self.asked)},
            input_tokens=11,
            output_tokens=7,
            cached_tokens=3,
            seconds=0.5,
            retries=2,
            possibly_billed=1,
        )

    def call(
        self,
        text: str = "hello",
        *,
        kind: CallKind = "chat",
        epoch: str = "0",
        request: dict[str, Any] | None = None,
        settings: dict[str, Any] | None = None,
        **endpoint: Any,
    ) -> ModelCall:
        """A call that says ``text``; ``endpoint`` are fields of its model's configuration."""
        messages = [
            {"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "You are brief."}]},
            {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": text}]},
        ]

        async def send() -> ModelReply:
            self.asked.append(text)
            return await self.answer(text)

        return ModelCall(
            kind=kind,
            endpoint=LanguageModelConfig(**{"model": "openai:m", **endpoint}),
            request=request or {"messages": messages, "settings": settings or {"temperature": 0.0}},
            send=send,
            epoch=epoch,
        )

    @staticmethod
    async def ask(call: ModelCall) -> ModelReply:
        """The layers below the one under test: none."""
        return await call.send()


@pytest.fixture
def desk() -> Desk:
    """Makes and answers calls."""
    return Desk()


@pytest.fixture(autouse=True)
def _no_endpoint_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
