#!/usr/bin/env python3
"""call:ask of tools that a command runs: on a terminal the user is asked there, elsewhere the error says what to do."""

import json
import os
import select
import signal
import termios

from kit import FOLDER, GUARD, PERIGEE, Terminal, done, environment, folder, hasnt, must, perigee, same, soon, tap, write

write("home/tools/t/survey.lua", """local s = require "schema"
return { description = "Ask a lot.", inputSchema = s.object {}, run = function(_, call)
  call:progress(1, 3, "asking")
  local answer, why, code = call:ask { message = "Please tell about yourself.", schema = s.object {
    { "name", s.string("Your name.", { minLength = 2 }) },
    { "age", s.integer("Your age.", { minimum = 0, maximum = 150, optional = true }) },
    { "height", { type = "number", title = "Height", description = "In meters." } },
    { "color", s.enum({ "red", "green" }, "Your color.", { default = "green" }) },
    { "size", { type = "string", title = "Size", oneOf = { { const = "s", title = "Small" }, { const = "l", title = "Large" } } } },
    { "mail", { type = "string", format = "email", title = "Email" } },
    { "pets", { type = "array", title = "Pets", items = { type = "string", enum = { "cat", "dog" } } } },
    { "ok", s.boolean "Is this right?" },
  } }
  if not answer then return nil, why, code end
  return answer
end }""")

write("home/tools/t/name.lua", """local s = require "schema"
return { description = "Ask for a name.", inputSchema = s.object { { "soon", s.number("Seconds.", { optional = true }) } },
  run = function(args, call)
    local can = call:can "ask" and call:can "url" and not call:can "sample"
    local answer, why, code = call:ask { message = "Who are\\n\\27[31myou?", timeout = args.soon,
      schema = s.object { { "name", s.string "Name" } } }
    if not answer then return ("%s: %s (%s)"):format(can, why, code) end
    return ("%s: hello %s"):format(can, answer.name)
  end }""")

write("home/tools/t/page.lua", """return { description = "Ask to open a page.", inputSchema = { type = "object" },
  run = function(_, call)
    local done, why, code = call:ask { message = "Sign in, please.", url = "https://example.com/x" }
    return done and "visited" or ("%s (%s)"):format(why, code)
  end }""")

write("home/tools/t/several.lua", """local s = require "schema"
return { description = "Ask several at once.", inputSchema = s.object { { "also", s.string("Kind.", { optional = true }) } },
  run = function(args, call)
    local form = { message = "One of them.", schema = s.object { { "x", s.string "X" } } }
    local inputs = { a = { ask = form }, b = { ask = form } }
    if args.also then inputs.c = { roots = {} } end
    local answers, why, code = call:inputs(inputs)
    if not answers then return ("%s (%s)"):format(why, code) end
    return ("%s %s, %s"):format(answers.a.action, answers.a.content and answers.a.content.x, answers.b.action)
  end }""")

write("home/tools/t/kept.lua", (FOLDER / "home/tools/t/name.lua").read_text().replace("return { desc", "return { keeps = true, desc"))


def a_form():
    with Terminal("call", "survey", width=200) as t:
        t.expect("Please tell about yourself.", "Ctrl-C dismisses the question.", "Your name: ")
        for typed, wrong, again in (("A", "Name: expected at least 2 characters, got 1.", "Your name: "),
                                    ("", "This needs an answer.", "Your name: "), ("Ada", None, "Your age (optional): "),
                                    ("old", "Type a whole number.", "Your age (optional): "),
                                    ("151", "Age: expected at most 150, got 151.", "Your age (optional): "),
                                    ("", None, "Height (In meters): "), ("tall", "Type a number.", "Height (In meters): "),
                                    ("1.75", None, "  1  red"), (None, None, "  2  green"), (None, None, "Your color [green]: "),
                                    ("3", "Type a number from 1 to 2.", "Your color [green]: "), ("", None, "  2  Large"),
                                    (None, None, "Size: "), ("large", None, "Email: "),
                                    ("ada", "Type an email address", "Email: "), ("ada@example.com", None, "  2  dog"),
                                    (None, None, "Pets (several with commas): "),
                                    ("cat, cow", "Put commas between several.", "Pets (several with commas): "),
                                    ("dog,1", None, "Is this right? (y/n): "), ("x", "Type y or n.", "Is this right? (y/n): "),
                                    ("y", None, "{")):
            if typed is not None:
                t.type(typed + "\n")
            if wrong:
                t.expect(wrong)
            t.expect(again)
        ended = t.end()
    same(ended.code, 0, ended)
    same(json.loads(ended.out[ended.out.rindex("{\r\n"):]), {"name": "Ada", "height": 1.75, "color": "green", "size": "l",
                                                              "mail": "ada@example.com", "pets": ["dog", "cat"], "ok": True})


def from_a_script():
    with Terminal("run", "-e", "print 'before' print(tools.name {}) print(require('tools').name {})") as t:
        t.expect("before", "Who are", "^[[31myou?", "Name: ")
        t.type("Ada\n")
        t.expect("true: hello Ada", "Name: ")
        t.type("Bob\n")
        t.expect("true: hello Bob")
        same(t.end().code, 0)


def two_at_once_wait_for_each_other():
    code = "local t = require 'sys.task' for _, x in ipairs(t.map({ 1, 2 }, function() return tools.name {} end)) do print(x) end"
    with Terminal("run", "-e", code) as t:
        t.expect("Name: ")
        hasnt(t.seen.partition("Name: ")[2], "Who are")
        t.type("Ada\n")
        t.expect("Who are", "Name: ")
        t.type("Bob\n")
        ended = t.end()
    same(ended.code, 0)
    same(sorted(ended.out.split("\r\n")[-3:-1]), ["true: hello Ada", "true: hello Bob"])


