"""The datasets that can be downloaded, each file pinned by its sha256."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile, Licence
from heta_framework.common.datasets.errors import UnknownDatasetError

_CC_BY_NC_4 = Licence(
    name="CC BY-NC 4.0",
    url="https://creativecommons.org/licenses/by-nc/4.0/legalcode",
    terms="You may share and adapt it with credit to its authors, for purposes that are not commercial.",
    commercial_use=False,
)

_LOCOMO = DatasetEntry(
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
    licence=_CC_BY_NC_4,
    homepage="https://github.com/snap-research/locomo",
    citation=(
        "Maharana, Lee, Tulyakov, Bansal, Barbieri and Fang, "
        '"Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024, arXiv:2402.17753'
    ),
    notes="10 conversations, 5,882 turns, 1,986 questions; some gold answers are disputed, see locomo_audit.",
)

_LOCOMO_AUDIT = DatasetEntry(
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
    licence=_CC_BY_NC_4,
    homepage="https://github.com/dial481/locomo-audit",
    citation="dial481, LoCoMo Benchmark Audit, https://github.com/dial481/locomo-audit, commit 9493fb4",
    notes="156 findings, matched to the questions of locomo10.json by conversation and question index.",
)

_REGISTRY = MappingProxyType({entry.name: entry for entry in (_LOCOMO, _LOCOMO_AUDIT)})


def registry() -> Mapping[str, DatasetEntry]:
    """All downloadable datasets by name."""
    return _REGISTRY


def find_entry(name: str) -> DatasetEntry:
    """Return the dataset called `name`.

    Raises:
        UnknownDatasetError: there is none; the message lists the known names.
    """
    if name in _REGISTRY:
        return _REGISTRY[name]
    hint = did_you_mean(name, _REGISTRY)
    known = ", ".join(sorted(_REGISTRY))
    raise UnknownDatasetError(f"dataset {name!r} is not registered; known: {known}" + (f"; {hint}" if hint else ""))
