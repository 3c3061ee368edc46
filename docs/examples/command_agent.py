"""An agent as a program: it asks the memory through heams and answers with the first thing that comes back."""

import itertools
import json
import sys

HELLO = {"protocol": 1, "role": "agent", "name": "first-item", "version": "1.0", "capabilities": {}}
call_ids = itertools.count(1)


def send(message):
    print(json.dumps(message), flush=True)


def ask_memory(scope, op, **arguments):
    send({"call": f"c{next(call_ids)}", "op": op, "scope": scope, **arguments})
    answer = json.loads(sys.stdin.readline())
    if not answer["ok"]:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


def respond(scope, stimulus):
    items = ask_memory(scope, "recall", text=stimulus["query"], limit=5)
    return {"text": items[0]["text"] if items else "I do not know.", "usage": {}}  # no model is called


def handle(request):
    op, scope = request["op"], request.get("scope")
    if op == "hello":
        return HELLO
    if op == "respond":
        return respond(scope, request["stimulus"])
    if op == "hear":  # used with 'ingestion: through_agent': the agent decides what to save
        ask_memory(scope, "write", content=request["event"]["content"])
        return {}  # no model is called
    if op in ("open", "close"):
        return None
    raise NotImplementedError(op)


sys.stdin.reconfigure(encoding="utf-8")
for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    try:
        send({"id": request["id"], "ok": True, "result": handle(request)})
    except NotImplementedError as missing:
        send({"id": request["id"], "ok": False, "error": {"kind": "unsupported", "message": str(missing)}})
    except RuntimeError as error:
        send({"id": request["id"], "ok": False, "error": {"kind": "failed", "message": str(error)}})
