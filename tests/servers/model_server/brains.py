"""Brains: who decides what a chat model answers. A brain is a name, a mapping (JSON), or a Python function.

Forms: ``"echo"``; ``{"fixed": reply}``; ``{"queue": [reply, ...], "then": brain}``;
``{"rules": [{"user": regex, "system": regex, "reply": reply}, ...], "otherwise": brain}``; names of built-in brains
(``echo``, ``schema``, ``memory_agent``, ``extractor``, ``auto``). A reply is a text or a :class:`Reply` (or its
mapping: ``text``, ``data``, ``tool_calls``). A brain is asked only for replies that are to be delivered whole:
refused, cut and garbled requests take nothing from a queue.
"""

import re
from collections import deque
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from .chat import ChatRequest
from .replies import Reply

Brain = Callable[[ChatRequest], Reply | str]
BuiltIn = Literal["auto", "echo", "extractor", "memory_agent", "schema"]


def _reply(value: Any) -> Any:
    return Reply(text=value) if isinstance(value, str) else value


ReplySpec = Annotated[Reply, BeforeValidator(_reply)]
"""A reply in a script: a text, or the fields of :class:`Reply`."""


class Fixed(BaseModel):
    """Always the same reply."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fixed: ReplySpec


class Queue(BaseModel):
    """Replies in order; when they are used up, ``then`` decides."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    queue: tuple[ReplySpec, ...]
    then: "BrainSpec" = "auto"


class Rule(BaseModel):
    """Applies when every given regex is found: in the last user message, in the system texts.

    ``reply`` answers; without it ``brain`` does.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    user: re.Pattern[str] = re.compile("")
    system: re.Pattern[str] = re.compile("")
    reply: ReplySpec | None = None
    brain: "BrainSpec" = "auto"

    def applies(self, request: ChatRequest) -> bool:
        """Whether the request is one of those the rule is for."""
        return bool(self.user.search(request.user) and self.system.search(request.system))


class Rules(BaseModel):
    """The first rule that applies decides, by its reply or by its brain; else ``otherwise``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[Rule, ...]
    otherwise: "BrainSpec" = "auto"


BrainSpec = BuiltIn | Fixed | Queue | Rules | Brain

Queue.model_rebuild()
Rule.model_rebuild()
Rules.model_rebuild()


def make_brain(spec: BrainSpec) -> Brain:
    """The function behind a spec."""
    if isinstance(spec, Fixed):
        return lambda _: spec.fixed
    if isinstance(spec, Queue):
        return _queue(spec)
    if isinstance(spec, Rules):
        return _rules(spec)
    return _built_in(spec) if isinstance(spec, str) else spec


def _built_in(name: str) -> Brain:
    from .built_in import BUILT_IN

    return BUILT_IN[name]


def _queue(spec: Queue) -> Brain:
    waiting = deque(spec.queue)
    then = make_brain(spec.then)
    return lambda request: waiting.popleft() if waiting else then(request)


def _rules(spec: Rules) -> Brain:
    made = [(rule, make_brain(rule.brain if rule.reply is None else Fixed(fixed=rule.reply))) for rule in spec.rules]
    otherwise = make_brain(spec.otherwise)

    def decide(request: ChatRequest) -> Reply | str:
        return next((brain for rule, brain in made if rule.applies(request)), otherwise)(request)

    return decide
