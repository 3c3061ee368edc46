"""How much each script measures: the sizes that the bars name, or tiny ones that only show that the scripts work."""

from typing import NamedTuple


class Scale(NamedTuple):
    """Sizes in samples. The peer gets fewer, where it would take too long; figures are then per sample."""

    cpu_sizes: tuple[int, ...] = (2_000, 20_000, 100_000)
    cpu_size_of_peer: int = 2_000
    waiting_samples: int = 2_000
    waiting_concurrency: int = 200
    memory_sizes: tuple[int, int] = (2_000, 100_000)
    memory_sizes_of_peer: tuple[int, int] = (500, 2_500)
    resume_finished: int = 100_000
    resume_finished_of_peer: int = 2_000
    repetitions: int = 3
    starts: int = 7
    locomo_limit: int | None = None
    model_concurrency: int = 100
    model_latency_s: float = 1.0
    model_quota: int = 40
    kb_documents: int = 1_400
    kb_questions: int = 225
    kb_large: tuple[int, int] = (10_000, 50_000)
    vectors: int = 1_000_000
    report_cases: int = 50_000
    report_cases_of_peer: int = 5_000
    metric_questions: int = 10_000
    browse_records: int = 100_000
    browse_records_beyond: int | None = 1_000_000


FULL = Scale()
SMOKE = Scale(
    cpu_sizes=(50, 100),
    cpu_size_of_peer=50,
    waiting_samples=50,
    waiting_concurrency=25,
    memory_sizes=(50, 200),
    memory_sizes_of_peer=(50, 100),
    resume_finished=200,
    resume_finished_of_peer=50,
    repetitions=1,
    starts=1,
    locomo_limit=2,
    model_concurrency=10,
    model_latency_s=0.05,
    model_quota=5,
    kb_documents=60,
    kb_questions=5,
    kb_large=(100, 500),
    vectors=2_000,
    report_cases=60,
    report_cases_of_peer=30,
    metric_questions=50,
    browse_records=1_000,
    browse_records_beyond=None,
)
