"""A real browser on a real `heams browse`, over results of real runs; a test fails if a page does what it must not.

Needs the package ``playwright`` (dependency group ``browser``) and a Chromium on the path; without them these tests are
skipped. ``HEAMS_SCREENSHOTS`` names the folder of the screenshots, ``build/screenshots`` by default.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsable_results import play
from browse_server import browsing
from browsed_page import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--force-prefers-reduced-motion",
)  # fmt: skip
HEIGHT = 900
PATIENCE_MS = 15_000
LOCOMO, LEXICAL = "extractive__full_context__locomo_mini", "extractive__lexical__locomo_mini"
PLACES = {
    "runs": "/",
    "runs_flat": "/?flat=1&sort=-score",
    "runs_nothing": "/?q=zebra",
    "matrix": "/matrix",
    "help": "/help",
    "experiment": f"/run/{LEXICAL}",
    "experiment_privacy": "/run/extractive__hybrid_retention__retention_policy",
    "experiment_failing": "/run/failing",
    "experiment_recipe": "/run/village__words__full_text_search",
    "samples": f"/run/{LEXICAL}/samples",
    "samples_filtered": f"/run/{LEXICAL}/samples?q=verdict%3Afail+value%3C0.5",
    "samples_nothing": f"/run/{LEXICAL}/samples?q=verdict%3Apass+value%3C0.1",
    "samples_mistake": f"/run/{LEXICAL}/samples?q=verdct%3Afail",
    "samples_hostile": "/run/hostile/samples",
    "sample": f"/run/{LEXICAL}/sample?id={{first}}",
    "sample_transcript": f"/run/{LEXICAL}/sample?id={{first}}&tab=transcript",
    "sample_recalled": f"/run/{LEXICAL}/sample?id={{first}}&tab=recalled",
    "sample_memory": f"/run/{LEXICAL}/sample?id={{first}}&tab=memory",
    "sample_costs": f"/run/{LEXICAL}/sample?id={{first}}&tab=costs",
    "sample_json": f"/run/{LEXICAL}/sample?id={{first}}&tab=json",
    "sample_judged": "/run/judged/sample?id=q1&metric=llm_judge%2Fjudge_lenient",
    "sample_hostile": "/run/hostile/sample?id=q1",
    "sample_failing": "/run/failing/sample?id=q1",
    "compare_nothing": "/compare",
    "compare": f"/compare?a={LOCOMO}&b={LEXICAL}",
    "compare_by_tag": f"/compare?a={LOCOMO}&b={LEXICAL}&by=category",
    "compare_unlike": "/compare?a=retention&b=extractive__lexical__retention_policy",
    "judge": "/judge",
    "judge_of_one": "/judge?run=judged",
    "judge_of_none": "/judge?run=plain__lexical",
    "labels": "/run/judged/labels?metric=llm_judge%2Fjudge_lenient",
    "nothing_here": "/run/retntion",
}
"""Every page in every state that looks different. ``{first}`` is the first sample of the experiment."""
REFUSED = frozenset({"nothing_here", "samples_mistake", "compare_unlike"})
"""Places that are answered with an error on purpose."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``place`` is each name of ``PLACES``."""
    if "place" in metafunc.fixturenames:
        metafunc.parametrize("place", PLACES)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders of results: small special cases, and benchmarks with several memories. Labels are written there."""
    import heams.api

    base = tmp_path_factory.mktemp("played")
    play(base)
    heams.api.run(_holistic(), base / "holistic", root=ROOT)
    return base / "results", base / "holistic"


@pytest.fixture(scope="session")
def server(played: tuple[Path, Path]) -> Iterator[str]:
    """The address of `heams browse` over ``played``."""
    with browsing(*played) as address:
        yield address


@pytest.fixture(scope="session")
def chromium(server: str) -> "Iterator[Browser]":
    """The browser; begun last, because nothing else can wait in this thread once it runs."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(CHROMIUM)} is installed")
    api = pytest.importorskip("playwright.sync_api", reason="the dependency group `browser` (playwright) is missing")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def watch(server: str) -> Iterator[Watch]:
    """What the pages of this test did wrong; it must be nothing."""
    found = Watch(server)
    yield found
    assert not found.faults


@pytest.fixture
def context_of(chromium: "Browser", watch: Watch) -> "Iterator[Callable[..., BrowserContext]]":
    """A new window: how wide, which theme, and whatever else playwright can set."""
    opened = []

    def build(width: int = 1440, theme: str = "light", **options: Any) -> "BrowserContext":
        context = chromium.new_context(
            base_url=watch.origin,
            viewport={"width": width, "height": HEIGHT},
            color_scheme=theme,  # type: ignore[arg-type]
            **options,
        )
        context.set_default_timeout(PATIENCE_MS)
        watch.follow(context)
        opened.append(context)
        return context

    yield build
    for context in opened:
        context.close()


@pytest.fixture
def page(context_of: "Callable[..., BrowserContext]") -> "Page":
    """A page 1440 wide, light."""
    return context_of().new_page()


@pytest.fixture
def go(watch: Watch, first_sample: str) -> "Callable[[Page, str], None]":
    """Opens a place of ``PLACES`` and waits until everything on it has come."""

    def open_place(page: "Page", place: str) -> None:
        if place in REFUSED:
            watch.expected |= {400, 404, 409}
        page.goto(PLACES[place].format(first=first_sample))
        page.wait_for_load_state("networkidle")

    return open_place


@pytest.fixture(scope="session")
def first_sample(played: tuple[Path, Path]) -> str:
    """The first sample of the experiment in ``PLACES``, as it is written in an address."""
    import json
    from urllib.parse import quote

    with (played[1] / LEXICAL / "runs.jsonl").open(encoding="utf-8") as lines:
        return quote(json.loads(next(lines))["sample_id"])


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """The folder of the screenshots."""
    folder = Path(os.environ.get("HEAMS_SCREENSHOTS", ROOT / "build" / "screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def faults_of() -> "Callable[[Page], list[str]]":
    """What is wrong with a page for who reads it with a screen reader, a keyboard, or tired eyes."""
    script = (Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
    return lambda page: list(page.evaluate(script))


def _holistic() -> dict[str, Any]:
    return {
        "run_name": "holistic",
        "matrix": {
            "agents": ["extractive.yaml"],
            "memory_systems": ["no_memory.yaml", "full_context.yaml", "lexical.yaml"],
            "benchmarks": ["locomo_mini.yaml", "retention_policy.yaml", "transparency.yaml"],
        },
        "experiments": [
            _named("learner", "lexical", "ee"),
            _named("extractive", "hybrid_retention", "retention_policy"),
        ],
    }


def _named(agent: str, memory: str, benchmark: str) -> dict[str, Any]:
    return {
        "name": f"{agent}__{memory}__{benchmark}",
        "agent_config_file": f"{agent}.yaml",
        "memory_system_config_file": f"{memory}.yaml",
        "benchmark_config_file": f"{benchmark}.yaml",
    }
