"""Weka's J48 itself, run in one Java process for many tables. `make test` fetches it into the environment."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

JAR = Path(sys.prefix) / "weka.jar"
PROGRAM = Path(__file__).with_name("J48Trees.java")


def why_not() -> str:
    """Why J48 cannot be run here; empty where it can."""
    if not JAR.is_file():
        return f"Weka is not there ({JAR}); `make weka` fetches it"
    if shutil.which("java") is None:
        return "there is no Java to run Weka"
    return ""


@dataclass(frozen=True)
class Job:
    """A table, and J48's options."""

    path: Path
    options: str


def j48(jobs: Iterable[Job], home: Path) -> list[dict[str, Any]]:
    """J48's tree of every job: its nodes, each before its branches, and the class shares it predicts of every row."""
    lines = "".join(f"{job.path}\t{job.options}\n" for job in jobs)
    command = ["java", f"-Duser.home={home}", "-XX:TieredStopAtLevel=1", "-cp", str(JAR), str(PROGRAM)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"J48 failed:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]
