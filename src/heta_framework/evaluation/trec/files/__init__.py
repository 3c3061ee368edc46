"""Files as trec_eval and BEIR read them: what an engine retrieved (a run), and what is relevant (qrels)."""

from heta_framework.evaluation.trec.files.errors import TrecFileError
from heta_framework.evaluation.trec.files.ids import escaped_id, unescaped_id
from heta_framework.evaluation.trec.files.qrels_file import QrelsFormat, read_qrels, write_qrels
from heta_framework.evaluation.trec.files.run_file import read_run, write_run

__all__ = [
    "QrelsFormat",
    "TrecFileError",
    "escaped_id",
    "read_qrels",
    "read_run",
    "unescaped_id",
    "write_qrels",
    "write_run",
]
