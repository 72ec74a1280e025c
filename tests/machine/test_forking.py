"""Forks while a thread works: the child must not wait for ever for a lock that a thread of its parent held."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")

PARENT = """
import faulthandler, os, sys, threading, time, warnings
import suffice as sf

def forked(work):
    '''Fork, and have the child do some work; a child that hangs says where and ends.'''
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later({patience}, exit=True)
        try:
            work()
        except BaseException as error:
            print("child:", repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return child

def ended(*children):
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(children)

def in_thread(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread

def forked_while_working(work, pauses):
    '''Children that do some work, forked while a thread does it all the time.'''
    is_over, children = threading.Event(), []
    def work_on():
        while not is_over.is_set():
            work()
    thread = in_thread(work_on)
    for pause in pauses:
        time.sleep(pause)
        children.append(forked(work))
    ended(*children)
    is_over.set()
    thread.join()
"""


def run(code: str, folder: Path) -> None:
    result = ran(code, folder)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""


def ran(code: str, folder: Path, patience: int = 30) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PARENT.replace("{patience}", str(patience)) + code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
        capture_output=True,
        text=True,
        timeout=20 * patience,
        check=False,
    )


def test_a_fork_waits_for_an_import_in_another_thread(tmp_path: Path) -> None:
    (tmp_path / "slow_module.py").write_text("import time\nbegun = True\ntime.sleep(1)\nvalue = 7\n")
    run(
        """
thread = in_thread(lambda: __import__("slow_module"))
while not hasattr(sys.modules.get("slow_module"), "begun"):
    time.sleep(0.01)
def work():
    import slow_module
    assert slow_module.value == 7
ended(forked(work))
""",
        tmp_path,
    )


def test_a_value_half_worked_out_in_another_thread_does_not_block_the_child(tmp_path: Path) -> None:
    """Until Python 3.11 all instances share the lock of a cached property."""
    run(
        """
from suffice.schema import Numeric, Nominal, Schema
inside = threading.Event()
class Slow(tuple):
    def __iter__(self):
        inside.set()
        time.sleep(60)
        return super().__iter__()
in_thread(lambda: Schema(Slow(), Nominal("y", ("a", "b"))).names)
inside.wait()
def work():
    assert Schema((Numeric("x"),), Nominal("y", ("a", "b"))).names == ("x",)
ended(forked(work))
""",
        tmp_path,
    )


def test_a_fork_waits_for_an_undivided_call_in_another_thread_and_lets_none_begin(tmp_path: Path) -> None:
    """Its own thread may be in such a call, and call another within."""
    run(
        """
from suffice.machine.forking import undivided
lock, inside, calls = threading.Lock(), threading.Event(), []
def call():
    with undivided(), lock:
        inside.set()
        time.sleep(0.05)
        with undivided():
            calls.append("ended")
def call_often():
    while len(calls) < 20:
        call()
thread = in_thread(call_often)
inside.wait()
def work():
    with undivided():
        assert lock.acquire(timeout=5)
with undivided():
    pass
children = [forked(work) for _ in range(3)]
assert calls
with undivided():
    children.append(forked(work))
ended(*children)
""",
        tmp_path,
    )


def test_two_threads_may_fork_at_once(tmp_path: Path) -> None:
    run(
        """
children = []
def fork_often():
    for _ in range(10):
        children.append(forked(lambda: None))
threads = [in_thread(fork_often) for _ in range(3)]
for thread in threads:
    thread.join()
ended(*children)
""",
        tmp_path,
    )


WORK = """
iris = sf.datasets.load("iris")
first_fits = (0.0, 0.05, 0.1, 0.2, 0.4)

def fit(model):
    model.fit(iris, "species").predict(iris)

def fit_files():
    sf.NaiveBayes().fit("{table}", "y")

def database():
    fit_files()
    forked_while_working(fit_files, [0.05] * 4)

works = {
    "NaiveBayes": lambda: forked_while_working(lambda: fit(sf.NaiveBayes()), first_fits),
    "LDA": lambda: forked_while_working(lambda: fit(sf.LDA()), first_fits),
    "database": database,
}
for name, work in works.items():
    child = os.fork()
    if child == 0:  # without a watch: its own children have one, and could not set it beside that of their parent
        work()
        os._exit(0)
    print(name, os.waitpid(child, 0)[1], flush=True)
"""


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """One process that has imported what a fit needs, and forks another for each work, in which nothing was fitted."""
    folder = tmp_path_factory.mktemp("forking")
    (folder / "table.csv").write_text("x,y\n" + "1,a\n2,b\n" * 50)
    return ran(WORK.replace("{table}", (folder / "table.csv").as_posix()), folder, patience=120)


@pytest.mark.parametrize("model", ["NaiveBayes", "LDA"])
def test_children_forked_during_the_first_fits_of_a_process_can_fit(
    model: str, at_work: subprocess.CompletedProcess[str]
) -> None:
    assert f"{model} 0" in at_work.stdout.splitlines(), at_work.stderr
    assert at_work.stderr == ""


def test_a_child_reads_files_with_a_database_of_its_own(at_work: subprocess.CompletedProcess[str]) -> None:
    assert "database 0" in at_work.stdout.splitlines(), at_work.stderr
    assert at_work.stderr == ""
