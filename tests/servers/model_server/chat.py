"""Reading a chat request: the parts of an OpenAI chat body that brains, faults and counts ask for."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any


def text_of(content: Any) -> str:
    """The text of a message's ``content``: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part, dict) and "text" in part)
    return ""


@dataclass(frozen=True)
class ChatRequest:
    """One ``/chat/completions`` body, with names for what matters in it."""

    body: dict[str, Any]

    @property
    def model(self) -> str:
        """The model that was asked for; empty when the client named none."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All messages, oldest first."""
        return list(self.body.get("messages") or [])

    @property
    def streams(self) -> bool:
        """Whether the client wants server-sent events."""
        return bool(self.body.get("stream"))

    @property
    def streams_usage(self) -> bool:
        """Whether the last event of a stream carries usage."""
        return bool((self.body.get("stream_options") or {}).get("include_usage"))

    @cached_property
    def system(self) -> str:
        """The system (or developer) texts, joined by line breaks."""
        return "\n".join(self._texts("system", "developer"))

    @cached_property
    def user(self) -> str:
        """The last user message; empty when there is none."""
        texts = self._texts("user")
        return texts[-1] if texts else ""

    @cached_property
    def question(self) -> str:
        """The last line of the last user message that ends in a question mark; else that whole message."""
        lines = [line.strip() for line in self.user.splitlines()]
        return next((line for line in reversed(lines) if line.endswith("?")), self.user)

    @cached_property
    def tool_results(self) -> list[str]:
        """What tools returned since the last user message."""
        roles = [message.get("role") for message in self.messages]
        since = len(roles) - roles[::-1].index("user") if "user" in roles else 0
        return [text_of(message.get("content")) for message in self.messages[since:] if message.get("role") == "tool"]

    @cached_property
    def tools(self) -> dict[str, dict[str, Any]]:
        """Offered functions: name to the JSON schema of their arguments."""
        functions = [tool["function"] for tool in self.body.get("tools") or [] if tool.get("type") == "function"]
        return {function["name"]: function.get("parameters") or {} for function in functions}

    @property
    def forced_tool(self) -> str | None:
        """The function that ``tool_choice`` demands: the named one, or for ``required`` the last offered."""
        choice = self.body.get("tool_choice")
        if isinstance(choice, dict):
            name: str = choice["function"]["name"]
            return name
        return list(self.tools)[-1] if choice == "required" and self.tools else None

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of ``response_format``; None for text and for ``json_object``."""
        wanted = self.body.get("response_format") or {}
        return wanted["json_schema"].get("schema", {}) if wanted.get("type") == "json_schema" else None

    @property
    def wants_json(self) -> bool:
        """Whether ``response_format`` asks for any JSON at all."""
        return (self.body.get("response_format") or {}).get("type") in ("json_schema", "json_object")

    def prompt_tokens(self) -> int:
        """Whitespace words of everything that a provider would count: messages, tool calls, tools, schema."""
        count = 0
        for message in self.messages:
            count += len(text_of(message.get("content")).split())
            for call in message.get("tool_calls") or []:
                count += 1 + len(call["function"]["arguments"].split())
        for extra in ("tools", "response_format"):
            if self.body.get(extra):
                count += len(json.dumps(self.body[extra]).split())
        return max(count, 1)

    def _texts(self, *roles: str) -> list[str]:
        return [text_of(message.get("content")) for message in self.messages if message.get("role") in roles]
