#!/usr/bin/env python3
"""validate_script: faults with their places in five languages, and that nothing of a script ever runs."""

import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                          # noqa: E402
import tap                              # noqa: E402
from server import PERIGEE, Server      # noqa: E402

FOLDER = pathlib.Path(folders.fresh("perigee-validate-"))
MADE = FOLDER / "made"
HOSTILE = FOLDER / "hostile"            # what a user's folders and variables could load into a checker
TOUCH = f"touch {MADE}"
WRITE = f"open({str(MADE)!r}, 'w')"


def prepare():
    """Files that would be run by a shell or a Python that looks for them: each leaves a trace."""
    for name in ("sitecustomize.py", "usercustomize.py", "ast.py", "json.py", "warnings.py", "startup.py", "encodings/evil.py"):
        path = HOSTILE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{WRITE}\n")
    (HOSTILE / "env.sh").write_text(TOUCH + "\n")
    version = subprocess.run(["python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True,
                             check=True, timeout=60).stdout.strip()
    for base in (HOSTILE, HOSTILE / ".local"):
        site = base / f"lib/python{version}/site-packages"
        site.mkdir(parents=True)
        (site / "evil.pth").write_text(f"import os; {WRITE}\n")
        (site / "usercustomize.py").write_text(f"{WRITE}\n")
    (FOLDER / "home").mkdir()


prepare()
ENV = {"PERIGEE_HOME": str(FOLDER / "home"), "PERIGEE_DESKTOP": "fake", "XDG_STATE_HOME": str(FOLDER / "state"), "HOME": str(HOSTILE),
       "ENV": str(HOSTILE / "env.sh"), "BASH_ENV": str(HOSTILE / "env.sh"), "PYTHONSTARTUP": str(HOSTILE / "startup.py"),
       "PYTHONPATH": str(HOSTILE), "PYTHONUSERBASE": str(HOSTILE), "PYTHONINSPECT": "1", "PYTHONBREAKPOINT": "os.abort",
       "PYTHONWARNINGS": "error", "SHELLOPTS": "xtrace", "PS4": f"$({TOUCH})", "BASH_FUNC_echo%%": "() { " + TOUCH + "; }",
       "PYTHONPYCACHEPREFIX": str(FOLDER / "cache")}

# Scripts that leave a file if anything of them runs.
RUNS = {
    "shell": [TOUCH, f"$({TOUCH})", f"`{TOUCH}`", f"x=$({TOUCH})", f": ${{x:=$({TOUCH})}}", f"cat <<E\n$({TOUCH})\nE\n", f"cat <<E\n$({TOUCH})",
              f"cat <<'E'\nx\nE\n{TOUCH}", f"BEGIN {{ {TOUCH}; }}", f"trap '{TOUCH}' EXIT", f"trap '{TOUCH}' 0; exit", f"eval '{TOUCH}'",
              f"set +n\n{TOUCH}", f"set +o noexec\n{TOUCH}", f"set -o posix +n; {TOUCH}", f"-c '{TOUCH}'", f"-o exec\n{TOUCH}",
              f"#!/bin/sh -c {TOUCH}\n{TOUCH}", f"exec sh -c '{TOUCH}'", f". /dev/stdin <<E\n{TOUCH}\nE", f"alias x='{TOUCH}'\nx",
              f"f() {{ {TOUCH}; }}\nf", f"echo > {MADE}", f"> {MADE}", f": $((x[$({TOUCH})0]))", f"case $({TOUCH}) in x) ;; esac",
              f"export PS4='$({TOUCH})'; set -x; :", f"command_not_found_handle() {{ {TOUCH}; }}\nnosuch", f"coproc {TOUCH}",
              f"exit 0\n{TOUCH}", f"\\{TOUCH}", f"{TOUCH} & wait", f"sh\n{TOUCH}", f"exec < /dev/null; {TOUCH}", f"( {TOUCH} )",
              f"if {TOUCH}; then :; fi", f"x='$({TOUCH})'; eval echo $x", f"printf %s \"$({TOUCH})\"", f"read x\n{TOUCH}", f"\u00a0{TOUCH}"],
    "python": [WRITE, f"import os\nos.system({TOUCH!r})", f"class A:\n    {WRITE}", f"def f(x={WRITE}): pass", f"@{WRITE}\ndef f(): pass",
               f"x: {WRITE} = 1", f"f'{{{WRITE}}}'", f"# -*- coding: evil -*-\n{WRITE}", f"# coding: utf-7\n+AAo-{WRITE}",
               f"# coding: unicode_escape\n'\\x0a'", "# coding: ../hostile/evil\n1", f"from __future__ import annotations\n{WRITE}",
               f"import evil, sitecustomize, usercustomize\n{WRITE}", f"exec({WRITE!r})", f"__import__('os').system({TOUCH!r})",
               f"breakpoint()\n{WRITE}", f"[{WRITE} for _ in '1']", f"lambda: {WRITE}", f"if True:\n    {WRITE}", f"#!/bin/sh\n#{TOUCH}\n{WRITE}",
               f"match 1:\n    case _ if {WRITE}: pass", f"assert {WRITE}", f"\ufeff{WRITE}", f"import antigravity, this\n{WRITE}"],
    "lua": [f"io.open({str(MADE)!r}, 'w')", f"os.execute {TOUCH!r}", f"tools.execute_shell_command {{ command = {TOUCH!r} }}",
            f"require('perigee').call('execute_shell_command', {{ command = {TOUCH!r} }})", f"#!/bin/sh\nos.execute {TOUCH!r}",
            f"local x <close> = setmetatable({{}}, {{ __close = function() os.execute {TOUCH!r} end }})", "while true do end", "error 'x'",
            f"load('os.execute {TOUCH}')()"],
    "javascript": [f"require('fs').writeFileSync({str(MADE)!r}, '')", f"Application('System Events').doShellScript({TOUCH!r})",
                   f"`${{eval({TOUCH!r})}}`", f"$.system({TOUCH!r})", f"#!/bin/sh {TOUCH}\n{WRITE}"],
    "applescript": [f'do shell script "{TOUCH}"', f'run script "do shell script \\"{TOUCH}\\""', f'property x : do shell script "{TOUCH}"',
                    f'on run\ndo shell script "{TOUCH}"\nend run', f'#!/bin/sh -c {TOUCH}', f'tell application "Terminal" to do script "{TOUCH}"'],
}


def opened(**more):
    server = Server([PERIGEE, "serve", "--toolset", "scripting"], env={**ENV, **more}, cwd=str(HOSTILE))
    server.initialize()
    return server


def check(server, kind, script, **more):
    result = server.call("validate_script", {"type": kind, "script": script, **more}, guard=120)["result"]
    assert not result.get("isError"), (kind, script, result)
    seen = result["structuredContent"]
    assert seen["valid"] == (not seen["errors"]), seen
    return seen


def nothing_runs(server):
    count = 0
    for kind, scripts in RUNS.items():
        for script in scripts:
            check(server, kind, script)
            assert not MADE.exists(), (kind, script)
            count += 1
    assert count > 80
    assert not list(HOSTILE.rglob("*.pyc")) and not (FOLDER / "cache").exists(), "no compiled file is written"


# Language, script, the line and the column of its first error, a part of its message.
WRONG = [
    ("shell", "if true\nthen echo yes", 2, 1, "end of file"), ("shell", "echo 'abc", 1, 1, "nterminated"), ("shell", "\n\nfi", 3, 1, "fi"),
    ("shell", "echo $(", 1, 1, ""), ("shell", "case x in\n", 2, 1, ""), ("shell", "a\0b", 1, 1, "NUL"), ("shell", "exit 0\nif", 2, 1, ""),
    ("shell", "f() {\n", 2, 1, ""), ("shell", "cat <<E\nE\n)", 3, 1, ""),
    ("python", "def f(:\n  pass", 1, 7, "invalid syntax"), ("python", "x = 1\n  y = 2", 2, 2, ""),
    ("python", "return 1", 1, 1, "outside function"), ("python", "'abc", 1, 1, "unterminated string"), ("python", "a\0b", 1, 1, "null bytes"),
    ("python", "x = = 1", 1, 5, "invalid syntax"), ("python", "if x:\n\ty\n        z", 3, 1, ""), ("python", "(" * 5000, 1, 1, ""),
    ("python", "-" * 200000 + "1", 1, 1, "too deeply"), ("python", "async def f():\n  yield from x", 2, 1, ""),
    ("lua", "x = = 1", 1, 1, "unexpected symbol near '='"), ("lua", "if x then\n", 2, 1, "'end' expected"), ("lua", "\x1bLua", 1, 1, "binary chunk"),
    ("lua", "goto a", 1, 1, "no visible label"), ("lua", "local x <const> = 1\nx = 2", 2, 1, "assign to const variable"),
    ("javascript", "f(1", 1, 2, "never closed"), ("javascript", "let a = 'x\n'", 1, 9, "string begins here"),
    ("applescript", "repeat 3 times\nbeep", 1, 1, ""), ("applescript", 'set x to "a', 1, 10, "string begins here"),
]

RIGHT = {
    "shell": ["", "echo hi", "cat <<E\n$x `y`\nE\n", "for x in a b; do echo $x; done", "# only", "f() { :; }", "[ -n \"$x\" ] && echo 'it'\"'\"'s'"],
    "python": ["", "import os\nprint(1)", "async def f():\n    await g()", "x = f'{1!r:>{2}}'", "# coding: latin-1\nx = 'é'", "\ufeffx = 1", "match x:\n    case 1: pass"],
    "lua": ["", "return ...", "#!/usr/bin/lua\nreturn 1", "local x <close> = nil", "goto a ::a::", "\ufeffreturn 1"],
    "javascript": ["", "a / b / c", "`${`${1}`}`", "/[/'\"]/.test(x)"],
    "applescript": ["", "beep", 'tell application "Finder" to activate', "(* a (* b *) *)"],
}


def faults_have_their_places(server):
    for kind, script, line, column, part in WRONG:
        seen = check(server, kind, script)
        assert not seen["valid"], (kind, script, seen)
        first = seen["errors"][0]
        assert first["line"] == line and part in first["message"], (kind, script[:100], first)
        assert first["column"] == column or kind in ("shell", "lua") or part == "" or len(script) > 1000, (kind, script[:100], first)


def right_ones_pass(server):
    for kind, scripts in RIGHT.items():
        for script in scripts:
            seen = check(server, kind, script)
            assert seen["valid"], (kind, script, seen)
            assert seen["checked"] == ("structure" if kind in ("javascript", "applescript") else "compiled"), (kind, seen)


def warnings_are_no_errors(server):
    seen = check(server, "python", "x is 'a'\ny = '\\d'")
    assert seen["valid"] and len(seen["warnings"]) == 2, seen
    assert sorted(each["line"] for each in seen["warnings"]) == [1, 2], seen


def await_outside_of_functions_is_for_the_executor(server):
    seen = check(server, "python", "import asyncio\nx = await asyncio.sleep(1)")
    assert seen["valid"] and not seen["errors"], seen
    assert [each["line"] for each in seen["warnings"]] == [2] and "execute_python_code" in seen["warnings"][0]["message"], seen
    seen = check(server, "python", "await f()\ndef g():\n  await f()")
    assert [each["line"] for each in seen["errors"]] == [3] and not seen["valid"], seen


def a_script_for_another_shell_is_checked_as_one_for_sh(server):
    for first, name in (("#!/bin/bash", "bash"), ("#!/usr/bin/env -S zsh -f", "zsh"), ("#! /usr/bin/fish\r", "fish")):
        for rest, valid in (("echo", True), ("a=(1 2)", False)):
            seen = check(server, "shell", f"{first}\n{rest}")
            codes = [each.get("code") for each in seen["warnings"]]
            assert seen["valid"] == valid and codes == ["other_shell"] and name in seen["warnings"][0]["message"], seen
    for first in ("#!/bin/sh -e", "#!/usr/bin/env sh", "# !/bin/bash", "echo\n#!/bin/bash", "#!", "#!/usr/bin/env"):
        assert not check(server, "shell", f"{first}\necho")["warnings"], first


def another_application_is_an_error(server):
    script = 'tell application id "com.apple.mail"\nbeep\nend tell'
    assert check(server, "applescript", script)["valid"] and check(server, "applescript", script, appBundleId="com.apple.mail")["valid"]
    seen = check(server, "applescript", script, appBundleId="com.apple.finder")
    assert [(each["line"], each["column"], each["code"]) for each in seen["errors"]] == [(1, 6, "other_application")], seen


def the_verdict_is_told(server):
    assert server.text("validate_script", {"script": "beep"}).startswith("No error was found in the script's structure.")
    assert server.text("validate_script", {"script": "x", "type": "lua"}).startswith("The script is not valid.\nerror: line 1, column 1: ")
    assert server.text("validate_script", {"script": "x()", "type": "lua"}) == "The script is valid."


def wrong_arguments(server):
    for more in ({}, {"script": 1}, {"script": "x" * 1000001}, {"script": "", "type": "perl"}, {"script": "", "appBundleId": "a b"},
                 {"script": "", "run": True}):
        message = server.call("validate_script", more)
        assert "error" in message or message["result"]["isError"], more


def a_missing_python_is_a_failure():
    tools = FOLDER / "bin"
    tools.mkdir()
    for name in ("sh", "env"):
        os.symlink(f"/bin/{name}", tools / name)
    with opened(PATH=str(tools)) as server:
        result = server.call("validate_script", {"type": "python", "script": "1"})["result"]
        assert result["isError"] and result["_meta"]["perigee/code"] == "NOT_FOUND" and "was not checked" in result["content"][0]["text"], result
        assert check(server, "shell", "echo")["valid"]


with opened() as one:
    tap.case("nothing of a script runs, whatever it tries", nothing_runs, one)
    tap.case("faults have their places", faults_have_their_places, one)
    tap.case("scripts without a fault pass", right_ones_pass, one)
    tap.case("warnings are not errors", warnings_are_no_errors, one)
    tap.case("await outside of functions is for execute_python_code", await_outside_of_functions_is_for_the_executor, one)
    tap.case("a script for another shell is checked as one for sh, and it says so", a_script_for_another_shell_is_checked_as_one_for_sh, one)
    tap.case("a script for another application is an error", another_application_is_an_error, one)
    tap.case("the text says how far the check goes", the_verdict_is_told, one)
    tap.case("wrong arguments are refused", wrong_arguments, one)
tap.case("a missing Python is a failure, not a verdict", a_missing_python_is_a_failure)
tap.done()
