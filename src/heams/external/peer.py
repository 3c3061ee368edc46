"""What agents and memories need of a transport: peers that answer requests, and hosts that know the peers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from pydantic import JsonValue

from heams.external.checking import nothing_in
from heams.external.protocol import Hello

Arguments = Mapping[str, JsonValue]
AnswerCall = Callable[[Arguments], Awaitable[Arguments]]
"""Answers what an agent asks of the memory while it handles a request."""


class Peer(Protocol):
    """Somebody who keeps the state of scopes and answers requests about them."""

    @property
    def label(self) -> str:
        """How messages name it."""
        ...

    async def call(self, op: str, arguments: Arguments, scope: str, answer: AnswerCall | None = None) -> JsonValue:
        """Send a request and return its result.

        Raises:
            UnsupportedOperation: it does not offer the operation.
            ExternalProgramError: it failed, is gone, is too slow, or broke the protocol.
        """
        ...

    def adopt(self, scope: str) -> None:
        """A scope lives here from now on."""
        ...

    def disown(self, scope: str) -> None:
        """A scope could not be opened."""
        ...

    async def release(self, scope: str) -> None:
        """Close a scope; does nothing where it is gone with its program."""
        ...


class Scope:
    """One state behind a peer, under a name that no other scope of the host has."""

    def __init__(self, peer: Peer, name: str, new_name: Callable[[], str]) -> None:
        self.label = peer.label
        self._peer = peer
        self._name = name
        self._new_name = new_name
        peer.adopt(name)

    async def ask(self, op: str, arguments: Arguments | None = None, answer: AnswerCall | None = None) -> JsonValue:
        """Send a request about this scope; see ``Peer.call``."""
        return await self._peer.call(op, arguments or {}, self._name, answer)

    async def begin(self, arguments: Arguments) -> JsonValue:
        """Open the scope at its peer; see ``Peer.call``."""
        try:
            return await self.ask("open", arguments)
        except BaseException:
            self._peer.disown(self._name)
            raise

    async def fork(self) -> "Scope":
        """A copy of the scope, at the same peer; see ``Peer.call``."""
        copy = Scope(self._peer, self._new_name(), self._new_name)
        try:
            nothing_in(await self.ask("fork", {"to": copy._name}), self.label, "fork")
        except BaseException:
            self._peer.disown(copy._name)
            raise
        return copy

    async def close(self) -> None:
        """Close the scope."""
        await self._peer.release(self._name)


class Host(Protocol):
    """A program with its processes, or a server."""

    @property
    def label(self) -> str:
        """How messages name it."""
        ...

    async def start(self) -> Hello:
        """Start it and shake hands.

        Raises:
            ConfigError: the program cannot be started.
            ExternalProgramError: it does not answer as it should.
        """
        ...

    async def new_scope(self) -> Scope:
        """A name for a scope at a peer that is alive. Raises as ``start`` does."""
        ...

    async def close(self) -> None:
        """End the program, or the connection to the server."""
        ...
