"""`heams browse --export`: one file, read from a disk by a browser that is offline, with and without scripts."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browse_server import HEAMS
from browsed_page import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def bundle(played: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file."""
    file = tmp_path_factory.mktemp("bundle") / "bundle.html"
    command = [*HEAMS, "browse", str(played[0]), "--export", str(file), "--export-samples", "6"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return file


@pytest.fixture(params=[True, False], ids=["scripts", "no_scripts"])
def offline(request: pytest.FixtureRequest, bundle: Path, chromium: "Browser") -> "Iterator[BrowserContext]":
    """A window without a network, that notices every request."""
    watch = Watch(bundle.parent.as_uri())
    context = chromium.new_context(offline=True, java_script_enabled=request.param)
    watch.follow(context)
    yield context
    context.close()
    assert not watch.faults


def shown(page: "Page") -> list[str]:
    """The headings of the one page that can be seen."""
    return [heading.inner_text() for heading in page.locator("h1").all() if heading.is_visible()]


def test_one_file_has_every_kind_of_page_and_leads_from_one_to_the_next(
    offline: "BrowserContext", bundle: Path, screenshots: Path
) -> None:
    page = offline.new_page()
    page.goto(bundle.as_uri())
    assert shown(page) == ["Runs"]
    page.screenshot(path=screenshots / "bundle_runs.png")
    page.locator("a[data-row]:visible", has_text="hybrid").or_(page.locator("a[data-row]:visible")).first.click()
    (experiment,) = shown(page)
    assert " on " in experiment
    page.locator("main a:visible", has_text="Samples").first.click()
    assert len(shown(page)) == 1
    page.locator("a[data-row]:visible").first.click()
    assert len(shown(page)) == 1
    assert page.get_by_role("heading", name="Expected", exact=True).locator("visible=true").count() == 1
    page.screenshot(path=screenshots / "bundle_sample.png")
    page.go_back()
    page.go_back()
    assert shown(page) == [experiment]
    for name in ("Matrix", "Compare", "Judge"):
        page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).locator("visible=true").click()
        assert len(shown(page)) == 1
    assert page.locator("form:visible").count() == 0


def test_texts_that_attack_stay_texts(offline: "BrowserContext", bundle: Path) -> None:
    page = offline.new_page()
    page.goto(bundle.as_uri())
    page.locator("a[data-row]:visible", has_text="lexical").first.wait_for()
    assert page.locator("img[src='x']").count() == 0
    assert page.locator("script").count() == 1
    assert "alert('x')" in bundle.read_text(encoding="utf-8")
