"""Files that are there whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed: that is lock enough
    fcntl = None  # type: ignore[assignment]

ENDING = ".partial"


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its name only once it is complete; a failure leaves the old file whole.

    A symbolic link stays, and what it points to is replaced. A file that is replaced keeps its permissions. What
    a writer that was killed left behind is removed by the next one.
    """
    place = os.path.realpath(path)
    remove_abandoned(glob.escape(_beside(place)) + "[0-9a-f]" * 16 + ENDING)
    made: list[str] = []
    try:
        with _locked(place, made) as file:
            yield file
            if fcntl is None:
                file.close()
            elif not file.closed:
                file.flush()
            os.replace(made[-1], place)
    except BaseException:
        for partial in made:
            with contextlib.suppress(OSError):
                os.unlink(partial)
        raise


def no_folder(path: str) -> str | None:
    """Why a file cannot be written where there is no folder for it; None where there is one."""
    folder = os.path.dirname(os.path.realpath(path))  # a symbolic link stays where it is
    return (
        None if os.path.isdir(folder) else f"{path!r} cannot be written: there is no folder {folder!r}. Make it first."
    )


def no_place(path: str) -> str | None:
    """Why a file cannot take its place: something else is there, or there is no folder; None where it can."""
    if os.path.exists(path) and not os.path.isfile(path):
        return f"{path!r} is not a file, so it cannot be replaced by one. Give the path of a file."
    return no_folder(path)


def _locked(place: str, made: list[str]) -> IO[bytes]:
    """A new file beside the place, locked for as long as its writer lives, with the permissions of the old one.

    Its name is in `made` before it is there, so that whoever is interrupted knows what to remove.
    """
    while True:
        made.append(f"{_beside(place)}{secrets.token_hex(8)}{ENDING}")
        file = open(made[-1], "xb")  # noqa: SIM115 - closed by whoever asked for it
        if fcntl is None:
            return file
        try:
            _keep_permissions(file.fileno(), place)
            lock(file.fileno())
            if os.path.exists(made[-1]):  # else another writer took it for abandoned before it was locked
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _keep_permissions(file: int, place: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        old = os.stat(place)
        os.fchmod(file, 0o600)  # nobody else reads along while the owner changes
        with contextlib.suppress(OSError):  # only some may give files away
            os.fchown(file, old.st_uid, old.st_gid)
        os.fchmod(file, stat.S_IMODE(old.st_mode))


def lock(file: int) -> None:
    """Hold an open file, for as long as it is open, against those who look for abandoned ones."""
    if fcntl is not None:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)


def remove_abandoned(pattern: str) -> None:
    """Remove the files of a pattern that are ours and that no living process holds."""
    for partial in glob.glob(pattern):
        with contextlib.suppress(OSError):
            found = os.lstat(partial)
            if not stat.S_ISREG(found.st_mode) or (fcntl is not None and found.st_uid != os.geteuid()):
                continue  # in a folder that others write to, anything may be called so
            if fcntl is None:
                os.unlink(partial)
                continue
            with open(partial, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(partial)


def _beside(place: str) -> str:
    """How the names of the partial files of a place begin."""
    return os.path.join(os.path.dirname(place), f".{_short(place)}.")


def _short(place: str) -> str:
    """The name of the file, cut where the longer one of its partial would be too long for the file system."""
    name = os.path.basename(place)
    while len(os.fsencode(name)) > 200:
        name = name[:-1]
    return name
