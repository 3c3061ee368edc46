"""Reads MPBench's two files: checks every record once, and keeps only where those stand that are played."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from heams.benchmarks.mpbench import defects
from heams.benchmarks.mpbench.attacks import attack_class, channel_of
from heams.benchmarks.mpbench.objects import FoundObject, Place, read_object, read_objects
from heams.benchmarks.mpbench.records import Case, CaseRow, Label
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked

_ADAPTER = TypeAdapter(CaseRow)
_ID_DIGITS = 16


class PlayedCase(NamedTuple):
    """Where a case stands, and the id of its sample: a digest of its content, so that no id tells a label."""

    sample_id: str
    path: Path
    label: Label
    place: Place


class Dataset:
    """The cases of both files in turn, so that every beginning of the list holds both kinds.

    Raises:
        DatasetFormatError: a file cannot be read, holds no case that can be played, or a record is not in the format.
    """

    def __init__(self, adversarial_file: Path, benign_file: Path | None, limit: int | None) -> None:
        self.skipped: list[SkipReason] = []
        self._first: dict[str, Case] = {}
        adversarial = self._survey(adversarial_file, "adversarial")
        benign = self._survey(benign_file, "benign") if benign_file is not None else []
        in_turn = (case for case in chain.from_iterable(zip_longest(adversarial, benign)) if case is not None)
        self.played: Sequence[PlayedCase] = list(in_turn)[:limit]

    def case(self, played: PlayedCase) -> Case:
        """The case, read again.

        Raises:
            DatasetFormatError: the file has changed.
        """
        value = read_object(played.path, played.place)
        return _case(value, played.label, f"{played.path}:{played.place.line}")

    def _survey(self, path: Path, label: Label) -> list[PlayedCase]:
        seen: set[str] = set()
        played = [found for one in read_objects(path) for found in self._noted(one, path, label, seen)]
        if not played:
            raise DatasetFormatError(path, "", f"the file holds no {label} case that can be played")
        return played

    def _noted(self, found: FoundObject, path: Path, label: Label, seen: set[str]) -> Iterator[PlayedCase]:
        case = _case(found.value, label, f"{path}:{found.place.line}")
        name = case.row.id
        if not found.alone and found.place.number:
            self.skipped.append(defects.repaired(name, defects.CONCATENATED, f"it shares line {found.place.line}"))
        if name in seen:
            self.skipped.append(defects.repaired(name, defects.REPEATED_ID, "an earlier case has this id too"))
        seen.add(name)
        self.skipped += defects.of_case(case, found.value)
        digest = _digest(case)
        reason = defects.why_skipped(case) or self._repetition(case, digest)
        if reason is not None:
            self.skipped.append(reason)
            return
        unasked = defects.of_question(case)
        self.skipped += [unasked] if unasked else []
        self._first[digest] = _without_texts(case)
        yield PlayedCase(digest, path, label, found.place)

    def _repetition(self, case: Case, digest: str) -> SkipReason | None:
        first = self._first.get(digest)
        return None if first is None else defects.repeated(case, first)


def _case(value: Any, label: Label, place: str) -> Case:
    row = checked(_ADAPTER, value, place)
    has_skill = row.skill_md is not None
    attack = attack_class(row.attack_type, has_skill=has_skill) if label == "adversarial" else row.resembles
    return Case(row, label, attack, row.write_channel or channel_of(attack, has_skill=has_skill))


def _digest(case: Case) -> str:
    return "mp-" + sha256("\0".join(case.row.content).encode("utf-8")).hexdigest()[:_ID_DIGITS]


def _without_texts(case: Case) -> Case:
    """What a later repetition needs to know of it; the texts of thousands of cases are not held."""
    kept: Mapping[str, Any] = {"id": case.row.id}
    return case._replace(row=CaseRow.model_validate(kept))
