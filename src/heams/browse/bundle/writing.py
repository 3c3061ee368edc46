"""Writes the file: page after page, beside the place where it belongs, and there only once it is whole."""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.applications import Starlette

from heams.browse.app import create_app
from heams.browse.bundle import frame
from heams.browse.bundle.asking import Ask, asking, has_page, picture_of, settled
from heams.browse.bundle.choice import choose
from heams.browse.bundle.contents import Contents, Part, Section
from heams.browse.bundle.left_out import left_out
from heams.browse.bundle.moments import as_dates
from heams.browse.bundle.progress import Progress
from heams.browse.bundle.rewriting import Icons, Page, rewritten
from heams.browse.bundle.targets import COMPARISONS, Target
from heams.browse.errors import BrowseError
from heams.browse.index import Library
from heams.browse.rendering.links import NAVIGATION
from heams.browse.security import Hosts, Security
from heams.orchestration.files import replace_with

_PORT = 80
_BASE_URL = "http://127.0.0.1"
_MARK = b"<!doctype html>\n<!-- heams browse"
_MOST_SAMPLES = 50
_WORKED_OUT: Container[Target] = {("page", "matrix")}
"""Pages that are shown before all of them is known; others that ask again follow a run that is under way."""


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """``most_samples`` pages of samples an experiment; those that failed come first."""

    most_samples: int = _MOST_SAMPLES


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written: pages, bytes, and what it leaves out, in sentences."""

    path: Path
    pages: int
    size: int
    left_out: tuple[str, ...]


def write_bundle(
    library: Library,
    path: Path,
    options: BundleOptions = BundleOptions(),
    told: Callable[[Progress], None] = lambda progress: None,
) -> Written:
    """Write all pages of a library into the file ``path``. The same results give the same bytes.

    Raises:
        BrowseError: there is no such folder, or ``path`` is another file, which is not overwritten.
        ResultsError: the results cannot be read.
    """
    check(path)
    app = create_app(library, Security(Hosts(_PORT)))
    choices = {one.key: choose(one, options.most_samples) for one in library.experiments}
    contents = Contents(library, choices, partial(has_page, app))
    sentences = left_out(contents, options.most_samples)
    size = 0

    def counted() -> Iterator[bytes]:
        nonlocal size
        for place, part in enumerate(_parts(app, contents, sentences)):
            encoded = part.encode("utf-8", "backslashreplace")
            size += len(encoded)
            told(Progress(min(place, len(contents)), len(contents), size))
            yield encoded

    with as_dates():
        replace_with(path, counted())
    return Written(path, len(contents), size, tuple(sentences))


def check(path: Path) -> None:
    """Whether the file can be written there.

    Raises:
        BrowseError: there is no such folder, or something else is there.
    """
    if not path.parent.is_dir():
        raise BrowseError(f"--export {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise BrowseError(f"--export {path}: this is a folder; name a file in it, such as {path / 'bundle.html'}")
    if path.exists():
        with path.open("rb") as file:
            if file.read(len(_MARK)) not in (_MARK, b""):
                raise BrowseError(f"--export {path}: this file is no export of heams browse, so it is not overwritten")


def _parts(app: Starlette, contents: Contents, sentences: list[str]) -> Iterator[str]:
    icons = Icons()
    yield frame.begin(_navigation(contents), "Results")
    with asking(app, _BASE_URL) as ask:
        for section in contents:
            yield _section(ask, contents, section, icons)
    yield frame.end(icons, sentences)


def _section(ask: Ask, contents: Contents, section: Section, icons: Icons) -> str:
    def page(part: Part, *, below: bool) -> Page:
        if part.target == COMPARISONS:
            return frame.comparisons(contents.compared, contents.find)
        html = settled(ask, part.address) if part.target in _WORKED_OUT else ask(part.address).text
        return rewritten(html, part.name, contents.find, partial(picture_of, ask), icons, below=below)

    first = page(section.first, below=False)
    further = {part.name: page(part, below=True) for part in section.further}
    return frame.section(section.first.name, first, further)


def _navigation(contents: Contents) -> dict[str, tuple[str, str]]:
    """Words and key of the entries of the bar on top, by the anchor of their page."""
    entries = [*((words, href, key) for _, words, href, key in NAVIGATION), ("Help", "/help", "?")]
    found = ((contents.find(href), words, key) for words, href, key in entries)
    return {anchor: (words, key) for anchor, words, key in found if anchor is not None}
