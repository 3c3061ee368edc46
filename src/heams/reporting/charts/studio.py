"""Draws the figures of reports into files, beside the work of writing the reports."""

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from heams.orchestration.files import replace_file
from heams.reporting.charts.figure import FOLDER, Figure, without_figures
from heams.reporting.charts.render import specification, svg_of
from heams.reporting.errors import ResultsError


class Studio:
    """Use as a context manager: when it ends, every picture is there. ``drawing`` False leaves all figures out.

    Raises:
        ResultsError: a chart cannot be drawn, or its file cannot be written.
    """

    def __init__(self, *, drawing: bool = True) -> None:
        self._drawing = drawing
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="charts")
        self._pictures: list[Future[None]] = []

    def __enter__(self) -> "Studio":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown(cancel_futures=kind is not None)
        if kind is None:
            for picture in self._pictures:
                picture.result()

    def hang(self, blocks: Iterable[str], folder: Path) -> list[str]:
        """The blocks of the report in ``folder``, whose pictures are drawn meanwhile; without figures, if so wished."""
        if not self._drawing:
            return list(without_figures(blocks))
        hung: list[str] = []
        for block in blocks:
            chart = block.build() if isinstance(block, Figure) else None
            if chart is not None and isinstance(block, Figure):
                path = folder / FOLDER / f"{block.name}.svg"
                self._pictures.append(self._thread.submit(_draw, specification(chart), path))
            if chart is not None or not isinstance(block, Figure):
                hung.append(block)
        return hung


def _draw(spec: str, path: Path) -> None:
    picture = svg_of(spec)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, picture)
    except OSError as cause:
        raise ResultsError(f"cannot write {path}: {cause.strerror or cause}") from None
