"""How retrieval benchmarks are reported."""

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig

SECTION = "Retrieval"
HEADLINE = (
    "beir_ndcg@10",
    "beir_recall@10",
    "beir_mrr@10",
    "evidence_recall@5",
    "answer_contains",
    "answer_exact_match",
)
"""The measures of the headline, those of them that there are."""


def retrieval_info(
    name: str,
    order: int,
    *,
    criterion: str | None = None,
    headline: tuple[str, ...] = HEADLINE,
    detail: str | None = None,
) -> BenchmarkInfo:
    """Report metadata; ``detail`` is the setting that tells two benchmarks of the type apart."""

    def described(saved: SavedConfig) -> str:
        return f"{name}: {saved[detail]}" if detail is not None else name

    return BenchmarkInfo(
        display_name=name,
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=((criterion,),) if criterion is not None else (),
        section=SECTION,
        order=order,
        headline_metrics=headline,
        describe=described,
    )
