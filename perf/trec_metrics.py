"""The 25 retrieval metrics of many questions, beside what pytrec_eval takes for them.

What each side is given, all of it made before the clock starts:

- The batch: pytrec_eval and `score_run` get the same two dicts, scores and labels of documents by question.
  pytrec_eval gives 21 measures (nDCG, MAP, recall and precision at five cut-offs, and one reciprocal rank), making its
  judge included; `score_run` gives 25, as it cuts the reciprocal rank five times too.
- The evaluators: both get the same cases and responses, and leave the 25 values of every question. Ours are asked one
  after the other, as a run does, and make a score with its metadata each. For pytrec_eval scores and labels are read
  into its dicts, and the reciprocal rank is had five times, from runs that are cut: this is what it takes to get the
  same values from it.

Scores fall along a response; half of the labelled documents are in it. Times are those of the CPU, the shortest of
several on either side, taken in turn. `python -m perf.trec_metrics`
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytrec_eval

from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkEvidence,
    BenchmarkExpected,
    EvaluationScore,
    beir_default_metrics,
)
from heta_framework.evaluation.trec import Qrels, Run, score_run
from heta_framework.evaluation.trec.measures import DEFAULT_CUTOFFS
from heta_framework.kb import QueryResponse, QueryResult
from perf.bars import Beside, Figure
from perf.script import Session, run_scripts

_DOCUMENTS = 100
_CORPUS = 20_000
_BLOCK = 500
_CUTOFFS = ",".join(map(str, DEFAULT_CUTOFFS))
_MEASURES = {f"{name}.{_CUTOFFS}" for name in ("ndcg_cut", "map_cut", "recall", "P")}


def measure(session: Session) -> Iterator[Figure]:
    """Our time over pytrec_eval's, for dicts and for responses."""
    count, repetitions = session.scale.metric_questions, session.scale.repetitions
    run, qrels = _made(count)
    yield _figure("metrics_batch", [_of_dicts(run, qrels) for _ in range(repetitions)], count)
    yield _figure("metrics_evaluators", [_of_responses(run, qrels) for _ in range(repetitions)], count)


def _figure(bar: str, pairs: list[tuple[float, float]], count: int) -> Figure:
    ours, theirs = (min(seconds) for seconds in zip(*pairs, strict=True))
    detail = f"{count:,} questions x {_DOCUMENTS} documents: {ours:.2f} s, pytrec_eval {theirs:.2f} s"
    return Figure(bar, ours / theirs, Beside("pytrec_eval", 1.0), detail)


def _cpu(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _of_dicts(run: Run, qrels: Qrels) -> tuple[float, float]:
    return _cpu(lambda: score_run(run, qrels)), _cpu(lambda: _official(run, qrels))


def _of_responses(run: Run, qrels: Qrels) -> tuple[float, float]:
    """Our seconds and pytrec_eval's; block after block, since a million results fill the memory."""
    ours = theirs = 0.0
    for begin in range(0, len(run), _BLOCK):
        queries = list(run)[begin : begin + _BLOCK]
        asked = [(_case(query, qrels[query]), _response(run[query])) for query in queries]
        ours += _cpu(partial(asyncio.run, _evaluated(asked)))
        theirs += _cpu(partial(_official_of, asked))
    return ours, theirs


def _official(run: Run, qrels: Qrels) -> object:
    return pytrec_eval.RelevanceEvaluator(qrels, _MEASURES | {"recip_rank"}).evaluate(run)


_Asked = list[tuple[BenchmarkCase, QueryResponse]]


async def _evaluated(asked: _Asked) -> list[list[EvaluationScore]]:
    metrics = beir_default_metrics()
    return [[await metric.evaluate(case=case, response=response) for metric in metrics] for case, response in asked]


def _official_of(asked: _Asked) -> object:
    run = {case.case_id: _scores(response) for case, response in asked}
    qrels = {
        case.case_id: {one.reference_id: one.metadata["relevance"] for one in case.expected.evidence}
        for case, _ in asked
    }
    first = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})
    cut = [first.evaluate({query: _cut(scores, k) for query, scores in run.items()}) for k in DEFAULT_CUTOFFS]
    return pytrec_eval.RelevanceEvaluator(qrels, _MEASURES).evaluate(run), cut


def _scores(response: QueryResponse) -> dict[str, float]:
    scores: dict[str, float] = {}
    for result in response.results:
        document, score = result.source["document_id"], result.score or 0.0
        if score > scores.get(document, float("-inf")):
            scores[document] = score
    return scores


def _cut(scores: Mapping[str, float], k: int) -> dict[str, float]:
    ordered = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return dict(ordered[:k])


def _made(count: int) -> tuple[Run, Qrels]:
    chance = random.Random(0)
    corpus = [f"document_{number}" for number in range(_CORPUS)]
    run, qrels = {}, {}
    for number in range(count):
        found = chance.sample(corpus, _DOCUMENTS)
        scores = sorted((chance.random() for _ in found), reverse=True)
        run[f"question_{number}"] = dict(zip(found, scores, strict=True))
        labelled = chance.sample(found, 10) + chance.sample(corpus, 10)
        qrels[f"question_{number}"] = {document: chance.randint(0, 3) for document in labelled}
    return run, qrels


def _case(query: str, labels: Mapping[str, int]) -> BenchmarkCase:
    evidence = (BenchmarkEvidence(document, metadata={"relevance": level}) for document, level in labels.items())
    return BenchmarkCase(query, query, BenchmarkExpected(evidence=tuple(evidence)))


def _response(scores: Mapping[str, float]) -> QueryResponse:
    results = (
        QueryResult(f"chunk_{document}", "text", score, source={"document_id": document, "object_key": document})
        for document, score in scores.items()
    )
    return QueryResponse("vector_search", tuple(results))


if __name__ == "__main__":
    run_scripts(measure)
