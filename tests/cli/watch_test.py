#!/usr/bin/env python3
"""perigee run --watch: the script begins again when it, or a file that it requires from beside it, is saved."""

import os
import signal
import subprocess

from kit import FOLDER, Running, Terminal, done, folder, has, must, perigee, same, tap, write
from procs import alive

LOG = FOLDER / "log.txt"
# Only one run at a time gets the lock, and each leaves a process and a timer.
SCRIPT = """local fs, process = require "sys.fs", require "sys.process"
local secrets, time = require "sys.secrets", require "sys.time"
local alone = assert(secrets.try_lock "watch_test")
local child = assert(process.start { "sleep", "1000" })
assert(fs.append("log.txt", ("begin %s %%d\\n"):format(child.pid)))
time.every(3600, function() return alone, child end)
print("%s", ...)
%s
"""


def script(word, more=""):
    return SCRIPT % (word, word, more)


def log():
    return LOG.read_text().splitlines() if LOG.exists() else []


def place(text):
    LOG.unlink(missing_ok=True)
    for old in FOLDER.glob("*.lua"):
        old.unlink()
    return write("job.lua", text)


def save(name, text):
    """Saves as editors do: a new file takes the place of the old one."""
    write(name + ".new", text)
    os.rename(FOLDER / (name + ".new"), FOLDER / name)


def watched(*words):
    return Running("run", "--watch", *words, cwd=FOLDER)


def ended(process, number=signal.SIGTERM):
    process.signal(number)
    answer = process.end()
    same(answer.code, 128 + number, answer)
    return answer


def saved():
    place(script("A"))
    process = watched("job.lua", "x", "--watch")
    same(process.line(), "A\tx\t--watch")
    save("job.lua", script("B"))
    same(process.line(), "B\tx\t--watch")
    write("job.lua", script("C"))                                 # in place
    same(process.line(), "C\tx\t--watch")
    ended(process)
    words = [line.split() for line in log()]
    same([line[1] for line in words], ["A", "B", "C"])
    for pid in (int(line[2]) for line in words):
        must(not alive(pid), f"{pid}, which a run started, is still there")


def a_module_beside_it():
    write("parts/part.lua", "return 'one'")
    place(script("A", "print(require 'parts.part', (pcall(require, 'late')))"))
    process = watched("job.lua")
    same([process.line(), process.line()], ["A", "one\tfalse"])
    save("parts/part.lua", "return 'two'")
    same([process.line(), process.line()], ["A", "two\tfalse"])
    save("late.lua", "return true")                               # one that was missing
    same([process.line(), process.line()], ["A", "two\ttrue"])
    save("other.lua", "return 1")                                 # one that it does not require
    write("notes.txt", "x")
    save("late.lua", "return 1")
    same([process.line(), process.line()], ["A", "two\ttrue"])
    ended(process)
    same(len(log()), 4)


def a_broken_file():
    """Its error is shown, and the next save runs it."""
    place("print(")
    process = Running("run", "--watch", "job.lua", cwd=FOLDER)
    os.set_blocking(process.process.stderr.fileno(), True)
    said = process.process.stderr.readline() + process.process.stderr.readline()
    has(said.decode(), "job.lua:1: unexpected symbol near <eof>", "job.lua ended with exit status 1. It runs again when it is saved")
    save("job.lua", "print 'fine' return 7")
    same(process.line(), "fine")
    has(process.process.stderr.readline().decode(), "job.lua ended with exit status 7. It runs again when it is saved")
    os.unlink(FOLDER / "job.lua")                                 # and one that is gone for a while
    save("job.lua", "print 'again'")
    same(process.line(), "again")
    process.process.stderr.readline()
    ended(process, signal.SIGINT)


def one_that_does_not_end():
    """A process that heeds no signal is killed, after two that it could heed."""
    place(script("A"))
    process = watched("job.lua")
    same(process.line(), "A")
    hung = int(subprocess.run(["pgrep", "-P", str(process.process.pid)], capture_output=True, text=True, check=True).stdout)
    os.kill(hung, signal.SIGSTOP)
    save("job.lua", script("B"))
    same(process.line(), "B")
    must(not alive(hung), "the old run is still there")
    ended(process)


def on_a_terminal():
    place(script("it waits"))
    with Terminal("run", "--watch", "job.lua", cwd=FOLDER) as t:
        t.expect("it waits")
        t.type("\x03")
        same(t.end().code, 130)
    must(not alive(int(log()[0].split()[-1])), "what it started is still there")
    place("print 'done'")
    with Terminal("run", "--watch", "job.lua", cwd=FOLDER) as t:
        t.expect("done", "It runs again when it is saved")
        t.type("\x03")
        same(t.end().code, 130)


def a_question():
    """The script has the terminal."""
    place("print('got', require('sys.terminal').ask('Name: ', 20))")
    with Terminal("run", "--watch", "job.lua", cwd=FOLDER) as t:
        t.expect("Name: ")
        t.type("Ada\n")
        t.expect("got", "Ada")
        t.type("\x03")
        same(t.end().code, 130)


def through_a_link():
    """A change of the file that the link leads to is noticed."""
    place("print 'one'")
    folder("links")
    link = FOLDER / "links/job.lua"
    link.symlink_to(FOLDER / "job.lua")
    process = watched(str(link))
    same(process.line(), "one")
    save("job.lua", "print 'two'")
    same(process.line(), "two")
    ended(process)


def wrong_words():
    for words in (["-e", "print(1)"], ["-"]):
        answer = perigee("run", "--watch", *words)
        same(answer.code, 2, answer)
        has(answer.err, "--watch needs a FILE that can be saved")


tap.case("a save ends the run, and all that it started, and begins the next", saved)
tap.case("a file beside the script, which it requires", a_module_beside_it)
tap.case("a broken file shows its error, and one that ended waits, too", a_broken_file)
tap.case("a run that does not end", one_that_does_not_end)
tap.case("Ctrl-C ends it", on_a_terminal)
tap.case("a script can ask on the terminal", a_question)
tap.case("a script behind a link", through_a_link)
tap.case("only a file can be watched", wrong_words)
done()
