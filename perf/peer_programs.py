"""Whether programs for the published heta-framework observe there what is recorded, and on ours what is expected.

`python -m perf.peer_programs` runs each of tests/heta_framework/programs on both, prints every difference and ends
with 1 where there is one; ``--record`` keeps what the published package did. Its interpreter is named by
HEAMS_PEER_PYTHON; else it is installed into the cache folder.
"""

import argparse
import sys

from perf.places import ROOT
from perf.published import NAME, published_python, run_program

PROGRAMS = ROOT / "tests/heta_framework/programs"


def main() -> None:
    """Run, compare, and record where asked for."""
    parser = argparse.ArgumentParser(description="Programs for the published package, there and here.")
    parser.add_argument("--record", action="store_true", help="keep what the published package does")
    options = parser.parse_args()
    sys.path.append(str(PROGRAMS))
    import expectations

    python = published_python()
    if python is None:
        sys.exit(1)
    unexpected = 0
    for program in expectations.PROGRAMS:
        there = run_program(python, PROGRAMS / f"{program}.py")
        if options.record:
            expectations.record(program, there)
        here = run_program(sys.executable, PROGRAMS / f"{program}.py")
        sides = {NAME: (there, expectations.published(program)), "ours": (here, expectations.expected(program))}
        for side, (found, wanted) in sides.items():
            lines = list(expectations.differences(found, wanted))
            unexpected += len(lines)
            named = f", {len(expectations.better(program))} of them better on purpose" if side == "ours" else ""
            print(f"{program} on {side}: {_count(found)} observations{named}, {len(lines)} not as expected")
            print("".join(f"  {line}\n" for line in lines), end="")
    sys.exit(1 if unexpected else 0)


def _count(observations: object) -> int:
    return sum(map(_count, observations.values())) if isinstance(observations, dict) else 1


if __name__ == "__main__":
    main()
