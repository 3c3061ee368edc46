"""Spans: none unless asked for; of direct requests and of agents where the program or its environment asks."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]

PREAMBLE = """
import asyncio, json, os, sys
from heta_framework.common.models import LanguageModel, LanguageModelConfig, ModelRequest
from heta_framework.common.models.providers.instrumentation import instrumentation

asked = LanguageModel(model_name="openai/gpt-4o-mini", api_base=sys.argv[1], api_key="secret-key-123456")
"""
PROGRAM = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent
from heta_framework.common.models.providers.chat import PathModel

assert instrumentation() is None
exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)

async def run():
    await asked.invoke(ModelRequest("hello spans"))
    agent = Agent(PathModel(asked._config, api_key="secret-key-123456"))
    agent.instrument = instrumentation()
    await agent.run("hello agent")

asyncio.run(run())
spans = exporter.get_finished_spans()
print(json.dumps([[span.name, json.dumps(dict(span.attributes))] for span in spans]))
"""
ENVIRONMENT = """
import logging
logging.basicConfig(stream=sys.stdout, format="%(message)s")
print(instrumentation() is not None)
os.environ["OTEL_SDK_DISABLED"] = "true"
print(instrumentation() is not None)
"""


def run(script: str, url: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + script, url],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_spans_of_requests_and_agents_go_where_the_program_says(openai_server: Start) -> None:
    pytest.importorskip("opentelemetry.sdk")
    server = openai_server(brain="echo")
    spans: list[Any] = json.loads(run(PROGRAM, server.base_url))
    names = [name for name, _ in spans]
    assert names.count("chat gpt-4o-mini") == 2
    assert any("agent" in name for name in names)
    told = " ".join(attributes for _, attributes in spans)
    assert "hello spans" in told
    assert "hello agent" in told
    assert "secret-key" not in told


@pytest.mark.parametrize("installed", [True, False])
def test_the_environment_asks_and_forbids(openai_server: Start, installed: bool) -> None:
    try:
        from opentelemetry.exporter.otlp.proto.http import trace_exporter as _  # noqa: F401
    except ImportError:
        present = False
    else:
        present = True
    if present != installed:
        pytest.skip(f"the extra otel is {'' if present else 'not '}installed")
    out = run(ENVIRONMENT, openai_server().base_url, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9").splitlines()
    assert out[-2:] == [str(installed), "False"]
    assert ("pip install 'heams[otel]'" in out[0]) is not installed


def test_nothing_is_asked_for_by_default(openai_server: Start) -> None:
    assert run("print(instrumentation())", openai_server().base_url) == "None\n"
