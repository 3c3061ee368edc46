"""The gateway's routes: which seat is meant, what it may ask, and the answer."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from heta_framework.common.models.calls.call import CallKind, ModelCall
from heta_framework.common.models.errors import CallFailed, CostLimitReached, ModelSetupError, ReplayMiss
from heta_framework.common.models.gateway.forwarding import Forwarder
from heta_framework.common.models.gateway.operation import OperationOver
from heta_framework.common.models.gateway.refusals import failed, refusal
from heta_framework.common.models.gateway.seat import Seat
from heta_framework.common.models.gateway.stable_ids import StableIds
from heta_framework.common.models.gateway.streaming import events_of
from heta_framework.common.models.gateway.vectors import embedded_offline, encoded
from heta_framework.common.models.gateway.wire import chat_body, embedding_body, rerank_body, texts_in
from heta_framework.common.models.providers.building import usable_key
from heta_framework.common.models.settings import EndpointConfig
from heta_framework.common.models.usage import UsageRole

MAX_BODY_BYTES = 32 * 1024 * 1024
_ROLES: Mapping[CallKind, UsageRole] = {"chat": "memory", "embedding": "embedding", "rerank": "memory"}
_FAILURES = (CallFailed, CostLimitReached, ReplayMiss, ModelSetupError)


class _Refused(Exception):  # noqa: N818 - carries an answer
    def __init__(self, status: int, message: str, code: str) -> None:
        super().__init__(message)
        self.answer = refusal(status, message, code)


def build_app(seats: Mapping[str, Seat], forwarder: Forwarder) -> Starlette:
    """The application over ``seats`` by token."""
    routes = _Routes(seats, forwarder)
    return Starlette(
        routes=[
            Route("/{token}/v1/chat/completions", routes.chat, methods=["POST"]),
            Route("/{token}/v1/embeddings", routes.embed, methods=["POST"]),
            Route("/{token}/v1/rerank", routes.rerank, methods=["POST"]),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])],
        exception_handlers={_Refused: _refuse, 404: _unknown},
    )


class _Routes:
    def __init__(self, seats: Mapping[str, Seat], forwarder: Forwarder) -> None:
        self._seats = seats
        self._forwarder = forwarder

    async def chat(self, request: Request) -> Response:
        """``POST /chat/completions``."""
        seat, given = self._seat(request), await _body(request)
        config = seat.models.llm
        if config is None:
            raise _Refused(404, "this seat has no language model", "model_not_found")
        if not isinstance(given.get("messages"), list):
            raise _Refused(400, "'messages' must be a list", "invalid_request")
        reply = await self._ask(seat, "chat", config, chat_body(given, config))
        if not isinstance(reply, dict):
            return reply
        if given.get("stream"):
            with_usage = bool((given.get("stream_options") or {}).get("include_usage"))
            return StreamingResponse(events_of(reply, with_usage=with_usage), media_type="text/event-stream")
        return JSONResponse(reply)

    async def embed(self, request: Request) -> Response:
        """``POST /embeddings``."""
        seat, given = self._seat(request), await _body(request)
        config = seat.models.embedding
        if config is None:
            raise _Refused(404, "this seat has no embedding model", "model_not_found")
        try:
            texts = texts_in(given)
        except ValueError as error:
            raise _Refused(400, str(error), "invalid_request") from error
        if config == "wordllama":
            reply: dict[str, Any] | Response = await embedded_offline(texts)
        else:
            reply = await self._ask(seat, "embedding", config, embedding_body(given, config))
        return JSONResponse(encoded(reply, given.get("encoding_format"))) if isinstance(reply, dict) else reply

    async def rerank(self, request: Request) -> Response:
        """``POST /rerank``."""
        seat, given = self._seat(request), await _body(request)
        config = seat.models.rerank
        if config is None:
            raise _Refused(404, "this seat has no reranker", "model_not_found")
        reply = await self._ask(seat, "rerank", config, rerank_body(given, config))
        return JSONResponse(reply) if isinstance(reply, dict) else reply

    def _seat(self, request: Request) -> Seat:
        seat = self._seats.get(request.path_params["token"])
        if seat is None:
            raise _Refused(404, "no such seat", "not_found")
        return seat

    async def _ask(
        self, seat: Seat, kind: CallKind, config: EndpointConfig, body: dict[str, Any]
    ) -> dict[str, Any] | Response:
        """The whole reply through the call path, or the answer to a call that failed."""
        ids = StableIds()
        if seat.models.renumber_ids and kind == "chat":
            body = json.loads(ids.renumbered(json.dumps(body)))

        def make_call(epoch: str) -> ModelCall:
            key = usable_key(config) or ""

            async def send() -> Any:
                return await self._forwarder.send(kind, config, key, body)

            return ModelCall(kind, config, {"wire": "openai", "body": body}, send, _ROLES[kind], epoch)

        if seat.present is None:
            return refusal(409, "no operation is in progress", "operation_over")
        try:
            reply = await seat.present.ask(make_call)
        except _FAILURES as failure:
            return failed(failure)
        except OperationOver as over:
            return refusal(409, str(over), "operation_over")
        restored: dict[str, Any] = json.loads(ids.restored(json.dumps(reply.body)))
        return restored


async def _body(request: Request) -> dict[str, Any]:
    whole = bytearray()
    async for piece in request.stream():
        whole += piece
        if len(whole) > MAX_BODY_BYTES:
            raise _Refused(413, f"a body may hold {MAX_BODY_BYTES} bytes", "too_large")
    try:
        given = json.loads(whole)
    except ValueError as error:
        raise _Refused(400, f"the body is no JSON: {error}", "invalid_request") from error
    if not isinstance(given, dict):
        raise _Refused(400, "the body must be a JSON object", "invalid_request")
    return given


def _refuse(_: Request, refused: Exception) -> Response:
    assert isinstance(refused, _Refused)  # noqa: S101 - narrows the type for the checker
    return refused.answer


def _unknown(request: Request, _: Exception) -> Response:
    return refusal(404, f"{request.url.path.rpartition('/v1')[2]!r} is not offered here", "not_found")
