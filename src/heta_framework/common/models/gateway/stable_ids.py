"""Gives the UUIDs in a request the spelling they have in every run, and takes it back in the reply.

A library that names its memories by random UUIDs and puts them into prompts never asks the same question twice, so that
neither cache nor cassette would know it again. In a request each UUID is replaced by one that depends on nothing but
its place in the order of appearance.
"""

import re
import uuid

_FORM = r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
_UUID = re.compile(f"(?<![0-9A-Fa-f]){_FORM}(?![0-9A-Fa-f])")
_LISTED = re.compile(f"'{_FORM}'(?:, '{_FORM}')+")
"""Ids in a row, as Python prints them: libraries sort them, and the order of random ids is random too."""
_NAMESPACE = uuid.UUID("6f0d5c4e-8a3b-5c1d-9e2f-7b6a5d4c3e21")


class StableIds:
    """The renumbering of one request and its reply, on their JSON text."""

    def __init__(self) -> None:
        self._stable: dict[str, str] = {}
        self._own: dict[str, str] = {}

    def renumbered(self, text: str) -> str:
        """``text`` with stable UUIDs, in the form (with or without dashes) that each had."""
        stable = _UUID.sub(lambda found: self._stable_for(found[0]), text)
        return _LISTED.sub(lambda found: ", ".join(sorted(found[0].split(", "))), stable)

    def restored(self, text: str) -> str:
        """``text`` with the UUIDs of the request in place of the stable ones."""
        return _UUID.sub(lambda found: self._own.get(found[0], found[0]), text)

    def _stable_for(self, own: str) -> str:
        plain = own.replace("-", "")
        if plain not in self._stable:
            drawn = uuid.uuid5(_NAMESPACE, str(len(self._stable)))
            self._stable[plain] = drawn.hex
            self._own[drawn.hex] = plain
            self._own[str(drawn)] = str(uuid.UUID(plain))
        stable = self._stable[plain]
        return stable if own == plain else str(uuid.UUID(stable))
