#!/usr/bin/env python3
"""perigee repl, through a pipe and on a terminal."""

import os
import signal
import stat
import subprocess

from kit import FOLDER, Running, Terminal, WIRE_ROOT, done, has, hasnt, must, perigee, same, shell, soon, tap, write


def repl(text, *words, **options):
    return perigee("repl", "--no-user-root", *words, stdin=text, **options)


def shows(text, want, *words):
    answer = repl(text, *words)
    same((answer.code, answer.out), (0, want), str(answer))


for name, text, want in [
    ("an expression", "1 + 1\n", "2\n"),
    ("after an equals sign", "=1 + 1\n", "2\n"),
    ("several values", "1, nil, 'x'\n", '1\nnil\n"x"\n'),
    ("no value of a statement", "local x = 1\nx = 2\n", ""),
    ("what is printed", "print('a', 1)\n", "a\t1\n"),
    ("a text of several lines as it is", "'a\\nb'\n", "a\nb\n"),
    ("quotes and control bytes of a text", "'a\\t\"\\27'\n", '"a\\t\\"\\27"\n'),
    ("tables", "{ b = 1, 2, [3] = 4, ['x y'] = {} }\n", '{ 2, [3] = 4, b = 1, ["x y"] = {} }\n'),
    ("long tables on several lines", "{ a = ('x'):rep(60), b = ('y'):rep(60) }\n",
     "{\n  a = \"" + "x" * 60 + "\",\n  b = \"" + "y" * 60 + "\"\n}\n"),
    ("a table within itself", "t = {} t.t = t return t\n", "{ t = {...} }\n"),
    ("globals that stay", "x = 5\nx * 2\n", "10\n"),
    ("the last value", "21\n_ * 2\n", "21\n42\n"),
    ("input over several lines", "for i = 1, 2 do\nprint(i)\nend\n", "1\n2\n"),
    ("an expression over several lines", "1 +\n2\n", "3\n"),
    ("one after an equals sign, too", "=1 +\n2\n", "3\n"),
    ("a long text over several lines", "[[a\n\nb]]\n", "a\n\nb\n"),
    ("a comment", "-- nothing\n1 -- one\n", "1\n"),
    ("the last line without a line end", "7", "7\n"),
    ("nothing of nothing", "", ""),
    ("nothing of empty lines", "\n  \n", ""),
    ("what waits", "require('sys.time').sleep(0.01) return 'slept'\n8\n", '"slept"\n8\n'),
]:
    tap.case("shows " + name, shows, text, want)


def with_tools():
    shows("tools.echo { text = 'hi' }\nperigee.call('echo', { text = 'ho' })\n", '"hi"\n"ho"\n', "--root", WIRE_ROOT)


def errors():
    answer = repl("error 'first'\nx = = 1\n1\nnothing.at.all\n")
    same((answer.code, answer.out), (1, "1\n"))
    has(answer.err, "error: repl:1: first", "error: repl:1: unexpected symbol near '='", "(global 'nothing')", "stack traceback")
    cut = repl("for i = 1, 2 do\n")
    same((cut.code, cut.out), (1, ""))
    has(cut.err, "near <eof>")


def from_files():
    path = write("lines.txt", "1\n2\n" + "x = 3\n" * 500 + "x")
    same(shell(f"\"$P\" repl < {path}").out, "1\n2\n3\n")
    same(shell("\"$P\" repl < /dev/null").out, "")
    same(shell("\"$P\" repl <&-").out, "")
    same(perigee("repl", "argument").code, 2)
    gone = shell("yes 1 | \"$P\" repl | head -2")
    same(gone.out, "1\n1\n")
    same(gone.err, "")


def interrupted_without_a_terminal():
    running = Running("repl", stdin=subprocess.PIPE)
    running.process.stdin.write(b"print 'ready' while true do end\n")
    running.process.stdin.flush()
    same(running.line(), "ready")
    running.signal(signal.SIGINT)
    running.process.stdin.write(b"print 'next'\n")
    running.process.stdin.flush()
    same(running.line(), "next")
    running.signal(signal.SIGTERM)
    same(running.end().code, 143)


tap.case("calls tools", with_tools)
tap.case("tells errors and goes on; the exit status is 1", errors)
tap.case("reads files, empty input, and input that never ends", from_files)
tap.case("Ctrl-C stops what runs, SIGTERM all", interrupted_without_a_terminal)


