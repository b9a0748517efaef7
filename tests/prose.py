#!/usr/bin/env python3
"""The prose of the project: habits that make readers translate, and how long a description may be.

Reads the string literals of Lua and C (messages, descriptions), the documents and the man page, and the subjects of
commits that are not on main yet. It prints `FILE:LINE: what was found: what to write`; exit 1 if there is anything.
Paths, headings and functions that the documents name have to exist, and what they place in a file has to be there.

A comment or a title of a test is a sentence with a subject and a verb, or a noun phrase that names what follows: no
comment and no title begins otherwise in a way that a pattern finds.
"""

import functools
import glob
import json
import os
import re
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PERIGEE = os.environ.get("PERIGEE", "build/perigee")

STRINGS = ["lua", "src"]                          # folders whose string literals are read
DOCUMENTS = ["*.md", ":!docs/tools.md"]           # that one is written from the tools
MANUAL = "man/perigee.1"

COLUMNS = 120
DESCRIPTION, SENTENCE, PARAMETER = 500, 100, 120    # characters

# A pattern of a habit, and the words to write instead.
HABITS = [
    (r"(?<!there )\b(?:is|are|was|were) no\b(?! longer| more than)", "is not a, has no"),
    (r"\ba text\b(?! (?:area|box|caret|editor|field|file|message|selection|view))", "text, a string, a message"),
    (r"\btexts\b", "text, strings, messages"),
    (r"\bwhoever\b", "the user, the caller, the client"),
    (r"\b(?:nobody|somebody)\b(?! user)", "name who: the user, a client, no application"),
    (r", too(?=[.;:!?)]|$)", "also or even before the verb"),
    (r"\banew\b", "again"),
    (r"\bas in\b", "for example, as"),
    (r"\bfront-most\b", "frontmost"),
    (r"\b(?:centre|colour|behaviour|honour|favour|neighbour|licence|catalogue|grey)(?:s|d|ed|ing|less)?\b", "American spelling"),
    (r"\b(?:recogni|initiali|normali|serali|serialis|organi|authori|analy)s(?:e|ed|es|ing)\b", "American spelling"),
    (r"\b(?:journall|labell|signall|travell|modell)(?:ed|ing)\b", "American spelling"),
]
HABITS = [(re.compile(pattern, re.I | re.M), better) for pattern, better in HABITS]

# How a comment or a title does not begin, and what is not in one.
BEGINNINGS = [
    (r"^what\b", "begin with a noun or a verb"),
    (r"^(?:whose|whoever|who|which|of which)\b", "begin with a noun"),
    (r"^of\b", "begin with the noun that it is of"),
    (r"^(?:could|might|would|may|has|is|does|do|are|was|did|must|can)\b[^?]*\? (?:NULL|nil|0|-1|false|true): ",
     "begin with True if, or with a verb"),
    (r"\bwhere there is none\b", "without one, if there is none"),
]
BEGINNINGS = [(re.compile(pattern, re.I), better) for pattern, better in BEGINNINGS]

COMMENTED = ["src", "lua", ":!lua/types/examples", "tests"]     # "---" is a heading in those programs
TITLED = ["tests"]
SUBJECT = 72                  # columns of a commit's subject

# Words of others that stay as they are: (file, what it holds).
KEPT = [
    ("lua/lib/applescript/standard.lua", ""),       # AppleScript's own terms
    ("lua/lib/applescript/expressions.lua", ""),
]

LUA = re.compile(r"""(?P<comment>--\[(=*)\[.*?\]\2\]|--[^\n]*)
                   | \[(?P<level>=*)\[(?P<long>.*?)\](?P=level)\]
                   | "(?P<double>(?:\\.|[^"\\\n])*)" | '(?P<single>(?:\\.|[^'\\\n])*)'""", re.S | re.X)
C = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*|^[ \t]*\#[ \t]*(?:include|import)[^\n]*)
                 | '(?:\\.|[^'\\\n])*' | "(?P<double>(?:\\.|[^"\\\n])*)" """, re.S | re.X | re.M)
