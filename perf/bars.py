"""The bars that the product must meet, and how a measured figure is printed beside its bar and beside a peer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Bar(NamedTuple):
    """The most that a figure may be, in ``unit``."""

    limit: float
    unit: str
    what: str


BARS = {
    "harness_cpu": Bar(1.0, "ms", "harness CPU per durable sample"),
    "harness_cpu_growth": Bar(1.3, "x", "CPU per sample, largest run over smallest"),
    "waiting": Bar(2.0, "s", "wall for 2,000 answers of 50 ms, 200 at once"),
    "memory_growth": Bar(20.0, "MB", "growth of peak memory from 2,000 to 100,000 samples"),
    "help": Bar(200.0, "ms", "heams --help"),
    "import": Bar(150.0, "ms", "import heams"),
    "resume": Bar(1.5, "s", "process start to first new sample, over 100,000 finished"),
    "locomo_full": Bar(60.0, "s", "wall of configs/runs/locomo_full.yaml"),
    "model_calls": Bar(1.3, "x", "model calls through the path, wall over the ideal"),
    "model_agent": Bar(1.6, "x", "the same by a tool_use agent, wall over the ideal"),
    "model_cpu": Bar(10.0, "ms", "CPU per model call"),
    "model_storm": Bar(5.0, "%", "refused after a storm, in any span of the quota"),
    "kb_vector_build": Bar(33.0, "% of the peer's", "vector knowledge base, build as a whole"),
    "kb_vector_build_own": Bar(10.0, "% of the peer's", "vector knowledge base, build outside the embedding model"),
    "kb_text_build": Bar(20.0, "% of the peer's", "full-text knowledge base, build"),
    "kb_vector_query": Bar(5.0, "% of the peer's", "vector_search, time per query"),
    "kb_text_query": Bar(5.0, "% of the peer's", "full_text_search, time per query"),
    "kb_files": Bar(2.0, "% of the peer's", "files derived from the documents"),
    "benchmark_run": Bar(100 / 6, "% of the peer's", "benchmark run of 25 metrics, as a whole"),
    "benchmark_run_memory": Bar(200 / 3, "% of the peer's", "peak memory of that run"),
    "benchmark_run_report": Bar(25.0, "% of the peer's", "bytes of its report"),
    "kb_second_recipe": Bar(20.0, "% of the first", "build of a second recipe that shares parse, split and embed"),
    "kb_large_query": Bar(10.0, "ms", "median query in a large knowledge base"),
    "kb_large_memory": Bar(600.0, "MB", "peak memory of building and asking it"),
    "vectors_missed": Bar(5.0, "%", "of the ten nearest vectors, not found"),
    "vectors_query": Bar(5.0, "ms", "median search among many vectors on disk"),
    "vectors_memory": Bar(2_000.0, "MB", "peak memory of storing and asking them"),
    "kb_large_growth": Bar(6.0, "x", "its build, over that of one with a fifth of the documents"),
    "report_files": Bar(25.0, "% of the peer's", "files of a run of 50,000 cases"),
    "report_memory": Bar(400.0, "MB", "peak memory of that run, and of reading all its cases again"),
    "report_resume": Bar(2.0, "s", "process start to first new case of a benchmark run"),
    "browse_index": Bar(1.5, "s", "index of 100,000 records, cold"),
    "browse_list": Bar(100.0, "ms", "page of samples, median"),
    "browse_filter": Bar(200.0, "ms", "the same filtered on a tag"),
    "browse_sample": Bar(50.0, "ms", "page of one sample, median"),
    "browse_memory": Bar(200.0, "MB", "memory of the server at its highest"),
    "metrics_batch": Bar(1.5, "x", "25 retrieval metrics of a whole run, over pytrec_eval's time"),
    "metrics_evaluators": Bar(1.5, "x", "25 retrieval metrics of responses by evaluators, over pytrec_eval's time"),
}


class Beside(NamedTuple):
    """The same thing elsewhere, in the bar's unit: a peer's figure, or what would be ideal."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value under one of the ``BARS``. ``detail`` says what was measured where the bar does not."""

    bar: str
    value: float
    beside: Beside | None = None
    detail: str = ""

    @property
    def met(self) -> bool:
        """Whether the bar is met."""
        return self.value <= BARS[self.bar].limit

    def line(self, *, judged: bool) -> str:
        """The figure as it is printed, with its bar where sizes are those that the bar is about."""
        bar = BARS[self.bar]
        verdict = f" (bar {bar.limit:g} {bar.unit}: {'met' if self.met else 'NOT MET'})" if judged else ""
        detail = f" [{self.detail}]" if self.detail else ""
        return f"{bar.what}: {_number(self.value)} {bar.unit}{verdict}{self._ratio()}{detail}"

    def _ratio(self) -> str:
        if self.beside is None:
            return ""
        ratio = self.value / self.beside.value
        words = f"{_number(ratio)} x" if ratio >= 1 else f"1/{_number(1 / ratio)}"
        return f"; {words} of {self.beside.name}'s {_number(self.beside.value)} {BARS[self.bar].unit}"


def report(figures: Iterable[Figure], *, judged: bool = True) -> bool:
    """Print the figures as they come; True when every bar is met."""
    all_met = True
    for figure in figures:
        print(figure.line(judged=judged), flush=True)
        all_met &= figure.met
    return all_met


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
