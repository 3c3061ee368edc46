"""Evaluation of recipes: a benchmark's documents go into knowledge bases, its cases are asked, responses are scored.

Everything below is imported at its first use, so that naming this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.evaluation.benchmarks import *  # noqa: F403
    from heta_framework.evaluation.errors import *  # noqa: F403
    from heta_framework.evaluation.evaluators import *  # noqa: F403
    from heta_framework.evaluation.protocols import *  # noqa: F403
    from heta_framework.evaluation.runner import *  # noqa: F403
    from heta_framework.evaluation.types import *  # noqa: F403

_HOMES = {
    "types": (
        "EVALUATION_SCHEMA_VERSION",
        "BenchmarkBuildScope",
        "BenchmarkCase",
        "BenchmarkDocument",
        "BenchmarkEvidence",
        "BenchmarkExpected",
        "BenchmarkManifest",
        "BenchmarkResource",
        "BenchmarkResourceKind",
        "BenchmarkRunUnit",
        "BenchmarkWorkspace",
        "EvaluationCaseResult",
        "EvaluationError",
        "EvaluationReport",
        "EvaluationScore",
        "PreparedBenchmark",
        "default_report_key",
    ),
    "protocols": ("BenchmarkEvaluatorProtocol", "BenchmarkProtocol"),
    "errors": (
        "AllCasesFailedError",
        "DocumentContentError",
        "EvaluationRunError",
        "ReportBusyError",
        "ReportFileError",
        "ReportMismatchError",
    ),
    "evaluators": (
        "Abstention",
        "AnswerContains",
        "AnswerCorrectness",
        "AnswerExactMatch",
        "BeirMetricName",
        "BeirRetrievalMetric",
        "CitationPrecision",
        "CitationRecall",
        "EvidenceRecallAtK",
        "Faithfulness",
        "NumericMatch",
        "RougeL",
        "TokenF1",
        "beir_default_metrics",
    ),
    "benchmarks": (
        "BEIR_DATASET_BASE_URL",
        "BEIR_GITHUB_URL",
        "BEIR_RECOMMENDED_DATASETS",
        "BeirBenchmark",
        "JsonlBenchmark",
        "MULTIHOP_RAG_CORPUS_URL",
        "MULTIHOP_RAG_QUERIES_URL",
        "MultiHopRagBenchmark",
        "UDA_EXTENDED_BENCH_BASE_URL",
        "UDA_GITHUB_URL",
        "UDA_QA_BASE_URL",
        "UDA_SOURCE_DOCS_REPO_ID",
        "UDA_SOURCE_DOCS_URL",
        "UdaBenchmark",
        "UdaSubset",
    ),
    "runner": ("BenchmarkRunConfig", "BenchmarkRunResult", "BenchmarkRunner", "RunProgress", "progress_bar"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
