#!/usr/bin/env python3
"""Checks the rules for requires in lua/ (docs/tour.md). Prints each require that breaks one; exit 1 if any does.

- A file requires its own folder and those before it in ORDER. So no two folders require each other.
- No files require one another in a circle, also not inside of functions.
- A module's name is written out. COMPUTED lists the files that compute one, and what they can reach.
- The tools, prompts, resources, providers, commands and files of examples (dictionary) require files of lib only.
- docs/tour.md names each folder of lua/lib.

Usage: layers_lua.py [ROOT]
"""
import os
import re
import sys

# Lowest first. A place is a folder of lua/, or one file of it without ".lua", which then counts by itself. The file
# lib/NAME.lua beside a folder lib/NAME belongs to that folder.
ORDER = """
lib/terminal
lib/sys/path
lib
lib/stubs
lib/date lib/ics
lib/events
lib/dbus
lib/power lib/notify lib/menu lib/awake lib/audio lib/ui
lib/sys
lib/applescript lib/foreign lib/oauth lib/gateway
lib/mail/gmail lib/mail
lib/clients
lib/desktop
lib/sessions
lib/elements/read lib/elements/find lib/elements/press lib/elements/choose lib/elements/check lib/elements/act
lib/elements/dialogs lib/elements/tools
lib/desktop/tools lib/desktop/input
lib/common
lib/keynote
lib/dictionary
lib/scripting
lib/macros
lib/recorder
lib/transactions/kinds lib/transactions
lib/policy/mapped lib/policy/words lib/policy/possible lib/policy/glyphs lib/policy/address lib/policy/declared lib/policy/hosts lib/policy/own_words lib/policy/places lib/policy/relative lib/policy/arguments lib/policy/recipients lib/policy/question lib/policy/provenance lib/policy/apps
lib/policy/target lib/policy/runs lib/policy/effect lib/policy
lib/border
lib/observing
lib/agent
lib/vision lib/screen
lib/python
lib/generating
lib/services
lib/doctor
lib/audit lib/pack
lib/cli
lib/trace lib/repl
testing
""".split()
TOPS = "commands dictionary prompts providers resources tools".split()   # folders whose files nothing requires

# The modules that the computed names can be.
COMPUTED = {
    "commands/doctor.lua": ["doctor.linux", "doctor.macos"],
    "commands/pack.lua": [],
    "lib/backends.lua": [],        # the caller writes the names: backends.choose { linux = "...", macos = "..." }
    "lib/cli/install.lua": ["clients.jsonc", "clients.toml", "clients.yaml"],
    "lib/repl/session.lua": [],    # a person types the names
    "testing/standin.lua": [],     # a double of any module
}

# Modules of C with a rest in Lua (module_has_rest() of src/script/sandbox/module_name.c): the rest is loaded with the
# first function that C does not have, so only a file that uses such a function requires it.
RESTS = "app clipboard db dbus display element events fs mcp regex text time webhook window".split()

NAME = re.compile(r"""\brequire\s*\(?\s*(?:"([\w.]+)"|'([\w.]+)'|\[\[([\w.]+)\]\])""")
STRING = re.compile(r'"(?:\\.|[^"\\])*"' + r"|'(?:\\.|[^'\\])*'")
COMPUTES = re.compile(r'(?<![\w.:"])require\b(?!\s*\(?\s*(?:""|\[\[))(?!\w*\s*=[^=])')   # or passes require on
BACKEND = re.compile(r'\b(?:linux|macos)\s*=\s*"([\w.]+)"')


def without_comments(text):
    """The lines, without comments, and without long strings, which hold templates of other files."""
    text = re.sub(r"(?<!require)(?<!require )\[\[.*?\]\]", lambda found: '""' + "\n" * found.group().count("\n"), text, flags=re.S)
    return [re.sub(r"(^|\s)--.*$", "", line) for line in text.split("\n")]


