#!/usr/bin/env python3
"""Tasks of scripts and tools: what the log has of those that fail, and how a command ends those that are left."""

from kit import done, has, hasnt, perigee, same, tap, write

SPAWN = 'local task, time = require "sys.task", require "sys.time"\n'


def run(code, *words):
    return perigee("run", "-e", SPAWN + code, *words)


def unheard():
    answer = run('task.spawn(function() error "nobody hears" end) time.sleep(0.01) print "went on"')
    same((answer.code, answer.out), (0, "went on\n"))
    has(answer.err, "a task failed that no other one joined", "(command line):2: nobody hears", "stack traceback")
    same(answer.err.count("nobody hears"), 1, answer)


def heard():
    answer = run('local one = task.spawn(function() error "heard" end) print(one:join()) print(one:join())')
    same(answer.code, 0)
    same(answer.out, "nil\t(command line):2: heard\truntime\n" * 2)
    hasnt(answer.err, "heard")


def joined_late():
    """It fails before somebody joins it."""
    answer = run('local one = task.spawn(function() error "late" end) time.sleep(0.01) print(one:status(), one:join())')
    same(answer.out, "failed\tnil\t(command line):2: late\truntime\n")
    hasnt(answer.err, "late")


def in_a_tool():
    write("home/tools/t/spawns.lua", """local task = require "sys.task"
      return { description = "Start tasks and leave them.", inputSchema = { type = "object" }, run = function()
        task.spawn(function() error "left in a tool" end)
        task.spawn(function() while true do end end)
        return "done"
      end }""")
    answer = perigee("call", "spawns")
    same((answer.code, answer.out), (0, "done\n"), answer)
    hasnt(answer.err, "left in a tool")     # neither had its turn before the call ended
    answer = run('print(tools.spawns {})')
    same((answer.code, answer.out), (0, "done\n"), answer)


def endless():
    answer = run('for i = 1, 10 do task.spawn(function() time.sleep(600) end) end print "end"')
    same((answer.code, answer.out, answer.err), (0, "end\n", ""))


tap.case("an error that nobody joined goes to the log once, with its traceback", unheard)
tap.case("an error that was joined does not go to the log", heard)
tap.case("an error that is joined after the task failed does not go to the log", joined_late)
tap.case("the tasks of a tool end with its call", in_a_tool)
tap.case("the tasks of a script end with the script", endless)
done()
