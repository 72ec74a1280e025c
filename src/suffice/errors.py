"""What suffice says when something is wrong, and when something is worth knowing."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, islice
from typing import Any

from suffice.shown import shown_lines


@dataclass(frozen=True)
class Setting:
    """A setting that a message speaks of; as text it is written as in Python.

    >>> print(Setting("keep"), Setting("keep", ["name"]), Setting("task", "regression"))
    `keep` keep=['name'] task='regression'
    """

    name: str
    value: Any = None

    def __str__(self) -> str:
        return f"`{self.name}`" if self.value is None else f"{self.name}={self.value!r}"


class Formula(str):
    """Words that scikit-learn's checks want to read at the beginning of a message, and nobody else."""


class Message(str):
    """A text that knows the settings it speaks of, so that whoever shows it can word them in another language.

    >>> message = Message("Name it in ", Setting("keep"), ".")
    >>> print(message, message.worded(lambda setting: f"--{setting.name}"))
    Name it in `keep`. Name it in --keep.
    """

    parts: tuple[str | Setting, ...]

    def __new__(cls, *parts: str | Setting) -> Message:
        """Texts and settings, one after the other; messages may be parts of messages."""
        message = super().__new__(cls, "".join(map(str, parts)))
        flat = (part.parts if isinstance(part, Message) else (part,) for part in parts)
        message.parts = tuple(chain.from_iterable(flat))
        return message

    def worded(self, word: Callable[[Setting], str]) -> str:
        """The text with every setting in other words, and without what is said for scikit-learn's checks."""
        said = [part for part in self.parts if not isinstance(part, Formula)]
        text = "".join(word(part) if isinstance(part, Setting) else part for part in said)
        return text if len(said) == len(self.parts) else text[:1].upper() + text[1:]

    def rewritten(self, rewrite: Callable[[str], str]) -> Message:
        """The same with every text between the settings rewritten."""
        return Message(*(part if isinstance(part, Setting) else rewrite(part) for part in self.parts))


def joined(separator: str, parts: Iterable[str]) -> Message:
    """Texts and messages in a row, as one message.

    >>> joined(" ", ["Or use", Message(Setting("keep", ["id"]), ".")]).worded(lambda setting: f"--{setting.name}")
    'Or use --keep.'
    """
    apart = chain.from_iterable((separator, part) for part in parts)
    return Message(*islice(apart, 1, None))


class Spoken:
    """Whatever is said to a user: on lines that a terminal can show."""

    args: tuple[Any, ...]

    @property
    def message(self) -> str:
        """What is said, with the settings it speaks of."""
        return self.args[0] if self.args and isinstance(self.args[0], Message) else str(self)

    def __str__(self) -> str:
        return shown_lines(super().__str__())


class SufficeError(Spoken, ValueError):
    """Anything a user can put right; the message says what is wrong, where, and what to do."""


class TableError(SufficeError):
    """The table, or the way it was handed over, cannot be used as it is."""


class NoColumnError(TableError):
    """No column of the table is one that the model could learn from; `reason` says why."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class TooManyRowsError(TableError):
    """More rows than may be held in memory at once; `reason` says how many, and how many may be."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class EmptyTableError(TableError):
    """A table in which no row counts."""


class NoRowError(TableError):
    """A table has fewer rows than the position that was asked for."""

    def __init__(self, rows: int, position: int) -> None:
        super().__init__(f"The table has {rows:,} rows; there is no row at {position!r}, the first being at 0.")
        self.rows = rows


class SettingError(SufficeError):
    """A setting of an estimator has a value it cannot work with."""


class MergeError(SufficeError):
    """Two statistics or models cannot be put together."""


class ForgetError(SufficeError):
    """Rows cannot be taken out of a model."""


class QueryError(SufficeError):
    """A question that a distribution cannot answer: an unknown variable or level, or an impossible condition."""


