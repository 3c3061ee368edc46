"""A memory system as a program: it keeps every event and recalls those that share most words with the question."""

import json
import re
import sys

HELLO = {"protocol": 1, "role": "memory", "name": "word-overlap", "version": "1.0"}
HELLO["capabilities"] = {"fork": True, "forget": True, "dump": True}
memories = {}  # scope -> the events that it heard


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def item(event):
    origin = event["sources"] or [event["id"]]
    return {"id": event["id"], "text": event["content"], "event_ids": origin, "speaker": event["speaker"]}


def recall(events, query):
    asked = words(query["text"])
    scored = [(len(asked & words(event["content"])), event) for event in events]
    best = sorted([pair for pair in scored if pair[0]], key=lambda pair: -pair[0])[: query["limit"]]
    return [{**item(event), "score": score} for score, event in best]


def forget(events, demand):
    meant = [event for event in events if set(item(event)["event_ids"]) & set(demand["event_ids"])]
    for event in meant:
        events.remove(event)
    return {"removed": [event["id"] for event in meant]}


OPERATIONS = {
    "hello": lambda request: HELLO,
    "open": lambda request: memories.update({request["scope"]: []}),
    "write": lambda request: memories[request["scope"]].append(request["event"]),
    "recall": lambda request: recall(memories[request["scope"]], request["query"]),
    "forget": lambda request: forget(memories[request["scope"]], request["demand"]),
    "dump": lambda request: [item(event) for event in memories[request["scope"]]],
    "fork": lambda request: memories.update({request["to"]: list(memories[request["scope"]])}),
    "usage": lambda request: {},  # no model is called
    "close": lambda request: memories.__delitem__(request["scope"]),
}

sys.stdin.reconfigure(encoding="utf-8")
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] in OPERATIONS:
        answer = {"id": request["id"], "ok": True, "result": OPERATIONS[request["op"]](request)}
    else:
        answer = {"id": request["id"], "ok": False, "error": {"kind": "unsupported", "message": request["op"]}}
    print(json.dumps(answer), flush=True)
