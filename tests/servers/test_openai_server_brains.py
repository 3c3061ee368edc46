"""The built-in brains of the local server, and the schemas that they fill."""

import json
from typing import Any, Literal

from asking import Start, ask, said, user, with_sdk
from model_server.schemas import fill
from openai import AsyncOpenAI
from pydantic import BaseModel, Field

SEARCH = {
    "type": "function",
    "function": {
        "name": "search_memory",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}


class Verdict(BaseModel):
    label: Literal["yes", "no"]
    score: float = Field(ge=0, le=1)
    reasons: list[str]


def test_structured_output_follows_the_schema(openai_server: Start) -> None:
    openai_server(brain="schema")
    reply = with_sdk(
        lambda client: client.chat.completions.parse(model="m", messages=user("judge"), response_format=Verdict)
    )
    assert isinstance(reply.choices[0].message.parsed, Verdict)


def test_json_object_and_forced_tool(openai_server: Start) -> None:
    url = openai_server(brain="schema").base_url
    assert json.loads(said(ask(url, "hm", response_format={"type": "json_object"}))) == {"answer": "hm"}
    tool = {"type": "function", "function": {"name": "verdict", "parameters": Verdict.model_json_schema()}}
    forced = ask(url, tools=[SEARCH, tool], tool_choice="required")["choices"][0]["message"]["tool_calls"][0]
    assert forced["function"]["name"] == "verdict"
    Verdict.model_validate_json(forced["function"]["arguments"])


class Inner(BaseModel):
    name: str = Field(min_length=3, max_length=8)
    kind: Literal["a", "b"] | None


class Tree(BaseModel):
    count: int = Field(gt=4, lt=7)
    below: float = Field(lt=0)
    at: float = Field(ge=2, le=3)
    inner: Inner
    many: list[Inner] = Field(min_length=2, max_length=3)
    pair: tuple[int, str]
    either: int | str
    table: dict[str, int]
    children: "list[Tree]"


def test_schemas_are_filled_validly() -> None:
    schema = Tree.model_json_schema()
    Tree.model_validate(fill(schema, "some long text"))


def test_memory_agent_searches_then_answers(openai_server: Start) -> None:
    url = openai_server(brain="memory_agent").base_url
    question = user("Please answer.\nWhere did Ada buy the violin?")
    call = ask(url, messages=question, tools=[SEARCH])["choices"][0]["message"]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == {"query": "Where did Ada buy the violin?"}
    found = "Ada likes tea. Ada did buy the violin in Lyon, on a Monday.\nBob sold a car."
    so_far = [*question, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "content": found}]
    assert said(ask(url, messages=so_far, tools=[SEARCH])) == "Ada did buy the violin in Lyon, on a Monday."
    again = [*so_far, {"role": "assistant", "content": "Lyon"}, *user("And when?")]
    assert ask(url, messages=again, tools=[SEARCH])["choices"][0]["message"]["tool_calls"]


def test_an_agent_framework_runs_against_it(openai_server: Start) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    server = openai_server()
    asked: list[str] = []

    def search_memory(query: str) -> list[str]:
        asked.append(query)
        return ["Ada plays chess.", "The violin hangs in the hall."]

    async def run(client: AsyncOpenAI) -> Any:
        model = OpenAIChatModel("agent", provider=OpenAIProvider(openai_client=client))
        return await Agent(model, output_type=Fact, tools=[search_memory]).run("Where is the violin?")

    result = with_sdk(run)
    assert asked == ["Where is the violin?"]
    assert "The violin hangs in the hall" in result.output.text
    sums = server.summary().whole
    usage = result.usage
    assert (sums.calls, sums.prompt, sums.completion) == (usage.requests, usage.input_tokens, usage.output_tokens)


def test_memory_agent_reads_a_prompt_with_memories(openai_server: Start) -> None:
    prompt = "Memories:\n- The key is under the mat.\n- Tea is ready.\n\nQuestion: Where is the key?"
    assert said(ask(openai_server(brain="memory_agent").base_url, prompt)) == "- The key is under the mat."
    assert said(ask(openai_server(brain="memory_agent").base_url, "Who?")) == "I do not know."


class Fact(BaseModel):
    text: str
    weight: float


class Facts(BaseModel):
    comment: str
    facts: list[Fact]


def test_extractor_makes_a_fact_of_every_spoken_line(openai_server: Start) -> None:
    openai_server(brain="extractor")
    prompt = "Extract the facts of this conversation.\n\n[8 May 2023] Ada: I sing.\n\nBob Lee: I do not."
    reply = with_sdk(
        lambda client: client.chat.completions.parse(model="m", messages=user(prompt), response_format=Facts)
    )
    parsed = reply.choices[0].message.parsed
    assert parsed is not None
    assert [fact.text for fact in parsed.facts] == ["[8 May 2023] Ada: I sing.", "Bob Lee: I do not."]


def test_extractor_without_a_schema(openai_server: Start) -> None:
    url = openai_server(brain="extractor").base_url
    reply = said(ask(url, "one line\n\nanother", response_format={"type": "json_object"}))
    assert json.loads(reply) == {"facts": ["one line", "another"]}
    assert said(ask(url, "one line\n\nanother")) == "one line\nanother"
