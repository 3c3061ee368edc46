"""A search server on loopback that speaks as much of Elasticsearch's and OpenSearch's HTTP interface as the store uses.

It is strict where the real ones are: an unknown path, parameter, part of a query, field type or analyser, a bulk body
that does not end in a newline, or an index name they would refuse is answered with an error. Like them it makes an
index that a bulk request names and that is not there. Ranking is BM25 with k1 = 1.2 and b = 0.75.
"""

import json
import math
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import tantivy

_NAME = re.compile(r'[^A-Z\\/*?"<>| ,#:\-_+.][^A-Z\\/*?"<>| ,#:]*')
_PRODUCT = {"X-Elastic-Product": "Elasticsearch"}
_Body = dict[str, Any]


class RefusedError(Exception):
    """The server's answer to a request that it does not take."""

    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.body = status, {"error": {"type": kind, "reason": reason}, "status": status}


@dataclass
class Index:
    """Documents by id, with the settings and mappings that came at creation."""

    settings: _Body
    mappings: _Body
    documents: dict[str, _Body] = field(default_factory=dict)

    @cached_property
    def analyze(self) -> Callable[[str], list[str]]:
        """The text field's analysis."""
        builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
        analysis = self.settings.get("analysis", {})
        if "heta_stemmer" in analysis.get("analyzer", {}).get("heta", {}).get("filter", []):
            _demand(analysis["filter"]["heta_stemmer"] == {"type": "stemmer", "language": "english"}, "a stemmer")
            builder = builder.filter(tantivy.Filter.stemmer("english"))
        return builder.build().analyze

    def type_of(self, name: str) -> str | None:
        """The type of a field."""
        found: str | None = self.mappings.get("properties", {}).get(name, {}).get("type")
        return found


