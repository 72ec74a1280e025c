"""A target of so many classes that it is hardly one: nearly an identifier, or a quantity."""

from __future__ import annotations

from collections.abc import Collection

from suffice.errors import Message, Setting, TableError
from suffice.schema import Nominal
from suffice.settings import is_number

FEW_CLASSES = 20  # so many are never too many, however few rows there are
MANY_CLASSES = 1_000
LEAST_ROWS = 2  # a class, on average
LEAST_ROWS_OF_MANY = 20


def require_few_classes(target: Nominal, rows: int, keep: Collection[str]) -> None:
    """Classes need rows to be learned from: two each, or twenty where there are more than a thousand classes.

    A target that is named in `keep` is taken as it is.

    >>> require_few_classes(Nominal("species", tuple(range(100))), 300, ())
    >>> require_few_classes(Nominal("name", tuple(range(100))), 101, ())
    Traceback (most recent call last):
        ...
    suffice.errors.TableError: The target 'name' has 100 classes in 101 rows, which leaves 1.0 rows a class to learn \
from: it looks like an identifier or a quantity. Choose another target; numbers can be predicted as numbers \
(sf.DecisionTreeRegressor, task='regression') or cut into intervals. keep=['name'] insists on these classes.
    """
    classes = len(target.levels)
    least = LEAST_ROWS_OF_MANY if classes > MANY_CLASSES else LEAST_ROWS
    if classes <= FEW_CLASSES or rows >= least * classes or target.name in keep:
        return
    kind, advice = "an identifier", Message()
    if all(map(is_number, target.levels)):
        kind = "an identifier or a quantity"
        task = Setting("task", "regression")
        said = "; numbers can be predicted as numbers (sf.DecisionTreeRegressor, "
        advice = Message(said, task, ") or cut into intervals")
    said = (
        f"The target {target.name!r} has {classes:,} classes in {rows:,} rows, which leaves {rows / classes:.1f} rows "
        f"a class to learn from: it looks like {kind}. Choose another target"
    )
    raise TableError(Message(said, advice, ". ", Setting("keep", [target.name]), " insists on these classes."))
