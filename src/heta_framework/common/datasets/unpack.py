"""Zip archives of others: unpacked once, into their own folder alone, up to a limit, and never half."""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from heta_framework.common.datasets.errors import ArchiveError

_STAMP = ".unpacked_from"
_BLOCK = 1 << 20
_NOISE = ("__MACOSX", ".DS_Store")
_ENCRYPTED = 0x1


@dataclass(frozen=True)
class UnpackLimits:
    """What an archive may become, so that none fills the disk.

    Attributes:
        members: files in it.
        bytes: of all of them, unpacked.
        ratio: unpacked bytes per byte of the archive; data files of text reach about 10.
        small: bytes below which no ratio is too high.
    """

    members: int = 1_000_000
    bytes: int = 64 << 30
    ratio: int = 100
    small: int = 256 << 20

    def allowed(self, archive_size: int) -> int:
        """How many bytes an archive of this size may become."""
        return min(self.bytes, max(self.small, self.ratio * archive_size))


def unpacked(archive: Path, folder: Path, limits: UnpackLimits | None = None) -> Path:
    """The folder with the content of a zip archive, unpacked there unless it already was.

    Args:
        archive: the zip file.
        folder: where its content goes; what is there of an older archive is replaced.
        limits: `UnpackLimits` by default.

    Raises:
        ArchiveError: it is no zip file, or damaged; a member's path leads out of the folder, is a link or encrypted, or
            is there twice; it is larger than allowed. The folder is left as it was.
        OSError: it cannot be written.
    """
    from filelock import FileLock

    status = archive.stat()
    stamp = f"{status.st_size} {status.st_mtime_ns}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f".{folder.name}.lock")):
        if not _is_from(folder, stamp):
            _unpack_anew(archive, folder, stamp, (limits or UnpackLimits()))
    return folder


def _is_from(folder: Path, stamp: str) -> bool:
    try:
        return (folder / _STAMP).read_text(encoding="ascii") == stamp
    except OSError:
        return False


def _unpack_anew(archive: Path, folder: Path, stamp: str, limits: UnpackLimits) -> None:
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _unpack(archive, new, limits)
        (new / _STAMP).write_text(stamp, encoding="ascii")
        shutil.rmtree(folder, ignore_errors=True)
        new.chmod(0o755)
        new.replace(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _unpack(archive: Path, folder: Path, limits: UnpackLimits) -> None:
    left = limits.allowed(archive.stat().st_size)
    try:
        with zipfile.ZipFile(archive) as opened:
            for member in _checked(opened, archive, left, limits):
                left -= _write(opened, member, folder, archive, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as cause:
        raise ArchiveError(f"{archive} cannot be unpacked: {cause}; remove it to download it again") from cause


def _checked(opened: zipfile.ZipFile, archive: Path, allowed: int, limits: UnpackLimits) -> list[zipfile.ZipInfo]:
    """The files in it, after a look at all of them, so that nothing is written of an archive that is refused."""
    members = [member for member in opened.infolist() if not member.is_dir() and not _is_noise(member)]
    if len(members) > limits.members:
        raise ArchiveError(f"{archive} holds {len(members)} files; at most {limits.members} are allowed")
    if (declared := sum(member.file_size for member in members)) > allowed:
        _refuse_size(archive, f"{declared} bytes", allowed)
    for member in members:
        _refuse_unsafe(member, archive)
    _refuse_same_places(members, archive)
    return members


def _refuse_same_places(members: list[zipfile.ZipInfo], archive: Path) -> None:
    """No file stands for another one, or where a folder is needed."""
    paths = [PurePosixPath(member.filename) for member in members]
    seen: set[PurePosixPath] = set()
    folders = {folder for path in paths for folder in path.parents}
    for path in paths:
        if path in seen or path in folders:
            raise ArchiveError(f"{archive} holds {str(path)!r} twice; nothing was unpacked")
        seen.add(path)


def _is_noise(member: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(member.filename).parts
    return bool(parts) and (parts[0] == _NOISE[0] or parts[-1] == _NOISE[1])


def _refuse_unsafe(member: zipfile.ZipInfo, archive: Path) -> None:
    name = member.filename
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in name or PureWindowsPath(name).drive:
        raise ArchiveError(f"unsafe zip member path: {name!r} in {archive}; nothing was unpacked")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise ArchiveError(f"unsafe zip member: {name!r} in {archive} is a link; nothing was unpacked")
    if member.flag_bits & _ENCRYPTED:
        raise ArchiveError(f"{name!r} in {archive} is encrypted; unpack it by hand")


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, archive: Path, left: int) -> int:
    target = folder / member.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with opened.open(member) as source, target.open("wb") as sink:
        while block := source.read(_BLOCK):
            written += len(block)
            if written > left:
                _refuse_size(archive, "more than it says", left)
            sink.write(block)
    return written


def _refuse_size(archive: Path, found: str, allowed: int) -> None:
    raise ArchiveError(
        f"{archive} becomes {found} when it is unpacked; at most {allowed} bytes are allowed for an archive of its size"
    )
