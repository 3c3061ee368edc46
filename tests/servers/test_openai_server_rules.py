"""Which requests a fault strikes, and what quotas let through."""

import asyncio
import time
from collections import Counter
from typing import Any

import httpx
import pytest
from asking import BODY, CHAT, TLS, Start, post
from model_server import FaultRule, LocalServer, Script


def test_latency_is_fixed_drawn_or_of_one_request(openai_server: Start) -> None:
    rules = [{"fault": {"latency": 0.25}, "times": 1}]
    server = openai_server(latency=(0.05, 0.1), faults=rules)
    took = []
    for _ in range(2):
        began = time.monotonic()
        post(server)
        took.append(time.monotonic() - began)
    assert took[0] >= 0.25
    assert took[1] >= 0.05


def test_rules_choose_by_path_model_and_text(openai_server: Start) -> None:
    rules = [
        {"fault": "server_error", "path": "/embeddings"},
        {"fault": "rate_limited", "model": "gpt-*"},
        {"fault": "context_length", "text": "very long"},
    ]
    server = openai_server(faults=rules)
    assert post(server).status_code == 200
    assert post(server, path="/embeddings", input="x").status_code == 500
    assert post(server, model="gpt-4o").status_code == 429
    assert post(server, messages=[{"role": "user", "content": "a very long text"}]).status_code == 400


SHARES: tuple[Any, ...] = (
    {"fault": "rate_limited", "share": 0.1},
    {"fault": "server_error", "share": 0.05},
    {"fault": "disconnect", "share": 0.05},
)


def _fates(script: Script, numbers: range) -> dict[int, tuple[str | None, ...]]:
    """The fault of each of two attempts at every numbered request, sent concurrently."""

    async def run(server: LocalServer) -> None:
        limits = httpx.Limits(max_connections=20)
        async with httpx.AsyncClient(verify=TLS, limits=limits, timeout=60) as client:
            for _ in range(2):
                bodies = [BODY | {"seed": number} for number in numbers]
                posts = [client.post(server.base_url + CHAT, json=body) for body in bodies]
                await asyncio.gather(*posts, return_exceptions=True)

    with LocalServer(script) as server:
        asyncio.run(run(server))
        fates: dict[int, list[str | None]] = {number: [] for number in numbers}
        for entry in server.quiet().entries:
            fates[entry.body["seed"]].append(entry.fault)
    return {number: tuple(found) for number, found in fates.items()}


def test_shares_add_up_and_do_not_depend_on_the_order() -> None:
    script = Script(faults=SHARES, seed=7)
    forwards = _fates(script, range(80))
    assert forwards == _fates(script, range(79, -1, -1))
    drawn = Counter(fate for fates in forwards.values() for fate in fates)
    assert 7 <= drawn["rate_limited"] <= 28
    assert 2 <= drawn["server_error"] <= 18
    assert 2 <= drawn["disconnect"] <= 18
    assert any(first != second for first, second in forwards.values())
    assert _fates(script.model_copy(update={"seed": 8}), range(80)) != forwards


def test_a_queue_is_not_used_up_by_refused_and_cut_requests(openai_server: Start) -> None:
    faults = [{"fault": kind, "times": 1} for kind in ("server_error", "cut", "empty_choices")]
    server = openai_server(brain={"queue": ["the only one"]}, faults=faults)
    post(server)
    with pytest.raises(httpx.RemoteProtocolError):
        post(server)
    post(server)
    assert "the only one" in post(server).text


def test_a_window_quota_says_when_to_come_back(openai_server: Start) -> None:
    server = openai_server(quotas=[{"requests": 2, "window": 1.0}])
    replies = [post(server) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert replies[2].headers["retry-after"] == "1"
    wait = int(replies[2].headers["retry-after-ms"]) / 1000
    assert 0 < wait <= 1
    time.sleep(wait)
    assert post(server).status_code == 200
    assert server.log.entries[2].why == "quota of requests"


def test_a_concurrency_quota_refuses_what_is_too_much_at_once(openai_server: Start) -> None:
    server = openai_server(latency=0.3, quotas=[{"concurrent": 3, "retry_after": 0.5}])

    async def together() -> list[httpx.Response]:
        async with httpx.AsyncClient(verify=TLS) as client:
            posts = [client.post(server.base_url + CHAT, json=BODY) for _ in range(8)]
            return await asyncio.gather(*posts)

    replies = asyncio.run(together())
    assert Counter(reply.status_code for reply in replies) == {200: 3, 429: 5}
    assert {reply.headers.get("retry-after") for reply in replies} == {None, "0.5"}
    assert post(server).status_code == 200


def test_quotas_are_per_model_where_they_name_one(openai_server: Start) -> None:
    server = openai_server(quotas=[{"requests": 1, "model": "small"}])
    assert [post(server, model=model).status_code for model in ("small", "large", "small", "large")] == [
        200,
        200,
        429,
        200,
    ]


def test_a_script_survives_json() -> None:
    script = Script(faults=(*SHARES, FaultRule(fault="cut", text="x.y")), latency=(0.1, 0.2), brain={"fixed": "x"})
    assert Script.model_validate_json(script.model_dump_json()) == script
