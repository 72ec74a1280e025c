"""The kernels give the same compiled, for whichever processor, and as the Python they are written in."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from suffice.machine.variants import BASELINE, PYTHON, V3, runs_v3

CASES = Path(__file__).parent / "kernel_cases.py"
# whose kernels use files named *_sums
IN_ANY_ORDER = ("log_likelihood", "plain_log_likelihood", "densities", "perceptron")
VARIANTS = (BASELINE, V3) if runs_v3() else (BASELINE,)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, np.ndarray]]:
    folder, found = tmp_path_factory.mktemp("kernels"), {}
    subprocess.run([sys.executable, CASES, folder, PYTHON, *VARIANTS], check=True)
    for variant in (PYTHON, *VARIANTS):
        with np.load(folder / f"{variant}.npz") as arrays:
            found[variant] = dict(arrays)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_compiled_kernels_give_what_their_sources_give(found: dict[str, dict[str, np.ndarray]], variant: str):
    assert found[variant].keys() == found[PYTHON].keys()
    assert len(found[variant]) >= 10
    for name, expected in found[PYTHON].items():
        np.testing.assert_allclose(found[variant][name], expected, rtol=1e-13, err_msg=name)


@pytest.mark.skipif(V3 not in VARIANTS, reason="this processor runs one variant only")
def test_all_processors_give_the_same_bits(found: dict[str, dict[str, np.ndarray]]):
    for name, expected in found[BASELINE].items():
        if not name.startswith(IN_ANY_ORDER):
            assert found[V3][name].tobytes() == expected.tobytes(), name
