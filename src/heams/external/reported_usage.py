"""What a program used is known only when it says so: silence is not the same as nothing."""

from heams.scenarios.usage import Usage, UsageByRole, UsageRole

_UNKNOWN = Usage(cost_usd=None)


def not_reported(role: UsageRole) -> UsageByRole:
    """The usage of a program that does not say: no calls that are known of, at an unknown cost."""
    return {role: _UNKNOWN}