# --- on a terminal -----------------------------------------------------------------------

def help_and_leaving():
    names = repl("tools\nexit\nprint(1)\n", "--toolset", "engine")
    same((names.code, names.out.split()), (0, ["call_tool", "describe_tool", "engine_status", "run_lua", "search_tools"]), str(names))
    for text in ("help(tools.engine_status)\n", "help 'engine_status'\n"):
        has(repl(text).out, "engine_status - Get the engine status", "No parameters")
    for text in ("help\n", "help()\n"):
        has(repl(text).out, "help(tools.NAME)", "Ctrl-D")
    wrong = repl("help 'engine_sttus'\nhelp 'zzzz'\n")
    same((wrong.code, wrong.err), (0, ""), "no traceback")
    has(wrong.out, 'There is no tool "engine_sttus"; did you mean engine_status?\n', 'There is no tool "zzzz".\n')
    for word in ("quit", " exit() "):
        same(repl(f"{word}\nprint(1)\n").out, "")
    same(repl("exit = 5\nreturn exit\n").out, "5\n")


tap.case("tools are shown, help helps, exit leaves", help_and_leaving)


def terminal(*words, **options):
    t = Terminal("repl", "--no-user-root", "--root", WIRE_ROOT, *words, **options)
    t.expect("Ctrl-D leaves.", "> ")
    return t


def typed():
    with terminal() as t:
        t.type("1 + 1\r")
        t.expect("\n2\n", "> ")
        t.type("do\r")
        t.expect("do\n")
        t.type("print 'in' end\r")
        t.expect("print 'in' end\nin\n", "> ")
        t.type("error 'x'\r")
        t.expect("error: repl:1: x", "> ")
        t.type("12\x01\x05\x7f3\r")     # to the start, to the end, one back
        t.expect("\n13\n", "> ")
        t.type("\x04")
        answer = t.end()
        same(answer.code, 0)
        has(answer.out, "\x1b[32m2\x1b[0m", "\x1b[31merror: \x1b[0m")


def without_colours():
    with Terminal("repl", NO_COLOR="1") as t:
        t.expect("> ")
        t.type("nil, 5\r")
        t.expect("\nnil\n5\n")
        hasnt(t.seen, "\x1b[3")


def completion():
    with terminal() as t:
        t.type("tools.ech\t")
        t.expect("tools.echo")
        t.type("{ti\t")
        t.expect("{times = ")
        t.type("2, te\t")
        t.expect("text = ")
        t.type("'ab'}\r")
        t.expect('\n"abab"\n', "> ")
        t.type("string.\t")
        t.expect("\nbyte", "format", "upper", "\n> string.")
        t.empty_line()
        t.type("perigee.ve\t\r")
        t.expect("perigee.version\n", "0.", "> ")
        t.type("handle = { first = 1, method = print }\r")
        t.expect("}\n> ")
        t.type("hand\t.fi\t\r")
        t.expect("handle.first\n1\n> ")
        t.type("handle:\t")           # the only function
        t.expect("handle:method")


def parameters():
    with terminal() as t:
        t.type("tools.echo{\t")        # their common beginning is typed at once
        t.expect("tools.echo{t")
        t.type("\t")
        t.expect("\ntext = ", "times =\n> tools.echo{t")
        t.empty_line()
        t.type("tools.echo{text='a}', ti\t5, t\t")
        t.expect("tools.echo{text='a}', times = 5, t\ntext = ", "times =\n> tools.echo{text='a}', times = 5, t")
        t.empty_line()
        t.type("fo\t")
        t.expect("> for")


def interrupts():
    with terminal() as t:
        t.type("while true do end\r")
        soon(lambda: t.modes() == (True, True), "the terminal is not given back while something runs")
        t.type("\x03")
        t.expect("interrupted", "> ")
        t.type("half a line")
        t.expect("half a line")
        t.type("\x03")
        t.expect("^C\n> ")
        t.type("do\r")
        t.expect("do\n")
        t.type("\x03")
        t.expect("^C\n> ")
        t.type("'still' .. ' here'\r")
        t.expect('\n"still here"\n', "> ")
        t.type("tools.sleep{seconds=600}\r")
        soon(lambda: t.modes() == (True, True), "it does not run")
        t.type("\x03")
        t.expect("interrupted", "> ")
        t.type("\x04")
        same(t.end().code, 0)