BETWEEN = {".lua": re.compile(r"\s*\.\.\s*$"), ".c": re.compile(r"\s*$"), ".h": re.compile(r"\s*$"), ".m": re.compile(r"\s*$")}

problems = []


def problem(path, line, text):
    said = f"{path}:{line}: {text}"
    if said not in problems:
        problems.append(said)


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def tracked(*patterns):
    return subprocess.run(["git", "ls-files", "--", *patterns], cwd=TOP, check=True, capture_output=True,
                          text=True).stdout.split()


def judge(path, line, text):
    """Reports the habits in a piece of prose that begins on this line."""
    for pattern, better in HABITS:
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - 25):found.end() + 15].replace("\n", " ")
            problem(path, line + text.count("\n", 0, found.start()), f"“{before.strip()}”: {better}")


def literals(path):
    """(line, text) of every string of a file; strings that are joined on the spot are one."""
    extension = os.path.splitext(path)[1]
    source, end, line, joined = read(path), 0, 0, None
    for token in (LUA if extension == ".lua" else C).finditer(source):
        groups = token.groupdict()
        if groups.get("comment") is not None:
            continue
        text = next((groups[name] for name in ("double", "single", "long") if groups.get(name) is not None), "")
        text = re.sub(r"\\[nt]", " ", text)
        if joined is not None and BETWEEN[extension].match(source[end:token.start()]):
            joined += text
        else:
            if joined:
                yield line, joined
            line, joined = source.count("\n", 0, token.start()) + 1, text
        end = token.end()
    if joined:
        yield line, joined


def check_strings():
    for path in tracked(*STRINGS):
        if os.path.splitext(path)[1] not in BETWEEN or any(path == kept and not part for kept, part in KEPT):
            continue
        for line, text in literals(path):
            if " " in text.strip() and not any(path == kept and part in text for kept, part in KEPT):
                judge(path, line, text)


# --- documents ----------------------------------------------------------------------------------

def prose_lines(path):
    """(line, text) of a document without its code: fences are left out, `code` is emptied."""
    fence = False
    for number, text in enumerate(read(path).split("\n"), 1):
        if re.match(r"\s*```", text):
            fence = not fence
        elif not fence:
            yield number, text


# A sentence, item or cell that begins so, and is not a question.
RIDDLE = re.compile(r"(?:^|(?<=[.:;!?] )|(?<=[.:;!?]\n)|^ *[-*] (?:\*\*)?|\| )((?:What|Whose|Whoever|Of which|Who) [^?|.]*?)(?=[|.]|\n\n|\Z)", re.M)
UNBREAKABLE = re.compile(r"`[^`]{60,}`|\S{60,}")     # a command or a URL that has to stay on its line


def check_documents():
    for path in tracked(*DOCUMENTS):
        lines = list(prose_lines(path))
        for number, text in lines:
            if len(text) > COLUMNS and not text.lstrip().startswith(("|", "![")) and not UNBREAKABLE.search(text):
                problem(path, number, f"{len(text)} columns, at most {COLUMNS}")
        by_line = dict(lines)
        whole = "\n".join(re.sub(r"`[^`]*`", "`x`", by_line.get(n, "")) for n in range(1, max(by_line, default=0) + 1))
        judge(path, 1, whole)
        for found in RIDDLE.finditer(whole) if not path.startswith("docs/lua/") else []:     # written from Lua's comments
            problem(path, whole.count("\n", 0, found.start(1)) + 1, f"“{found.group(1)[:40]}”: begin with a noun or a verb")


def check_manual():
    """Its text lines; requests have names and options."""
    for number, text in enumerate(read(MANUAL).split("\n"), 1):
        if not text.startswith((".", "\\\"")):
            judge(MANUAL, number, re.sub(r"\\f.|\\&", "", text).replace("\\-", "-"))


