#!/usr/bin/env python3
"""perigee completions: in bash, zsh and fish themselves, which ask the program."""

import os
import shutil
import subprocess

from kit import FOLDER, PERIGEE, Terminal, done, environment, folder, has, must, perigee, same, tap, write
import kit

BIN = folder("bin")
(BIN / "perigee").symlink_to(PERIGEE)
PATH = f"{BIN}:{os.environ['PATH']}"
write("here/afile.txt", "")
folder("here/adirectory")
write("home/mcp.json", '{"mcpServers": {"fileserver": {"command": "x"}}}')

LINES = [   # the typed line, and one of the words that complete it
    ("perigee doc", "doctor"), ("perigee doctor --js", "--json"), ("perigee serve --le", "--lean"),
    ("perigee call list_wi", "list_windows"), ("perigee call move_window wi", "window="),
    ("perigee call create_input action=dou", "double_click"), ("perigee mcp li", "list"),
    ("perigee mcp list filese", "fileserver"), ("perigee tools --mount filese", "fileserver"),
    ("perigee image --mode mul", "multi"), ("perigee image --mode=mul", "multi"),
    ("perigee list windows --include-details ids,bou", "bounds"),
    ("perigee completions zs", "zsh"), ("perigee tools --toolset keyn", "keynote"), ("perigee serve --toolset al", "all"), ("perigee help relo", "reload"), ("perigee help sys.window.resi", "sys.window.resize"),
    ("perigee call x --output afi", "afile.txt"), ("perigee check --dictionaries adir", "adirectory"),
]


def completed(line, wanted):
    """The line whose end is the beginning of the word."""
    overlap = max(n for n in range(len(wanted) + 1) if line.endswith(wanted[:n]))
    return line + wanted[overlap:]


class Shell(Terminal):
    """A shell that a person types into, with the completions loaded."""

    def __init__(self, name, *options):
        program = shutil.which(name)
        if not program:
            raise tap.Skip(f"needs {name}")
        home = folder("shell-" + name)
        kept, kit.PERIGEE = kit.PERIGEE, program
        try:
            super().__init__(*options, width=200, PATH=PATH, HOME=str(home), PS1="$ ", ZDOTDIR=str(home), INPUTRC="/dev/null",
                             XDG_CONFIG_HOME=str(home), PERIGEE_DESKTOP="fake")
        finally:
            kit.PERIGEE = kept

    def completes(self, line, wanted):
        self.mark = (self.screen.row, 0)     # the line is written over
        self.type("\x15" + line + "\t")
        self.expect(wanted)


def in_bash():
    with Shell("bash", "--norc", "--noprofile", "-i") as shell:
        shell.type('bind "set enable-bracketed-paste off"; eval "$(perigee completions bash)"; echo re""ady\r')
        shell.expect("ready")
        for line, wanted in LINES:
            shell.completes(line, completed(line, wanted))


def in_zsh():
    with Shell("zsh", "-f", "-i") as shell:
        shell.type('PS1="$ "; autoload -Uz compinit; compinit -u; eval "$(perigee completions zsh)"; echo re""ady\r')
        shell.expect("ready")
        for line, wanted in LINES:
            shell.completes(line, completed(line, wanted))


def in_fish():
    if not shutil.which("fish"):
        raise tap.Skip("needs fish")
    script = str(FOLDER / "perigee.fish")
    with open(script, "w", encoding="utf-8") as file:
        file.write(perigee("completions", "fish").out)
    for line, wanted in LINES:
        ended = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], capture_output=True, text=True,
                               check=False, cwd=folder("here"), env=environment(PATH=PATH, HOME=str(folder("shell-fish"))))
        same(ended.returncode, 0, ended.stderr)
        must(any(each.split("\t")[0].rstrip("/").endswith(wanted) for each in ended.stdout.splitlines()), (line, ended.stdout))


def asked(*words):
    return perigee("__complete", "--", *words)


def hot():
    same(asked("call", "brand_n").out, ":default\n")
    write("home/tools/new/brand_new.lua", "return { description = 'x', inputSchema = { type = 'object', properties = { kind = "
                                          "{ enum = { 'hay', 'meat' } } } }, run = function() end }")
    same(asked("call", "brand_n").out, "brand_new\n:default\n")
    same(asked("call", "brand_new", "").out, "kind=\n:nospace\n")
    same(asked("call", "brand_new", "kind=").out, "kind=hay\nkind=meat\n:default\n")
    write("home/commands/shiny.lua", "return { summary = 'new', run = function() end }")
    same(asked("shin").out, "shiny\tnew\n:default\n")


def nothing_to_offer():
    for words in (["nothing", ""], ["call", "no_such_tool", "x"], ["doctor", "x"], ["image", "--mode", "none"], ["mcp", "no", ""]):
        answer = asked(*words)
        same((answer.code, answer.err), (0, ""), words)
        has(answer.out, ":")
        same(answer.out.count("\n"), 1, words)


tap.case("bash completes", in_bash)
tap.case("zsh completes", in_zsh)
tap.case("fish completes", in_fish)
tap.case("the names of a file that was just saved are completed", hot)
tap.case("without a match nothing is printed", nothing_to_offer)
done()