class SearchServer:
    """One server, from `start` to `close`; `requests` are the (method, path) that it saw."""

    def __init__(self) -> None:
        self.indexes: dict[str, Index] = {}
        self.requests: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        server = self

        class Handler(_Handler):
            node = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        """Stop listening."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, method: str, target: str, content: bytes) -> tuple[int, _Body]:
        """Status and body for a request."""
        parts = urlsplit(target)
        path, parameters = parts.path.strip("/").split("/"), dict(parse_qsl(parts.query))
        match method, path:
            case "POST" | "PUT", ["_bulk"]:
                return 200, self._bulk(content, parameters)
            case "HEAD", [name]:
                return (200 if name in self.indexes else 404), {}
            case "PUT", [name]:
                return 200, self._create(name, json.loads(content or b"{}"))
            case "DELETE", [name]:
                _known(parameters, "ignore_unavailable")
                if self.indexes.pop(name, None) is None and parameters.get("ignore_unavailable") != "true":
                    raise RefusedError(404, "index_not_found_exception", f"no such index [{name}]")
                return 200, {"acknowledged": True}
            case "GET", [name, "_mapping"]:
                return 200, {name: {"mappings": self._index(name).mappings}}
            case "POST" | "GET", [name, "_count"]:
                return 200, {"count": len(self._index(name).documents)}
            case "POST" | "GET", [name, "_search"]:
                _known(parameters)
                return 200, _search(self._index(name), json.loads(content))
        raise RefusedError(405, "method_not_allowed", f"{method} {target}")

    def _create(self, name: str, body: _Body) -> _Body:
        if not _NAME.fullmatch(name) or len(name.encode()) > 255:
            raise RefusedError(400, "invalid_index_name_exception", f"Invalid index name [{name}]")
        _known(body, "settings", "mappings")
        if name in self.indexes:
            raise RefusedError(400, "resource_already_exists_exception", name)
        mappings = body.get("mappings", {})
        _known(mappings, "dynamic", "_meta", "properties")
        for kind in mappings.get("properties", {}).values():
            _known(kind, "type", "analyzer", "enabled")
            _demand(kind["type"] in ("text", "keyword", "object"), f"a field type, not {kind['type']}")
        self.indexes[name] = Index(body.get("settings", {}), mappings)
        _ = self.indexes[name].analyze
        return {"acknowledged": True, "index": name}

    def _index(self, name: str) -> Index:
        if name not in self.indexes:
            raise RefusedError(404, "index_not_found_exception", f"no such index [{name}]")
        return self.indexes[name]

    def _bulk(self, content: bytes, parameters: dict[str, str]) -> _Body:
        _known(parameters, "refresh")
        _demand(content.endswith(b"\n"), "a bulk request that ends in a newline")
        items = [self._act(*action) for action in _actions(content)]
        return {"took": 1, "errors": any(next(iter(item.values()))["status"] >= 400 for item in items), "items": items}

    def _act(self, kind: str, target: _Body, source: _Body | None) -> _Body:
        name, document_id = target["_index"], target["_id"]
        if len(document_id.encode()) > 512:
            raise RefusedError(
                400, "action_request_validation_exception", "id is too long, must be no longer than 512 bytes"
            )
        if name not in self.indexes:
            self._create(name, {})
        documents = self.indexes[name].documents
        if kind == "delete":
            status = 200 if documents.pop(document_id, None) is not None else 404
            return {"delete": {"_index": name, "_id": document_id, "status": status}}
        assert source is not None
        if source.get("content_text") == "refuse me":
            error = {"type": "document_parsing_exception", "reason": "as the test wants"}
            return {"index": {"_index": name, "_id": document_id, "status": 400, "error": error}}
        documents[document_id] = source
        return {"index": {"_index": name, "_id": document_id, "status": 201}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    node: SearchServer

    def _serve(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.node.requests.append((self.command, self.path))
        self.node.headers.append({name.lower(): value for name, value in self.headers.items()})
        try:
            _demand(not content or "json" in self.headers.get("Content-Type", ""), "a JSON content type")
            status, body = self.node.answer(self.command, self.path, content)
        except RefusedError as refusal:
            status, body = refusal.status, refusal.body
        answer = b"" if self.command == "HEAD" else json.dumps(body).encode()
        self.send_response(status)
        accepted = self.headers.get("Accept", "application/json")
        kind = accepted.split(",")[0] if "json" in accepted else "application/json"
        for name, value in {**_PRODUCT, "Content-Type": kind, "Content-Length": str(len(answer))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _serve  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""


def _actions(content: bytes) -> Iterator[tuple[str, _Body, _Body | None]]:
    lines = iter(content.decode().removesuffix("\n").split("\n"))
    for line in lines:
        ((kind, target),) = json.loads(line).items()
        _demand(kind in ("index", "delete"), f"a bulk action, not {kind}")
        _known(target, "_index", "_id")
        yield kind, target, json.loads(next(lines)) if kind == "index" else None


def _search(index: Index, body: _Body) -> _Body:
    _known(body, "query", "sort", "size")
    _known(body["query"], "bool")
    _known(body["query"]["bool"], "must", "filter")
    ((matching,), filters) = body["query"]["bool"]["must"], body["query"]["bool"]["filter"]
    ((name, wanted),) = matching["match"].items()
    _known(wanted, "query")
    _demand(index.type_of(name) == "text", f"a text field, not {name}")
    _demand(body["size"] <= 10_000, "a size of at most 10000")
    scores = _bm25(index, name, index.analyze(wanted["query"]))
    for condition in filters:
        ((keyword, value),) = condition["term"].items()
        _demand(index.type_of(keyword) == "keyword", f"a keyword field, not {keyword}")
        scores = {key: score for key, score in scores.items() if value in index.documents[key][keyword]}
    _demand(body["sort"][0] == {"_score": "desc"}, "a sort by score")
    ((by, _),) = body["sort"][1].items()
    _demand(index.type_of(by) == "keyword", f"a sort by a keyword field, not {by}")
    ranked = sorted(scores, key=lambda key: (-scores[key], index.documents[key][by]))[: body["size"]]
    hits = [{"_id": key, "_score": scores[key], "_source": index.documents[key], "sort": []} for key in ranked]
    return {"hits": {"total": {"value": len(scores)}, "hits": hits}}


def _bm25(index: Index, name: str, terms: list[str]) -> dict[str, float]:
    bags = {key: Counter(index.analyze(document[name])) for key, document in index.documents.items()}
    average = sum(bag.total() for bag in bags.values()) / max(1, len(bags))
    scores: defaultdict[str, float] = defaultdict(float)
    for term in set(terms):
        holding = sum(term in bag for bag in bags.values())
        idf = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        for key, bag in bags.items():
            if term in bag:
                length = 0.25 + 0.75 * bag.total() / average
                scores[key] += idf * bag[term] * 2.2 / (bag[term] + 1.2 * length)
    return dict(scores)


def _known(found: Any, *allowed: str) -> None:
    unknown = set(found) - set(allowed)
    _demand(not unknown, f"one of {allowed}, not {sorted(unknown)}")


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise RefusedError(400, "parsing_exception", f"expected {what}")
