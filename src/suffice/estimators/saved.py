"""Models in files: what every estimator writes, as a model file or as one JSON document."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from suffice.sources.reading import SETTINGS, one_by_one
from suffice.version import __version__


def _listed(name: str, value: Any) -> Any:
    """A setting; names of columns and spellings of missing, which may come in any collection, as a list."""
    is_plain = value is None or isinstance(value, (str, int, float, tuple))
    return value if is_plain or name not in SETTINGS else one_by_one(value)


class Saved(ABC):
    """An estimator that can be written to a file, once it is fitted."""

    if TYPE_CHECKING:

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The settings."""
            ...

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """What was learned; an error where nothing was."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What later calls must agree with."""

    @classmethod
    @abstractmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        """The estimator that a file holds, of parts that are sound and fit together."""

    def _file(self) -> dict[str, Any]:
        """What a model file holds: settings, state, and what was learned."""
        content = self._content()
        settings = {name: _listed(name, value) for name, value in self.get_params(deep=False).items()}
        return {"settings": settings, "state": self._state(), **content}

    def save(self, path: str | bytes | os.PathLike[str]) -> None:
        """Write the model to a readable file, whole or not at all.

        >>> import os, tempfile
        >>> import suffice as sf
        >>> model = sf.LDA().fit(sf.datasets.load("iris"), "species")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "iris.json"))
        ...     os.listdir(folder)
        ['iris.json']
        """
        from suffice import persist  # most models are never saved

        persist.save(path, type(self).__name__, self._file(), __version__)

    def to_json(self) -> str:
        """The whole model as one JSON document, large arrays within it; `load` reads it from a file as well.

        >>> import json
        >>> import suffice as sf
        >>> json.loads(sf.LDA().fit(sf.datasets.load("iris"), "species").to_json())["kind"]
        'LDA'
        """
        from suffice import persist

        return persist.as_json(type(self).__name__, self._file(), __version__)
