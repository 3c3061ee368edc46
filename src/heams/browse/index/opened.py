"""The tables of an experiment as somebody reads them: of one version, and there until they are closed."""

from pathlib import Path
from types import TracebackType

from heams.browse.index.database import Database
from heams.reporting.tables import Tables


class Opened(Tables):
    """Tables whose file is not deleted before they are closed, however often the results change meanwhile.

    ``version`` is that of the results in them: what was learnt here holds for it, and perhaps for no later one.
    ``file`` is where other processes find them.
    """

    def __init__(self, database: Database, file: Path, version: str) -> None:
        super().__init__(database.connect(file))
        self.version = version
        self.file = file
        self._database = database

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._database.release(self.file)