class ModelFileError(SufficeError):
    """A model file is damaged, foreign, or from a newer version."""


class Interrupted(KeyboardInterrupt):
    """Long work was interrupted; `finished` is what was done until then."""

    def __init__(self, finished: Any) -> None:
        super().__init__("interrupted")
        self.finished = finished


class SufficeWarning(Spoken, UserWarning):
    """Something about the table that a careful user would want to know."""


class UnreadTextWarning(SufficeWarning):
    """A column of text is left out by a model that reads none."""


class LearningWarning(SufficeWarning):
    """Something about what one model has learned, not about the table."""


class SeparationWarning(LearningWarning):
    """The classes are separable, so that maximum likelihood has no finite optimum."""


class ConvergenceWarning(LearningWarning):
    """An optimisation did not converge: its gradient did not vanish; the best weights found are kept."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the nearest known name, with a space before it; nothing where none is near.

    >>> did_you_mean("Wnd", ["Outlook", "Wind"]), did_you_mean("Y", ["x", "y"])
    (" Did you mean 'Wind'?", " Did you mean 'y'?")
    """
    close = nearest(name, known)
    return "" if close is None else f" Did you mean {close!r}?"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like another: but for capitals and spaces around it the same, or else near.

    >>> nearest("age", [" Age", "aged"]), nearest("age", ["wind"])
    (' Age', None)
    """
    names = list(known)
    alike = [other for other in names if other.strip().casefold() == name.strip().casefold()]
    return next(iter(alike or get_close_matches(name, names, n=1)), None)


_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)
_MODEL: ContextVar[str | None] = ContextVar("model", default=None)
_UNSAID: ContextVar[tuple[type[SufficeWarning], ...]] = ContextVar("unsaid", default=())


@contextmanager
def overhearing(heard: list[str]) -> Iterator[None]:
    """Keep what users are warned of inside the block, each once, whether or not their filters let them see it.

    >>> heard: list[str] = []
    >>> with overhearing(heard), warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     warn_user("Column 'name' is left out.")
    >>> heard
    ["Column 'name' is left out."]
    """
    token = _HEARD.set(heard)
    try:
        yield
    finally:
        _HEARD.reset(token)


@contextmanager
def unsaid(*categories: type[SufficeWarning]) -> Iterator[None]:
    """Inside the block nobody is warned of these things, nor overhears them.

    >>> heard: list[str] = []
    >>> with overhearing(heard), unsaid(UnreadTextWarning):
    ...     warn_user("Column 'text' is left out.", UnreadTextWarning)
    >>> heard
    []
    """
    token = _UNSAID.set(categories)
    try:
        yield
    finally:
        _UNSAID.reset(token)


@contextmanager
def learning(model: str) -> Iterator[None]:
    """Inside the block warnings of what is learned begin with the model's name: one of several is being learned.

    >>> heard: list[str] = []
    >>> with overhearing(heard), learning("lda"), warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     warn_user("It did not converge.", ConvergenceWarning)
    ...     warn_user("Column 'name' is left out.")
    >>> heard
    ['lda: It did not converge.', "Column 'name' is left out."]
    """
    token = _MODEL.set(model)
    try:
        yield
    finally:
        _MODEL.reset(token)


def warn_user(message: str, category: type[SufficeWarning] = SufficeWarning) -> None:
    """Warn at the first caller outside suffice, so that the warning points at the user's line."""
    if issubclass(category, _UNSAID.get()):
        return
    model = _MODEL.get()
    if model is not None and issubclass(category, LearningWarning):
        message = f"{model}: {message}"
    heard = _HEARD.get()
    if heard is not None and message not in heard:
        heard.append(message)
    level, frame = 1, sys._getframe(0)
    inside = ("suffice", "contextlib")  # whose with-blocks are entered by Python's own code
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(inside):
        frame = frame.f_back
        level += 1
    warnings.warn(category(message), stacklevel=level)
