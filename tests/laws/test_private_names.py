"""No module of cli, plot or evaluation calls what another module keeps to itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import suffice

SOURCES = [path for room in ("cli", "plot", "evaluation") for path in Path(suffice.__path__[0], room).rglob("*.py")]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_names(tree: ast.AST) -> Iterator[str]:
    """Private names in use, but for those of a module's own classes."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {part.name for node in classes for part in node.body if isinstance(part, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "os")  # os._exit is public
            if is_private(node.attr) and not is_own and node.attr not in methods:
                yield f"{node.lineno}: {node.attr}"
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.lineno}: {alias.name}" for alias in node.names if is_private(alias.name))


def test_what_is_private_is_not_called_from_outside() -> None:
    assert len(SOURCES) > 50
    found = {str(path): list(private_names(ast.parse(path.read_text()))) for path in SOURCES}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_law_finds_what_it_looks_for() -> None:
    source = "from a import _b\nx = estimator._table(1)\nself._y = 1\nself.z._w\nclass A:\n def _c(self): other._c()"
    assert sorted(private_names(ast.parse(source))) == ["1: _b", "2: _table", "4: _w"]
