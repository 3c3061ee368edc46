"""Brains that need no script: they read the request as a small, honest model would."""

import re
from typing import Any

from .brains import Brain
from .chat import ChatRequest
from .replies import Reply, ToolCall
from .schemas import fill, kind_of, resolve

LONGEST_ANSWER = 12
SEARCH = "search_memory"
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_SPOKEN = re.compile(r"^\s*(?:\[[^\]]*\]\s*|\([^)]*\)\s*)?[\w][\w .'’-]{0,40}:\s+\S")
_TEXT_FIELDS = ("text", "fact", "content", "memory", "statement", "description")
_EMPTY = re.compile(
    "a|an|and|are|at|be|did|do|does|for|from|had|has|have|in|is|it|of|on|or|the|to|was|what|when|where|which|who|whom|"
    "why|how|with"
)


def echo(request: ChatRequest) -> Reply:
    """The last user message."""
    return Reply(text=request.user)


def schema(request: ChatRequest) -> Reply:
    """Whatever shape is asked for, filled: the response schema, else the arguments of the forced or only tool."""
    tool = request.forced_tool or next(iter(request.tools), None)
    if request.wants_json or tool is None:
        return _in_shape(request, "")
    return Reply(tool_calls=(ToolCall(name=tool, arguments=fill(request.tools[tool])),))


def memory_agent(request: ChatRequest) -> Reply:
    """Searches memory once with the user's question, then answers with the best sentence that it got.

    Without a memory to search it looks into its instructions and the rest of the user's message.
    """
    if SEARCH in request.tools and not request.tool_results:
        return Reply(tool_calls=(_search_call(request),))
    prompt = request.user.replace(request.question, "")
    found = "\n".join(request.tool_results or (request.system, prompt))
    return _in_shape(request, best_sentence(request.question, found) or "I do not know.")


def extractor(request: ChatRequest) -> Reply:
    """One fact per line of the conversation in the prompt, in the shape that is asked for."""
    facts = conversation_lines(request.user)
    form, tool = _form(request)
    if form is None:
        return Reply(data={"facts": facts}) if request.wants_json else Reply(text="\n".join(facts))
    return _formed(_with_facts(form, facts), tool)


def auto(request: ChatRequest) -> Reply:
    """``memory_agent`` where memory can be searched, ``schema`` where a shape is asked for, else ``echo``."""
    if SEARCH in request.tools:
        return memory_agent(request)
    return schema(request) if request.wants_json or request.forced_tool else echo(request)


BUILT_IN: dict[str, Brain] = {
    "auto": auto,
    "echo": echo,
    "extractor": extractor,
    "memory_agent": memory_agent,
    "schema": schema,
}


def best_sentence(question: str, text: str) -> str:
    """The sentence that shares most words with the question, at most 12 words; empty when none shares any."""
    asked = _content_words(question)
    sentences = [sentence.strip() for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    best = max(sentences, key=lambda sentence: len(asked & _content_words(sentence)), default="")
    return " ".join(best.split()[:LONGEST_ANSWER]) if asked & _content_words(best) else ""


def conversation_lines(prompt: str) -> list[str]:
    """The lines that someone speaks (``Name: words``, perhaps after a date in brackets); without such, all lines."""
    lines = [line.strip() for line in prompt.splitlines() if line.strip()]
    return [line for line in lines if _SPOKEN.match(line)] or lines


def _search_call(request: ChatRequest) -> ToolCall:
    parameters = request.tools[SEARCH]
    offered = parameters.get("properties", {"query": {"type": "string"}})
    required = parameters.get("required") or list(offered)[:1]
    needed = {**parameters, "properties": {name: offered[name] for name in required}}
    return ToolCall(name=SEARCH, arguments=fill(needed, request.question))


def _content_words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if not _EMPTY.fullmatch(word)}


def _form(request: ChatRequest) -> tuple[dict[str, Any] | None, str | None]:
    """The schema that the answer must follow, and the tool that takes it, if a tool does."""
    if request.schema is not None:
        return request.schema, None
    tool = request.forced_tool
    return (request.tools[tool], tool) if tool else (None, None)


def _in_shape(request: ChatRequest, text: str) -> Reply:
    form, tool = _form(request)
    if form is None:
        return Reply(data={"answer": text or request.user}) if request.wants_json else Reply(text=text or request.user)
    return _formed(fill(form, text), tool)


def _formed(value: Any, tool: str | None) -> Reply:
    return Reply(tool_calls=(ToolCall(name=tool, arguments=value),)) if tool else Reply(data=value)


def _with_facts(form: dict[str, Any], facts: list[str]) -> Any:
    """The form filled, its first list of texts (or of objects with a text field) holding the facts."""
    filled = fill(form)
    for name, part in resolve(form, form).get("properties", {}).items():
        items = resolve(resolve(part, form).get("items") or {}, form)
        if kind_of(resolve(part, form)) != "array":
            continue
        if kind_of(items) == "string":
            return filled | {name: facts}
        field = next((field for field in _TEXT_FIELDS if field in items.get("properties", {})), None)
        if field:
            sample = fill({**items, "$defs": form.get("$defs", {})})
            return filled | {name: [sample | {field: fact} for fact in facts]}
    return filled
