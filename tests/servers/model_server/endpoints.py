"""What each endpoint answers, as plain data: no HTTP here."""

from dataclasses import dataclass, field
from typing import Any

from .chat import ChatRequest
from .faults import Fault
from .play import Call, Play
from .refusals import Refusal
from .replies import Reply, Usage, completion, events
from .script import Script
from .vectors import embed, encoded, relevance


@dataclass(frozen=True)
class Answer:
    """A reply ready to send: a JSON body, or the events of a stream; and what it costs."""

    body: dict[str, Any] | None
    events: tuple[dict[str, Any], ...] = ()
    usage: Usage = field(default_factory=Usage)
    usage_sent: bool = False
    text: str | None = None


REQUIRED = {
    ("POST", "/chat/completions"): ("model", "messages"),
    ("POST", "/embeddings"): ("model", "input"),
    ("POST", "/rerank"): ("query", "documents"),
    ("GET", "/models"): (),
}
"""The endpoints, and the fields without which a request is refused."""
CUT_REPLY = Reply(text="This reply never arrives whole, whatever the brain might have said. " * 4)


def misshapen(call: Call) -> Refusal | None:
    """What is wrong with the request itself: an unknown path, no JSON object, a missing or empty field."""
    required = REQUIRED.get((call.method, call.path))
    if required is None:
        return Refusal(404, f"Unknown request URL: {call.method} {call.path}.", code="unknown_url")
    if not isinstance(call.body, dict):
        return Refusal(400, "We could not parse the JSON body of your request.")
    missing = next((name for name in required if not call.body.get(name)), None)
    return (
        Refusal(400, f"Missing required parameter: '{missing}'.", code="missing_required_parameter")
        if missing
        else None
    )


def answer(call: Call, play: Play, number: int, fault: Fault) -> Answer:
    """The reply to a well-formed request. Only what will be delivered whole asks the brain."""
    script = play.script
    match call.path:
        case "/chat/completions":
            request = ChatRequest(call.body)
            return chat(request, _said(request, play, fault), script, number)
        case "/embeddings":
            return embeddings(call.body, script)
        case "/rerank":
            return rerank(call.body, script)
    return Answer(models(script))


def _said(request: ChatRequest, play: Play, fault: Fault) -> Reply:
    if fault.kind == "huge":
        return Reply(text=("word " * (fault.size // 5 + 1))[: fault.size])
    return play.reply(request) if fault.kind in ("none", "trickle") else CUT_REPLY


def chat(request: ChatRequest, reply: Reply, script: Script, number: int) -> Answer:
    """A chat completion of ``reply``."""
    prompt = request.prompt_tokens()
    choices = int(request.body.get("n") or 1)
    usage = Usage(prompt=prompt, completion=reply.tokens() * choices, cached=min(script.cached_tokens, prompt))
    told = usage if script.usage == "full" else None
    if request.streams:
        told = told if request.streams_usage else None
        chunks = tuple(events(reply, told, number=number, model=request.model))
        return Answer(None, chunks, usage, told is not None, reply.content())
    body = completion(reply, told, number=number, model=request.model, choices=choices)
    return Answer(body, (), usage, told is not None, reply.content())


def embeddings(body: dict[str, Any], script: Script) -> Answer:
    """``/v1/embeddings``: one vector a text; token lists count as texts of their numbers."""
    texts = _texts(body["input"])
    dimensions = int(body.get("dimensions") or script.dimensions)
    encoding = body.get("encoding_format") or "float"
    data = [
        {"object": "embedding", "index": index, "embedding": encoded(embed(text, dimensions), encoding)}
        for index, text in enumerate(texts)
    ]
    usage = Usage(prompt=sum(len(text.split()) for text in texts))
    told = {"usage": {"prompt_tokens": usage.prompt, "total_tokens": usage.prompt}} if script.usage == "full" else {}
    return Answer({"object": "list", "model": body.get("model"), "data": data} | told, (), usage, bool(told))


def rerank(body: dict[str, Any], script: Script) -> Answer:
    """``/v1/rerank`` in the manner of Jina and Cohere: documents are texts or ``{"text": ...}``."""
    documents = [doc if isinstance(doc, str) else doc["text"] for doc in body["documents"]]
    scores = [relevance(body["query"], document) for document in documents]
    best = sorted(range(len(documents)), key=lambda index: (-scores[index], index))[: body.get("top_n") or None]
    results: list[dict[str, Any]] = [{"index": index, "relevance_score": scores[index]} for index in best]
    if body.get("return_documents"):
        results = [row | {"document": {"text": documents[row["index"]]}} for row in results]
    usage = Usage(prompt=sum(len(text.split()) for text in (body["query"], *documents)))
    told = {"usage": {"prompt_tokens": usage.prompt, "total_tokens": usage.prompt}} if script.usage == "full" else {}
    return Answer({"model": body.get("model"), "results": results} | told, (), usage, bool(told))


def models(script: Script) -> dict[str, Any]:
    """``/v1/models``: the scripted names, or those that have a brain of their own."""
    names = script.models if script.models is not None else tuple(script.brains) or ("local",)
    return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": "tests"} for name in names]}


def _texts(given: Any) -> list[str]:
    if isinstance(given, str):
        return [given]
    if given and isinstance(given[0], int):
        return [" ".join(map(str, given))]
    return [item if isinstance(item, str) else " ".join(map(str, item)) for item in given]