class Tree:
    def __init__(self, root):
        self.root = root
        self.lines = {}
        for folder, _, names in os.walk(root):
            below = os.path.relpath(folder, root)
            if below.split(os.sep)[0] in ("types", "scripts"):
                continue
            for name in names:
                if name.endswith(".lua"):
                    path = os.path.normpath(os.path.join(below, name))
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        self.lines[path] = without_comments(file.read())
        self.added = {f"sys.{name}": self.functions(f"lib/sys/{name}.lua") for name in RESTS}

    def functions(self, path):
        text = "\n".join(self.lines.get(path, []))
        return set(re.findall(r"^(?:function )?M[.:](\w+)", text, re.M))

    def place(self, path):
        """The entry of ORDER that a file is of."""
        stem = path[:-len(".lua")]
        if stem in ORDER and not os.path.isdir(os.path.join(self.root, stem)):
            return stem
        return stem if os.path.isdir(os.path.join(self.root, stem)) else os.path.dirname(path)

    def uses_rest(self, path, line, module):
        """Whether a file uses what the Lua rest of a module adds to C's."""
        name = re.match(r"\s*local (\w+)\s*=\s*require\b", line)
        if not name:
            return True
        used = re.findall(r"(?<![\w.:\"])" + name.group(1) + r"\.(\w+)", "\n".join(self.lines[path]))
        return bool(self.added[module] & set(used))

    def requires(self, path):
        """(line, module) for each required module that is a file here."""
        for number, line in enumerate(self.lines[path], 1):
            for found in NAME.finditer(line):
                module = next(filter(None, found.groups()))
                if module in self.added and not self.uses_rest(path, line, module):
                    continue
                yield number, module
            for module in BACKEND.findall(line):
                yield number, module
        for module in COMPUTED.get(path, []):
            yield 0, module

    def target(self, module):
        path = f"lib/{module.replace('.', '/')}.lua"
        return path if path in self.lines else None


def circles(arrows):
    """The sets of files that require one another (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in arrows.get(file, ()):
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            circle = stack[stack.index(file):]
            del stack[stack.index(file):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for file in sorted(arrows):
        if file not in index:
            visit(file)
    return found


def faults(root):
    tree = Tree(root)
    rank = {place: i for i, place in enumerate(ORDER)}
    arrows, said = {}, []
    for path in sorted(tree.lines):
        top = path.split("/")[0] in TOPS or "/" not in path
        place = tree.place(path)
        if not top and place not in rank:
            said.append(f"lua/{path} is in no layer (tests/layers_lua.py)")
            continue
        for number, line in enumerate(tree.lines[path], 1):
            if COMPUTES.search(STRING.sub('""', line)) and path not in COMPUTED:
                said.append(f"lua/{path}:{number} computes the name of a module: add it to COMPUTED of tests/layers_lua.py")
        for number, module in tree.requires(path):
            target = tree.target(module)
            if not target or target == path:
                continue
            arrows.setdefault(path, set()).add(target)
            if not top and rank.get(tree.place(target), -1) > rank[place]:
                said.append(f'lua/{path}:{number} requires "{module}", which is above it')
    for circle in circles(arrows):
        said.append("files require one another: " + ", ".join(f"lua/{path}" for path in circle))
    return said


def untold(root, page):
    """The folders of lua/lib that the tour's text lacks."""
    folders = [os.path.relpath(path, os.path.join(root, "lib")) for path, _, names in os.walk(os.path.join(root, "lib"))
               if any(name.endswith(".lua") for name in names)]
    return [f"docs/tour.md lacks `{folder}`, a folder of lua/lib" for folder in sorted(folders)
            if folder != "." and f"`{folder}`" not in page]


def main():
    sys.setrecursionlimit(10000)
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(top, "lua")
    with open(os.path.join(top, "docs", "tour.md"), encoding="utf-8") as page:
        said = faults(root) + untold(root, page.read())
    for fault in said:
        print("layers: " + fault)
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
