"""What a new process costs: the import, the first model, the memory, a whole comparison; beside scikit-learn."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import suffice

IRIS = str(Path(suffice.__file__).parent / "datasets" / "iris.csv")
CODE = "import time; start = time.perf_counter(); import suffice; print(time.perf_counter() - start)"

PEAK = """print(next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))"""
"""The most memory of this program in MB; what getrusage tells is never less than the program had that started it."""

FIRST = """
import time
import pandas  # which PyArrow imports when it is first used
import suffice as sf
model = sf.{model}
rows = sf.datasets.load({table!r})
start = time.perf_counter()
model().fit(rows, {target!r}).predict_proba(rows)
print(time.perf_counter() - start)
"""
OURS = """
import numpy as np
import suffice as sf
x, y = np.loadtxt({rows!r}, delimiter=",", skiprows=1, usecols=range(4)), np.repeat([0, 1, 2], 50)
sf.{model}().fit(x, y).predict_proba(x)
{peak}
"""
THEIRS = """
import numpy as np
from sklearn.{module} import {model}
x, y = np.loadtxt({rows!r}, delimiter=",", skiprows=1, usecols=range(4)), np.repeat([0, 1, 2], 50)
{model}().fit(x, y).predict_proba(x)
{peak}
"""
FIRST_GOAL, TIME_GOAL, MEMORY_GOAL, COMPARE_GOAL = 0.050, 1.1, 1.15, 4.0
MODELS = {
    "NaiveBayes": ("iris", "species"),
    "LDA": ("iris", "species"),
    "QDA": ("iris", "species"),
    "JointBayes": ("play_tennis", "PlayTennis"),
    "LogisticRegression": ("iris", "species"),
    "id3": ("play_tennis", "PlayTennis"),
    "c45": ("iris", "species"),
    "cart": ("iris", "species"),
}
PEERS = {
    "NaiveBayes": ("naive_bayes", "GaussianNB"),
    "LDA": ("discriminant_analysis", "LinearDiscriminantAnalysis"),
    "LogisticRegression": ("linear_model", "LogisticRegression"),
    "cart": ("tree", "DecisionTreeClassifier"),
}


def printed(code: str) -> float:
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def import_seconds(runs: int = 5) -> float:
    return min(printed(CODE) for _ in range(runs))


def first_seconds(model: str, runs: int = 3) -> float:
    """The first fit and prediction of a new process, beyond its imports."""
    table, target = MODELS[model]
    return min(printed(FIRST.format(model=model, table=table, target=target)) for _ in range(runs))


def processes(codes: tuple[str, str], runs: int = 5) -> list[tuple[float, float]]:
    """Seconds of whole processes that take turns, the best run of each, and their memory in MB."""
    times: tuple[list[float], list[float]] = [], []
    memory = [0.0, 0.0]
    for _ in range(runs):
        for side, code in enumerate(codes):
            begin = time.perf_counter()
            memory[side] = printed(code)
            times[side].append(time.perf_counter() - begin)
    return [(min(own), size) for own, size in zip(times, memory, strict=True)]


def compare_seconds(runs: int = 4) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        command = [sys.executable, "-m", "suffice", "compare", "breast_cancer", "--target", "diagnosis"]
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - begin)
    return min(times)


def verdict(reached: bool) -> str:
    return "ok" if reached else "ABOVE GOAL"


def lines() -> Iterator[str]:
    seconds = import_seconds()
    yield f"import suffice: {seconds * 1e3:.0f} ms; goal < 500 ms   {verdict(seconds < 0.5)}"
    for model in MODELS:
        seconds = first_seconds(model)
        reached = verdict(seconds <= FIRST_GOAL)
        yield f"first fit and predict_proba, {model}: {seconds * 1e3:.0f} ms; goal ≤ 50 ms   {reached}"
    for model, (module, peer) in PEERS.items():
        codes = (
            OURS.format(model=model, rows=IRIS, peak=PEAK),
            THEIRS.format(module=module, model=peer, rows=IRIS, peak=PEAK),
        )
        (ours, our_memory), (theirs, memory) = processes(codes)
        yield (
            f"new process, {model} on iris: {ours:.2f} s, {ours / theirs:.2f}× scikit-learn's; goal ≤ {TIME_GOAL}×   "
            f"{verdict(ours <= TIME_GOAL * theirs)}"
        )
        yield (
            f"  its memory: {our_memory:.0f} MB, {our_memory / memory:.2f}×; goal ≤ {MEMORY_GOAL}×   "
            f"{verdict(our_memory <= MEMORY_GOAL * memory)}"
        )
    seconds = compare_seconds()
    yield f"suffice compare breast_cancer: {seconds:.1f} s; goal ≤ 4 s   {verdict(seconds <= COMPARE_GOAL)}"
