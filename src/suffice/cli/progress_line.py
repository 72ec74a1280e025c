"""Progress on standard error: one line on a terminal, gone at the end; elsewhere a line for every task of long work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Timer

from suffice.cli.screen import messages
from suffice.progress import listening

PATIENCE = 1.0  # seconds before a terminal shows a line
LONG_WORK = 5.0  # seconds before lines are written to anything else


@dataclass
class Work:
    """What is being done: rows read in the task at hand, steps done of how many, and since when."""

    task: str
    begun: float = field(default_factory=time.monotonic)
    rows: int = 0
    done: int = 0
    total: int = 0
    step_begun: float = 0.0  # seconds after the beginning

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.begun

    def begin(self, task: str) -> None:
        """Another task."""
        self.task, self.rows = task, 0

    def count(self, rows: int) -> None:
        """More rows were read."""
        self.rows += rows

    def step(self, done: int, total: int) -> None:
        """So many steps are done."""
        self.done, self.total, self.step_begun = done, total, self.seconds

    def __str__(self) -> str:
        """Rows, steps, and how long it may still take: each step to come as long as those done were on average."""
        rows = f"{self.rows:,} rows" if self.rows else ""
        place = f"{min(self.done + 1, self.total)} of {self.total}" if self.total else ""
        left = max(self.step_begun / self.done * self.total - self.seconds, 1.0) if self.done else 0.0
        return ", ".join(part for part in (rows, place, f"about {_clock(left)} left" if left else "") if part)


def _clock(seconds: float) -> str:
    """Seconds as a clock shows them.

    >>> _clock(75.4), _clock(3_661)
    ('1:15', '1:01:01')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@contextmanager
def progress(task: str = "setting up", is_shown: bool = True) -> Iterator[None]:
    """Show what is being done inside the block, how far it is, and how long it may still take."""
    work = Work(task)
    if not is_shown:
        yield
    elif messages().is_interactive:
        with _on_one_line(work):
            yield
    else:
        with _on_lines(work):
            yield


@contextmanager
def _on_one_line(work: Work) -> Iterator[None]:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.fields[work]}"), TimeElapsedColumn()
    line = Progress(*columns, console=messages(), transient=True, redirect_stdout=False, redirect_stderr=False)
    shown = line.add_task(work.task, total=None, work=work)  # asked for its text whenever the line is drawn

    def begin(task: str) -> None:
        work.begin(task)
        line.update(shown, description=task)

    starter = Timer(PATIENCE, line.start)
    starter.daemon = True
    starter.start()
    try:
        with listening(work.count, begin, work.step):
            yield
    finally:
        starter.cancel()
        starter.join()
        line.stop()


@contextmanager
def _on_lines(work: Work) -> Iterator[None]:
    def begin(task: str) -> None:
        work.begin(task)
        if work.seconds > LONG_WORK:
            said = str(work)
            messages().print(f"{task} ({said})" if said else task, soft_wrap=True)

    with listening(work.count, begin, work.step):
        yield
