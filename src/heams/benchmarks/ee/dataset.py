"""Loads streams: checked strictly, with every repair and every problem that is left out under a name."""

from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from heams.benchmarks.case_file import read_cases
from heams.benchmarks.ee.config import EEBenchmarkConfig
from heams.benchmarks.ee.records import AIME, AimeRow, ItemRecord, StreamRecord
from heams.benchmarks.skip import SkipReason
from heams.evaluation.aime_integers import whole_integer
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_lines import read_rows
from heta_framework.common.data_files.reading import checked

_ROW = TypeAdapter(AimeRow)


class Streams(NamedTuple):
    """The streams in the order of their files, and what was repaired or left out."""

    streams: list[StreamRecord]
    notes: list[SkipReason]


def load_streams(config: EEBenchmarkConfig) -> Streams:
    """The streams that a configuration names.

    Raises:
        DatasetFormatError: a file cannot be read, is not in the format, or lacks what a split needs.
    """
    if config.streams_file is not None:
        streams = read_cases(config.streams_file, StreamRecord, lambda stream: stream.stream_id, None)
        _check_phases(config, streams)
        return Streams(streams, [])
    notes: list[SkipReason] = []
    streams = [_aime_stream(path, config, notes) for path in config.aime_files]
    if len({stream.stream_id for stream in streams}) < len(streams):
        raise DatasetFormatError(config.aime_files[-1], "", "two AIME files have the same name; each names a stream")
    return Streams(streams, notes)


def _check_phases(config: EEBenchmarkConfig, streams: list[StreamRecord]) -> None:
    if "isomorphic" in config.splits:
        for stream in streams:
            if not stream.has_phases:
                message = "found no item of phase 'test'; the split 'isomorphic' needs some"
                raise DatasetFormatError(config.streams_file or "", f"stream {stream.stream_id!r}", message)


def _aime_stream(path: Path, config: EEBenchmarkConfig, notes: list[SkipReason]) -> StreamRecord:
    items: dict[str, ItemRecord] = {}
    problems: dict[str, str] = {}
    for number, (place, data) in enumerate(read_rows(path), start=1):
        row = checked(_ROW, data, place)
        item = _aime_item(row, f"{path.stem}-{number:02}", notes)
        if item is None:
            continue
        if item.id in items:
            raise DatasetFormatError(place, "metadata, ID", f"found the id {item.id!r} again; expected unique ids")
        first = problems.setdefault(item.input, item.id)
        if first != item.id:
            notes.append(SkipReason(record_id=item.id, rule="repeated_problem", detail=f"the same as {first}"))
            continue
        items[item.id] = item
    if not items:
        raise DatasetFormatError(path, "", "the file holds no problems")
    feedback = config.feedback or "none"
    return StreamRecord(stream_id=path.stem, task=AIME, feedback=feedback, items=tuple(items.values()))


def _aime_item(row: AimeRow, numbered: str, notes: list[SkipReason]) -> ItemRecord | None:
    """The problem of a row; None, with a note, where its target is no AIME answer."""
    own = row.metadata.get("ID")
    identifier = own.strip() if isinstance(own, str) and own.strip() else numbered
    written = str(row.target)
    answer = whole_integer(written)
    if answer is None:
        detail = f"{written!r} is no integer from 0 to 999"
        notes.append(SkipReason(record_id=identifier, rule="target_out_of_range", detail=detail))
        return None
    if isinstance(row.target, int):
        notes.append(SkipReason(record_id=identifier, rule="number_as_target", detail=written, kind="repaired"))
    elif written != str(answer):
        detail = f"{written!r} read as {answer}"
        notes.append(SkipReason(record_id=identifier, rule="target_spelling", detail=detail, kind="repaired"))
    return ItemRecord(id=identifier, input=row.input, target=str(answer))
