"""Kernels that are not compiled import each other's sources, and NumPy where compiled ones call C."""

import os
import subprocess
import sys

CODE = """
import sys
import numpy as np
import suffice.kernels.hessian, suffice.kernels.terms
from cython.cimports.libc.math import INFINITY, log
from cython.cimports.suffice.kernels.terms import Terms

assert Terms is suffice.kernels.terms.Terms
assert sys.modules["cython.cimports.suffice.kernels.terms"] is suffice.kernels.terms
with np.errstate(divide="ignore"):
    assert log(0.0) == -INFINITY
"""


def test_what_is_imported_for_the_compiler_is_the_source_and_there_is_one_of_each():
    subprocess.run([sys.executable, "-c", CODE], env={**os.environ, "SUFFICE_KERNELS": "python"}, check=True)
