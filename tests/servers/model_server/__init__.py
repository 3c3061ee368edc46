"""A local OpenAI-compatible server for tests and measurements: real sockets, scripted behaviour, an honest log.

In a test, by the fixture (sets ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``)::

    def test_something(openai_server):
        server = openai_server(
            brains={"judge": {"queue": ["CORRECT", "WRONG"]}, "agent-*": "memory_agent"},
            faults=[{"fault": {"kind": "rate_limited", "retry_after": 1}, "share": 0.1}, {"fault": "cut", "times": 2}],
            quotas=[{"requests": 60, "window": 60}],
            latency=0.05,
        )
        ...
        assert server.summary().whole.calls == 3
        assert [entry.outcome for entry in server.quiet().entries] == ["cut", "whole", "whole", "whole"]

Without pytest: ``with LocalServer(brain="echo") as server``; as a process: ``with ServerProcess({...}) as server``.
:class:`Script` lists the fields, :class:`Fault` the faults, ``brains`` the forms of a brain, ``log`` the outcomes.
"""

from .brains import Brain, Fixed, Queue, Rule, Rules
from .chat import ChatRequest
from .faults import Fault, FaultRule, Quota
from .log import Entry, Log, Summary, Sums
from .process import ServerProcess
from .replies import Reply, ToolCall, Usage
from .running import LocalServer
from .script import Script
from .vectors import embed, relevance

CANARY_KEY = "sk-canary-7Qm2xV9tLr4ZbN8w"
"""The API key of all tests. It must appear in nothing that a run writes: the suite searches for it at its end."""

__all__ = [
    "CANARY_KEY",
    "Brain",
    "ChatRequest",
    "Entry",
    "Fault",
    "FaultRule",
    "Fixed",
    "LocalServer",
    "Log",
    "Queue",
    "Quota",
    "Reply",
    "Rule",
    "Rules",
    "Script",
    "ServerProcess",
    "Summary",
    "Sums",
    "ToolCall",
    "Usage",
    "embed",
    "relevance",
]
