"""Ways to ask the local server, shared by its tests: plain httpx and the openai SDK without retries."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
from model_server import CANARY_KEY, LocalServer
from openai import AsyncOpenAI

Start = Callable[..., LocalServer]
T = TypeVar("T")
TLS = ssl.create_default_context()  # made once: it costs more than a request
CHAT = "/chat/completions"
BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hello there"}]}


def user(text: str) -> Any:
    """The messages of one question."""
    return [{"role": "user", "content": text}]


def post(server: LocalServer, *, path: str = CHAT, timeout: float = 10.0, **fields: Any) -> httpx.Response:
    """One request by plain httpx; ``fields`` replace or add to a small chat body."""
    return send(server.base_url + path, BODY | fields, timeout)


def send(url: str, body: Any, timeout: float = 10.0) -> httpx.Response:
    """Any JSON to any address, with the canary as key."""
    return httpx.post(url, json=body, timeout=timeout, verify=TLS, headers={"Authorization": f"Bearer {CANARY_KEY}"})


def ask(base_url: str, text: str = "hello there", **fields: Any) -> Any:
    """A chat reply as parsed JSON. Raises httpx.HTTPStatusError for a refusal."""
    return send(base_url + CHAT, BODY | {"messages": user(text)} | fields).raise_for_status().json()


def said(reply: Any) -> Any:
    """The text of a chat reply."""
    return reply["choices"][0]["message"]["content"]


def with_sdk(work: Callable[[AsyncOpenAI], Awaitable[T]], timeout: float = 10.0) -> T:
    """Runs ``work`` with a client that the environment points at the server."""

    async def run() -> T:
        async with AsyncOpenAI(max_retries=0, timeout=timeout) as client:
            return await work(client)

    return asyncio.run(run())


def by_sdk(*, stream: bool = False, timeout: float = 10.0) -> str:
    """The text of one chat reply."""

    async def plain(client: AsyncOpenAI) -> str:
        reply = await client.chat.completions.create(model="m", messages=BODY["messages"])
        return reply.choices[0].message.content or ""

    async def streamed(client: AsyncOpenAI) -> str:
        events = await client.chat.completions.create(model="m", messages=BODY["messages"], stream=True)
        return "".join([event.choices[0].delta.content or "" async for event in events if event.choices])

    return with_sdk(streamed if stream else plain, timeout)
