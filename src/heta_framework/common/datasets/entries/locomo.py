"""LoCoMo, and an audit of its gold answers."""

from heta_framework.common.datasets.entries.licences import CC_BY_NC_4
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

LOCOMO = DatasetEntry(
    name="locomo",
    title="LoCoMo: very long-term conversational memory",
    files=(
        DatasetFile(
            url="https://raw.githubusercontent.com/snap-research/locomo/main/data/locomo10.json",
            filename="locomo10.json",
            sha256="79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4",
            size=2_805_274,
        ),
    ),
    licence=CC_BY_NC_4,
    homepage="https://github.com/snap-research/locomo",
    citation=(
        "Maharana, Lee, Tulyakov, Bansal, Barbieri and Fang, "
        '"Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024, arXiv:2402.17753'
    ),
    notes="10 conversations, 5,882 turns, 1,986 questions; some gold answers are disputed, see locomo_audit.",
)

LOCOMO_AUDIT = DatasetEntry(
    name="locomo_audit",
    title="LoCoMo audit: findings on LoCoMo's gold answers",
    files=(
        DatasetFile(
            url=(
                "https://raw.githubusercontent.com/dial481/locomo-audit/"
                "9493fb4b4af4256ed17a18e8fd0b3cfdeec29539/errors.json"
            ),
            filename="errors.json",
            sha256="f298ef46263fada20688a1d672be37d4f488c6da3b19343eea55ae5c1b5fe55e",
            size=150_552,
        ),
    ),
    licence=CC_BY_NC_4,
    homepage="https://github.com/dial481/locomo-audit",
    citation="dial481, LoCoMo Benchmark Audit, https://github.com/dial481/locomo-audit, commit 9493fb4",
    notes="156 findings, matched to the questions of locomo10.json by conversation and question index.",
)
