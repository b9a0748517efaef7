#!/usr/bin/env python3
"""Every Lua block of the documentation is Lua, and the names in it are there.

A block that is a part of something has a comment above it, `<!-- given: NAMES -->`, with the names that the whole has; `(fields)`
is for fields of a table. Pages from which readers copy have none. tests/cli/guides_test.py also runs the guides, and
tests/lua/examples_test the examples of the reference (docs/lua); its other blocks are whole.
"""

import re

from kit import FOLDER, TOP, done, must, perigee, same, tap, write

BLOCKS = re.compile(r"^(?:<!-- given: (.*?) -->\n)?( *)```lua[^\n]*\n(.*?)^ *```", re.S | re.M)
WHOLE = ["README.md", "services.md"]
KEYS = re.compile(r'\bhotkey\.bind\("([^"]+)"')
TAKEN = re.compile(r"ctrl\+alt\+(?:t|l|d|delete|tab|escape|left|right|up|down)|alt\+(?:tab|f\d+)|super\+.*")   # by desktops, as a rule


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


def reference_blocks():
    """Those that tests/lua/examples_test does not run: of the beginning of a page, and of the comment above a function."""
    examples = "\n".join(file.read_text(encoding="utf-8") for file in (TOP / "lua/types/examples").rglob("*.lua"))
    for page in sorted((TOP / "docs/lua").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for found in BLOCKS.finditer(text):
            if found.group(3).strip() not in examples and not re.fullmatch(r'(local \w+ *= require "[\w.]+"\n)+', found.group(3)):
                yield page, text.count("\n", 0, found.start(3)) + 1, found.group(3)


def checked():
    files = {}
    for page, line, is_part, code in blocks():
        must(not (is_part and page.name in WHOLE), f"{page.name}:{line} is to be whole")
        files[write(f"blocks/{page.parent.name}-{page.stem}-{line}.lua", code)] = page
    must(len(files) > 35, files)
    answer = perigee("check", "--no-user-root", "--strict", *map(str, files))
    same((answer.code, answer.out, answer.err), (0, f"{len(files)} scripts; all well\n", ""))


def reference_checked():
    files = [write(f"blocks/{page.stem}-{line}.lua", code) for page, line, code in reference_blocks()]
    must(len(files) > 8, files)
    answer = perigee("check", "--no-user-root", "--strict", *map(str, files))
    same((answer.code, answer.out, answer.err), (0, f"{len(files)} scripts; all well\n", ""))


def hotkeys():
    """A reader who copies the services of all pages can run them all, on a desktop as it comes."""
    pages = {}
    for page, line, _, code in blocks():
        for keys in KEYS.findall(code):
            must(keys not in pages, f"{page.name}:{line} binds {keys}, as {pages.get(keys)} does")
            must(not TAKEN.fullmatch(keys), f"{page.name}:{line}: desktops have {keys}")
            pages[keys] = f"{page.name}:{line}"
    must(len(pages) > 3, pages)


def slide():
    """README's script, which docs/scripts.md shows, is there."""
    shown = re.search(r"```lua\n-- slide.lua\n(.*?)```", (TOP / "docs/scripts.md").read_text(encoding="utf-8"), re.S).group(1)
    there = (TOP / "examples/scripts/slide.lua").read_text(encoding="utf-8")
    same(there[there.index("local perigee"):], shown)


tap.case("Lua blocks of the pages are whole, or say what they lack, and use names that are there", checked)
tap.case("Lua blocks of the reference that are no examples are whole, and use names that are there", reference_checked)
tap.case("the hotkeys of the pages are free, and each is there once", hotkeys)
tap.case("the script of README is an example", slide)

done()
