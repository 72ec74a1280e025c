"""The command line as a process that starts at once: forked from one that has imported what it needs.

A fresh process imports scikit-learn for a second before it does what a test is about. So one server imports it, once.
A program is then a small client that hands over its code, arguments, folder, environment and open streams, each under
its number; the server forks a process that takes them over, runs the code and ends as every Python process does; the
client ends with its exit code, or by the same signal. How the interpreter itself starts is not tested this way.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from types import CodeType

# Not DuckDB, which complains of what is still alive when a process ends.
IMPORTS = (
    *(
        "suffice.cli",
        "suffice.evaluation",
        "suffice.persist",
        "suffice.report.describe",
        "suffice.sources",
    ),
    *("suffice.sources.readers.arrow", "pyarrow.csv", "pyarrow.pandas_compat", "sklearn.datasets"),
    *("pydantic.type_adapter", "rich.console"),
)
MOST_STREAMS = 200

CLIENT = f"""
import json, os, signal, socket, sys
def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
streams = [number for number in range({MOST_STREAMS}) if is_open(number)]
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
words = {{"code": sys.argv[2], "args": sys.argv[3:], "folder": os.getcwd(), "environment": dict(os.environ)}}
content = json.dumps(words | {{"streams": streams}}).encode()
socket.send_fds(connection, [len(content).to_bytes(8, "big")], streams)
connection.sendall(content)
code = int(connection.recv(8))
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if code != -signal.SIGKILL else None
    os.kill(os.getpid(), -code)
os._exit(code)
"""


def program(server: str, code: str) -> list[str]:
    """The command that runs some code in a process forked from the server's; arguments may follow."""
    return [sys.executable, "-ISc", CLIENT, server, code]


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server that serves until the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        address = os.path.join(folder, "server")
        command = [sys.executable, __file__, address]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"
            yield address
            server.kill()


def next_code(listener: socket.socket) -> CodeType:
    """What a client asks for, in a process that was forked for it and is now like the one the client stands for."""
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            break
        connection.close()
    listener.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, streams, _, _ = socket.recv_fds(connection, 8, MOST_STREAMS)
    content = connection.makefile("rb").read(int.from_bytes(head, "big"))
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        connection.sendall(b"%d" % code)
        os._exit(0)
    connection.close()
    words = json.loads(content)
    os.chdir(words["folder"])
    os.environ.clear()
    os.environ.update(words["environment"])
    take_over(streams, words["streams"])
    sys.argv = ["-c", *words["args"]]
    return compile(words["code"], "<string>", "exec")


def take_over(streams: list[int], numbers: list[int]) -> None:
    """Give open streams their numbers, and Python those it stands on; what was not handed over is closed."""
    aside = [fcntl.fcntl(stream, fcntl.F_DUPFD_CLOEXEC, MOST_STREAMS) for stream in streams]
    os.closerange(0, MOST_STREAMS)
    for stream, number in zip(aside, numbers, strict=True):
        os.dup2(stream, number)
        os.close(stream)
    for number, name, errors in ((0, "stdin", "strict"), (1, "stdout", "strict"), (2, "stderr", "backslashreplace")):
        stream = None
        if number in numbers:
            is_by_line = 1 if number == 2 else -1
            stream = open(number, "rww"[number], is_by_line, "utf-8", errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


if __name__ == "__main__":
    for name in IMPORTS:
        with contextlib.suppress(ImportError):  # what some version of a library does without
            importlib.import_module(name)
    gc.freeze()  # or every process would look through all that was imported once more when it ends
    waiting = socket.socket(socket.AF_UNIX)
    waiting.bind(sys.argv[1])
    waiting.listen(8)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    exec(next_code(waiting), {"__name__": "__main__"})
