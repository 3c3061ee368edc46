"""An agent as a server: it comes back with a call to the memory, and answers when it is asked again with the result."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HELLO = {"protocol": 1, "role": "agent", "name": "first-item", "version": "1.0", "max_in_flight": 16}


def respond(request):
    if not request["answers"]:
        return {"calls": [{"call": "look", "op": "recall", "text": request["stimulus"]["query"], "limit": 5}]}
    found = request["answers"][0]
    if not found["ok"]:
        return {"ok": False, "error": found["error"]}
    text = found["result"][0]["text"] if found["result"] else "I do not know."
    return {"result": {"text": text, "usage": {}}}  # no model is called


def hear(request):  # used with 'ingestion: through_agent': the agent decides what to save
    if not request["answers"]:
        return {"calls": [{"call": "save", "op": "write", "content": request["event"]["content"]}]}
    saved = request["answers"][0]
    return {"result": {}} if saved["ok"] else {"ok": False, "error": saved["error"]}


OPERATIONS = {
    "hello": lambda request: {"result": HELLO},
    "open": lambda request: {"result": None},
    "respond": respond,
    "hear": hear,
    "close": lambda request: {"result": None},
}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if request["op"] in OPERATIONS:
            answer = {"id": request["id"], "ok": True, **OPERATIONS[request["op"]](request)}
        else:
            answer = {"id": request["id"], "ok": False, "error": {"kind": "unsupported", "message": request["op"]}}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *arguments):  # the class would write a line to stderr for every request
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8072), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
