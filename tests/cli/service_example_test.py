#!/usr/bin/env python3
"""The examples of a service: what is wrong is said, and what does not come is not waited for long."""

from kit import done, folder, has, must, perigee, same, tap, write

ROOT = str(folder("root"))


def tested(start, example, stop="nil"):
    write("root/services/watch.lua", """
local hotkey, task, time, window = require "sys.hotkey", require "sys.task", require "sys.time", require "sys.window"
local menu = require "sys.menu"
return { description = "Watches.", start = function(context) %s end, stop = %s, examples = { { "it", %s } } }
""" % (start, stop, example))
    return perigee("test", "watch", "--no-user-root", "--root", ROOT)


def passes(*words):
    answer = tested(*words)
    same(answer.code, 0, answer)


def fails(start, example, *parts, stop="nil"):
    answer = tested(start, example, stop)
    same(answer.code, 1, answer)
    has(answer.out, *parts)


def what_is_expected():
    passes("hotkey.bind('ctrl+z', function() context.log 'z' end)", "events = { { 'hotkey.bind' } }, log = { 'z' }")
    passes("for event in window.events { what = 'opened' } do context.log(event.id) end",
           "events = { { 'window.events', { id = 1 } }, { 'window.events what=opened', { id = 2 } } }, log = { '1', '2' }")
    passes("time.after(1, function() time.after(2, function() context.state.n = 2 end) end)",
           "events = { { 'time.after 1' }, { 'time.after 2' } }, kept = { n = 2 }")
    passes("local jobs = task.channel(9) time.every(5, function() jobs:send(1) end) for n in jobs:values() do context.log(n) end",
           "events = { { 'time.every 5' }, { 'time.every 5' } }, log = { '1', '1' }")
    passes("menu.new { title = 'M', items = { { label = 'A', items = { { label = 'B', fn = function() context.log 'b' end } } } } }",
           "events = { { 'menu.new', 'B' } }, log = { 'b' }, did = { 'menu.new' }")
    passes("error 'it is broken'", "err = 'is broken'")
    passes("time.every(1, function() error 'not today' end)", "events = { { 'time.every' } }, err = 'not today'")


def what_is_not():
    start = "local h = hotkey.bind('ctrl+z', function() context.log 'z' end) time.every(5, function() h:stop() end)"
    fails(start, "events = { { 'hotkey.bind' } }, log = { 'y' }", 'line 1 of its log is "z", expected "y"')
    fails(start, "events = { { 'hotkey.bind' } }, log = { 'z', 'z' }", "line 2 of its log is nothing")
    fails(start, "events = { { 'hotkey.bind ctrl+y' } }", "event 1 is for hotkey.bind ctrl+y, which nothing listens to",
          "hotkey.bind ctrl+z function; time.every 5 function")
    fails(start, "events = { { 'time.every' }, { 'hotkey.bind' } }", "event 2 is for hotkey.bind")
    fails("time.after(1, print)", "events = { { 'time.after' }, { 'time.after' } }", "event 2 is for time.after")
    fails("time.delayed(1, print)", "events = { { 'time.delayed' } }", "event 1 is for time.delayed")
    fails("window.list()", "events = {}", "sys.window.list is called, and the example does not say what it answers")
    fails("error 'broken'", "log = {}", "it fails: ", "broken")
    fails("context.state.n = 1", "kept = { n = 2 }", "its state.n is 1, expected 2")
    fails("return", "err = 'broken'", "it does not fail")
    fails("return", "log = {}", "watch.lua:4:", "stopped badly", stop="function() error 'stopped badly' end")
    fails("return", "events = { 'hotkey.bind' }", "event 1 must be a table that begins with a call")
    fails("return", "evnts = {}", 'unknown key "evnts" in an example of a service; did you mean events?')


def what_never_ends():
    """A loop without an end is stopped, and what start() has begun ends with it."""
    fails("while true do end", "events = { { 'time.every' } }", "event 1 is for time.every, which nothing listens to", "are: none")
    fails("time.every(1, function() while true do end end)", "events = { { 'time.every' } }", "was stopped after 10 s")
    passes("task.spawn(function() while true do time.sleep(0.01) end end)", "log = {}")


tap.case("an example that holds passes", what_is_expected)
tap.case("an example that does not hold fails and says where", what_is_not)
tap.case("a service that never ends is ended", what_never_ends)
done()
