"""What the page is made of beside its content: templates, a style sheet, and small scripts that become one."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

PLACE = files("suffice.evaluation.page_parts")
FIRST = "main.js"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def text_of(name: str) -> str:
    """A file of the page's."""
    return (PLACE / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """All modules as one, each after those it imports; names are unique among them, so nothing is renamed."""
    found: dict[str, str] = {}

    def add(name: str) -> None:
        if name in found:
            return
        text = text_of(f"scripts/{name}")
        found[name] = ""  # so that a circle of imports ends
        for imported in _IMPORT.findall(text):
            add(imported)
        del found[name]
        found[name] = f"// {name}\n{_EXPORT.sub('', _IMPORT.sub('', text)).strip()}\n"

    add(FIRST)
    return "\n".join(found.values())


def digest(text: str) -> str:
    """What a page's security policy calls a script by, so that no other one can run."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
