"""What a session remembers of itself: whole exchanges, the oldest of which give way when it gets too long."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from pydantic_ai.messages import ModelMessage, ModelRequest, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

from heta_framework.common.text.tokens import count_tokens


class _Exchange(NamedTuple):
    messages: Sequence[ModelMessage]
    tokens: int


class Conversation:
    """The exchanges of the present session, in at most ``limit`` tokens. ``dropped`` counts those that gave way."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._exchanges: deque[_Exchange] = deque()
        self._tokens = 0
        self.dropped = 0

    @property
    def messages(self) -> list[ModelMessage]:
        """All messages in order."""
        return [message for exchange in self._exchanges for message in exchange.messages]

    def add(self, messages: Sequence[ModelMessage]) -> None:
        """One more exchange: what was said to the model, and everything up to its answer."""
        exchange = _Exchange(tuple(messages), sum(map(_tokens_of, messages)))
        self._exchanges.append(exchange)
        self._tokens += exchange.tokens
        while self._tokens > self._limit:
            self._tokens -= self._exchanges.popleft().tokens
            self.dropped += 1

    def note(self, text: str) -> None:
        """Something that the model is to know and need not answer."""
        self.add([ModelRequest([UserPromptPart(text)])])

    def clear(self) -> None:
        """A new session begins."""
        self._exchanges.clear()
        self._tokens = self.dropped = 0


def _tokens_of(message: ModelMessage) -> int:
    total = 0
    for part in message.parts:
        if isinstance(part, TextPart) or (isinstance(part, UserPromptPart) and isinstance(part.content, str)):
            total += count_tokens(str(part.content))
        elif isinstance(part, ToolCallPart):
            total += count_tokens(part.args_as_json_str())
        elif isinstance(part, ToolReturnPart):
            total += count_tokens(part.model_response_str())
    return total
