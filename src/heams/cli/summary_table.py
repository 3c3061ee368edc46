"""The headline of one benchmark's experiments as a table for terminals, from 80 columns on."""

import re
from collections.abc import Iterable, Iterator

from rich import box
from rich.table import Table
from rich.text import Text

from heams.reporting.comparison import Comparison, MetricKey, metric_of
from heams.reporting.digest import Digest
from heams.reporting.figures import count, interval, score, seconds
from heams.reporting.interval_notes import histories, missing
from heams.reporting.judge_notes import plain_judge_notes
from heams.reporting.metrics import MetricSummary
from heams.reporting.spending import total
from heams.reporting.wording import REFERENCES, budget_notice, cost_by_part, cost_of, uncached_cost
from heta_framework.common.models.usage import Usage

_NAME_WIDTH = 15
_METRIC_WIDTH = len("[0.000, 0.000]")
_ERRORS_WIDTH = len("errors")
_LATENCY_WIDTH = len("99.99 s")
_GAP = 2
_BESIDES_METRICS = _GAP + _ERRORS_WIDTH + _GAP + _LATENCY_WIDTH
_N = "n counts questions."


def summary_table(comparison: Comparison, width: int) -> Table:
    """Mean and interval of as many headline metrics as fit into ``width`` columns."""
    table = Table(
        title=Text(comparison.title),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("recipe: mode" if comparison.without_agents else "memory system", overflow="fold")
    shown = _shown(comparison, width)
    for key, name in shown:
        table.add_column(Text(_header(comparison, key, name)), justify="right", overflow="fold", width=_METRIC_WIDTH)
    table.add_column("errors", justify="right", overflow="fold", width=_ERRORS_WIDTH)
    table.add_column("answer\np50", justify="right", overflow="fold", width=_LATENCY_WIDTH)
    room = _name_width(comparison, width)
    for name, digest in _named(comparison):
        table.add_row(
            Text("\n".join(filter(None, [_folded(name, room), digest.bound.label if digest.bound else ""]))),
            *(Text(_cell(comparison, digest, key)) for key, _ in shown),
            count(digest.progress.errors),
            seconds(digest.latencies["answer"].p50),
        )
    return table


def remarks(comparison: Comparison, width: int) -> Iterator[str]:
    """What a reader of the table has to know."""
    yield "Brackets hold 95 % intervals, n counts questions." if _has_intervals(comparison, width) else _N
    yield from missing(comparison)
    yield from histories(comparison)
    yield from _cautions(comparison)
    hidden = [name for _, name in list(comparison.headline().items())[len(_shown(comparison, width)) :]]
    if hidden:
        yield f"Also measured: {', '.join(hidden)} (in the reports)."
    yield from plain_judge_notes(comparison.digests)
    if any(digest.bound is not None for digest in comparison.digests):
        yield REFERENCES
    costs = [(name, cost_of(digest), cost_by_part(digest)) for name, digest in _named(comparison)]
    if any(cost != "0" for _, cost, _ in costs):
        yield f"Cost, USD: {'; '.join(f'{name} {cost}{parts}' for name, cost, parts in costs)}."
    uncached = [(name, uncached_cost(digest)) for name, digest in _named(comparison)]
    if any(cost is not None for _, cost in uncached):
        shown = "; ".join(f"{name} {cost}" for name, cost in uncached if cost is not None)
        yield f"Cost without cache and cassette, USD: {shown}."
    yield from _calls(comparison)


def _calls(comparison: Comparison) -> Iterator[str]:
    """How many calls models were asked, and how many of them the cache or a cassette answered."""
    used = [(name, total(digest.spent).usage) for name, digest in _named(comparison)]
    if any(usage.calls or usage.cache_hits or usage.replayed for _, usage in used):
        yield f"Model calls: {'; '.join(f'{name} {_counted(usage)}' for name, usage in used)}."


def _counted(usage: Usage) -> str:
    others = {"from the cache": usage.cache_hits, "from the cassette": usage.replayed}
    others |= {"possibly billed without a reply": usage.possibly_billed}
    besides = ", ".join(f"{count(number)} {words}" for words, number in others.items() if number)
    return f"{count(usage.calls)} ({besides})" if besides else count(usage.calls)


def _cautions(comparison: Comparison) -> Iterator[str]:
    for name, digest in _named(comparison):
        notice = budget_notice(digest)
        if notice is not None:
            yield f"{name}: {notice}."


def _has_intervals(comparison: Comparison, width: int) -> bool:
    """Whether any cell of the table holds an interval."""
    cells = (metric_of(digest, key) for digest in comparison.digests for key, _ in _shown(comparison, width))
    return any(metric is not None and metric.summary.interval is not None for metric in cells)


def _named(comparison: Comparison) -> Iterator[tuple[str, Digest]]:
    yield from zip(comparison.row_names(), comparison.digests, strict=True)


def _shown(comparison: Comparison, width: int) -> list[tuple[MetricKey, str]]:
    room = (width - _NAME_WIDTH - _BESIDES_METRICS) // (_METRIC_WIDTH + _GAP)
    return list(comparison.headline().items())[: max(1, room)]


def _name_width(comparison: Comparison, width: int) -> int:
    """How long a name may be before it is folded."""
    return max(_NAME_WIDTH, width - _BESIDES_METRICS - len(_shown(comparison, width)) * (_METRIC_WIDTH + _GAP))


def _header(comparison: Comparison, key: MetricKey, name: str) -> str:
    common = _common_n(comparison, key)
    return _folded(name) if common is None else f"{_folded(name)}\nn {count(common)}"


def _folded(name: str, width: int = _METRIC_WIDTH) -> str:
    """A name broken at its spaces; words that are too long then, where their parts end."""
    lines = _filled(re.split(r"(?<= )", name), width)
    return "\n".join(part for line in lines for part in _filled(re.split(r"(?<=[_@.-])", line), width))


def _filled(words: Iterable[str], width: int) -> list[str]:
    """Lines of as many of the words as fit."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def _common_n(comparison: Comparison, key: MetricKey) -> int | None:
    """The n of a metric where all experiments that have a value share it."""
    found = {metric.summary.n for digest in comparison.digests if (metric := metric_of(digest, key))} - {0}
    return found.pop() if len(found) == 1 else None


def _cell(comparison: Comparison, digest: Digest, key: MetricKey) -> str:
    metric = metric_of(digest, key)
    if metric is None:
        return "-"
    if not metric.summary.n:
        return f"-\n{_left_out(metric)}".rstrip()
    lines = [score(metric.summary.mean)]
    if metric.summary.interval is not None:
        lines.append(interval(metric.summary.interval))
    if _common_n(comparison, key) is None:
        lines.append(f"n {count(metric.summary.n)}")
    if metric.zeroed > digest.progress.errors:  # more than failed as a whole, which has a column of its own
        lines.append(f"{count(metric.zeroed)} counted as 0")
    return "\n".join([*lines, *filter(None, [_left_out(metric)])])


def _left_out(metric: MetricSummary) -> str:
    return f"{count(metric.left_out)} left out" if metric.left_out else ""
