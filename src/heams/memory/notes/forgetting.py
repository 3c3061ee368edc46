"""Which lines of the notes go, where no model is needed to tell; and what is said of a change."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from heams.memory.base import ForgetDemand, ForgetReceipt
from heams.memory.forgetting import passages_in, places_without, stand_in
from heams.memory.notes.paragraphs import paragraphs
from heams.memory.notes.state import Line, NoteFile, NotesState, text_of

_MOST_NAMED = 20


def without_events(state: NotesState, event_ids: Sequence[str]) -> NotesState:
    """The notes without the lines from these events, and without the paragraphs whose ids these are."""
    unwanted = set(event_ids)
    named = {
        (paragraph.file, number)
        for paragraph in paragraphs(state)
        if paragraph.id in unwanted
        for number in paragraph.numbers
    }
    return _kept(
        {
            name: [
                line
                for number, line in enumerate(file, start=1)
                if (name, number) not in named and unwanted.isdisjoint(line.event_ids)
            ]
            for name, file in state.files.items()
        }
    )


def literal_passages(state: NotesState, demand: ForgetDemand) -> list[str]:
    """The passages by whose words the demand is about the notes: its content, or else what it quotes."""
    return passages_in("\n\n".join(f"{name}\n\n{text_of(file)}" for name, file in state.files.items()), demand)


def without_lines(state: NotesState, passages: Sequence[str]) -> NotesState:
    """The notes without the lines that hold a passage, alone or together with their neighbours.

    A file whose name holds one gets another name: names are recalled with what stands in the file.
    """
    kept = _kept(
        {
            name: [file[place] for place in places_without([f"{line.text}\n" for line in file], passages)]
            for name, file in state.files.items()
        }
    )
    others = (name for name in map(str, count(1)) if name not in kept.files and not stand_in(name, passages))
    return NotesState(
        files={next(others) if stand_in(name, passages) else name: file for name, file in kept.files.items()}
    )


def receipt(before: NotesState, after: NotesState, demand: ForgetDemand, how: str) -> ForgetReceipt:
    """The ids of the paragraphs that are no longer there as they were, and what became of their lines."""
    left = {(paragraph.file, paragraph.lines) for paragraph in paragraphs(after)}
    removed = [paragraph.id for paragraph in paragraphs(before) if (paragraph.file, paragraph.lines) not in left]
    gone = list((_lines(before) - _lines(after)).elements())
    note = f"{len(gone)} line{'' if len(gone) == 1 else 's'} {how} removed or changed"
    return ForgetReceipt(removed=tuple(removed), note=note + _renamed(before, after) + _others(gone, demand))


def _renamed(before: NotesState, after: NotesState) -> str:
    new = [file for name, file in after.files.items() if name not in before.files]
    files = sum(name not in after.files and file in new for name, file in before.files.items())
    return f"; {files} file{'' if files == 1 else 's'} renamed" if files else ""


def _others(gone: Sequence[Line], demand: ForgetDemand) -> str:
    """The further events behind what a demand that names events removed."""
    behind = dict.fromkeys(event_id for line in gone for event_id in line.event_ids)
    others = [event_id for event_id in behind if event_id not in demand.event_ids]
    if not demand.event_ids or not others:
        return ""
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    return f"; also behind them: {', '.join(others[:_MOST_NAMED])}{more}"


def _lines(state: NotesState) -> Counter[Line]:
    return Counter(line for file in state.files.values() for line in file if line.text.strip())


def _kept(files: Mapping[str, Sequence[Line]]) -> NotesState:
    """The notes without files that have nothing left."""
    left: dict[str, NoteFile] = {
        name: tuple(file) for name, file in files.items() if any(line.text.strip() for line in file)
    }
    return NotesState(files=left)
