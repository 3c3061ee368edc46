"""trec_eval's measures, bit for bit, and the files that it reads: runs and relevance labels (qrels).

`score_run` scores a whole run, `ranked_documents` makes a ranking from a response, `read_run` and `read_qrels` read
what other engines wrote. The measures themselves are in `measures`, one a file.
"""

from heta_framework.evaluation.trec.batch import Qrels, Run, RunScores, score_run
from heta_framework.evaluation.trec.documents import document_ids_of, ranked_documents
from heta_framework.evaluation.trec.files import (
    TrecFileError,
    escaped_id,
    read_qrels,
    read_run,
    unescaped_id,
    write_qrels,
    write_run,
)
from heta_framework.evaluation.trec.judging import JudgedRanking, judge
from heta_framework.evaluation.trec.labels import labels_of
from heta_framework.evaluation.trec.measures import Measure, default_measures
from heta_framework.evaluation.trec.ranking import trec_order

__all__ = [
    "JudgedRanking",
    "Measure",
    "Qrels",
    "Run",
    "RunScores",
    "TrecFileError",
    "default_measures",
    "document_ids_of",
    "escaped_id",
    "judge",
    "labels_of",
    "ranked_documents",
    "read_qrels",
    "read_run",
    "score_run",
    "trec_order",
    "unescaped_id",
    "write_qrels",
    "write_run",
]
