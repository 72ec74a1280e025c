"""Every example of the documentation runs, and prints what the page says it prints.

A ```python block is executed; a ```text block right after it, if there is one, is its output, where ... stands for
anything. In a ```console block the lines that begin with `$ suffice` are run where their output follows.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import warnings
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import pytest

from command_line import invoke

mpl.use("Agg")

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
CHECKER = doctest.OutputChecker()
FORGIVING = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, and the output that follows it."""

    kind: str
    text: str
    line: int
    output: str | None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    result = []
    for position, match in enumerate(found):
        following = found[position + 1] if position + 1 < len(found) else None
        follows = following is not None and following[1] == "text" and not text[match.end() : following.start()].strip()
        output = following[2] if follows and following is not None else None
        result.append(Block(match[1], match[2], text.count("\n", 0, match.start()) + 2, output))
    return result


def require_output(page: Path, block: Block, expected: str | None, printed: str) -> None:
    if expected and not CHECKER.check_output(expected, printed, FORGIVING):
        pytest.fail(f"{page.name}:{block.line} prints\n{printed}\nbut the page says\n{expected}", pytrace=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples_run_and_print_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.kind != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # The blank lines make a traceback show the page's own line numbers.
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)
        require_output(page, block, block.output, printed.getvalue())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_run_and_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(page):
        if block.kind != "console":
            continue
        for command in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, expected = command.partition("\n")
            if line.startswith("suffice") and expected.strip():
                require_output(page, block, expected, run(line))


def run(line: str) -> str:
    """What a command prints, run in this process: tests/cli starts processes."""
    done = invoke(*shlex.split(line)[1:], COLUMNS="120", NO_COLOR="1")
    if done.exit_code:
        pytest.fail(f"{line!r} ended with {done.exit_code}:\n{done.output}", pytrace=False)
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_is_listed_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {page for page in pages if f"({page})" not in index} == set()
