"""Why a record of a data set did not become a sample, or lost part of its labels."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class SkipReason(BaseModel):
    """One named exclusion or repair.

    ``kind`` ``skipped``: the record is no sample and is not in n. ``repaired``: a defect was mended by a named rule.
    ``dropped_label``: the sample stays, one of its labels is left out (and so are the metrics that need it).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    record_id: str
    rule: str
    detail: str = ""
    kind: Literal["skipped", "repaired", "dropped_label"] = "skipped"
