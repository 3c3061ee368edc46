"""Every text that results can hold is an attack: every page shows it, and nothing of it acts."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from poisoned_results import poison
from selectolax.lexbor import LexborHTMLParser, LexborNode

from heams.browse.index import Library
from heams.browse.rendering import links
from heams.reporting.compare.unlike import ALLOWABLE

ANSWERED = {200, 204, 303, 409}
"""409 says that two experiments cannot be compared, and names in what they differ."""
PAYLOADS = {
    "markup": "\"'></script></textarea></title><script>alert(1)</script><img src=x onerror=alert(1)>{{7*'7'}}${7}",
    "attribute": "\" onfocus=alert(1) autofocus style='position:fixed' x='` `",
    "control": " \x00\x07\x1b[31mred\x1b]8;;http://evil.example\x07\x9b \u202egnp.exe\u2066 \u2028 \ufeff \x7f\r",
    "address": "javascript:alert(1)//\n<!--<base href=//evil.example><meta http-equiv=refresh content=0>-->",
}
ALL_AT_ONCE = "address", "markup", "attribute", "control"
FOLDER = "<img src=x onerror=alert(1)> ..%2f '\"{{7}}"
"""The name of a folder of results, which is part of every address."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@pytest.fixture(
    scope="module",
    params=[
        "".join(PAYLOADS[name] for name in ALL_AT_ONCE),
        *(pytest.param(one, marks=pytest.mark.long) for one in PAYLOADS.values()),
    ],
    ids=["all", *PAYLOADS],
)
def poisoned(
    request: pytest.FixtureRequest, browse_results: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Library, str]]:
    """A library of attacks: of all kinds at once, or (long) of one."""
    payload = request.param
    root = tmp_path_factory.mktemp("poisoned")
    for source, name, keep in (
        ("plain__lexical", FOLDER, ()),
        (
            "judged",
            "judged",
            ("evaluator", "metric", "sample_id"),
        ),  # so that a judge is found, and a form finds its sample
        ("plain__full_context", "other", ()),
    ):
        shutil.copytree(browse_results / source, root / name)
        poison(root / name, payload, keep=keep)
    with Library([root]) as library:
        yield library, payload


def test_every_page_shows_an_attack_and_obeys_none(
    poisoned: tuple[Library, str], browser_of: Callable[[Library], Any]
) -> None:
    library, payload = poisoned
    browser = browser_of(library)
    _read(browser)
    for path in _addresses(library, payload):
        answer = browser.get(path)
        assert answer.status_code in ANSWERED, (answer.status_code, path, _words(answer.text))
        if "text/html" in answer.headers.get("content-type", ""):
            _check(path, answer.text)


def test_files_to_save_hold_the_attack_as_it_was_under_a_name_that_is_none(
    poisoned: tuple[Library, str], browser_of: Callable[[Library], Any]
) -> None:
    library, payload = poisoned
    browser = browser_of(library)
    sample = library.experiment(FOLDER).result(0)
    assert payload in sample.sample_id
    for kind in ("samples.csv", "samples.jsonl", "samples.md", "sample.json", "sample.txt"):
        path = f"/run/{quote(FOLDER, safe='')}/{kind}"
        asked = {"id": sample.sample_id, "at": "/sample_name"} if kind.startswith("sample.") else {}
        answer = browser.get(path, params=asked)
        assert answer.status_code == 200, kind
        assert not answer.headers["content-type"].startswith("text/html"), kind
        assert answer.headers["x-content-type-options"] == "nosniff"
        named = answer.headers.get("content-disposition", "")
        assert not set(named) & set("<>\r\n\\"), named


def test_a_note_of_a_label_is_shown_as_it_was_written(
    poisoned: tuple[Library, str], browser_of: Callable[[Library], Any]
) -> None:
    library, payload = poisoned
    browser = browser_of(library)
    sample = library.experiment("judged").result(0).sample_id
    metric = "llm_judge/judge_lenient"
    shown = LexborHTMLParser(browser.get(links.sample("judged", sample, 0, None, metric=metric)).text)
    form = {node.attributes["name"]: node.attributes["value"] for node in shown.css(".label-form input")}
    sent = {**form, "verdict": "fail", "note": payload, "back": "//evil.example/"}
    saved = browser.post("/run/judged/label", sent)
    assert saved.status_code == 303, saved.text
    assert re.match(r"/run/judged/", saved.headers["location"])
    page = browser.get(links.sample("judged", sample, 0, None, metric=metric))
    assert page.text.count("label-note") == 1
    _check("the sample", page.text)
    assert page.status_code == 200


def _addresses(library: Library, payload: str) -> Iterator[str]:
    """The pages of a library, with the attack also in what was asked for."""
    keys = [one.key for one in library.experiments]
    assert FOLDER in keys
    yield from ("/", f"/?q={quote(payload)}", "/?flat=1&sort=-score", "/matrix", "/compare", "/judge", "/help")
    for key in keys:
        experiment = library.experiment(key)
        yield links.run(key)
        yield f"/charts/run/{quote(key, safe='')}/latency.svg"
        yield links.judge(key)
        for metric in list(dict.fromkeys(str(one) for one in _metrics(experiment)))[:2]:
            yield links.samples(key, metric=metric, columns="all")
            yield links.samples(key, metric=metric, q='text~"a"', sort="-value")
        result = experiment.result(1)
        for tab in (None, "transcript", "recalled", "memory", "costs", "json"):
            yield links.sample(key, result.sample_id, 0, None, tab=tab, also="1", history="1")
    yield "&".join([links.compare(keys[0], keys[1]), *(f"allow={name}" for name in ALLOWABLE)])
    yield links.compare(keys[0], keys[2], by=f"kind{payload}")
    yield links.compare(keys[0], keys[2])


def _metrics(experiment: Any) -> list[str]:
    return [f"{found.evaluator}/{found.metric}" for found in experiment.digest().metrics]


def _check(path: str, text: str) -> None:
    page = LexborHTMLParser(text)
    for field in page.css("textarea"):
        field.decompose()  # as whoever wrote it wants to find it
    shown = "".join(node.text() for node in page.css("title, body"))
    found = _FORBIDDEN.search(shown)
    assert not found, (path, shown[max(found.start() - 200, 0) : found.end() + 50])
    assert not page.css("iframe, object, embed, base, style, math, script:not([src]), noscript script"), path
    assert all((node.attributes.get("src") or "").startswith("/static/") for node in page.css("script")), path
    for node in page.css("*"):
        _check_node(path, node)


def _check_node(path: str, node: LexborNode) -> None:
    attributes = node.attributes
    assert not [name for name in attributes if name.startswith("on") or name == "style"], (path, node.html)
    for name in ("href", "src", "action", "formaction", "hx-get", "hx-post", "xlink:href", "data-copy"):
        address = attributes.get(name)
        if address:
            assert re.match(r"/(?![/\\\s])|[?#]", address), (path, name, address)
    if node.tag == "img":
        assert (attributes.get("src") or "").startswith(("/static/", "/charts/")), (path, node.html)
    if node.tag == "meta":
        assert attributes.get("http-equiv") is None or attributes["content"] == "5", (path, node.html)


def _words(text: str) -> str:
    main = LexborHTMLParser(text).css_first("main")
    return " ".join(main.text(separator=" ").split())[:500] if main is not None else text[:500]


def _read(browser: Any) -> None:
    while "still to be read" in browser.get("/").text:
        continue
