"""Judge policies: what a judge is asked, and what its verdicts are worth.

A policy's ``prompt`` has gaps such as ``{answer}``; what fills them is *material*, and material is data. ``system``
says how to judge. The rules about data and the form of the reply are added to every policy (see ``prompting``).
"""

import re
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from heta_framework.common.judge.words import folded

_GAP = re.compile(r"\{(\w+)\}")
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.-]*$", max_length=60)]
Text = Annotated[str, Field(min_length=1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Label(_Strict):
    """A verdict: its name, what it is worth, whether it passes. ``aliases`` are other words that judges use for it."""

    name: Text
    value: Finite
    passes: bool
    means: str = ""
    aliases: tuple[Text, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


class _Policy(_Strict):
    name: Name
    version: int = Field(ge=1)
    system: Text
    prompt: Text

    @property
    def gaps(self) -> tuple[str, ...]:
        """The names of the material that the prompt needs, each once."""
        return tuple(dict.fromkeys(_GAP.findall(self.prompt)))

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not self.gaps:
            raise ValueError("the prompt must contain at least one gap such as {answer}")
        return self


class LabelPolicy(_Policy):
    """The verdict is one of several labels."""

    kind: Literal["labels"] = "labels"
    labels: tuple[Label, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _labels_differ(self) -> Self:
        owners: dict[str, str] = {}
        for label in self.labels:
            for form in label.forms:
                owner = owners.setdefault(folded(form), label.name)
                if owner != label.name:
                    raise ValueError(
                        f"{form!r} belongs to the labels {owner!r} and {label.name!r}; it can mean only one"
                    )
        return self

    def label(self, name: str) -> Label:
        """The label of that name. Raises KeyError for another one."""
        return next(label for label in self.labels if label.name == name)

    def stricter(self, names: Sequence[str]) -> str:
        """Of several labels the one that passes less, then the one that is worth less."""
        return min(names, key=lambda name: (self.label(name).passes, self.label(name).value, name))


class ScalePolicy(_Policy):
    """The verdict is a number from ``low`` to ``high``, or one of ``allowed``.

    ``passes_from``: the value from which it passes; without it there is no passing. ``truncate`` drops what stands
    behind the point, as some published scorers do by mistake.
    """

    kind: Literal["scale"] = "scale"
    low: Finite = 0.0
    high: Finite = 1.0
    allowed: tuple[Finite, ...] | None = Field(default=None, min_length=2)
    passes_from: Finite | None = None
    aggregate: Literal["median", "mean"] = "median"
    truncate: bool = False

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"a scale goes upwards; found low {self.low:g} and high {self.high:g}")
        outside = [value for value in self.allowed or () if not self.low <= value <= self.high]
        if outside:
            raise ValueError(f"allowed values lie from {self.low:g} to {self.high:g}; found {outside[0]:g}")
        return self


class _ChoosingPolicy(_Policy):
    items: Text

    @model_validator(mode="after")
    def _items_are_shown(self) -> Self:
        if self.items not in self.gaps:
            raise ValueError(f"the prompt must contain {{{self.items}}}, which 'items' names")
        return self


class ListPolicy(_ChoosingPolicy):
    """The verdict is a list: which of the numbered entries of the gap ``items`` something is true of.

    The value is the share of entries that were listed, or (``counts: any``) 1 when one was; it passes when none was.
    """

    kind: Literal["list"] = "list"
    counts: Literal["share", "any"] = "share"

    def value_of(self, listed: int, entries: int) -> float:
        """What it is worth when ``listed`` of ``entries`` were listed."""
        return float(listed > 0) if self.counts == "any" else listed / max(entries, 1)


class ClaimsPolicy(_ChoosingPolicy):
    """The verdict is a list of claims, each supported or not, and the numbered entries of ``items`` left out.

    The value is the share of claims that are supported; it passes when all are and nothing was left out.
    """

    kind: Literal["claims"] = "claims"


JudgePolicy = Annotated[LabelPolicy | ScalePolicy | ListPolicy | ClaimsPolicy, Field(discriminator="kind")]
POLICY_ADAPTER: TypeAdapter[LabelPolicy | ScalePolicy | ListPolicy | ClaimsPolicy] = TypeAdapter(JudgePolicy)