PATH = re.compile(r"(?<![\w/.~$-])((?:src|lua|tests|docs|examples|man|make|packaging|vendor|include)/[\w./*{},-]*\w|"
                  r"(?:src|lua|tests|docs|examples)/)")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
CALL = re.compile(r"`(\w+)\(\)`")
WHERE = re.compile(r"`(\w+)(?:\(\))?`(?: of| in) `([\w/.-]+/[\w.-]+)`")      # `NAME` in `FILE`


def exists(path):
    """A path of the tree; a NAME in capitals and a * stand for any."""
    for one in spread(path):
        pattern = re.sub(r"(?<=/)[A-Z][A-Z_]*(?=[./_]|$)", "*", one)
        if not glob.glob(os.path.join(TOP, pattern)) and not glob.glob(os.path.join(TOP, pattern + ".*")):
            return False
    return True


def spread(path):
    """a/{b,c}.h as a/b.h and a/c.h."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if not braces:
        return [path]
    return [one for choice in braces.group(1).split(",") for one in
            spread(path[:braces.start()] + choice + path[braces.end():])]


@functools.cache
def anchors(path):
    """The names by which links reach the headings of a document: as GitHub makes them."""
    headings = [re.match(r"#+ +(.*)", text) for _, text in prose_lines(path)]
    names = [re.sub(r"[^\w -]", "", found.group(1).strip().lower()).replace(" ", "-") for found in headings if found]
    return {name + (f"-{n}" if n else "") for name in names for n in range(names.count(name))}


def check_references():
    words, files = set(), set(tracked("."))
    for path in tracked("src", "lua", "tests"):
        if path.endswith((".c", ".h", ".m", ".lua", ".py", ".sh")):
            words.update(re.findall(r"\w+", read(path)))
    for path in tracked(*DOCUMENTS):
        for number, text in prose_lines(path):
            for named in PATH.findall(text):
                beside = os.path.normpath(os.path.join(os.path.dirname(path), named))
                if not exists(named) and not exists(beside):
                    problem(path, number, f"there is no {named}")
            for link, anchor in LINK.findall(text):
                target = os.path.normpath(os.path.join(os.path.dirname(path), link)) if link else path
                if not exists(target):
                    problem(path, number, f"there is no {link}")
                elif anchor and target.endswith(".md") and anchor not in anchors(target):
                    problem(path, number, f"there is no heading #{anchor} in {target}")
            for name in CALL.findall(text):
                if name not in words:
                    problem(path, number, f"there is no function {name}()")
            for name, file in WHERE.findall(text):
                if file in files and not re.search(rf"\b{name}\b", read(file)):
                    problem(path, number, f"there is no {name} in {file}")


# --- comments, titles, subjects -------------------------------------------------------------------

def c_comments(path):
    """(line, text) of each comment of a C file; text without its stars."""
    source = read(path)
    for token in C.finditer(source):
        text = token.group("comment")
        if text and text.lstrip().startswith("/"):
            text = re.sub(r"\n[ \t]*\*? ?", " ", re.sub(r"^/[/*]|\*/$", "", text.strip()))
            yield source.count("\n", 0, token.start()) + 1, text.strip(" .")


def lua_comments(path):
    """The same of a Lua file: lines of comments below each other are one. Annotations are left out."""
    line, joined = 0, None
    for number, text in enumerate(read(path).split("\n") + [""], 1):
        found = re.match(r"\s*---?(?!\[)\s?(?![@|])(.*)", text)
        if found and joined is not None:
            joined += " " + found.group(1)
        elif found:
            line, joined = number, found.group(1)
        elif joined is not None:
            yield line, joined.strip("- ")
            joined = None


TITLE = re.compile(r'''\bcase\(\s*f?"((?:\\.|[^"\\\n])*)"|^(?:async\ )?def\ \w+\([^\n]*\):\n\s+"""(.*?)"""
                     |\A(?:\#![^\n]*\n)?"""(.*?)"""
                     |(?<![\w\])])\("((?:\\.|[^"\\\n])*\ (?:\\.|[^"\\\n])*)",\ (?=[a-z_]\w*[(),.])    # ("title", function)''',
                   re.S | re.M | re.X)


def titles(path):
    """(line, text) of the titles of tests in a file of Lua or Python, of its docstring and those of its functions."""
    source = read(path)
    for found in TITLE.finditer(source):
        yield source.count("\n", 0, found.start()) + 1, found.group(found.lastindex or 1)


def beginnings(folders, prose_of):
    """(path, line, beginning, what to write) of each comment or title below the folders that begins badly."""
    for path in tracked(*folders):
        pieces = prose_of.get(os.path.splitext(path)[1])
        for line, text in pieces(path) if pieces else []:
            for pattern, better in BEGINNINGS:
                found = pattern.search(text)
                if found:
                    yield path, line, text[max(0, found.start() - 25):found.end() + 30].replace("\n", " ").strip(), better
                    break


COMMENTS = {".c": c_comments, ".h": c_comments, ".m": c_comments, ".lua": lua_comments}
TITLES = {".lua": titles, ".py": titles}


def check_beginnings():
    for path, line, text, better in [*beginnings(COMMENTED, COMMENTS), *beginnings(TITLED, TITLES)]:
        problem(path, line, f"“{text}”: {better}")


def check_subjects():
    """Reads those of commits that are not on main yet; on main that of the newest, which can still be changed."""
    def git(*words):
        done = subprocess.run(["git", *words], cwd=TOP, capture_output=True, text=True)
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else None

    main = next((name for name in ("origin/main", "main") if git("rev-parse", "-q", "--verify", name)), None)
    new = git("log", "--no-merges", "--format=%h %s", f"{main}..HEAD") if main else None
    for line in new or git("log", "--no-merges", "--format=%h %s", "-1") or []:
        commit, subject = line.split(" ", 1)
        area, _, text = subject.partition(": ")
        if len(subject) > SUBJECT:
            problems.append(f"commit {commit}: {len(subject)} columns of subject, at most {SUBJECT}")
        if not text or subject.endswith("."):
            problems.append(f"commit {commit}: “{subject}”: AREA: what it does, without a full stop")
        if any(pattern.search(text) for pattern, _ in BEGINNINGS):
            problems.append(f"commit {commit}: “{subject}”: begin with a verb")


# --- tools --------------------------------------------------------------------------------------

def parameters(schema, name=""):
    """(name, description) of everything a schema describes."""
    if isinstance(schema, list):
        for item in schema:
            yield from parameters(item, name)
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("description"), str):
        yield name, schema["description"]
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            for member, described in value.items():
                yield from parameters(described, f"{name}.{member}" if name else member)
        elif key in ("items", "anyOf", "oneOf", "allOf", "additionalProperties"):
            yield from parameters(value, name)


def first_sentence(text):
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def check_tools():
    said = subprocess.run([PERIGEE, "tools", "--json", "--no-user-root"], cwd=TOP, check=True, capture_output=True,
                          text=True).stdout
    for tool in json.loads(said):
        where, description = f"tool {tool['name']}", tool["description"]
        first = first_sentence(description)
        verb = first.split(" ")[0]
        if len(description) > DESCRIPTION:
            problems.append(f"{where}: {len(description)} characters of description, at most {DESCRIPTION}")
        if len(first) > SENTENCE:
            problems.append(f"{where}: its first sentence has {len(first)} characters, at most {SENTENCE}")
        if verb == "Tell" or not re.fullmatch(r"[A-Z][a-z]+", verb) or re.search(r"(?<!s)s$", verb):
            problems.append(f"{where}: begins with “{verb}”: begin with a verb in its base form: Get, List, Capture")
        for name, text in parameters(tool["inputSchema"]):
            if len(text) > PARAMETER:
                problems.append(f"{where}, {name}: {len(text)} characters, at most {PARAMETER}")


def main():
    check_strings()
    check_documents()
    check_manual()
    check_references()
    check_beginnings()
    check_subjects()
    check_tools()
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
