"""The policies that come with the package, one YAML file each; they are written like anybody's own."""

from functools import cache
from importlib.resources import files

from heta_framework.common.judge.policy import POLICY_ADAPTER, JudgePolicy

_FOLDER = files("heta_framework.common.judge") / "policies"


@cache
def policy_names() -> tuple[str, ...]:
    """The names of the built-in policies, sorted."""
    return tuple(sorted(file.name.removesuffix(".yaml") for file in _FOLDER.iterdir() if file.name.endswith(".yaml")))


@cache
def built_in_policy(name: str) -> JudgePolicy:
    """The built-in policy of that name.

    Raises:
        ValueError: there is none; the message names the nearest one.
    """
    import yaml

    if name not in policy_names():
        from heta_framework.common.config import nearest

        near = nearest(name, policy_names())
        hint = f"did you mean {near!r}? " if near else ""
        raise ValueError(f"no judge policy is named {name!r}; {hint}There are: {', '.join(policy_names())}")
    return POLICY_ADAPTER.validate_python(yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))
