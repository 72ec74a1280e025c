"""Run the benchmarks and print the ratios: `make bench`, or one section alone with `python -m benchmarks trees`."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Iterable

from benchmarks.timing import Ratio


def print_ratios(peer: str, ratios: Iterable[Ratio]) -> None:
    print(f"{'':<42} {'suffice':>12}   {peer:>12}   {'ratio':>7}   goal")
    for ratio in ratios:
        print(ratio.line(), flush=True)


def closed_form() -> None:
    from benchmarks.closed_form import ROWS, cross_validation_cost, ratios

    print(f"Closed-form classifiers, {ROWS:,} rows\n")
    print_ratios("scikit-learn", ratios())
    folds, once = cross_validation_cost()
    verdict = "ok" if folds <= 2.5 * once else "ABOVE GOAL"
    print(
        f"\n10-fold cross-validation of naive Bayes: {folds * 1e3:.1f} ms, "
        f"{folds / once:.2f}× one fit and one prediction ({once * 1e3:.1f} ms); goal ≤ 2.5×   {verdict}"
    )


def trees() -> None:
    from benchmarks.trees import accuracies, ratios

    print("Decision trees\n")
    print_ratios("peer", ratios())
    print("\nWhat the two sides' trees are worth, at the same settings:")
    for line in accuracies():
        print(line, flush=True)


def logistic() -> None:
    from benchmarks.logistic import MEMORY_GOAL, ROWS, inference, memory_beside_the_data, ratios, with_errors
    from benchmarks.logistic_defaults import ratios as default_ratios

    print(f"Logistic regression, {ROWS:,} rows; every side is equally flat at the end\n")
    print_ratios("peer", ratios())
    print(inference().line(), flush=True)
    print("\nAt default settings, standard errors included\n")
    print_ratios("peer", default_ratios())
    for line in with_errors():
        print(line, flush=True)
    memory = memory_beside_the_data()
    verdict = "ok" if memory <= MEMORY_GOAL else "ABOVE GOAL"
    print(f"\nmemory beside the data: {memory:.0f} MB; goal ≤ {MEMORY_GOAL} MB   {verdict}")


def wide() -> None:
    from benchmarks.wide import COLUMNS, ROWS, ratios

    print(f"More columns than rows, {ROWS:,} × {COLUMNS:,}\n")
    print_ratios("scikit-learn", ratios())


def comparison() -> None:
    from benchmarks.comparison import ROWS, lines

    print(f"Every model of `compare` on a raw table, {ROWS:,} rows of 16 columns, 10 folds\n")
    for line in lines():
        print(line, flush=True)


def text() -> None:
    from benchmarks.text import ROWS, ratios

    print(f"Text, {ROWS:,} raw messages\n")
    print_ratios("scikit-learn", ratios())


def distributions() -> None:
    from benchmarks.distributions import ratios

    print("Distributions, densities and bits\n")
    print_ratios("peer", ratios())


def small() -> None:
    from benchmarks.small import fits, one_row

    print("Small things: fits on iris, and one row\n")
    for line in fits():
        print(line, flush=True)
    print_ratios("scikit-learn", one_row())


def unfriendly() -> None:
    from benchmarks.unfriendly import ratios

    print("Unfriendly tables: fit and predict at default settings, by processor time\n")
    print_ratios("scikit-learn", ratios())


def start_up() -> None:
    from benchmarks.start_up import lines

    print("New processes\n")
    for line in lines():
        print(line, flush=True)


SECTIONS: dict[str, Callable[[], None]] = {
    "closed_form": closed_form,
    "trees": trees,
    "logistic": logistic,
    "wide": wide,
    "comparison": comparison,
    "text": text,
    "distributions": distributions,
    "small": small,
    "unfriendly": unfriendly,
    "start_up": start_up,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed, as ratios to peers.")
    parser.add_argument("section", nargs="?", choices=SECTIONS, help="run this section alone")
    chosen = parser.parse_args().section
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}; best of several runs each")
    for name, run in SECTIONS.items():
        if chosen in (None, name):
            print()
            run()


if __name__ == "__main__":
    main()
