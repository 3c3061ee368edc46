"""What became of the evidence labels of one question: ids that exist, and named defects."""

from collections.abc import Collection
from typing import NamedTuple


class Finding(NamedTuple):
    """A defect among the labels of one question."""

    rule: str
    detail: str


class EvidenceReading(NamedTuple):
    """Ids in the order in which they are labelled, and what was wrong with the labels."""

    ids: tuple[str, ...]
    findings: tuple[Finding, ...]

    def losses(self, rules: Collection[str]) -> str | None:
        """Why labels are missing, in words; None when none is. ``rules`` are the defects by which a label is lost."""
        return "; ".join(finding.detail for finding in self.findings if finding.rule in rules) or None
