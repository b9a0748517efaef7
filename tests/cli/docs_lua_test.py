#!/usr/bin/env python3
"""Every Lua block of the documentation is Lua, and the names in it are there.

A block that is a part of something has a comment above it, `<!-- given: NAMES -->`, with the names that the whole has; `(fields)`
is for fields of a table. Pages from which readers copy have none. tests/cli/guides_test.py also runs the guides.
"""

import re

from kit import FOLDER, TOP, done, must, perigee, same, tap, write

BLOCKS = re.compile(r"^(?:<!-- given: (.*?) -->\n)?( *)```lua[^\n]*\n(.*?)^ *```", re.S | re.M)
WHOLE = ["README.md", "services.md"]


def blocks():
    for page in [TOP / "README.md", TOP / "examples/README.md", *sorted((TOP / "docs").glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for found in BLOCKS.finditer(text):
            names = (found.group(1) or "").split()
            fields = "(fields)" in names
            names = [name for name in names if name != "(fields)"]
            code = "return {" * fields + found.group(3) + "}" * fields
            before = f"local {', '.join(names)} " if names else ""
            line = text.count("\n", 0, found.start(3))
            yield page, line + 1, bool(found.group(1)), "\n" * line + before + code


def checked():
    files = {}
    for page, line, is_part, code in blocks():
        must(not (is_part and page.name in WHOLE), f"{page.name}:{line} is to be whole")
        files[write(f"blocks/{page.parent.name}-{page.stem}-{line}.lua", code)] = page
    must(len(files) > 35, files)
    answer = perigee("check", "--no-user-root", "--strict", *map(str, files))
    same((answer.code, answer.out, answer.err), (0, f"{len(files)} scripts; all well\n", ""))


def slide():
    """README's script, which docs/scripts.md shows, is there."""
    shown = re.search(r"```lua\n-- slide.lua\n(.*?)```", (TOP / "docs/scripts.md").read_text(encoding="utf-8"), re.S).group(1)
    there = (TOP / "examples/scripts/slide.lua").read_text(encoding="utf-8")
    same(there[there.index("local perigee"):], shown)


tap.case("Lua blocks of the pages are whole, or say what they lack, and use names that are there", checked)
tap.case("the script of README is an example", slide)

done()
