"""What would come again and again on pages of samples is cut, with a note: long recalls, long lists of verdicts."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_RECALLED = 10
"""Rows of a table of recalled items, besides those that are evidence."""
MOST_VERDICTS = 30
"""Entries of the list of all verdicts of a scenario, besides the one that is shown."""


def shorten(main: LexborNode) -> None:
    """Cut a page in place."""
    for table in main.css("table.recall"):
        dropped = _cut(table.css("tbody > tr"), MOST_RECALLED, ".verdict")
        if dropped:
            _note(table, f"{dropped:,} more recalled items are not in this file.")
    for listed in main.css("nav.verdicts"):
        dropped = _cut(listed.css("li"), MOST_VERDICTS, "[aria-current]")
        if dropped:
            _without_empty(listed)
            _note(listed.last_child or listed, f"{dropped:,} more verdicts: see the transcript and the lists.")


def _cut(entries: list[LexborNode], most: int, kept: str) -> int:
    """Remove entries beyond the first ``most`` that have no ``kept`` in them; how many."""
    dropped = [entry for entry in entries[most:] if entry.css_first(kept) is None]
    for entry in dropped:
        entry.decompose()
    return len(dropped)


def _without_empty(listed: LexborNode) -> None:
    for entries in listed.css("ul"):
        if entries.css_first("li") is None:
            heading = entries.prev
            while heading is not None and not heading.is_element_node:
                heading = heading.prev
            if heading is not None and heading.tag == "h3":
                heading.decompose()
            entries.decompose()


def _note(after: LexborNode, words: str) -> None:
    note = LexborHTMLParser(f'<p class="body small muted">{words}</p>').css_first("p")
    if note is not None:
        after.insert_after(note)
