import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import suffice
from suffice.statistics.compiled import compiled, compiled_sum


def ratio(first: float, second: float) -> float:
    """A plain Python function."""
    return first / second


def total(values: np.ndarray) -> float:
    """A plain Python sum."""
    result = 0.0
    for value in values:
        result += value
    return result


def test_a_compiled_kernel_does_what_the_plain_function_does():
    values = np.random.default_rng(0).normal(size=1001)
    assert compiled(total)(values) == total(values)
    np.testing.assert_allclose(compiled_sum(total)(values), total(values), rtol=1e-12)


def test_division_by_zero_gives_infinity_as_in_numpy():
    assert compiled(ratio)(1.0, 0.0) == np.inf


def test_a_sum_in_another_order_still_sees_missing_and_infinite_values():
    assert np.isnan(compiled_sum(total)(np.array([1.0, np.nan, 2.0])))
    assert compiled_sum(total)(np.array([1.0, np.inf, 2.0])) == np.inf


TWO_KERNELS = {
    "called.py": "from suffice.statistics.compiled import compiled\n\n@compiled\ndef unit(x):\n    return x * {}\n",
    "calling.py": (
        "from suffice.statistics.compiled import compiled\nfrom suffice.called import unit\n\n"
        "@compiled\ndef doubled(x):\n    return 2.0 * unit(x)\n"
    ),
}
NEEDED = ("__init__.py", "forking.py", "version.py", "statistics/compiled.py")


def _package(folder: Path, factor: float) -> None:
    """A copy of what compiles kernels, with a kernel that calls another one of another file."""
    for name in NEEDED:
        (folder / "suffice" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(suffice.__file__).parent / name, folder / "suffice" / name)
    (folder / "suffice" / "statistics" / "__init__.py").touch()
    for name, text in TWO_KERNELS.items():
        (folder / "suffice" / name).write_text(text.format(factor))


def _doubled_three(folder: Path) -> tuple[float, int]:
    """What the calling kernel gives for 3 in a new process, and how many times it was found on disk."""
    command = "from suffice.calling import doubled; print(doubled(3.0), sum(doubled.stats.cache_hits.values()))"
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **nowhere}
    run = subprocess.run([sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True)
    value, hits = run.stdout.split()
    return float(value), int(hits)


def test_a_change_of_the_kernel_that_is_called_is_noticed(tmp_path: Path) -> None:
    _package(tmp_path, 1.0)
    assert [_doubled_three(tmp_path), _doubled_three(tmp_path)] == [(6.0, 0), (6.0, 1)]
    _package(tmp_path, 5.0)
    assert _doubled_three(tmp_path) == (30.0, 0)


def test_kernels_compile_where_nothing_can_be_written(tmp_path: Path) -> None:
    _package(tmp_path, 1.0)
    (tmp_path / "suffice" / "__pycache__").touch()  # a file where the folder should be
    assert [_doubled_three(tmp_path), _doubled_three(tmp_path)] == [(6.0, 0), (6.0, 0)]
