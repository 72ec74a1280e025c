"""What the page on architecture names is there: folders, files, classes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import suffice as sf

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "suffice"
TEXT = re.sub(r"```.*?```", "", (ROOT / "docs" / "architecture.md").read_text(), flags=re.DOTALL)
NAMED = sorted(set(re.findall(r"`([^`\n]+)`", TEXT)))
PATHS = [name for name in NAMED if re.fullmatch(r"[a-z_0-9]+(/[a-z_0-9]+)*(/|\.[a-z]+)?", name) and "/" in name]
CLASSES = [name for name in NAMED if re.fullmatch(r"[A-Z][a-z]+[A-Za-z]*", name)]
MANY = 20  # names of each kind, or the page is not read as it is written


def files_of_tables() -> set[str]:
    """The names in those columns of tables that list files."""
    found: set[str] = set()
    is_listing, column = False, 0
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if not line.startswith("|"):
            is_listing = False
        elif "files" in cells or "file" in cells:
            is_listing, column = True, cells.index("files" if "files" in cells else "file")
        elif is_listing:
            found |= set(re.findall(r"`([a-z_0-9/.]+)`", cells[column]))
    return found


def is_there(path: str) -> bool:
    places = (ROOT / path, PACKAGE.parent / path, PACKAGE / path, PACKAGE / "solve" / "trees" / path)
    return any(place.exists() or place.with_suffix(".py").exists() for place in places)


def test_every_path_is_there() -> None:
    assert len(PATHS) > MANY
    assert [path for path in PATHS if not is_there(path)] == []


def test_every_file_in_a_table_is_there() -> None:
    """As a path, or as what a file or a folder of the package is called."""
    stems = {path.stem for path in PACKAGE.rglob("*.py")} | {path.name for path in PACKAGE.rglob("*/")}
    files = files_of_tables()
    assert len(files) > MANY
    assert {name for name in files if not (is_there(name) or name.strip("/") in stems)} == set()


def test_every_class_is_there() -> None:
    words = {word for path in PACKAGE.rglob("*.py") for word in re.findall(r"\w+", path.read_text())}
    assert len(CLASSES) > MANY
    assert [name for name in CLASSES if name not in words] == []


def test_every_package_has_its_line() -> None:
    lines = re.findall(r"^\| (`[^|]+) \|", TEXT, flags=re.MULTILINE)
    told = {name for line in lines for name in re.findall(r"`([a-z_]+)`", line)}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"datasets"}
    assert packages <= told


@pytest.mark.parametrize("room", ["kernels", "solve/logistic", "statistics/linear"])
def test_every_file_of_a_room_that_is_told_file_by_file_is_named(room: str) -> None:
    files = {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__"}
    assert files - {Path(name).stem for name in NAMED} == set()


def test_the_steps_of_fit_are_taken_in_the_order_told(tmp_path: Path) -> None:
    told = re.findall(r"^\| `([a-z_]+)` \| `([a-z_/]+\.py)` \|", TEXT, flags=re.MULTILINE)
    path = tmp_path / "table.csv"
    path.write_text("age,town,y\n" + "31,Oslo,p\n42,Rome,q\n53,Oslo,p\n" * 10)
    taken: dict[tuple[str, str], None] = {}
    inside = str(PACKAGE)

    def note(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(inside):
            taken.setdefault((code.co_name, Path(code.co_filename).relative_to(PACKAGE).as_posix()))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        sf.NaiveBayes().fit(path, "y")
    finally:
        sys.setprofile(before)
    steps = [step for step in taken if step in told]
    assert len(told) > 10
    assert steps == told
