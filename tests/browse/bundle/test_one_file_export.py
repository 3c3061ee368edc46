"""`heams browse --export`: one file that holds the pages, and cannot load, run or send anything."""

import base64
import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from heams.browse.bundle import BundleOptions, Progress, write_bundle
from heams.browse.errors import BrowseError
from heams.browse.index import Library

_MAY_LOAD = (
    "script[src], img[src], link[href], iframe, object, embed, video, audio, form[action], [srcset], base, style[src]"
)


@pytest.fixture(scope="module")
def few(browse_results: Path, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Library]":
    """A library of two experiments of one benchmark, one of them hostile."""
    root = tmp_path_factory.mktemp("few")
    for name in ("plain__lexical", "hostile"):
        shutil.copytree(browse_results / name, root / name)
    with Library([root]) as found:
        yield found


@pytest.fixture(scope="module")
def exported(few: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their file."""
    path = tmp_path_factory.mktemp("file") / "bundle.html"
    write_bundle(few, path)
    return path


@pytest.fixture(scope="module")
def bundle(exported: Path) -> LexborHTMLParser:
    """The file as a browser without scripts reads it."""
    return LexborHTMLParser(exported.read_text("utf-8"))


def _page(bundle: LexborHTMLParser, label: str) -> LexborNode:
    found = [page for page in bundle.css("section.page") if (page.attributes["aria-label"] or "").startswith(label)]
    assert found, [page.attributes["aria-label"] for page in bundle.css("section.page")]
    return found[0]


def _words(inside: LexborNode | LexborHTMLParser, selector: str) -> str:
    found = inside.css_first(selector)
    assert found is not None, selector
    return found.text()


def test_every_link_leads_to_an_anchor_of_the_file(bundle: LexborHTMLParser) -> None:
    identifiers = [node.attributes["id"] for node in bundle.css("[id]")]
    leads = {node.attributes["href"] for node in bundle.css("a[href], use[href]")}
    assert len(identifiers) == len(set(identifiers))
    assert {lead for lead in leads if lead is None or not lead.startswith("#") or lead[1:] not in identifiers} == set()


def test_runs_experiments_lists_and_samples_are_in_it(bundle: LexborHTMLParser) -> None:
    runs = _page(bundle, "Runs")
    assert "home" in (runs.attributes["class"] or "").split()
    assert len(runs.css("tbody th a[href]")) == 2
    assert "Where did Nadia move to?" in _page(bundle, "Samples of plain__lexical").text()
    sample = _page(bundle, "Where did Nadia move to? · plain__lexical")
    assert [_words(part, "h2") for part in sample.css(".part")][::2] == ["Transcript", "Memory"]
    assert "My sister Nadia moved to Lisbon in March." in sample.text()


def test_nothing_in_it_loads_runs_or_sends(bundle: LexborHTMLParser) -> None:
    loading = [node.html for node in bundle.css(_MAY_LOAD)]
    assert len(loading) == 1
    assert (loading[0] or "").startswith('<link rel="icon" href="data:image/svg+xml;base64,')
    assert len(bundle.css("script")) == len(bundle.css("style")) == 1
    assert not bundle.css(
        "main :is(form[method], input, select, textarea, dialog, [hx-get], [style], noscript noscript)"
    )
    root = bundle.root
    assert root is not None
    attributes = {name for node in root.traverse() if node.is_element_node for name in node.attributes}
    assert not {name for name in attributes if name.startswith(("on", "hx-"))}


def test_the_policy_allows_its_own_style_and_script_and_nothing_else(bundle: LexborHTMLParser) -> None:
    policy = bundle.css("meta[http-equiv=Content-Security-Policy]")[0].attributes["content"] or ""
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        text = _words(bundle, tag)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}';" in policy


def test_hostile_texts_stay_texts(exported: Path, bundle: LexborHTMLParser) -> None:
    raw = exported.read_bytes()
    assert b"&lt;script&gt;alert('x')" in raw
    assert not [control for control in (b"\x1b", b"\x00", "\u202e".encode()) if control in raw]
    assert b"<img" not in raw
    sample = _page(bundle, "Where did Nadia move to? · hostile")
    assert "<img src=x onerror=alert(1)>" in sample.text()
    # with scripts a page is the text of a <noscript> and is parsed a second time
    assert len(re.findall(rb"(?i)<noscript id=", raw)) == len(re.findall(rb"(?i)</noscript", raw))


def test_the_same_results_give_the_same_bytes(few: Library, exported: Path, tmp_path: Path) -> None:
    write_bundle(few, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == exported.read_bytes()


def test_of_many_samples_those_that_failed_come_first_and_the_file_says_so(few: Library, tmp_path: Path) -> None:
    told: list[Progress] = []
    written = write_bundle(few, tmp_path / "one.html", BundleOptions(most_samples=1), told.append)
    bundle = LexborHTMLParser((tmp_path / "one.html").read_text("utf-8"))
    of_plain = [
        page for page in bundle.css("section.page") if "· plain__lexical" in (page.attributes["aria-label"] or "")
    ]
    assert len(of_plain) == 1
    assert _words(of_plain[0], ".lead .verdict") in ("fail", "partial")
    assert written.left_out[0] == (
        "Of 2 experiments this file has at most 1 sample each, those that failed first: hostile, plain__lexical."
    )
    assert written.left_out[0] in _words(bundle, "footer")
    rows = _page(bundle, "Samples of plain__lexical").css("tbody th a")
    assert ["href" in row.attributes for row in rows].count(True) == 1
    assert told[-1].pages == written.pages
    assert told[-1].size == written.size == (tmp_path / "one.html").stat().st_size


def test_an_interrupted_export_leaves_the_former_file(few: Library, exported: Path, tmp_path: Path) -> None:
    path = tmp_path / "bundle.html"
    shutil.copy(exported, path)

    def interrupt(progress: Progress) -> None:
        if progress.pages:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_bundle(few, path, told=interrupt)
    assert path.read_bytes() == exported.read_bytes()
    assert [entry.name for entry in tmp_path.iterdir()] == ["bundle.html"]


def test_no_other_file_is_overwritten(few: Library, tmp_path: Path) -> None:
    other = tmp_path / "runs.jsonl"
    other.write_text("{}\n")
    with pytest.raises(BrowseError, match="is no export of heams browse, so it is not overwritten"):
        write_bundle(few, other)
    with pytest.raises(BrowseError, match="there is no folder"):
        write_bundle(few, tmp_path / "nowhere" / "bundle.html")
    with pytest.raises(BrowseError, match=r"this is a folder; name a file in it, such as .*bundle\.html"):
        write_bundle(few, tmp_path)
    assert other.read_text() == "{}\n"
