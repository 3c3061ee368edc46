"""What goes wrong in an evaluation as a whole; a single case's failure is in its result instead.

EvaluationRunError
├── ReportMismatchError     the report of this id was begun with other settings
├── ReportBusyError         another process is writing this report
├── ReportFileError         a report's file is damaged, or is no report
├── DocumentContentError    a document's bytes cannot be had
└── AllCasesFailedError     not one case has a response
"""

from __future__ import annotations

__all__ = [
    "AllCasesFailedError",
    "DocumentContentError",
    "EvaluationRunError",
    "ReportBusyError",
    "ReportFileError",
    "ReportMismatchError",
]


class EvaluationRunError(RuntimeError):
    """A run cannot begin, go on, or be read."""


class ReportMismatchError(EvaluationRunError):
    """The report of this id was begun with other settings; the message names each difference."""


class ReportBusyError(EvaluationRunError):
    """Another process is writing this report at this moment."""


class ReportFileError(EvaluationRunError):
    """A report's file is damaged, or is no report; the message says which and where."""


class DocumentContentError(EvaluationRunError):
    """The bytes of a document cannot be had; the message names the document."""


class AllCasesFailedError(EvaluationRunError):
    """Not one case has a response.

    Attributes:
        report_key: where the report with every case's error is saved; None where it is not.
    """

    def __init__(self, message: str, report_key: str | None = None) -> None:
        super().__init__(message)
        self.report_key = report_key
