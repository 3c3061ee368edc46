"""Brains for memories with a model: small, honest readers of the prompts that `facts`, `summary` and `notes` send."""

import re

from model_server import Brain, ChatRequest, Reply, ToolCall

_FENCE = re.compile(
    r"<<<(?P<name>[a-z ]+) (?P<code>[0-9a-f]{16})>>>\n(?P<inside>.*?)\n<<<end of (?P=name) (?P=code)>>>", re.DOTALL
)
_NUMBERED = re.compile(r"^\[(?P<number>\d+)(?: \| (?P<at>[^\]]*))?\] (?P<text>.*(?:\n    .*)*)", re.MULTILINE)
_LIMIT = re.compile(r"at most (\d+)")
_SENTENCE = re.compile(r"[^.]+\.?")
_WORD = re.compile(r"[^\W_]{4,}")
_FILE = "notes/heard.md"


def fences(request: ChatRequest) -> dict[str, str]:
    """What stands between the fences of the last user message, by name."""
    return {found["name"]: found["inside"] for found in _FENCE.finditer(request.user)}


def numbered(block: str) -> dict[int, str]:
    """The numbered entries of a block, further lines included."""
    return {int(found["number"]): " ".join(found["text"].split()) for found in _NUMBERED.finditer(block)}


def related(one: str, other: str) -> bool:
    """Whether two texts share two words of four and more letters."""
    words = [set(_WORD.findall(text.casefold())) for text in (one, other)]
    return len(words[0] & words[1]) >= 2


def facts_brain(request: ChatRequest) -> Reply:
    """Every event is a fact of its own; a demand means the facts that are related to it."""
    shown = fences(request)
    if "demand" in shown:
        meant = [number for number, fact in numbered(shown["facts"]).items() if related(shown["demand"], fact)]
        return Reply(data={"numbers": meant})
    operations = [
        {"action": "add", "fact": text, "target": None, "sources": [number]}
        for number, text in numbered(shown["events"]).items()
    ]
    return Reply(data={"operations": operations})


def summary_brain(request: ChatRequest) -> Reply:
    """Every event is a sentence more; a demand takes out the related sentences; what is too long loses its end."""
    shown = fences(request)
    held = "" if shown["summary"] == "(none)" else shown["summary"]
    if "events" in shown:
        told = [f"{text.rstrip('.')}." for text in numbered(shown["events"]).values()]
        return Reply(data={"summary": " ".join([held, *told]).strip()})
    sentences = _SENTENCE.findall(held)
    if "demand" in shown:
        return Reply(data={"summary": "".join(one for one in sentences if not related(shown["demand"], one))})
    limit = _LIMIT.search(request.user)
    return Reply(data={"summary": " ".join(held.split()[: int(limit[1]) // 3 if limit else 0])})


def notes_brain(request: ChatRequest) -> Reply:
    """Every event is a line of one file; a demand takes out the related lines."""
    shown, results = fences(request), request.tool_results
    if "demand" in shown:
        return _forget_in_notes(shown["demand"], results, there=_FILE in shown["files"])
    if results:
        return Reply(text="done")
    lines = numbered(shown["events"])
    first = "append" if _FILE in shown["files"] else "create_file"
    calls = [
        ToolCall(
            name=first if index == 0 else "append",
            arguments={"name": _FILE, "text": f"- {lines[number]}", "sources": [number]},
        )
        for index, number in enumerate(lines)
    ]
    return Reply(tool_calls=tuple(calls))


def _forget_in_notes(demand: str, results: list[str], *, there: bool) -> Reply:
    if not results:
        return (
            Reply(tool_calls=(ToolCall(name="read_file", arguments={"name": _FILE}),)) if there else Reply(text="done")
        )
    calls = [
        ToolCall(name="replace_text", arguments={"name": _FILE, "old": line, "new": ""})
        for line in results[0].splitlines()
        if related(demand, line)
    ]
    return Reply(tool_calls=tuple(calls)) if calls and len(results) == 1 else Reply(text="done")


BRAINS: dict[str, Brain] = {"facts": facts_brain, "summary": summary_brain, "notes": notes_brain}
"""The brain of each memory system."""
