"""The pairs of a comparison as a list: those that changed most first, a page at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from markupsafe import Markup

from heams.browse.comparing import Condensed
from heams.browse.comparing.condensed import taken
from heams.browse.index import Experiment
from heams.browse.pages.errors import Problem
from heams.browse.queries.pair_texts import VerdictTexts, verdict_texts
from heams.browse.rendering import links
from heams.browse.rendering.foreign_text import visible
from heams.browse.views.compare.asked import WITHOUT, Asked
from heams.browse.views.excerpts import LIMIT, in_common
from heams.reporting.compare import Pair, Pairs

PAGE = 50
Change = Literal["improved", "regressed", "equal"]


@dataclass(frozen=True, slots=True)
class SideCell:
    """One side of a row: its value, verdict, the beginning of what was observed, and the page of its sample."""

    value: float
    verdict: str
    observed: Markup | None
    href: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """``href`` is the page of the pair, ``group`` the value of the tag that groups the list."""

    sample_id: str
    name: str
    step: int | None
    group: str | None
    expected: Markup | None
    a: SideCell
    b: SideCell
    delta: float
    change: Change
    href: str


@dataclass(frozen=True, slots=True)
class PairList:
    """A page of pairs; ``total`` counts those chosen by the address, of ``of`` in all."""

    rows: tuple[PairRow, ...]
    page: int
    pages: int
    first: int
    last: int
    total: int
    of: int


def chosen_pairs(found: Condensed, wanted: Asked) -> Pairs:
    """The pairs that an address chooses, the largest difference first; ties in the order of A's results.

    Raises:
        Problem: the groups have no such value.
    """
    pairs = found.pairs
    if wanted.group is not None:
        pairs = found.of_group(_value(found, wanted.group))
    if wanted.chosen is not None:
        pairs = pairs.where(wanted.chosen)
    return taken(pairs, np.argsort(-np.abs(pairs.changes), kind="stable"))


def pair_list(a: Experiment, b: Experiment, found: Condensed, wanted: Asked) -> PairList:
    """The page of the list that an address asks for; the last one where it asks for a later one."""
    pairs = chosen_pairs(found, wanted)
    pages = max(1, -(-len(pairs) // PAGE))
    page = min(wanted.page, pages)
    start = (page - 1) * PAGE
    shown = pairs[start : start + PAGE]
    rows = tuple(_rows(a, b, found, shown, wanted))
    return PairList(rows, page, pages, start + 1, start + len(rows), len(pairs), len(found.pairs))


def pair_address(wanted: Asked, sample_id: str, step: int | None, ordinal: int) -> str:
    """The page of a pair, which knows the list that it is in."""
    return links.compare(
        wanted.a,
        wanted.b,
        metric=wanted.metric,
        by=wanted.by,
        allow=wanted.allow,
        cell=wanted.cell,
        only=wanted.only,
        group=wanted.group,
        id=sample_id,
        step=step,
        ordinal=ordinal if ordinal != 1 else None,
    )


def change_of(found: Condensed, pair: Pair) -> Change:
    """Which way a pair went, as the metric counts."""
    better = pair.change if found.comparison.higher_is_better else -pair.change
    return "equal" if abs(better) < 1e-12 else "improved" if better > 0 else "regressed"


def numbers_of(pairs: Pairs, place: int) -> Pair:
    """A pair without its texts."""
    column = pairs.columns
    step = int(column["step_index"][place])
    return Pair(
        sample_id="",
        step_index=None if step < 0 else step,
        ordinal=int(column["ordinal"][place]),
        value_a=float(column["value_a"][place]),
        value_b=float(column["value_b"][place]),
        verdict_a="",
        verdict_b="",
        position_a=int(column["position_a"][place]),
        position_b=int(column["position_b"][place]),
        tag=None,
    )


def _value(found: Condensed, text: str) -> str | None:
    values = [group.value for group in found.comparison.groups]
    if text in values:
        return text
    if text == WITHOUT and None in values:
        return None
    raise Problem(f"group: found “{text[:100]}”; the groups by {found.comparison.by} have no such value.")


def _rows(a: Experiment, b: Experiment, found: Condensed, shown: Pairs, wanted: Asked) -> Iterator[PairRow]:
    key, groups = found.comparison.metric, [group.value for group in found.comparison.groups]
    with a.tables() as tables:
        texts_a = verdict_texts(tables, key, shown.columns["position_a"].tolist(), LIMIT + 1)
    with b.tables() as tables:
        texts_b = verdict_texts(tables, key, shown.columns["position_b"].tolist(), LIMIT + 1)
    for place in range(len(shown)):
        pair = numbers_of(shown, place)
        step = -1 if pair.step_index is None else pair.step_index
        left = texts_a[pair.position_a, step, pair.ordinal]
        right = texts_b[pair.position_b, step, pair.ordinal]
        number = int(shown.columns["group"][place])
        yield PairRow(
            sample_id=left.sample_id,
            name=left.sample_name,
            step=pair.step_index,
            group=groups[number] if 0 <= number < len(groups) else None,
            expected=_beginning(left.expected),
            a=_side(a, found, pair.value_a, left, pair.step_index),
            b=_side(b, found, pair.value_b, right, pair.step_index),
            delta=pair.change,
            change=change_of(found, pair),
            href=pair_address(wanted, left.sample_id, pair.step_index, pair.ordinal),
        )


def _side(experiment: Experiment, found: Condensed, value: float, texts: VerdictTexts, step: int | None) -> SideCell:
    """What was observed, with the words marked that were expected."""
    observed = _beginning(texts.observed)
    if texts.expected and texts.observed:
        observed = in_common(texts.expected, texts.observed)[1]
    href = links.sample(experiment.key, texts.sample_id, texts.repeat, step, metric=str(found.comparison.metric))
    return SideCell(value, texts.verdict, observed, href)


def _beginning(text: str | None) -> Markup | None:
    if text is None:
        return None
    return visible(text[:LIMIT]) + Markup("…") if len(text) > LIMIT else visible(text)
