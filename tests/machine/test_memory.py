"""How much memory is free, as the system's files say."""

from __future__ import annotations

from pathlib import Path

import pytest

from suffice.machine.memory import free_memory


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def test_this_machine_tells() -> None:
    free = free_memory()
    assert free is not None
    assert free > 1e6


def test_nobody_tells(tmp_path: Path) -> None:
    assert free_memory(tmp_path) is None


def test_the_machine_counts_in_kilobytes(tmp_path: Path) -> None:
    write(tmp_path, "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n")
    assert free_memory(tmp_path) == 5000 * 1024


@pytest.mark.parametrize(
    ("most", "used"),
    [
        ("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current"),
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ],
)
def test_a_container_has_less_and_files_in_memory_do_not_count(tmp_path: Path, most: str, used: str) -> None:
    write(tmp_path, "proc/meminfo", "MemAvailable:    5000 kB\n")
    write(tmp_path, most, "max\n")
    assert free_memory(tmp_path) == 5000 * 1024
    write(tmp_path, most, "1000000\n")
    write(tmp_path, used, "900000\n")
    assert free_memory(tmp_path) == 100_000
    write(tmp_path, str(Path(most).parent / "memory.stat"), "anon 1\ninactive_file 300000\n")
    assert free_memory(tmp_path) == 400_000
    write(tmp_path, used, "2000000\n")
    assert free_memory(tmp_path) == 0
