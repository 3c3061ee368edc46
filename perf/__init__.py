"""The performance suite: one file per bar, each prints its figure beside a peer's or an ideal.

`python -m perf.run_all` runs all of them; each runs alone as well (`python -m perf.harness_cpu`). `--smoke` runs tiny
sizes to see that the scripts work, `--no-peer` leaves the peer out.
"""
