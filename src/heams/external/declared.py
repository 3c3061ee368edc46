"""What a program declares is what it is asked for; a program that declares more than it does is told what to change."""

from collections.abc import Iterator
from contextlib import contextmanager

from heams.memory.base import UnsupportedOperation


@contextmanager
def declared_operation(op: str, capability: str, *, declared: bool, label: str) -> Iterator[None]:
    """The block asks for an operation that needs a capability.

    Raises:
        UnsupportedOperation: the capability is not declared, or it is, and the program refuses all the same.
    """
    if not declared:
        raise UnsupportedOperation(f"{label} does not declare {capability!r}, which {op!r} needs")
    try:
        yield
    except UnsupportedOperation as refusal:
        raise UnsupportedOperation(
            f"{refusal}; yet its answer to 'hello' declares {capability!r}: "
            f"let it declare {capability}: false, or offer {op!r}"
        ) from refusal
