"""A judged experiment that may be written to, and a person who labels its answers."""

import html
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx

    from heams.browse.index import Experiment, Library

METRIC = "llm_judge/judge_lenient"


@dataclass(frozen=True)
class Labeller:
    """Labels answers as a browser does: with the fields of the form that the page shows."""

    browser: Any
    library: "Library"

    @property
    def experiment(self) -> "Experiment":
        """The judged experiment."""
        return self.library.experiment("judged")

    @property
    def directory(self) -> Path:
        """Its folder."""
        return self.experiment.results.directory

    def fields(self, sample_id: str) -> dict[str, str]:
        """The hidden fields of a sample's form."""
        from heams.browse.labels import VerdictKey, label_form

        with self.experiment.tables() as tables:
            key = VerdictKey(sample_id, 0, 0, "llm_judge", "judge_lenient")
            form = label_form(self.experiment, tables, key, back="/judge?run=judged")
        assert form is not None
        return {"id": sample_id, "repeat": "0", "step": "0", "metric": METRIC, "seen": form.seen, "back": form.back}

    def say(self, sample_id: str, verdict: str, headers: dict[str, str] | None = None, **more: str) -> "httpx.Response":
        """Label a sample."""
        sent = {**self.fields(sample_id), "verdict": verdict, **more}
        response: httpx.Response = self.browser.post("/run/judged/label", sent, headers=headers)
        return response

    def page(self, path: str) -> str:
        """The words of a page, without its markup."""
        response = self.browser.get(path)
        assert response.status_code == 200, response.text
        return " ".join(re.sub(r"<[^>]+>", " ", response.text).split())

    def links(self, path: str, beginning: str) -> list[str]:
        """The addresses on a page that begin so."""
        found = re.findall(r'href="([^"]+)"', self.browser.get(path).text)
        return [html.unescape(href) for href in found if href.startswith(beginning)]


@pytest.fixture
def judged(browse_results: Path, tmp_path: Path) -> Path:
    """Results with a copy of the judged experiment, to be changed at will."""
    shutil.copytree(browse_results / "judged", tmp_path / "results" / "judged")
    return tmp_path / "results"


@pytest.fixture
def reader(browser: Any, library: "Library") -> Labeller:
    """Somebody who looks at the judged experiment that all tests share, and must not change it."""
    return Labeller(browser, library)


@pytest.fixture
def labeller(judged: Path, browser_of: "Callable[[Library], Any]") -> Iterator[Labeller]:
    """Somebody who labels the judged experiment."""
    from heams.browse.index import Library

    with Library([judged]) as library:
        yield Labeller(browser_of(library), library)


@pytest.fixture
def reopened(judged: Path, browser_of: "Callable[[Library], Any]") -> "Iterator[Callable[[], Labeller]]":
    """Opens the results anew, after they were changed."""
    from heams.browse.index import Library

    opened: list[Library] = []

    def again() -> Labeller:
        opened.append(Library([judged]))
        return Labeller(browser_of(opened[-1]), opened[-1])

    yield again
    for library in opened:
        library.close()
