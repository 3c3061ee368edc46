"""LoCoMo's five question categories, by number and by name.

The numbers follow the published scorer and the counts of the paper's table (Maharana et al. 2024, arXiv 2402.17753).
Several other harnesses swap the names of 1, 3 and 4; per-category figures can be compared only after mapping them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

CategoryId = Literal[1, 2, 3, 4, 5]

MULTI_HOP: CategoryId = 1
TEMPORAL: CategoryId = 2
OPEN_DOMAIN: CategoryId = 3
SINGLE_HOP: CategoryId = 4
ADVERSARIAL: CategoryId = 5

CATEGORY_NAMES: Mapping[CategoryId, str] = MappingProxyType(
    {
        MULTI_HOP: "multi_hop",
        TEMPORAL: "temporal",
        OPEN_DOMAIN: "open_domain",
        SINGLE_HOP: "single_hop",
        ADVERSARIAL: "adversarial",
    }
)
"""1: facts of several sessions, often a list. 2: when something happened. 3: needs knowledge from outside.
4: one place in the conversation. 5: cannot be answered from the conversation."""