def emptied():
    with terminal() as t:
        t.type("x")
        t.expect("x")
        t.empty_line()
        t.type("'on'\r")
        t.expect('\n"on"\n')


def hung_up():
    t = terminal()
    os.close(t.fd)
    t.fd = os.open("/dev/null", os.O_RDONLY)
    _, status = os.waitpid(t.pid, 0)
    t.pid = 0
    must(os.waitstatus_to_exitcode(status) in (0, 129), status)     # the end of input, or SIGHUP: what is first


def given_back():
    for number, code in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        with terminal() as t:
            soon(lambda t=t: not t.modes()[0], "keys do not come one by one")
            t.signal(number)
            same(t.end().code, code)


def modes_after():
    with terminal() as t:
        soon(lambda: not t.modes()[0], "keys do not come one by one")
        t.type("x = 1\r")
        t.expect("> ")
        t.type("\x04")
        t.expect("\n")
        soon(lambda: t.modes() == (True, True), "the terminal is not as it was")
        same(t.end().code, 0)


def history():
    file = FOLDER / "state" / "perigee" / "history"
    file.unlink(missing_ok=True)
    with terminal() as t:
        t.type("'remember me'\r")
        t.expect('"remember me"', "> ")
        t.type("\x04")
        same(t.end().code, 0)
    same(stat.S_IMODE(file.stat().st_mode), 0o600)
    has(file.read_text(), "remember")
    with terminal() as t:
        t.type("\x1b[A\r")
        t.expect('"remember me"')
    file.chmod(0o644)
    with terminal() as t:
        soon(lambda: stat.S_IMODE(file.stat().st_mode) == 0o600, "others may read the history")
        t.type("\x04")
        t.end()


def reloads():
    tool = "return {{ description = 'x', inputSchema = {{ type = 'object' }}, run = function() return '{}' end }}"
    write("root/tools/r/now.lua", tool.format("old"))
    with terminal("--root", str(FOLDER / "root")) as t:
        t.type("tools.now{}\r")
        t.expect('"old"', "> ")
        write("root/tools/r/now.lua", tool.format("new"))
        t.type("repeat require('sys.time').sleep(0.01) until tools.now{} == 'new'\r")
        t.expect("> ")
        write("root/tools/r/later.lua", tool.format("later"))
        t.type("tools.late")

        def completed():
            t.type("\t")               # rings the bell as long as there is nothing to add
            t.read()
            return "tools.later" in t.screen.text()
        soon(completed, "the new tool is not offered")


def wide_characters():
    with terminal() as t:
        t.type("'äö€' .. 'x'\x01" + "\x06" * 4 + "\x7fy\r")  # from the start four on, one back, and y
        t.expect("'äöy' .. 'x'\n", '"äöyx"', "> ")


def no_module():
    with Terminal("repl", PERIGEE_MODULES="/no/such/folder") as t:
        t.expect("lines cannot be edited", "> ")
        t.type("40 + 2\r")
        t.expect("42", "> ")
        t.type("\x04")
        same(t.end().code, 0)


def resized():
    with terminal(width=60) as t:
        t.type("'" + "a" * 70)
        t.expect("a" * 5)
        t.resize(40)
        t.type("'\r")
        t.expect_bytes('"' + "a" * 70 + '"')


def secrets():
    write("home/.env", "REPL_KEY=opensesame789\n")
    with Terminal("repl") as t:
        t.expect("> ")
        t.type("error(require('sys.env').get 'REPL_KEY')\r")
        t.expect("***", "> ")
        hasnt(t.seen, "opensesame789")
    write("home/.env", "")


tap.case("lines are edited, run and shown in colours", typed)
tap.case("no colours with NO_COLOR", without_colours)
tap.case("Tab completes tools, parameters, fields and globals", completion)
tap.case("Tab lists the parameters of a tool", parameters)
tap.case("Ctrl-C stops what runs and drops what was typed", interrupts)
tap.case("a line that is emptied is not the end", emptied)
tap.case("a terminal that goes away is the end", hung_up)
tap.case("SIGTERM and SIGHUP end it", given_back)
tap.case("the terminal is as it was afterwards", modes_after)
tap.case("the history is kept, for the user alone", history)
tap.case("files are reloaded while the prompt waits", reloads)
tap.case("characters beyond ASCII are edited whole", wide_characters)
tap.case("without its module lines are read unedited", no_module)
tap.case("a terminal that changes its size", resized)
tap.case("a value of .env does not show in an error", secrets)

done()
