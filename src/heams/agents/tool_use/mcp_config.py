"""MCP servers whose tools an agent uses: a program on stdin and stdout, or a URL."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from heams.external.settings import Argument, Seconds, VariableName

MOST_SERVERS = 8
DIRECTORY = "{directory}"
SESSION = "{session}"


class McpServerConfig(BaseModel):
    """One MCP server; give ``command`` or ``url``.

    ``command``: a program and its arguments; no shell reads it. Every session starts one of its own. ``{directory}``
    in an argument or in a value of ``env`` stands for a folder that is private to the session: whatever the program
    keeps in files belongs there. ``cwd``, ``env``, ``inherit_env`` and ``files`` are as for other programs: where it
    works (the project root), what it sees of the environment, what it is made of.

    ``url``: a server that runs already. ``{session}`` in it or in a header stands for a text that is different for
    every session; the server must keep their memories apart by it. ``shared: true`` says that it need not.

    ``tools``: the tools that the model may call; None means all.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: Annotated[list[Argument], Field(min_length=1)] | None = None
    cwd: Path = Path()
    env: dict[VariableName, Argument] = Field(default_factory=dict, repr=False)
    inherit_env: bool = False
    files: tuple[Path, ...] = ()
    url: Annotated[str, Field(pattern=r"^https?://[^\s/]")] | None = None
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    shared: bool = False
    tools: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    startup_timeout_s: Seconds = 30.0
    call_timeout_s: Seconds = 120.0

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError("give exactly one of 'command' and 'url'")
        if self.url is not None and not self.shared and not self._tells_sessions_apart():
            raise ValueError(
                "scenarios would share what this server remembers: put {session} into 'url' or a header, "
                "or say 'shared: true' if the server keeps nothing"
            )
        return self

    def _tells_sessions_apart(self) -> bool:
        texts = [self.url or "", *(value.get_secret_value() for value in self.headers.values())]
        return any(SESSION in text for text in texts)

    @property
    def label(self) -> str:
        """How messages name the server."""
        return f"MCP server {self.url or ' '.join((self.command or [])[:2])!r}"
