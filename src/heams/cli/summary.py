"""What `heams run` prints at its end: the headline of each experiment, and what to do next."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heams.reporting.digest import Digest
    from heams.reporting.failures import ErrorKind

    Finished = tuple[Digest, Sequence[ErrorKind]]


def print_summary(
    output: Path, names: Sequence[str], shown_dir: Path, *, again: bool = True, together: bool = True
) -> None:
    """Print a table for each benchmark of the named experiments, and the next steps.

    ``output`` is where the results are, ``shown_dir`` the same folder as the user wrote it, ``again`` whether the same
    command can mend errors, ``together`` whether the costs of several experiments can be added up. Colours are used on
    terminals only, and what does not fit is folded, never cut.

    Raises:
        ResultsError: the results cannot be read.
    """
    if not names:
        return
    from rich.console import Console

    from heams.cli.summary_table import remarks, summary_table
    from heams.reporting.comparison import comparisons

    console = Console(markup=False, highlight=False, emoji=False)
    finished = [_read(output / name) for name in names]
    for comparison in comparisons([digest for digest, _ in finished]):
        console.print()
        console.print(summary_table(comparison, console.width))
        for line in remarks(comparison, console.width):
            console.print(line)
    for line in _all_together([digest for digest, _ in finished]) if together else ():
        console.print(line)
    console.print()
    for line in _next_steps(finished, shown_dir, again=again):
        console.print(line, soft_wrap=True)


def _all_together(digests: "Sequence[Digest]") -> Iterator[str]:
    """Calls and cost of several experiments whose models were called; one alone has said so above."""
    from heams.reporting.figures import cost, count
    from heams.reporting.spending import total

    usage = total(row for digest in digests for row in digest.spent).usage
    unknown = any(digest.unreported for digest in digests)
    if len(digests) > 1 and (usage.calls or usage.cache_hits or usage.replayed):
        known = f"{cost(usage.cost_usd)} USD" if usage.cost_usd is not None else "at an unknown cost"
        saved = usage.cost_usd is not None and usage.saved_cost_usd
        uncached = f" ({cost((usage.cost_usd or 0) + saved)} USD without cache and cassette)" if saved else ""
        yield (
            f"\nTogether: {count(usage.calls)} model calls, {known}{uncached}"
            f"{' and what was not reported' if unknown else ''}."
        )


def _read(directory: Path) -> "Finished":
    from heams.reporting.digest import opened
    from heams.reporting.failures import error_kinds
    from heams.reporting.load import load_results

    (experiment,) = load_results(directory).experiments
    with opened(experiment) as (digest, tables):
        return digest, error_kinds(tables) if digest.progress.errors else ()


def _next_steps(finished: "Sequence[Finished]", shown_dir: Path, *, again: bool) -> Iterator[str]:
    yield from _incomplete(finished)
    if again and any(kinds or not digest.progress.complete for digest, kinds in finished):
        yield "Run the same command again to play what is missing or ended in an error."
    folder = shlex.quote(str(shown_dir))
    yield f"Results:  {folder}"
    yield f"Reports:  heams generate-report {folder}"


def _incomplete(finished: "Sequence[Finished]") -> Iterator[str]:
    from heams.cli.shortening import shortened
    from heams.reporting.wording import damage_notice

    for digest, kinds in finished:
        notice = digest.progress.notice()
        if notice is not None:
            yield f"{digest.results.name}: {notice}."
        if digest.damaged:
            yield f"{digest.results.name}: {damage_notice(digest)}."
        if kinds:
            first = kinds[0]
            errors = f"{digest.progress.errors:,} errors, most often {first.type}"
            yield f"{digest.results.name}: {errors}: {shortened(first.message, 300)}"
