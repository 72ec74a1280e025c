"""Run every benchmark and print the ratios: `make bench`."""

from __future__ import annotations

import os
import platform

from benchmarks.closed_form import ROWS, cross_validation_cost, ratios
from benchmarks.start_up import import_seconds


def main() -> None:
    print(f"{ROWS:,} rows; {os.cpu_count()} cores, Python {platform.python_version()}; best of several runs each\n")
    print(f"{'':<42} {'suffice':>12}   {'scikit-learn':>12}   {'ratio':>7}   goal")
    for ratio in ratios():
        print(ratio.line(), flush=True)
    folds, once = cross_validation_cost()
    verdict = "ok" if folds <= 2.5 * once else "ABOVE GOAL"
    print(
        f"\n10-fold cross-validation of naive Bayes: {folds * 1e3:.1f} ms, "
        f"{folds / once:.2f}× one fit and one prediction ({once * 1e3:.1f} ms); goal ≤ 2.5×   {verdict}"
    )
    seconds = import_seconds()
    print(f"import suffice: {seconds * 1e3:.0f} ms; goal < 500 ms   {'ok' if seconds < 0.5 else 'ABOVE GOAL'}")


if __name__ == "__main__":
    main()
