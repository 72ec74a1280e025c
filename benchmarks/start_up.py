"""How long `import suffice` takes, in fresh processes."""

from __future__ import annotations

import subprocess
import sys

CODE = "import time; start = time.perf_counter(); import suffice; print(time.perf_counter() - start)"


def import_seconds(runs: int = 5) -> float:
    times = [
        float(subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout)
        for _ in range(runs)
    ]
    return min(times)
