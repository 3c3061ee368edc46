"""What all scripts of the suite have in common: their options, the peer, and how they print and end."""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from perf.bars import Figure, report
from perf.peer import Peer, install_peer
from perf.scale import FULL, SMOKE, Scale


class Session(NamedTuple):
    """One run of the suite."""

    scale: Scale
    peer: Peer | None


Measure = Callable[[Session], Iterator[Figure]]


def run_scripts(*measures: Measure) -> None:
    """Measure, print, and end the process: with 1 when a bar is not met (never with ``--smoke``)."""
    parser = argparse.ArgumentParser(description="Figures beside their bars and beside a peer's.")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes and no peer: only shows that the scripts work")
    parser.add_argument("--no-peer", action="store_true", help="our figures alone")
    options = parser.parse_args()
    peer = None if options.smoke or options.no_peer else install_peer()
    session = Session(SMOKE if options.smoke else FULL, peer)
    met = [report(measure(session), judged=not options.smoke) for measure in measures]
    if options.smoke:
        print("tiny sizes, so no bars: the scripts work")
    sys.exit(0 if options.smoke or all(met) else 1)
