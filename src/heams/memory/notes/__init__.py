"""``notes``: a model keeps files of notes, which it reads and edits by tools."""

from heams.memory.notes.config import NotesMemoryConfig
from heams.memory.notes.system import NotesMemorySystem

__all__ = ["NotesMemoryConfig", "NotesMemorySystem"]
