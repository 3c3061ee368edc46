"""Addresses and requests of attackers, to every page: refused in words, never a fault of ours."""

from typing import Any
from urllib.parse import quote

import pytest

REFUSED = {400, 404, 405, 409, 414, 421}
FILES = ("/etc/passwd", "app.py", "experiment_config", "runs.jsonl")
TRAVERSALS = (
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%252f..%252fetc%252fpasswd",
    "....//....//etc/passwd",
    "..%5c..%5cetc%5cpasswd",
    "%2fetc%2fpasswd",
    "/etc/passwd",
    "plain__lexical%00.png",
    "plain__lexical%2f..%2fretention",
    "plain__lexical/runs.jsonl",
    ".",
    "..",
    "%c0%ae%c0%ae%c0%afetc",
    "file:%2f%2f%2fetc%2fpasswd",
)
PAGES = (
    "/run/{}", "/run/{}/samples", "/run/{}/samples.csv", "/run/{}/sample?id=q1", "/run/{}/sample.json?id=q1",
    "/run/{}/text?id=x", "/run/{}/labels?metric=a/b", "/run/{}/complete?q=a", "/run/{}/new", "/static/{}", "/charts/{}",
    "/charts/run/{}/latency.svg",
)  # fmt: skip
SAMPLES = "/run/plain__lexical/samples"
SAMPLE = "/run/plain__lexical/sample"
HUGE = "9" * 400
ODD_VALUES = (
    "", " ", "-1", "0", "1e999", "nan", "0x10", "１", HUGE, f"-{HUGE}", "'; DROP TABLE records; --", '" OR 1=1 --',
    "$metric", "\x00", "\ud7ff\uffff", "%00", "../..", "<script>", "a" * 20_000, "(" * 3_000, "NOT " * 2_000, '"', "\\",
    "tag.", "tag.:x", "value<", "~", 'text~"', "a/b/c", "[]", "{{7*1234567}}",
)  # fmt: skip
STEPS = (11, pytest.param(1, marks=pytest.mark.long))
"""Every 11th value for each parameter, beginning with another one; or all values for all of them."""
PARAMETERS = {
    SAMPLES: ("metric", "q", "sort", "columns", "page", "size"),
    "/run/plain__lexical/samples.jsonl": ("metric", "q", "sort", "columns"),
    f"{SAMPLE}?id=q1": (
        "id", "repeat", "step", "tab", "verdict", "at", "items", "steps", "history", "metric", "q", "sort", "page",
    ),
    "/run/plain__lexical/sample.txt?id=q1": ("id", "repeat", "at"),
    "/run/plain__lexical/text": ("id",),
    "/run/plain__lexical/complete": ("q", "cursor", "metric"),
    "/run/plain__lexical/new": ("q", "shown", "metric"),
    "/run/judged/labels": ("metric", "seed"),
    "/run/judged/labels.jsonl": ("metric",),
    "/": ("q", "sort", "dimension", "flat", "seen"),
    "/compare?a=plain__lexical&b=plain__full_context": (
        "a", "b", "metric", "by", "cell", "only", "allow", "page", "sort", "sample", "id", "step",
    ),
    "/judge?run=judged": ("run", "metric", "cell", "page"),
    "/matrix": ("dimension", "metric", "agent", "sort", "q"),
}  # fmt: skip

OTHER_HOSTS = (
    "rebound.example:7575", "127.0.0.1.nip.example:7575", "localhost.:7575x", "0:7575", "2130706433:7575",
    "[::ffff:7f00:1]:80", "127.0.0.1:7575@evil.example", "evil.example#127.0.0.1:7575", " ", "a" * 5_000,
)  # fmt: skip
OTHER_KINDS = (
    "text/plain", "multipart/form-data; boundary=x", "application/json", "text/xml", "",
    "application/x-www-form-urlencoded-not",
)  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_no_name_leads_out_of_the_results(browser: Any, step: int) -> None:
    tried = [(page, name) for place, page in enumerate(PAGES) for name in TRAVERSALS[place % step :: step]]
    for page, name in tried:
        answer = browser.get(page.format(name))
        if name in {".", ".."} and answer.status_code == 200:
            continue  # the client itself has shortened the address
        assert answer.status_code in REFUSED, (name, answer.status_code)
        assert "root:" not in answer.text, name
        assert "Traceback" not in answer.text, name


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("page", PARAMETERS)
def test_whatever_is_asked_for_is_answered_or_refused_in_words(browser: Any, page: str, step: int) -> None:
    for place, name in enumerate(PARAMETERS[page]):
        for value in ODD_VALUES[place % step :: step]:
            joined = f"{page}{'&' if '?' in page else '?'}{name}={quote(value)}"
            answer = browser.get(joined)
            assert answer.status_code < 500, (name, value[:50])
            assert "Traceback" not in answer.text, (name, value[:50])
            assert "<script>" not in answer.text, (name, value[:50])
            assert "8641969" not in answer.text, (name, value[:50])


