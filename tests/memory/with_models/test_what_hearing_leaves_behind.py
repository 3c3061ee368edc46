"""What the record of a heard history says of how well hearing went, and that notes of two tellers stay apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory_brains import facts_brain
from model_server import ChatRequest, LocalServer, Reply, ToolCall

import heams
from heams.reporting.reports import write_reports

Build = Callable[..., Any]
Started = Callable[..., LocalServer]


def _with_an_invented_source(request: ChatRequest) -> Reply:
    operations = (facts_brain(request).data or {})["operations"]
    return Reply(data={"operations": [*operations, {"action": "add", "fact": "Invented.", "sources": [99]}]})


def test_what_was_left_out_of_a_models_replies_is_counted(
    openai_server: Started, facts: Any, questions: Build, one_experiment: Build, tmp_path: Path
) -> None:
    openai_server(brain=_with_an_invented_source)
    memory = facts.configured(batch_events=2).model_dump(mode="json", exclude_none=True)
    results = heams.run(one_experiment(questions(2, history=4), memory=memory), tmp_path / "out")
    (record,) = [json.loads(line) for line in (tmp_path / "out/one/ingests.jsonl").read_text("utf-8").splitlines()]
    assert record["tallies"] == {"operations": 6, "operations left out": 2}
    assert "Invented" not in str([result.transcript for result in results])
    reports = "".join(path.read_text("utf-8") for path in write_reports(tmp_path / "out"))
    assert "Counted by the memory while hearing: operations 6, operations left out 2." in reports


def _saves_and_looks(request: ChatRequest) -> Reply:
    """Saves whatever it hears or is asked, and looks for everything before it answers."""
    if not request.tool_results:
        return Reply(tool_calls=(ToolCall(name="save_memory", arguments={"text": f"note: {request.user}"}),))
    if "asks" in request.user and len(request.tool_results) == 1:
        return Reply(tool_calls=(ToolCall(name="search_memory", arguments={"query": "note"}),))
    return Reply(text="ok")


def test_a_question_with_the_id_of_its_history_overwrites_none_of_its_notes(
    openai_server: Started, questions: Build, one_experiment: Build, tmp_path: Path
) -> None:
    openai_server(brain=_saves_and_looks)
    agent = {
        "type": "tool_use",
        "model": "openai:gpt-4o-mini",
        "policy": "Save everything.",
        "answer_prompt": "{now} {principal} asks: {question}",
        "hear_prompt": "{now} {speaker} says: {content}",
        "tools": {"save_memory": "Save.", "search_memory": "Search."},
    }
    data = questions(1, history=2)
    data.write_text(data.read_text("utf-8").replace('"id": "q0"', '"id": "boxes"'), encoding="utf-8")
    config = one_experiment(data, agent=agent, memory={"type": "lexical"}, ingestion="through_agent")
    (result,) = heams.run(config, tmp_path / "out")
    (recall,) = result.transcript[0].recalls or ()
    assert len(recall.ids) == len(set(recall.ids)) == 3
