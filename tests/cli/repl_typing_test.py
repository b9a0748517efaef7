#!/usr/bin/env python3
"""perigee repl on a terminal: texts of several lines, what Tab offers, what help says."""

import re

from kit import FOLDER, WIRE_ROOT, Terminal, done, has, hasnt, must, soon, tap, write

UP, DOWN, HOME, END = "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"
ALT_ENTER = "\x1b\r"


def terminal(*words, **options):
    t = Terminal("repl", "--no-user-root", "--root", WIRE_ROOT, *words, **options)
    t.expect("Ctrl-D leaves.", "> ")
    return t


def several_lines():
    with terminal() as t:
        t.type("for i = 1, 2 do\r")
        t.expect("for i = 1, 2 do\n")
        t.type("print(i * 10)\rend\r")
        t.expect("print(i * 10)\nend\n10\n20\n", "> ")
        t.type("[[a\r\rb]]\r")
        t.expect("[[a\n\nb]]\na\n\nb\n", "> ")
        t.type("-- nothing\r1\r")
        t.expect("1\n1\n", "> ")


def lines_are_edited():
    with terminal() as t:
        t.type("for i = 1, 2 do\rprint(x)\r")
        t.expect("print(x)\n")
        t.type(UP + END + "\x7f\x7fi)" + DOWN + "end\r")      # print(x) becomes print(i)
        t.expect("1\n2\n", "> ")
        t.type("do\rlocal a = 'x'\rprint(a)\rend" + UP + UP + HOME + "-- " + DOWN + DOWN + END + "\r")
        t.expect("\nnil\n", "> ")
        t.type("do\rprint 'b'\r" + UP + UP + END + ALT_ENTER + "print 'a'" + DOWN + DOWN + "end\r")
        t.expect("\na\nb\n", "> ")


def enter_ends_it_from_any_line():
    with terminal() as t:
        t.type("do\rprint 'first'\rprint 'second'\rend" + UP + UP + "\r")
        t.expect("end\nfirst\nsecond\n", "> ")


def another_line_when_asked():
    with terminal() as t:
        t.type("x = 1" + ALT_ENTER + "return x + 1\r")
        t.expect("return x + 1\n2\n", "> ")


def history_keeps_them_together():
    (FOLDER / "state" / "perigee" / "history").unlink(missing_ok=True)
    with terminal() as t:
        t.type("do\rprint 'one'\rend\r")
        t.expect("one\n> ")
        t.type("'two'\r")
        t.expect('"two"\n> ')
        t.type(UP + UP)
        t.expect("do\nprint 'one'\nend")
        t.type(UP + UP + "\r")       # the first of its lines
        t.expect("one\n", "> ")
        t.type("\x04")
        t.end()
    with terminal() as t:
        t.type(UP)
        t.expect("do\nprint 'one'\nend")
        t.type("\r")
        t.expect("one\n", "> ")


def tab_indents():
    with terminal() as t:
        t.type("do\r\tprint 'in'\r")
        t.expect("do\n  print 'in'\n")
        t.type("end\r")
        t.expect("in\n", "> ")


def dropped():
    with terminal() as t:
        t.type("do\rprint 'a'\rprint 'b'" + UP + UP)
        t.expect("print 'b'")
        t.type("\x03")
        t.expect("^C\n> ")
        t.type("'next'\r")
        t.expect('"next"\n', "> ")
        hasnt(t.screen.text(t.screen.row), "print")


def choices_below_the_text():
    """Also from a line in the middle: what is shown does not hide the text."""
    with terminal() as t:
        t.type("do\rstring.\rend" + UP + END)
        t.expect("end")
        t.type("\t")
        t.expect("byte", "format", "upper", "> do\nstring.\nend")
        t.type("\x03")


def offers():
    with terminal() as t:
        for typed, shown in [("sys.win\t", "sys.window"), ("sys.window.mov\t", "sys.window.move"),
                             ('require "sys.pat\t', 'require "sys.path'), ("sys.process.run { tim\t", "{ timeout = "),
                             ("tools.ech\t{ ti\t", "tools.echo{ times = ")]:
            t.type(typed)
            t.expect(shown)
            t.empty_line()
        t.type("sys.window.move(\t")
        t.expect("\nsys.window.move(ref, x, y [, options])\n  ref  sys.window.Ref\n> sys.window.move(")
        t.type("r, \t")
        t.expect("\n  x  number\n> sys.window.move(r, ")


def values_of_arguments():
    schema = "{ type = 'object', properties = { mode = { type = 'string', enum = { 'fast', 'slow' } } } }"
    write("root/tools/r/drive.lua", f"return {{ description = 'x', inputSchema = {schema}, run = function(a) return a.mode end }}")
    with terminal("--root", str(FOLDER / "root")) as t:
        t.type('tools.drive { mode = "\t')
        t.expect("\nfast", "slow\n> ")
        t.type('s\t" }\r')
        t.expect('"slow"\n', "> ")


def a_completion_that_hangs():
    """Ctrl-C ends it, and so does time; keys that were typed meanwhile count."""
    with terminal() as t:
        t.type("trap = setmetatable({}, { __pairs = function() while true do end end })\r")
        t.expect("> ")
        t.type("trap.\t")
        t.expect("trap.")
        t.type("\x03")
        t.expect("^C\n> ")
        t.type("'on'\r")
        t.expect('"on"\n', "> ")


def help_of_functions():
    with terminal() as t:
        t.type("help(sys.window.move)\r")
        t.expect("sys.window.move(ref, x, y [, options])\n", "Returns\n", "> ")
        t.type("sys.window.mvoe\r")
        t.expect('error: repl:1: sys.window has no field "mvoe"; did you mean move?', "> ")


def values_are_colored():
    with terminal() as t:
        t.type("{ a = 1 }, nil, 'x\\ny'\r")
        t.expect("> ")
        soon(lambda: "\x1b[32m{ a = 1 }\x1b[0m" in t.seen, "green")
        has(t.seen, "\x1b[2mnil\x1b[0m")
        must(re.search(r"\x1b\[32m\"x\\ny\"\x1b\[0m", t.seen), t.seen)


tap.case("unfinished texts go on with another line", several_lines)
tap.case("all lines of a text are edited", lines_are_edited)
tap.case("Enter ends a text from any of its lines", enter_ends_it_from_any_line)
tap.case("Alt-Enter begins another line", another_line_when_asked)
tap.case("the history keeps lines together", history_keeps_them_together)
tap.case("Tab indents", tab_indents)
tap.case("Ctrl-C drops all lines", dropped)
tap.case("choices are shown below the text", choices_below_the_text)
tap.case("Tab completes modules, fields, arguments, and says what comes", offers)
tap.case("Tab completes values of arguments", values_of_arguments)
tap.case("a completion that hangs is ended", a_completion_that_hangs)
tap.case("help says what a function does", help_of_functions)
tap.case("values are colored", values_are_colored)
done()
