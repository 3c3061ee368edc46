"""Seeds that depend on what is played and never on when or in which order."""

from hashlib import sha256


def seed_for(seed: int, scope: str, repeat: int = 0) -> int:
    """A 32-bit seed for a scope and a repeat of it, the same in every run with the same ``seed``."""
    return int.from_bytes(sha256(f"{seed}\0{repeat}\0{scope}".encode("utf-8", "surrogatepass")).digest()[:4])
