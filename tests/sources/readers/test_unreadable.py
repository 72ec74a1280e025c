from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from suffice.errors import TableError
from suffice.sources.readers.unreadable import telling, unreadable


def told(error: Exception, rows: int) -> TableError:
    return unreadable("rows.csv", error, "Check it.", rows)


@pytest.mark.parametrize("error", [RuntimeError("Query interrupted"), duckdb.InterruptException("Interrupted!")])
def test_an_interruption_is_no_fault_of_the_file(error: Exception) -> None:
    with pytest.raises(KeyboardInterrupt), telling(told):
        raise error


def test_what_a_source_raises_is_told() -> None:
    with pytest.raises(TableError, match=r"^rows.csv cannot be read: no interruption. Check it.$"), telling(told):
        raise RuntimeError("no interruption")


SCAN = "import sys, suffice as sf; print('begun', flush=True); sf.NaiveBayes().fit(sys.argv[1], 'y')"


def test_ctrl_c_while_a_file_is_read_is_an_interruption(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("x,y\n" + "1.5,a\n2.5,b\n" * 1_500_000)
    program = subprocess.Popen([sys.executable, "-c", SCAN, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None
    program.stdout.readline()
    time.sleep(0.3)
    os.kill(program.pid, signal.SIGINT)
    _, complaint = program.communicate(timeout=60)
    assert complaint == b"" or b"KeyboardInterrupt" in complaint.splitlines()[-1]
