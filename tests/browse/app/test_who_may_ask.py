"""Who is answered: names of the host, origins of forms, tokens, methods; and the headers on every answer."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from heams.browse.security import CSP, HEADERS, Guard, Hosts, Security

PORT = 7575
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def guarded(asker: Callable[[Any], Any]) -> Any:
    """An application that tells what it got, behind the guard."""

    def told(request: Request) -> Response:
        return JSONResponse(getattr(request.state, "form", {}))

    app = Starlette(routes=[Route("/", told, methods=["GET", "POST", "PUT"])])
    security = Security(Hosts(PORT), token="right")  # noqa: S106
    app.add_middleware(Guard, security=security)
    app.state.csrf_token = "right"  # noqa: S105
    return asker(app)


@pytest.mark.parametrize(
    ("host", "accepted"),
    [
        ("127.0.0.1:7575", True),
        ("localhost:7575", True),
        ("LOCALHOST:7575", True),
        ("[::1]:7575", True),
        ("127.0.0.1:8000", False),
        ("127.0.0.1", False),
        ("evil.example:7575", False),
        ("127.0.0.1.evil.example:7575", False),
        ("localhost:7575.evil.example", False),
        ("192.168.0.7:7575", False),
        ("", False),
        ("localhost:٧٥٧٥", False),
        ("[::1", False),
    ],
)
def test_only_names_of_this_machine_are_answered(host: str, accepted: bool) -> None:
    assert Hosts(PORT).accept(host) is accepted


def test_whoever_listens_everywhere_answers_to_addresses_but_to_no_other_name() -> None:
    everywhere = Hosts(PORT, "0.0.0.0", ("results.example",))  # noqa: S104
    assert everywhere.accept("192.168.0.7:7575")
    assert everywhere.accept("[fe80::1]:7575")
    assert everywhere.accept("results.example")
    assert everywhere.accept("RESULTS.example:443")
    assert not everywhere.accept("evil.example:7575")
    assert Hosts(PORT, "box.lan").accept("box.lan:7575")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_only_this_machine_connects_to_its_own_addresses(host: str) -> None:
    assert not Hosts(PORT, host).reachable


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "box", "192.168.0.7"])  # noqa: S104
def test_others_connect_to_the_addresses_of_a_network(host: str) -> None:
    assert Hosts(PORT, host).reachable


def test_another_host_is_refused_in_words_that_say_what_to_do(guarded: Any) -> None:
    answer = guarded.get("/", headers={"Host": "rebound.example:7575"})
    assert answer.status_code == 421
    assert "'rebound.example:7575'" in answer.text
    assert "--allow-host" in answer.text
    assert answer.headers["content-security-policy"] == CSP


def test_every_answer_has_the_headers(browser: Any) -> None:
    for path, status in (("/help", 200), ("/run/nobody", 404), ("/?sort=nothing", 400), ("/nothing/here", 404)):
        answer = browser.get(path)
        assert answer.status_code == status
        assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
        assert answer.headers["cache-control"] == "no-store"
    for word in ("unsafe-inline", "unsafe-eval", "http", "*"):
        assert word not in CSP


def test_a_form_of_ours_is_heard_without_its_token(guarded: Any) -> None:
    answer = guarded.post("/", {"label": "pass", "note": "é & =", "empty": ""})
    assert answer.status_code == 200
    assert answer.json() == {"label": "pass", "note": "é & =", "empty": ""}
    by_header = guarded.post("/", {"label": "fail"}, token=False, headers={"X-CSRF-Token": "right"})
    assert by_header.json() == {"label": "fail"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://localhost:7575"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_forms_of_other_sites_are_refused_even_with_the_token(guarded: Any, headers: dict[str, str]) -> None:
    assert guarded.post("/", {"label": "pass"}, headers=headers).status_code == 403


def test_our_own_origin_is_accepted(guarded: Any) -> None:
    headers = {"Origin": "http://127.0.0.1:7575", "Sec-Fetch-Site": "same-origin"}
    assert guarded.post("/", {"label": "pass"}, headers=headers).status_code == 200


@pytest.mark.parametrize("token", ["", "wrong", "right ", "rïght"])
def test_a_form_without_the_token_of_this_process_is_refused(guarded: Any, token: str) -> None:
    answer = guarded.post("/", {"csrf": token}, token=False)
    assert answer.status_code == 403
    assert "reload the page" in answer.text


def test_tokens_of_two_processes_differ() -> None:
    assert Security(Hosts(PORT)).token != Security(Hosts(PORT)).token


def test_other_methods_kinds_and_sizes_are_refused(guarded: Any) -> None:
    assert guarded.send("PUT", "/").status_code == 405
    assert guarded.send("DELETE", "/").status_code == 405
    assert guarded.send("POST", "/", json={"csrf": "right"}).status_code == 415
    large = b"csrf=right&x=" + b"x" * (1 << 20)
    assert guarded.send("POST", "/", content=large, headers={"Content-Type": FORM}).status_code == 413


def test_nothing_is_sent_to_a_page_that_is_only_read(browser: Any) -> None:
    assert browser.post("/help", {}).status_code == 405
