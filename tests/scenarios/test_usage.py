"""Usage: sums, and an unknown price that stays unknown through an artifact."""

import pytest

from heams.scenarios.usage import Usage, add_usage


@pytest.mark.parametrize("cost", [None, 0.0, 0.25])
def test_cost_survives_an_artifact(cost: float | None) -> None:
    usage = Usage(calls=1, input_tokens=2, cost_usd=cost)
    assert Usage.model_validate_json(usage.model_dump_json(exclude_none=True)) == usage


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    total = add_usage([{"agent": Usage(calls=1, cost_usd=0.5)}, {"agent": Usage(calls=2, cost_usd=None)}])
    assert total == {"agent": Usage(calls=3, cost_usd=None)}


def test_roles_are_kept_apart() -> None:
    total = add_usage([{"agent": Usage(input_tokens=3)}, {"memory": Usage(input_tokens=4, estimated=True)}])
    assert total == {"agent": Usage(input_tokens=3), "memory": Usage(input_tokens=4, estimated=True)}
