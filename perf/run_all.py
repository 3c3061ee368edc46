"""The whole suite: `python -m perf.run_all [--smoke] [--no-peer]`."""

from perf import harness_cpu, locomo_full, memory_growth, model_calls, resume, startup, waiting
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
    )
