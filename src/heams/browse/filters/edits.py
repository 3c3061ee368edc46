"""Edits that a click makes in the text of a filter: choose a value of a field, take it back, forget the field.

Only terms that stand alone or are joined by AND at the top are touched: those inside OR, parentheses or a negation say
something that the click did not mean. The result is written anew, so its quotes and spaces may differ from the text's.
"""

from collections.abc import Sequence

from heams.browse.filters.errors import FilterError
from heams.browse.filters.fields import FIELDS, TAG
from heams.browse.filters.parsing import parse
from heams.browse.filters.syntax import (
    EVERYTHING,
    AllOf,
    Everything,
    FieldRef,
    Filter,
    Literal,
    Missing,
    Not,
    Number,
    Operator,
    Term,
    Value,
)
from heams.browse.filters.text import to_text
from heams.browse.filters.tokens import unescaped

Choice = str | float | bool | None
"""A value as facets have it; None where the field has no value."""


def field_ref(name: str) -> FieldRef:
    """The field that is written ``name``, such as ``verdict``, ``tag.category`` or ``tag."my tag"``.

    Raises:
        FilterError: there is no such field.
    """
    base, dot, tag = name.partition(".")
    if base not in FIELDS or (base == TAG) != bool(dot):
        raise FilterError(f"there is no field '{name}'", 0, len(name), found=name, allowed=tuple(FIELDS))
    quoted = len(tag) > 1 and tag[0] == tag[-1] == '"'
    return FieldRef(base, (unescaped(tag[1:-1]) if quoted else tag) if dot else None)


def with_term(text: str, field: str, value: Choice) -> str:
    """``text`` with ``value`` chosen too: beside the field's chosen values, or as a new term at the end.

    Raises:
        FilterError: ``text`` is no filter, or there is no such field.
    """
    ref, added = field_ref(field), _value(field, value)
    parts = list(parts_of(parse(text)))
    for place, part in enumerate(parts):
        if isinstance(part, Term) and _chooses(part, ref):
            if added not in part.values:
                parts[place] = Term(ref, Operator.EQUALS, (*part.values, added))
            return to_text(joined(parts))
    return to_text(joined([*parts, Term(ref, Operator.EQUALS, (added,))]))


def with_range(text: str, field: str, low: float | None, high: float | None, *, closed: bool = False) -> str:
    """``text`` with the field between ``low`` and ``high`` in place of its other terms; ``closed`` includes ``high``.

    Raises:
        FilterError: ``text`` is no filter, or there is no such field.
    """
    ref = field_ref(field)
    parts = list(parts_of(without_field(parse(text), ref)))
    if low is not None:
        parts.append(Term(ref, Operator.AT_LEAST, (Number(low),)))
    if high is not None:
        parts.append(Term(ref, Operator.AT_MOST if closed else Operator.LESS, (Number(high),)))
    return to_text(joined(parts))


def without_value(text: str, field: str, value: Choice) -> str:
    """``text`` in which ``value`` is no longer chosen; the field's other values stay.

    Raises:
        FilterError: ``text`` is no filter, or there is no such field.
    """
    ref, removed = field_ref(field), _value(field, value)
    kept = (_less(part, ref, removed) for part in parts_of(parse(text)))
    return to_text(joined([part for part in kept if part is not None]))


def without(text: str, field: str) -> str:
    """``text`` without the field's terms, negated ones included.

    Raises:
        FilterError: ``text`` is no filter, or there is no such field.
    """
    return to_text(without_field(parse(text), field_ref(field)))


def without_field(filter_: Filter, field: FieldRef) -> Filter:
    """The filter without the field's terms, negated ones included."""
    return joined([part for part in parts_of(filter_) if not _is_about(part, field)])


def chosen(filter_: Filter, field: FieldRef) -> tuple[Value, ...]:
    """The values of the field that the filter chooses."""
    terms = (part for part in parts_of(filter_) if isinstance(part, Term) and _chooses(part, field))
    return tuple(value for term in terms for value in term.values)


def parts_of(filter_: Filter) -> tuple[Filter, ...]:
    """The filters that must all apply: what stands alone or is joined by AND at the top."""
    match filter_:
        case Everything():
            return ()
        case AllOf(parts):
            return parts
        case _:
            return (filter_,)


def joined(parts: Sequence[Filter]) -> Filter:
    """The filter to which all of ``parts`` must apply."""
    if len(parts) > 1:
        return AllOf(tuple(parts))
    return parts[0] if parts else EVERYTHING


def _is_about(part: Filter, field: FieldRef) -> bool:
    inner = part.inner if isinstance(part, Not) else part
    return isinstance(inner, Term) and inner.field == field


def _chooses(term: Term, field: FieldRef) -> bool:
    return term.field == field and term.operator is Operator.EQUALS


def _less(part: Filter, field: FieldRef, removed: Value) -> Filter | None:
    if not isinstance(part, Term) or not _chooses(part, field):
        return part
    values = tuple(value for value in part.values if not _same(value, removed))
    return Term(field, Operator.EQUALS, values) if values else None


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, Literal) and isinstance(other, Literal):
        return one.text.lower() == other.text.lower()
    return one == other


def _value(field: str, value: Choice) -> Value:
    if value is None:
        return Missing()
    if isinstance(value, bool):
        return Literal(str(value).lower())
    if isinstance(value, str):
        return Literal(value)
    return Number(float(value))
