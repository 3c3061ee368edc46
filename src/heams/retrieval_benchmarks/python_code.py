"""``python``: a benchmark that is a class or function of one's own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, JsonValue

from heams.benchmarks.info import BenchmarkInfo
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.info import retrieval_info

if TYPE_CHECKING:
    from types import ModuleType

    from heta_framework.evaluation.protocols import BenchmarkProtocol

_CALL = r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$"


class PythonBenchmarkConfig(RetrievalBenchmarkConfig):
    """A benchmark of your own: ``factory: "module:name"`` is called with ``arguments`` and returns it.

    The module is installed, or lies in the project's folder: ``benchmarks/harbour.py`` there is ``benchmarks.harbour``.
    ``data`` names files and folders that it reads, so that a run knows when they change.
    """

    type: Literal["python"] = "python"
    report_info: ClassVar[BenchmarkInfo] = retrieval_info("Own benchmark", 95, headline=(), detail="factory")

    factory: str = Field(pattern=_CALL)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict)
    data: tuple[Path, ...] = ()

    def make(self, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
        """What the factory returns.

        Raises:
            ValueError: there is no such module or name, it cannot be called so, or returns no benchmark.
        """
        from heta_framework.evaluation.protocols import BenchmarkProtocol

        made = self._call(self._found(root))
        if not isinstance(made, BenchmarkProtocol):
            raise ValueError(  # noqa: TRY004 - a mistake in a configuration, told like the others
                f"{self.factory} returned {type(made).__name__}, which is no benchmark: it needs manifest, resources, "
                "prepare, documents, cases, run_units and evaluators"
            )
        return made

    def module(self, root: Path) -> ModuleType:
        """The module of the factory.

        Raises:
            ValueError: it cannot be imported.
        """
        name = self.factory.partition(":")[0]
        with _importable(root):
            try:
                return importlib.import_module(name)
            except Exception as cause:  # the code of a module may fail in any way
                raise ValueError(
                    f"module {name!r} cannot be imported: {type(cause).__name__}: {cause}; it is looked for "
                    f"among what is installed and in {root}"
                ) from cause

    def _found(self, root: Path) -> Callable[..., Any]:
        module, name = self.module(root), self.factory.partition(":")[2]
        found = getattr(module, name, None)
        if callable(found):
            return found  # type: ignore[no-any-return]
        from heta_framework.common.config.nearest import did_you_mean

        hint = did_you_mean(name, [one for one in dir(module) if callable(getattr(module, one))])
        what = "nothing of this name" if found is None else f"{type(found).__name__}, which cannot be called"
        raise ValueError(f"{module.__name__} holds {what}: {name!r}" + (f"; {hint}" if hint else ""))

    def _call(self, factory: Callable[..., Any]) -> Any:
        try:
            return factory(**self.arguments)
        except Exception as cause:  # somebody else's code may fail in any way
            raise ValueError(f"{self.factory} failed: {type(cause).__name__}: {cause}") from cause


@contextmanager
def _importable(root: Path) -> Iterator[None]:
    """Let modules in ``root`` be imported, after what is installed."""
    sys.path.append(str(root))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(root))
