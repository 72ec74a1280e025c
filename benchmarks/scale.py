"""Tables larger than memory: time and peak memory of every model from generated Parquet files, beside DuckDB's SQL.

`make bench-scale` runs it; `python -m benchmarks.scale --millions 50` asks for more rows (a file for each million, in a
temporary folder that is removed). Every model is trained in a process of its own, whose peak resident memory is read
when it is done. Beside DuckDB the time of all processors is compared too: unlike the clock it hardly depends on what
else the machine does.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 1_000_000  # in a file
NOMINAL, NUMERIC = 10, 10
MEMORY_GOAL = 1e9
BUDGET = "400MB"  # of trees: the rest of the gigabyte is Python, its libraries and the batches under way
SQL_GOAL = 2.0  # times DuckDB's
GROWTH = (1, 5, 25, 50)


def write_file(folder: Path, number: int, rows: int = ROWS) -> None:
    """So many rows: levels and numbers of which some tell something of the class."""
    random = np.random.default_rng(number)
    columns: dict[str, Any] = {}
    score = random.normal(size=rows)
    for j in range(NOMINAL):
        levels = [f"level_{k}" for k in range(2 + 2 * j)]
        codes = random.integers(0, len(levels), rows, dtype=np.int32)
        score += 0.5 * (codes % 2) * (j % 3 == 0)
        columns[f"nominal_{j}"] = pa.DictionaryArray.from_arrays(codes, levels).cast(pa.string())
    for j in range(NUMERIC):
        numbers = random.normal(size=rows)
        score += numbers * (j % 4 == 0)
        columns[f"number_{j}"] = numbers
    columns["target"] = pa.DictionaryArray.from_arrays((score > 1.0).astype(np.int32), ["no", "yes"]).cast(pa.string())
    pq.write_table(pa.table(columns), folder / f"part_{number:03}.parquet", row_group_size=131_072)


def first_files(folder: Path, count: int) -> str:
    """A glob of the first so many files."""
    part = folder / f"first_{count}"
    if not part.exists():
        part.mkdir()
        for path in sorted(folder.glob("*.parquet"))[:count]:
            (part / path.name).hardlink_to(path)
    return str(part / "*.parquet")


# What is timed ------------------------------------------------------------------------------------------------------


def estimators() -> dict[str, Callable[[], Any]]:
    import suffice as sf

    return {
        "naive_bayes": sf.NaiveBayes,
        "lda": sf.LDA,
        "qda": sf.QDA,
        "logistic": sf.LogisticRegression,
        "cart": lambda: sf.cart(max_depth=8, prune=None, memory=BUDGET),
        "c45": lambda: sf.c45(max_depth=8, memory=BUDGET),
    }


MODELS = ("naive_bayes", "lda", "qda", "logistic", "cart", "c45")
IN_SQL = ("naive_bayes", "lda")


def train(model: str, files: str) -> None:
    estimators()[model]().fit(files, "target")


def in_sql(model: str, files: str) -> None:
    """The counts and sums of a closed-form model in one scan: levels by class, or sums and products by class."""
    import duckdb

    numbers = [f"number_{j}" for j in range(NUMERIC)]
    products = [f"sum({a} * {b})" for i, a in enumerate(numbers) for b in (numbers[i:] if model == "lda" else [a])]
    sums = ", ".join(["count(*)", *(f"sum({name})" for name in numbers), *products])
    connection = duckdb.connect()
    connection.execute(f"SELECT target, {sums} FROM read_parquet('{files}') GROUP BY target").fetchall()
    levels = ", ".join(f"(target, nominal_{j})" for j in range(NOMINAL))
    named = ", ".join(f"nominal_{j}" for j in range(NOMINAL))
    query = f"SELECT target, {named}, count(*) FROM read_parquet('{files}') GROUP BY GROUPING SETS ({levels})"
    connection.execute(query).fetchall()


# Each in a process of its own ---------------------------------------------------------------------------------------


def child(way: str, model: str, files: str) -> None:
    if way == "suffice":
        import suffice as sf

        estimators()[model]().fit(sf.datasets.load("iris"), "species")  # what is imported once is not timed
    began, used = time.perf_counter(), time.process_time()
    {"suffice": train, "sql": in_sql}[way](model, files)
    seconds, processors = time.perf_counter() - began, time.process_time() - used
    print(json.dumps({"seconds": seconds, "processors": processors, "peak": peak_memory()}))


def peak_memory() -> float:
    """The most resident memory this process ever had, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def measured(way: str, model: str, files: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.scale", "--child", way, model, files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{way} {model} failed:\n{done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def verdict(is_met: bool) -> str:
    return "ok" if is_met else "NOT MET"


def run(millions: int, models: Sequence[str]) -> None:
    sizes = sorted({size for size in GROWTH if size < millions} | {millions})
    with tempfile.TemporaryDirectory(prefix="suffice-scale-") as name:
        folder = Path(name)
        for number in range(millions):
            write_file(folder, number)
        size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
        print(f"{millions} million rows of {NOMINAL} nominal and {NUMERIC} numeric columns, {size / 1e9:.1f} GB\n")
        print(f"{'fit from Parquet':<18}" + "".join(f"{f'{size} M':>9}" for size in sizes) + "      peak   goal 1.0 GB")
        taken: dict[str, dict[str, float]] = {}  # of all rows
        for model in models:
            line, peak = f"{model:<18}", 0.0
            for count in sizes:
                found = measured("suffice", model, first_files(folder, count))
                taken[model], peak = found, max(peak, found["peak"])
                line += f"{found['seconds']:>7.1f} s"
            print(f"{line}  {peak / 1e9:>5.2f} GB   {verdict(peak <= MEMORY_GOAL)}", flush=True)
        print("\nbeside DuckDB, which computes the same counts and sums in SQL")
        for model in (name for name in IN_SQL if name in taken):
            beside = measured("sql", model, first_files(folder, millions))
            ratio, used = (taken[model][clock] / beside[clock] for clock in ("seconds", "processors"))
            line = f"{model:<18}{beside['seconds']:>7.1f} s   ×{ratio:.2f} by the clock, ×{used:.2f} of processors"
            print(f"{line}   goal ≤ {SQL_GOAL:.0f}   {verdict(ratio <= SQL_GOAL)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:5])
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--millions", type=int, default=5, help="rows, in millions")
        parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS, help="which are timed")
        asked = parser.parse_args()
        run(asked.millions, asked.models)
