"""MPBench: memory poisoning of agents through what they read."""

from heta_framework.common.datasets.entries.licences import APACHE_2
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_COMMIT = "6886880a7c29625e0109e0ad91d0e095029f1577"
_HOME = "https://github.com/Digital-Trust-Lab/mp-bench"

MPBENCH = DatasetEntry(
    name="mpbench",
    title="MPBench: memory poisoning",
    files=(DatasetFile(url=f"{_HOME}/archive/{_COMMIT}.zip", filename=f"mp-bench-{_COMMIT}.zip"),),
    licence=APACHE_2,
    homepage=_HOME,
    citation=(
        "Dash, Ge, Jain, Shah, Shang: a systematic study of memory poisoning attacks in LLM agents, arXiv:2606.04329, "
        f"{_HOME}, commit {_COMMIT[:7]}"
    ),
    notes=(
        "3,241 adversarial and 2,999 benign objects, in an archive of the repository: unpack it and name the files "
        "adversarial_data.jsonl.jsonl and benign_data.jsonl.jsonl in the configuration. Its source publishes no "
        "checksum: the first download is recorded and enforced from then on."
    ),
)
