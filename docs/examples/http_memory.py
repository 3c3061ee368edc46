"""A memory system as a server: it recalls the latest events that share a word with the question."""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HELLO = {"protocol": 1, "role": "memory", "name": "latest-first", "version": "1.0", "max_in_flight": 16}
HELLO["capabilities"] = {"fork": True, "dump": True}
memories = {}  # scope -> the events that it heard


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def item(event):
    return {"id": event["id"], "text": event["content"], "event_ids": event["sources"] or [event["id"]]}


def recall(events, query):
    asked = words(query["text"])
    return [item(event) for event in reversed(events) if asked & words(event["content"])][: query["limit"]]


OPERATIONS = {
    "hello": lambda request: HELLO,
    "open": lambda request: memories.update({request["scope"]: []}),
    "write": lambda request: memories[request["scope"]].append(request["event"]),
    "recall": lambda request: recall(memories[request["scope"]], request["query"]),
    "dump": lambda request: [item(event) for event in memories[request["scope"]]],
    "fork": lambda request: memories.update({request["to"]: list(memories[request["scope"]])}),
    "usage": lambda request: {},  # no model is called
    "close": lambda request: memories.__delitem__(request["scope"]),
}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if request["op"] in OPERATIONS:
            answer = {"id": request["id"], "ok": True, "result": OPERATIONS[request["op"]](request)}
        else:
            answer = {"id": request["id"], "ok": False, "error": {"kind": "unsupported", "message": request["op"]}}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *arguments):  # the class would write a line to stderr for every request
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8071), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
