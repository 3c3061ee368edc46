"""STALE: 400 scenarios in which a remark silently ends what a user told before."""

from heta_framework.common.datasets.entries.licences import CC_BY_4
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

STALE = DatasetEntry(
    name="stale",
    title="STALE: memories that are no longer valid",
    files=(
        DatasetFile(
            url="https://huggingface.co/datasets/STALEproj/STALE/resolve/main/T1_T2_400_FULL.json",
            filename="T1_T2_400_FULL.json",
            sha256="5f3ec375179e20e2e94469e018189188f34e2e7e5f21cbecbd99fcfa648c1876",
            size=305_908_212,
        ),
    ),
    licence=CC_BY_4,
    homepage="https://huggingface.co/datasets/STALEproj/STALE",
    citation='"STALE: Can LLM Agents Know When Their Memories Are No Longer Valid?", 2026, arXiv:2605.06527',
    notes="400 scenarios with 1,200 questions in one file of 306 MB; its filler sessions are LongMemEval's (MIT).",
)
