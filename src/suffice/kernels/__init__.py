"""Kernels: the loops over rows, compiled when the package is built.

They are imported from the folder of the variant that suits the processor (`suffice.machine.variants`).
"""

from pathlib import Path

from suffice.machine.variants import folder_of_kernels

SOURCES = Path(__file__).parent

__path__ = [str(folder_of_kernels(SOURCES))]

if __path__ == [str(SOURCES)]:
    from suffice.kernels.uncompiled import find_sources

    find_sources()
