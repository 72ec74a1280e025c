"""What a command writes is none of the files that it reads, nor written twice: checked before the work begins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import combinations

from suffice.cli.data import Data
from suffice.errors import SettingError


def require_other_files(
    written: Mapping[str, str | None], tables: Iterable[Data] = (), models: Iterable[str] = ()
) -> None:
    """Nothing that is read may be overwritten, by whatever name, link or pattern it is read; `written` is by option."""
    outputs = {option: path for option, path in written.items() if path is not None}
    for (first, one), (second, other) in combinations(outputs.items(), 2):
        if os.path.realpath(one) == os.path.realpath(other):
            raise SettingError(f"{first} and {second} are the same file, {one}. Give them names of their own.")
    places = {option: os.path.realpath(path) for option, path in outputs.items()}  # where they are written: missing/..
    if not any(map(os.path.isfile, places.values())):
        return
    read = [("table", name) for table in tables for name in table.files] + [("model", name) for name in models]
    for option, place in places.items():
        for what, name in read:
            if os.path.isfile(place) and os.path.isfile(name) and os.path.samefile(place, name):
                raise SettingError(f"{option} {outputs[option]} would overwrite the {what} itself. Give another name.")
