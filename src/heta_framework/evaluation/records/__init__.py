"""What a run leaves behind: a line a case as soon as it is finished, means over all of them, and the report.

`CaseLog` writes the cases, `SavedCases` reads them, `ScoreBook` makes the means, `save_report` and `load_report` keep
what is said of the run as a whole.
"""

from heta_framework.evaluation.records.case_log import CaseLog
from heta_framework.evaluation.records.means import ScoreBook
from heta_framework.evaluation.records.report_file import load_report, save_report
from heta_framework.evaluation.records.saved_cases import SavedCases

__all__ = ["CaseLog", "SavedCases", "ScoreBook", "load_report", "save_report"]
