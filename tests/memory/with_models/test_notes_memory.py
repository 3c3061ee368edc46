"""``notes``: files that a model keeps by tools, within limits, every line with the events behind it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from model_server import ChatRequest, Reply, ToolCall

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, RecallQuery
from heams.memory.notes.keeper import NothingDone

pytestmark = pytest.mark.anyio


def turn(event_id: str, content: str, **fields: Any) -> MemoryEvent:
    return MemoryEvent(id=event_id, content=content, **({"speaker": "Maya", "principal": "Maya"} | fields))


SAID = [turn("D1", "I adopted a grey kitten."), turn("D2", "My brother repairs violins."), turn("D3", "Tomatoes!")]


def calls(*wanted: tuple[str, dict[str, Any]]) -> Reply:
    return Reply(tool_calls=tuple(ToolCall(name=name, arguments=arguments) for name, arguments in wanted))


def create(name: str, text: str, *sources: int) -> tuple[str, dict[str, Any]]:
    return "create_file", {"name": name, "text": text, "sources": list(sources)}


def append(name: str, text: str, *sources: int) -> tuple[str, dict[str, Any]]:
    return "append", {"name": name, "text": text, "sources": list(sources)}


def replace(name: str, old: str, new: str, *sources: int) -> tuple[str, dict[str, Any]]:
    return "replace_text", {"name": name, "old": old, "new": new, "sources": list(sources)}


def done(*replies: Reply) -> dict[str, Any]:
    return {"queue": list(replies), "then": {"fixed": "done"}}


async def held(memory: Memory) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {item.id: (item.text, item.event_ids) for item in await memory.dump()}


async def test_paragraphs_are_recalled_with_their_file_and_the_events_behind_them(notes: Any) -> None:
    text = "# Maya\n\n- has a kitten\n- has a brother\n  who repairs violins\n\nAll is well."
    notes.server.play(brain=done(calls(create("people/maya.md", text, 1)), calls(append("people/maya.md", "- new", 2))))
    at = datetime(2023, 5, 8, tzinfo=UTC)
    memory = await notes.open([turn("D1", "…", at=at), turn("note", "…", kind="note", sources=("D7", "D8"))])
    assert await held(memory) == {
        "people/maya.md:1": ("[people/maya.md] # Maya\n- has a kitten", ("D1",)),
        "people/maya.md:4": ("[people/maya.md › Maya] - has a brother\n  who repairs violins", ("D1",)),
        "people/maya.md:7": ("[people/maya.md › Maya] All is well.", ("D1",)),
        "people/maya.md:8": ("[people/maya.md › Maya] - new", ("D7", "D8")),
    }
    (first, *_) = await memory.recall(RecallQuery(text="Who repairs violins?"))
    assert (first.id, first.at, first.metadata["file"]) == ("people/maya.md:4", at, "people/maya.md")
    assert first.score
    assert len(await memory.recall(RecallQuery(text="Maya", limit=2))) == 2


async def test_without_named_sources_the_whole_batch_is_behind_a_line(notes: Any) -> None:
    notes.server.play(
        brain=done(calls(create("a.md", "one"), append("a.md", "two", 99, 0, -1), append("a.md", "three", 3)))
    )
    memory = await notes.open(SAID)
    (item,) = await memory.dump()
    assert item.event_ids == ("D1", "D2", "D3")
    assert (await memory.forget(ForgetDemand(content="", event_ids=("D1",)))).removed == ("a.md:1",)
    assert await held(memory) == {"a.md:1": ("[a.md] three", ("D3",))}


async def test_lines_keep_their_events_unless_they_are_changed(notes: Any) -> None:
    notes.server.play(brain=done(calls(create("a.md", "- Maya lives in Lyon\n- Maya has a kitten\n- It is hot", 1))))
    memory = await notes.open(SAID[:1])
    rewritten = replace("a.md", "- Maya lives in Lyon\n", "- Maya lives in Nice\n- Bob sings\n", 1)
    moved = (replace("a.md", "- It is hot", ""), create("b.md", "- It is hot"))
    notes.server.play(brain=done(calls(rewritten, *moved)))
    await memory.write_all(SAID[1:2])
    assert [(text, event_ids) for text, event_ids in (await held(memory)).values()] == [
        ("[a.md] - Maya lives in Nice", ("D1", "D2")),
        ("[a.md] - Bob sings", ("D2",)),
        ("[a.md] - Maya has a kitten", ("D1",)),
        ("[b.md] - It is hot", ("D1",)),
    ]


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (create("", "x"), "no name for a file"),
        (create("../etc/passwd", "x"), "no name for a file"),
        (create("/etc/passwd", "x"), "no name for a file"),
        (create("a/../../b", "x"), "no name for a file"),
        (create("a//b", "x"), "no name for a file"),
        (create("a\\..\\b", "x"), "no name for a file"),
        (create("a\nb", "x"), "no name for a file"),
        (create("a\0", "x"), "no name for a file"),
        (create("x" * 81, "x"), "no name for a file"),
        (create("a/b/c/d/e", "x"), "no name for a file"),
        (create("there.md", "x"), "exists already"),
        (create("big.md", "x" * 400), "at most 200 are allowed"),
        (append("there.md", "x" * 200), "at most 200 are allowed"),
        (append("their.md", "x"), "there is no file 'their.md'; there are: there.md"),
        (replace("there.md", "nowhere", "x"), "does not stand in 'there.md'"),
        (replace("there.md", "", "x"), "does not stand in 'there.md'"),
        (replace("there.md", "twice", "x"), "stands 2 times"),
        (("read_file", {"name": "x.md"}), "there is no file"),
        (("delete_file", {"name": "x.md"}), "there is no file"),
        (("delete_file", {"name": ["x.md"]}), "string"),
        (("append", {"name": "there.md"}), "text"),
        (("drop_all", {}), "drop_all"),
    ],
)
async def test_what_breaks_a_rule_is_refused_in_words(notes: Any, call: tuple[str, Any], answer: str) -> None:
    start = calls(create("there.md", "twice\ntwice", 1))
    notes.server.play(brain=done(start, calls(call)))
    memory = await notes.open(SAID[:1], max_file_chars=200)
    told = str(notes.server.log.entries[-1].body["messages"][-1]["content"])
    assert answer in told
    assert await held(memory) == {"there.md:1": ("[there.md] twice\ntwice", ("D1",))}


async def test_there_are_no_more_files_than_allowed(notes: Any) -> None:
    notes.server.play(brain=done(calls(*(create(f"{n}.md", "x") for n in range(9)))))
    memory = await notes.open(SAID, max_files=3)
    assert {item.metadata["file"] for item in await memory.dump()} == {"0.md", "1.md", "2.md"}


async def test_arguments_that_are_no_json_are_told_to_the_model(notes: Any) -> None:
    broken = Reply(tool_calls=(ToolCall(name="create_file", arguments='{"name": "a.md", '),))
    notes.server.play(brain=done(broken, calls(create("a.md", "kept", 1))))
    assert await held(await notes.open(SAID)) == {"a.md:1": ("[a.md] kept", ("D1",))}


async def test_a_model_that_never_ends_is_stopped(notes: Any) -> None:
    notes.server.play(brain={"fixed": calls(("list_files", {}))})
    memory = await notes.open(step_limit=4)
    with pytest.raises(NothingDone, match="without a change"):
        await memory.write_all(SAID)
    assert notes.calls() == 4
    notes.server.play(brain={"queue": [calls(create("a.md", "kept", 1))], "then": {"fixed": calls(("list_files", {}))}})
    assert await held(memory) == {"a.md:1": ("[a.md] kept", ("D1",))}


async def test_a_batch_whose_model_fails_halfway_leaves_no_trace(notes: Any) -> None:
    notes.server.play(brain=done(calls(create("a.md", "half", 1))))
    memory = await notes.open()
    notes.server.play(faults=[{"fault": "server_error", "times": 1, "text": "Created"}])
    with pytest.raises(Exception, match="could not be asked"):
        await memory.write_all(SAID)
    notes.server.play(brain=done(calls(create("a.md", "whole", 1))), faults=())
    assert await held(memory) == {"a.md:1": ("[a.md] whole", ("D1",))}


async def test_the_model_reads_what_it_wrote_and_sees_which_files_exist(notes: Any) -> None:
    seen: list[str] = []

    def reader(request: ChatRequest) -> Reply:
        seen.extend(request.tool_results)
        return (
            Reply(text="done") if request.tool_results else calls(("list_files", {}), ("read_file", {"name": "a.md"}))
        )

    notes.server.play(brain=done(calls(create("a.md", "one\ntwo", 1))))
    memory = await notes.open(SAID[:1])
    notes.server.play(brain=reader)
    await memory.write_all(SAID[1:])
    assert seen == ["a.md (2 lines)", "one\ntwo"]
    prompt = notes.server.log.entries[-1].body["messages"][-4]["content"]
    assert ">>>\na.md (2 lines)\n<<<end of files" in prompt


async def test_nothing_worth_keeping_is_no_error(notes: Any) -> None:
    notes.server.play(brain={"fixed": ""})
    assert await held(await notes.open(SAID)) == {}


async def test_named_events_take_their_lines_along(notes: Any) -> None:
    text = calls(create("a.md", "- both", 1, 2), append("a.md", "- second", 2), create("b.md", "- third", 3))
    notes.server.play(brain=done(text))
    memory = await notes.open(SAID)
    receipt = await memory.forget(ForgetDemand(content="whatever", event_ids=("D2",)))
    assert receipt.removed == ("a.md:1", "a.md:2")
    assert receipt.note == "2 lines from the named events removed or changed; also behind them: D1"
    assert await held(memory) == {"b.md:1": ("[b.md] - third", ("D3",))}
    assert "both" not in str(await memory.recall(RecallQuery(text="both second")))
    assert (await memory.forget(ForgetDemand(content="", event_ids=("b.md:1",)))).removed == ("b.md:1",)
    assert await held(memory) == {}


async def test_the_model_takes_words_out_and_what_it_leaves_goes_with_its_line(notes: Any) -> None:
    notes.server.play(brain=done(calls(create("a.md", "- a grey kitten and tea\n- Grey KITTEN again\n- tomatoes", 1))))
    memory = await notes.open(SAID)
    notes.server.play(brain=done(calls(replace("a.md", "a grey kitten and tea", "tea"))))
    receipt = await memory.forget(ForgetDemand(content="grey kitten"))
    assert receipt.removed == ("a.md:1", "a.md:2")
    assert [text for text, _ in (await held(memory)).values()] == ["[a.md] - tea", "[a.md] - tomatoes"]


async def test_who_is_to_forget_cannot_add(notes: Any) -> None:
    notes.server.play(brain=done(calls(create("a.md", "- a grey kitten", 1))))
    memory = await notes.open(SAID)
    notes.server.play(brain={"fixed": calls(create("b.md", "spoilt"), append("a.md", "spoilt"))})
    with pytest.raises(NothingDone):
        await memory.forget(ForgetDemand(content="everything about pets"))
    assert "spoilt" not in str(await memory.dump())
    offered = {tool["function"]["name"] for tool in notes.server.log.entries[-1].body["tools"]}
    assert offered == {"list_files", "read_file", "replace_text", "delete_file"}


async def test_a_file_named_after_what_is_forgotten_gets_another_name(notes: Any) -> None:
    text = "# Trips\n- the secret is Zebra 4711\n- Ada likes tea"
    notes.server.play(brain=done(calls(create("ada/zebra-4711.md", text, 1), create("1", "- Bob likes snow", 1))))
    memory = await notes.open([turn("D1", "My secret is Zebra 4711.")])
    notes.server.play(brain={"fixed": "done"})
    receipt = await memory.forget(ForgetDemand(content="zebra 4711"))
    left = await memory.dump()
    assert "ebra" not in " ".join(f"{item.id} {item.text} {dict(item.metadata)}" for item in left)
    assert [item.text for item in left] == [
        "[1] - Bob likes snow",
        "[2] # Trips\n- Ada likes tea",
    ]
    assert "ada/zebra-4711.md:1" in receipt.removed