@pytest.mark.parametrize("page", [SAMPLES, "/", "/compare?a=plain__lexical&b=plain__full_context"])
def test_thousands_of_everything_are_answered(browser: Any, page: str) -> None:
    start = f"{page}{'&' if '?' in page else '?'}"
    for more in (
        "&".join(f"columns=c{n}" for n in range(3_000)),
        f"columns={','.join(f'tag.x{n}' for n in range(3_000))}",
        f"sort={','.join(f'-tag.x{n}' for n in range(2_000))}",
        "&".join("page=1" for _ in range(2_000)),
        f"q={quote(' OR '.join(f'verdict:x{n}' for n in range(2_000)))}",
        f"q={quote('(' * 500 + 'a' + ')' * 500)}",
        "&" * 5_000,
        "%" * 3_000,
        "=&" * 3_000,
        "a[b][c]=1&a.b=2",
    ):
        answer = browser.get(start + more)
        assert answer.status_code < 500, more[:60]
        assert "Traceback" not in answer.text


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "X" * 300])
def test_nothing_but_reading_and_forms_is_heard(browser: Any, method: str) -> None:
    for path in ("/", "/run/plain__lexical", "/run/plain__lexical/label", "/static/heams.css"):
        answer = browser.send(method, path)
        assert answer.status_code == 405
        assert "Content-Security-Policy" in answer.headers


def test_a_method_cannot_be_written_over(browser: Any) -> None:
    for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        answer = browser.get("/run/judged/label?verdict=pass&id=q1", headers={header: "POST"})
        assert answer.status_code in {404, 405}
    assert browser.get("/run/judged/label?_method=POST&verdict=pass").status_code in {404, 405}


@pytest.mark.parametrize("host", OTHER_HOSTS)
def test_another_name_of_this_machine_reads_nothing_and_writes_nothing(browser: Any, host: str) -> None:
    for method, path in (("GET", "/"), ("GET", "/run/judged/samples.csv"), ("POST", "/run/judged/label")):
        answer = browser.send(method, path, headers={"Host": host})
        assert answer.status_code == 421
        assert "judged" not in answer.text


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_form_in_other_clothes_is_refused(browser: Any, kind: str, browse_results: Any) -> None:
    body = f"csrf={browser.app.state.csrf_token}&verdict=pass&id=q1"
    answer = browser.send("POST", "/run/judged/label", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert not (browse_results / "judged" / "human_labels.jsonl").exists()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:7576"},
        {"Origin": "http://127.0.0.1:7575.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_label_of_another_site_is_not_saved(browser: Any, headers: dict[str, str], browse_results: Any) -> None:
    form = {"id": "q1", "repeat": "0", "metric": "task_qa/contains", "verdict": "pass"}
    assert browser.post("/run/judged/label", form, headers=headers).status_code == 403
    assert browser.post("/run/judged/label", form, token=False).status_code == 403
    assert browser.post("/run/judged/label", {**form, "csrf": "x" * 43}, token=False).status_code == 403
    assert not (browse_results / "judged" / "human_labels.jsonl").exists()


@pytest.mark.parametrize("step", STEPS)
def test_a_form_with_odd_values_is_refused_in_words(browser: Any, step: int, browse_results: Any) -> None:
    form = {"id": "q1", "repeat": "0", "step": "0", "metric": "task_qa/contains", "verdict": "nonsense", "seen": ""}
    for place, name in enumerate((*form, "note", "back")):
        for value in ODD_VALUES[place % step :: step]:
            answer = browser.post("/run/judged/label", {**form, name: value})
            assert 400 <= answer.status_code < 500, (name, value[:50], answer.status_code)
            assert "Traceback" not in answer.text
    assert not (browse_results / "judged" / "human_labels.jsonl").exists()
