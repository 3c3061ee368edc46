"""Prompt templates in YAML: text with named gaps such as ``{question}``, checked when the configuration is read."""

import re
from collections.abc import Callable

from pydantic import AfterValidator

_GAP = re.compile(r"\{(\w+)\}")


def gaps(*names: str) -> AfterValidator:
    """A validator for templates: these gaps, each at least once. Braces around anything but one word are text."""
    return AfterValidator(_checker(names))


def fill(template: str, **values: str) -> str:
    """The template with each gap replaced. Values are never read as templates themselves."""
    return _GAP.sub(lambda gap: values.get(gap[1], gap[0]), template)


def _checker(names: tuple[str, ...]) -> Callable[[str], str]:
    def check(template: str) -> str:
        from heta_framework.common.config import nearest

        found = _GAP.findall(template)
        allowed = ", ".join(f"{{{name}}}" for name in names)
        for name in found:
            if name not in names:
                near = nearest(name, names)
                hint = f"; did you mean {{{near}}}?" if near else ""
                raise ValueError(f"the template has a gap {{{name}}}; allowed: {allowed}{hint}")
        missing = [f"{{{name}}}" for name in names if name not in found]
        if missing:
            raise ValueError(f"the template must contain {', '.join(missing)}")
        return template

    return check
