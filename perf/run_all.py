"""The whole suite: `python -m perf.run_all [--smoke] [--no-peer]`."""

from perf import (
    benchmark_runner,
    browse,
    evaluation_reports,
    harness_cpu,
    knowledge_base,
    knowledge_base_growth,
    locomo_full,
    memory_growth,
    model_calls,
    resume,
    startup,
    trec_metrics,
    vector_store,
    waiting,
)
from perf.script import run_scripts

if __name__ == "__main__":
    run_scripts(
        startup.measure,
        harness_cpu.measure,
        waiting.measure,
        memory_growth.measure,
        resume.measure,
        locomo_full.measure,
        model_calls.measure,
        knowledge_base.measure,
        knowledge_base_growth.measure,
        vector_store.measure,
        trec_metrics.measure,
        benchmark_runner.measure,
        evaluation_reports.measure,
        browse.measure,
    )
