"""Progress on standard error: one line on a terminal, gone at the end; elsewhere a line for every task of long work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Timer

from suffice.cli.screen import messages
from suffice.progress import Step, listening

PATIENCE = 1.0  # seconds before a terminal shows a line
LONG_WORK = 5.0  # seconds before lines are written to anything else
LONG_TASK = 60.0  # seconds to go, which are worth a line of their own
NO_STEP = Step(0, 0, 0.0, 0.0)


@dataclass
class Work:
    """What is being done: rows read in the task at hand, steps done of how many, and since when."""

    task: str
    begun: float = field(default_factory=time.monotonic)
    rows: int = 0
    at: Step = NO_STEP
    parts: int = 0  # done of the task at hand
    all_parts: int = 0
    task_begun: float = 0.0  # seconds after the beginning, as all that follow
    part_ended: float = 0.0
    steps_begun: float = 0.0
    step_begun: float = 0.0

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.begun

    def begin(self, task: str) -> None:
        """Another task."""
        self.task, self.rows, self.parts, self.task_begun = task, 0, 0, self.seconds

    def count(self, rows: int) -> None:
        """More rows were read."""
        self.rows += rows

    def step(self, step: Step) -> None:
        """So many steps are done."""
        self.at, self.step_begun = step, self.seconds
        if not step.done:
            self.steps_begun = self.step_begun

    def part(self, done: int, total: int) -> None:
        """So many parts of the task at hand are done."""
        self.parts, self.all_parts, self.part_ended = done, total, self.seconds

    @property
    def left(self) -> float | None:
        """How many seconds it may still take; None where nothing tells.

        A task takes as long as its parts so far would have it. Steps to come take as long for their share of the work
        as those done, and not less than the step at hand, should that turn out to be a long one.
        """
        now, at = self.seconds, self.at
        rest = None
        if self.parts:
            each = (self.part_ended - self.task_begun) / self.parts
            rest = max(self.task_begun + each * self.all_parts - now, 0.0)
        if at.done == at.total:  # none, or all are done
            return rest
        since, within = now - self.steps_begun, now - self.step_begun
        if rest is not None:
            rate = (since + rest) / at.after
        elif at.done:
            rate = max((since - within) / at.before, since / at.after)
            rest = max(rate * (at.after - at.before) - within, 0.0)
        else:
            return None
        return rest + rate * (1 - at.after)

    def __str__(self) -> str:
        """Rows, steps, and how long it may still take."""
        rows = f"{self.rows:,} rows" if self.rows else ""
        place = f"{self.at.done + 1} of {self.at.total}" if self.at.done < self.at.total else ""
        left = f"about {_clock(max(self.left, 1.0))} left" if self.left else ""
        return ", ".join(part for part in (rows, place, left) if part)


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
        with listening(work.count, begin, work.step, work.part):
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

    def part(done: int, total: int) -> None:
        work.part(done, total)
        if done == 1 and (work.left or 0.0) > LONG_TASK:
            messages().print(f"{work.task}: {done} of {total} parts done, about {_clock(work.left or 0.0)} left")

    with listening(work.count, begin, work.step, part):
        yield
