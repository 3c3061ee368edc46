"""The progress bar shows every step in a terminal, and nothing where there is none."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tiny_recipes import SharedStores

from heta_framework.kb import KnowledgeBase
from heta_framework.kb.progress_bar import progress_bar

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("terminal", [True, False])
async def test_steps_are_shown_in_a_terminal_alone(tmp_path: Path, terminal: bool) -> None:
    stores = SharedStores(tmp_path)
    await stores.put()
    drawn = StringIO()
    console = Console(file=drawn, force_terminal=terminal, width=100)
    with progress_bar(console) as bar:
        kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house", progress=bar)
    shown = [name for name in ("parse documents", "embed chunks", "index vectors") if name in drawn.getvalue()]
    assert shown == (["parse documents", "embed chunks", "index vectors"] if terminal else [])
    assert kb.run_record.status == "succeeded"