def dismissed():
    for key in ("\x03", "\x04"):
        with Terminal("call", "name") as t:
            before = termios.tcgetattr(t.fd)
            t.expect("Name: ")
            t.type(key)
            t.expect("true: the user dismissed the question (dismissed)")
            soon(lambda t=t, before=before: termios.tcgetattr(t.fd) == before, "the terminal is left changed")
            same(t.end().code, 0, key)


def the_terminal_is_as_before():
    """A time limit and a signal end the question."""
    with Terminal("call", "name", "soon=0.1") as t:
        before = termios.tcgetattr(t.fd)
        t.expect("Name: ", "true: There was no answer within 0.1 s (timeout)")
        same(termios.tcgetattr(t.fd) == before, True)
        same(t.end().code, 0)
    with Terminal("run", "--timeout", "30", "-e", "tools.name {}") as t:
        before = termios.tcgetattr(t.fd)
        t.expect("Name: ")
        must(termios.tcgetattr(t.fd) != before, "Ctrl-C is a key")
        t.signal(signal.SIGTERM)
        soon(lambda: termios.tcgetattr(t.fd) == before, "the terminal is left changed")
        same(t.end().code, 143)


def stopped_and_continued():
    """Ctrl-Z in a shell with job control, and fg: the question is shown again, and Ctrl-C still dismisses it."""
    for key, said in (("Ada\n", "true: hello Ada"), ("\x03", "true: the user dismissed the question (dismissed)")):
        pid, fd = os.forkpty()
        if pid == 0:
            os.chdir(folder("here"))
            os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"], environment(PS1="ready> ", HISTFILE=""))
        seen = ""

        def expect(text):
            nonlocal seen
            while text not in seen:
                must(select.select([fd], [], [], GUARD)[0], f"{text!r} was not shown, but {seen!r}")
                seen += os.read(fd, 4096).decode("utf-8", "replace")
            seen = seen.partition(text)[2]

        try:
            expect("ready> ")
            os.write(fd, f"{PERIGEE} call name\n".encode())
            expect("Name: ")
            os.write(fd, b"Bo\x1a")
            expect("ready> ")
            os.write(fd, b"fg\n")
            expect("Who are")
            expect("Name: ")
            os.write(fd, key.encode())
            expect(said)
            expect("ready> ")
            os.write(fd, b"exit\n")
        finally:
            os.close(fd)
            os.waitpid(pid, 0)


def a_page():
    for typed, said in (("y", "visited"), ("no", "the user declined to answer (declined)"),
                        ("\x04", "the user dismissed the question (dismissed)")):
        with Terminal("call", "page") as t:
            t.expect("Sign in, please.", "https://example.com/x", "Did you do what this page asks? (y/n): ")
            t.type(typed if typed == "\x04" else typed + "\n")
            t.expect(said)
            same(t.end().code, 0)


def several():
    with Terminal("call", "several") as t:
        t.expect("X: ")
        t.type("one\n")
        t.expect("X: ")
        t.type("\x03")
        t.expect("accept one, cancel")
        same(t.end().code, 0)
    with Terminal("call", "several", "also=roots", width=200) as t:
        t.expect("a terminal has no answer to roots/list. Call the tool from an MCP client that supports it (missing_capability)")
        same(t.end().code, 0)


def in_the_engine_that_stays():
    with Terminal("call", "kept", width=200) as t:
        t.expect("Name: ")
        t.type("Ada\n")
        t.expect("hello Ada")
        same(t.end().code, 0)


def no_terminal():
    for words in (["call", "name"], ["run", "-e", "print(tools.name {})"]):
        answer = perigee(*words)
        same((answer.code, answer.out), (0, "false: no user can be asked: this call was not made by an MCP client, and there is "
                                            "no terminal. Run the command on a terminal, or call the tool from an MCP client "
                                            "that supports elicitation (missing_capability)\n"), answer)


def piped():
    """The question appears on the terminal even if stdout is a pipe."""
    pid, fd = os.forkpty()
    if pid == 0:
        os.chdir(folder("here"))
        os.execve("/bin/sh", ["sh", "-c", f"{PERIGEE} call name | cat > answer.txt"], environment())
    said = b""
    while not said.endswith(b"Name: "):
        said += os.read(fd, 4096)
    os.write(fd, b"Ada\n")
    _, status = os.waitpid(pid, 0)
    os.close(fd)
    same((status, (FOLDER / "here/answer.txt").read_text()), (0, "true: hello Ada\n"))


tap.case("a form: text, numbers, choices, lists, defaults, and questions again where the answer does not fit", a_form)
tap.case("a script's tools ask too, after what it printed", from_a_script)
tap.case("two questions at once are asked one after the other", two_at_once_wait_for_each_other)
tap.case("Ctrl-C and Ctrl-D dismiss the question, and the command goes on", dismissed)
tap.case("the terminal is as it was before, however the question ends", the_terminal_is_as_before)
tap.case("after Ctrl-Z and fg the question is shown again", stopped_and_continued)
tap.case("a page to visit", a_page)
tap.case("several questions at once, and one that no terminal can answer", several)
tap.case("the terminal is asked even if the output goes to a pipe", piped)
tap.case("a tool in the engine that stays asks on the terminal of the command", in_the_engine_that_stays)
tap.case("without a terminal the error says what to do", no_terminal)
done()
