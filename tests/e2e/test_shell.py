"""What all pages share: keys, the help, the theme, the policy; and texts that attack a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
ATTACKED = (
    "/run/hostile", "/run/hostile/samples", "/run/hostile/samples?columns=verdict,name,observed,reason,expected",
    "/run/hostile/sample?id=q1", "/run/hostile/sample?id=q1&tab=transcript&history=1",
    "/run/hostile/sample?id=q1&tab=recalled", "/run/hostile/sample?id=q1&tab=json",
    "/compare?a=hostile&b=plain__lexical&allow=agent", "/run/hostile/sample?id=%3Cscript%3Ealert(1)%3C/script%3E",
    "/run/%3Cimg%20src=x%20onerror=alert(1)%3E", "/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "/run/hostile/samples?q=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
)  # fmt: skip


def test_the_theme_is_switched_by_hand_and_kept_after_a_reload(page: "Page") -> None:
    page.goto("/")
    light = page.evaluate(BACKGROUND)
    switch = page.get_by_role("button", name="Switch the theme")
    switch.click()
    switch.click()
    page.get_by_text("Theme: dark").wait_for()
    dark = page.evaluate(BACKGROUND)
    assert dark != light
    page.reload()
    assert page.evaluate(BACKGROUND) == dark
    page.goto("/help")
    assert page.evaluate(BACKGROUND) == dark
    switch.click()
    assert page.evaluate(BACKGROUND) == light


def test_without_javascript_the_theme_is_that_of_the_system(context_of: Callable[..., Any]) -> None:
    page = context_of(theme="dark", java_script_enabled=False).new_page()
    page.goto("/")
    dark = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    page.emulate_media(color_scheme="light")
    assert page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor") != dark


def test_keys_lead_from_everywhere_to_everywhere(page: "Page") -> None:
    page.goto("/run/plain__lexical/sample?id=q1")
    for key, path in (("m", "/matrix"), ("c", "/compare"), ("j", "/judge"), ("r", "/")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(f"**{path}")
    page.keyboard.press("/")
    page.keyboard.type("g r?")
    assert page.get_by_role("searchbox").input_value() == "g r?"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    help_ = page.get_by_role("dialog", name="Keys")
    help_.wait_for()
    page.keyboard.press("Escape")
    help_.wait_for(state="hidden")
    page.keyboard.press("?")
    help_.get_by_role("button", name="Close").click()
    help_.wait_for(state="hidden")


def test_the_help_of_each_page_names_its_own_keys(page: "Page") -> None:
    for path, words in (
        ("/", "compare the two that are marked"),
        ("/run/plain__lexical/samples", "filter on a verdict"),
        ("/run/plain__lexical/sample?id=q1", "transcript"),
        ("/compare?a=plain__lexical&b=plain__no_memory", "swap A and B"),
    ):
        page.goto(path)
        page.keyboard.press("?")
        assert words in page.get_by_role("dialog", name="Keys").inner_text()


def test_the_first_tab_skips_to_the_content(page: "Page") -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    page.get_by_role("link", name="Skip to the content").wait_for()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.parametrize("path", ATTACKED)
def test_an_attack_in_a_text_stays_a_text(path: str, page: "Page", watch: Any) -> None:
    watch.expected |= {400, 404}
    page.on("dialog", lambda dialog: (watch.faults.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    page.goto(path)
    page.wait_for_load_state("networkidle")
    assert page.locator("main img:not([src^='/charts/'])").count() == 0
    assert page.locator("script:not([src])").count() == 0
    assert page.locator("h1").count() == 1


def test_the_policy_stops_what_would_get_into_a_page(page: "Page", watch: Any) -> None:
    page.goto("/")
    page.evaluate("""() => {
      const markup = "<img src=x onerror='document.title = 1'><b style='color: red'>x</b>";
      document.body.insertAdjacentHTML("beforeend", markup);
      const script = document.createElement("script");
      script.textContent = "document.title = 2";
      document.body.append(script);
    }""")
    page.wait_for_timeout(200)
    assert page.title().startswith("Runs")
    violations = [fault for fault in watch.faults if "policy violated" in fault]
    assert any("script-src" in fault for fault in violations)
    assert any("style-src" in fault for fault in violations)
    watch.faults.clear()


def test_another_page_can_neither_show_nor_read_nor_write(page: "Page", watch: Any, played: tuple[Path, Path]) -> None:
    other = watch.origin.replace("127.0.0.1", "localhost")
    watch.faults.clear()
    page.context.unroute_all()
    page.goto(f"{other}/help")
    page.evaluate(
        """async origin => {
          const frame = Object.assign(document.createElement("iframe"), { src: `${origin}/` });
          document.body.append(frame);
          const form = new URLSearchParams({ id: "q1", repeat: "0", metric: "task_qa/contains", verdict: "fail" });
          await fetch(`${origin}/run/judged/label`, { method: "POST", mode: "no-cors", body: form }).catch(() => null);
        }""",
        watch.origin,
    )
    page.wait_for_timeout(300)
    assert not any(frame.url.startswith(watch.origin + "/") for frame in page.frames)
    assert watch.faults, "the policy of the other page has said so"
    watch.faults.clear()
