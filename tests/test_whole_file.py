"""Files that are written: whole or not at all, where links lead, as readable as before, with nothing left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import suffice as sf
from suffice.errors import ModelFileError
from suffice.whole_file import whole_file

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions and signals as on Unix")

TENNIS = sf.datasets.load("play_tennis")
Save = Callable[[Path], None]


def save_model(path: Path) -> None:
    sf.NaiveBayes().fit(TENNIS, "PlayTennis").save(path)


def save_picture(path: Path) -> None:
    sf.id3().fit(TENNIS, "PlayTennis").plot().save(path)


def save_rows(path: Path) -> None:
    from suffice.cli.row_writer import write_rows

    write_rows(iter([TENNIS]), str(path))


every_writer = pytest.mark.parametrize(
    ("save", "name"), [(save_model, "model.json"), (save_picture, "tree.svg"), (save_rows, "rows.csv")]
)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextlib.contextmanager
def mask(value: int) -> Iterator[None]:
    old = os.umask(value)
    try:
        yield
    finally:
        os.umask(old)


@every_writer
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_a_file_that_is_replaced_keeps_its_permissions(save: Save, name: str, mode: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("old")
    path.chmod(mode)
    save(path)
    assert path.read_text() != "old"
    assert mode_of(path) == mode


@every_writer
def test_a_new_file_has_the_permissions_the_user_gives_new_files(save: Save, name: str, tmp_path: Path) -> None:
    for value, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        path = tmp_path / f"{value}{name}"
        with mask(value):
            save(path)
        assert mode_of(path) == mode


@every_writer
def test_a_symbolic_link_stays_and_its_target_is_replaced(save: Save, name: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link, second = tmp_path / "there" / name, tmp_path / name, tmp_path / f"second{name}"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    second.symlink_to(link.name)
    save(second)
    assert link.is_symlink()
    assert second.is_symlink()
    assert target.read_text() == link.read_text() != "old"
    assert mode_of(target) == 0o600
    assert [path.name for path in target.parent.iterdir()] == [name]


@every_writer
def test_a_link_to_nothing_yet_makes_its_target(save: Save, name: str, tmp_path: Path) -> None:
    link, target = tmp_path / name, tmp_path / f"target{name}"
    link.symlink_to(target.name)
    save(link)
    assert link.is_symlink()
    assert target.is_file()


def test_a_model_cannot_be_saved_where_there_is_no_folder_or_no_right(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "model.json")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    for name in ("nowhere/model.json", "link", "round"):
        with pytest.raises(ModelFileError, match="cannot be written"):
            save_model(tmp_path / name)
    with pytest.raises(ModelFileError, match="not a file"):
        save_model(tmp_path)


KILLED = """
import os, sys, time
from suffice.whole_file import whole_file
with whole_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(60)
"""


def writing(path: Path) -> subprocess.Popen[str]:
    """A process that has begun to write a file, and does not end."""
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


@every_writer
def test_what_a_killed_writer_leaves_is_removed_by_the_next(save: Save, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for _ in range(2):
        process = writing(path)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert list(tmp_path.glob("*.partial"))
    assert not path.exists()
    save(path)
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_a_writer_that_lives_is_left_alone_and_so_are_other_files(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    others = [tmp_path / ".other.json.0123456789abcdef.partial", tmp_path / ".model.json.partial"]
    for other in others:
        other.write_text("somebody else's")
    process = writing(path)
    save_model(path)
    assert len(list(tmp_path.glob("*.partial"))) == 3
    process.kill()
    process.communicate()
    save_model(path)
    assert set(tmp_path.iterdir()) == {path, *others}


def test_many_writers_at_once_each_leave_a_whole_file(tmp_path: Path) -> None:
    path, failures = tmp_path / "file", []

    def write(sign: bytes) -> None:
        try:
            for _ in range(40):
                with whole_file(path) as file:
                    for _ in range(10):
                        file.write(sign * 1000)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(sign,)) for sign in (b"a", b"b", b"c", b"d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    data = path.read_bytes()
    assert not failures
    assert len(data) == 10_000
    assert len(set(data)) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with contextlib.suppress(ZeroDivisionError), whole_file(path) as file:
        file.write(b"new")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_in_the_moment_a_file_is_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: Any) -> Any:
        open(*given).close()
        raise KeyboardInterrupt

    monkeypatch.setattr("suffice.whole_file.open", interrupted, raising=False)
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "file"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_name_as_long_as_the_file_system_allows_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 120 + ".json")
    save_model(path)
    assert list(tmp_path.iterdir()) == [path]
