"""What all scripts of the suite have in common: their options, the peer, and how they print and end."""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from perf.bars import Figure, report
from perf.peer import Peer, install_peer
from perf.published import published_python
from perf.scale import FULL, SMOKE, Scale


@dataclass(frozen=True)
class Session:
    """One run of the suite. Peers are installed when they are first asked for."""

    scale: Scale
    with_peers: bool

    @cached_property
    def peer(self) -> Peer | None:
        """The peer of the evaluation harness; None without one."""
        return install_peer() if self.with_peers else None

    @cached_property
    def published(self) -> Path | None:
        """The interpreter of the peer of knowledge bases; None without one."""
        return published_python() if self.with_peers else None


Measure = Callable[[Session], Iterator[Figure]]


def run_scripts(*measures: Measure) -> None:
    """Measure, print, and end the process: with 1 when a bar is not met (never with ``--smoke``)."""
    parser = argparse.ArgumentParser(description="Figures beside their bars and beside a peer's.")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes and no peer: only shows that the scripts work")
    parser.add_argument("--no-peer", action="store_true", help="our figures alone")
    options = parser.parse_args()
    with_peers = not (options.smoke or options.no_peer)
    session = Session(SMOKE if options.smoke else FULL, with_peers)
    met = [report(measure(session), judged=not options.smoke) for measure in measures]
    if options.smoke:
        print("tiny sizes, so no bars: the scripts work")
    sys.exit(0 if options.smoke or all(met) else 1)
