"""The value types of an evaluation."""

from heta_framework.evaluation.types.case import (
    BenchmarkCase,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkRunUnit,
)
from heta_framework.evaluation.types.case_result import EvaluationCaseResult
from heta_framework.evaluation.types.document import BenchmarkDocument
from heta_framework.evaluation.types.manifest import (
    BenchmarkBuildScope,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkResourceKind,
    BenchmarkWorkspace,
    PreparedBenchmark,
)
from heta_framework.evaluation.types.report import EVALUATION_SCHEMA_VERSION, EvaluationReport
from heta_framework.evaluation.types.report_key import default_report_key
from heta_framework.evaluation.types.score import EvaluationError, EvaluationScore

__all__ = [
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
]
