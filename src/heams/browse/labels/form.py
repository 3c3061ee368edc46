"""The form by which a person labels one verdict, and what becomes of it when it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from heams.browse.index import Experiment
from heams.browse.labels.choices import Choice, choices_of
from heams.browse.labels.reading import read_labels
from heams.browse.labels.saved import LONGEST_NOTE, SavedLabel, SeenResult, VerdictKey
from heams.browse.labels.shown import ShownResult, Staleness, shown_result, staleness
from heams.browse.labels.writing import write_label
from heams.browse.rendering import links
from heams.reporting.tables import Tables
from heta_framework.common.durable_lines import content_id


class LabelRefused(ValueError):  # noqa: N818 - named after what happened
    """A form that cannot be taken as it is; the message says what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class LabelForm:
    """What ``_label_form.html`` shows. ``back`` is where a browser without JavaScript is sent afterwards.

    ``blind`` forms do not tell the judge's verdict before there is a label. ``problem`` says why it was not saved.
    """

    key: str
    result: ShownResult
    choices: tuple[Choice, ...]
    saved: SavedLabel | None
    stale: Staleness | None
    back: str
    blind: bool = False
    problem: str | None = None
    note: str = ""

    @property
    def action(self) -> str:
        """Where it is sent."""
        return f"{links.run(self.key)}/label"

    @property
    def id(self) -> str:
        """The element's id: the same for the same verdict."""
        return f"label-{content_id(repr(self.result.key).encode('utf-8', 'replace'))}"

    @property
    def seen(self) -> str:
        """Stands for the result that is shown, so that a label on another one can be refused."""
        return seen_id(self.result.seen)

    @property
    def verdict(self) -> Literal["pass", "fail"] | None:
        """What was said last."""
        return None if self.saved is None or self.saved.verdict == "cleared" else self.saved.verdict

    @property
    def agrees(self) -> bool:
        """Whether the judge says the same, in the words of its policy where the label has one."""
        if self.saved is not None and self.saved.label is not None and self.result.said is not None:
            return self.saved.label == self.result.said
        return self.verdict == self.result.verdict

    @property
    def unchanged(self) -> str:
        """What a form sends that only changes the note; a label on another answer is not confirmed by that."""
        if self.saved is None or self.verdict is None or self.stale == "answer":
            return "cleared"
        return f"{self.verdict}:{self.saved.label}" if self.saved.label is not None else self.verdict

    def is_current(self, choice: Choice) -> bool:
        """Whether this is what was said last."""
        if self.saved is None or self.verdict != choice.verdict:
            return False
        return self.saved.label in (None, choice.label)

    def first(self, choice: Choice) -> bool:
        """Whether this is the first choice that says its verdict: the one that has a key."""
        return next(one for one in self.choices if one.verdict == choice.verdict) is choice


def label_form(
    experiment: Experiment, tables: Tables, key: VerdictKey, *, back: str, blind: bool = False
) -> LabelForm | None:
    """The form for a verdict; None where there is no such verdict."""
    result = shown_result(tables, key)
    return None if result is None else form_for(experiment, result, back=back, blind=blind)


def form_for(experiment: Experiment, result: ShownResult, *, back: str, blind: bool = False) -> LabelForm:
    """The form for a result that is at hand."""
    saved = read_labels(experiment.results).of(result.key)
    return LabelForm(
        key=experiment.key,
        result=result,
        choices=choices_of(experiment.results, result),
        saved=saved,
        stale=None if saved is None else staleness(saved, result),
        back=back,
        blind=blind,
        note="" if saved is None else saved.note,
    )


def save_form(experiment: Experiment, shown: LabelForm, sent: Mapping[str, str]) -> None:
    """Write what was sent as a label on the result that the form shows.

    Raises:
        LabelRefused: it says nothing that can be said, or was made for a result that has changed meanwhile.
        LabelNotSaved: it could not be written.
    """
    if sent.get("seen", "") != shown.seen:
        raise LabelRefused("This result has changed since the page was opened. Look at it again, then label it.")
    said = sent.get("verdict", "")
    note = sent.get("note", shown.note).strip()
    if len(note) > LONGEST_NOTE:
        raise LabelRefused(f"The note has {len(note):,} characters; at most {LONGEST_NOTE:,} are allowed.")
    chosen = _chosen(shown, said)
    label = SavedLabel(
        run_id=experiment.results.run_id,
        at=datetime.now(UTC),
        verdict=chosen.verdict if chosen is not None else "cleared",
        label=chosen.label if chosen is not None else None,
        note=note,
        blind=_is_blind(shown, chosen),
        seen=shown.result.seen,
        **shown.result.key._asdict(),
    )
    write_label(experiment.results.directory, label)


def seen_id(seen: SeenResult) -> str:
    """A short text that differs for results that differ."""
    return content_id(seen.model_dump_json().encode())


def _is_blind(shown: LabelForm, chosen: Choice | None) -> bool:
    """Whether this was said without knowing what the judge had said: saying the same again changes nothing about it."""
    if chosen is not None and shown.saved is not None and shown.is_current(chosen):
        return shown.saved.blind
    return shown.blind and shown.verdict is None


def _chosen(shown: LabelForm, said: str) -> Choice | None:
    """The choice that was sent, as ``verdict`` or ``verdict:label``; None for ``cleared``."""
    if said == "cleared":
        return None
    verdict, _, label = said.partition(":")
    fitting = [one for one in shown.choices if one.verdict == verdict and label in ("", one.label)]
    if not fitting:
        allowed = ", ".join([*(f"{one.verdict}:{one.label}" if one.label else one.verdict for one in shown.choices)])
        raise LabelRefused(f"verdict: found “{said[:100]}”; allowed are {allowed}, cleared.")
    return fitting[0]
