"""A command that is asked to end leaves no copy of its table behind."""

from __future__ import annotations

import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

OURS = "suffice-*"  # Python itself tries for a moment whether it may write there


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_copy_of_a_packed_table_goes_with_the_command(number: signal.Signals, tmp_path: Path) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("the signal is ignored here, as under nohup")
    packed, copies = tmp_path / "long.csv.xz", tmp_path / "copies"
    copies.mkdir()
    with lzma.open(packed, "wb", preset=0) as file:
        file.write(b"x,y\n" + b"1.5,a\n2.5,b\n" * 3_000_000)
    command = [sys.executable, "-m", "suffice", "train", packed, "-t", "y", "-m", "nb", "-o", tmp_path / "model.json"]
    program = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(copies)}, stdout=subprocess.DEVNULL)
    for _ in range(3_000):
        if any(copies.glob(OURS)):
            break
        time.sleep(0.01)
    assert any(copies.glob(OURS))
    program.send_signal(number)
    assert program.wait(60) == 128 + number
    assert not any(copies.glob(OURS))
