#!/usr/bin/env python3
"""Notifications on macOS: sys.notify and the real `perigee --notify` on the simulation (tests/macos/sim/notes.c). What
tests/desktop/notify_test.py sees of the services of Linux is seen here of the Notification Center."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from collections.abc import Callable, Iterator
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

import script as scripts  # noqa: E402
import tap_unittest  # noqa: E402
import tools  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BUILD", HERE.parent.parent / "build")).resolve()
MODULES = BUILD / "sim" / "modules"
NOTIFY_TOOL = HERE.parent / "lib" / "notify_tool.lua"

# The program's Lua files but for this one: this system's half of sys.notify would be that of D-Bus.
BACKEND = 'return { get = function() return require "notify.macos" end }\n'

HEAD = 'local json, notify, time = require "sys.json", require "sys.notify", require "sys.time"' + scripts.SAY

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==")
DISMISSED = [{"what": "closed", "reason": "dismissed"}]


LUA = tempfile.TemporaryDirectory(prefix="perigee-test-")


def setUpModule() -> None:
    shutil.copytree(HERE.parent.parent / "lua", LUA.name, dirs_exist_ok=True)
    pathlib.Path(LUA.name, "lib", "notify", "backend.lua").write_text(BACKEND, encoding="utf-8")


def tearDownModule() -> None:
    LUA.cleanup()


class Mac:
    """A simulated Mac: its user, and what it shows."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.shown_file, self.fifo = folder / "shown", folder / "user"
        self.shown_file.touch()
        os.mkfifo(self.fifo)
        self.user = os.open(self.fifo, os.O_RDWR)
        self.env = dict(os.environ, PERIGEE_DESKTOP="x11", PERIGEE_MODULES=str(MODULES), PERIGEE_LUA=LUA.name,
                        SIM_NOTIFY=str(self.fifo), SIM_NOTIFY_SHOWN=str(self.shown_file))

    def does(self, *lines: str) -> None:
        os.write(self.user, "".join(f"{line}\n" for line in lines).encode())

    def shown(self) -> list[str]:
        return self.shown_file.read_text(encoding="utf-8").splitlines()

    def running(self, text: str, *options: str, **env: str) -> contextlib.closing[scripts.Script]:
        place = types.SimpleNamespace(folder=self.folder, env=self.env)
        return scripts.running(place, HEAD + text, *options, **env)


@contextlib.contextmanager
def mac() -> Iterator[Mac]:
    with tempfile.TemporaryDirectory(prefix="perigee-test-") as folder:
        one = Mac(pathlib.Path(folder))
        try:
            yield one
        finally:
            os.close(one.user)


def heard(script: scripts.Script) -> Any:
    """The next line of the script: what the log says comes in between."""
    while (line := script.line()).startswith("[2"):
        pass
    return json.loads(line)


def until(look: Callable[[], bool]) -> bool:
    limit = time.monotonic() + scripts.PATIENCE
    while not look() and time.monotonic() < limit:
        time.sleep(0.01)
    return look()


@unittest.skipUnless((MODULES / "x11.so").exists(), "not built here: make unit")
class Notify(unittest.TestCase):
    def test_one_that_is_shown(self) -> None:
        """As on Linux: replaced, closed, expired, and its end is told."""
        with mac() as one, one.running("""
                local shown = assert(notify.show { title = "Build <b>", text = "a & b", urgency = "low" })
                say(shown.id:find("^perigee%-%x+%-1$") ~= nil, #shown.ignored)
                say(shown:next(0.1))
                say(shown:update { title = "Rebuilt" })
                say(shown:close())
                say(shown:close())
                say(shown:next(1))
                say(notify.show({ title = "short", timeout = 0.3 }):next(20))
                say(select(3, notify.show { title = "x", image = "/nowhere.png" }), select(3, notify.show { title = "x", icon = "/" }))
                say((notify.capabilities()))""") as script:
            self.assertEqual(heard(script), [True, 0])
            self.assertEqual(heard(script)[2], "timeout")
            script.says("[true]")
            self.assertEqual([heard(script)[0], heard(script)[2], heard(script)[2]], [True, "closed", "closed"])
            self.assertEqual(heard(script), [{"what": "closed", "reason": "expired"}])
            script.says('["not_found","not_found"]')
            self.assertEqual(heard(script), [{"service": "Notification Center (macOS)", "buttons": True, "reply": True,
                                              "images": True, "stays": True}])
            self.assertEqual(script.ends(), "")
            # each process of the Notification Center ended with its last notification
            self.assertEqual(one.shown(), ["1 Build <b>|a & b|low", "1 Rebuilt|a & b|low", "1 removed", "1 short||normal",
                                           "1 removed"])

    def test_clicks_and_dismissals(self) -> None:
        text = """
            local shown = assert(notify.show { title = "click me", timeout = 0 })
            print "shown"
            say(shown:next(20))
            say(shown:next(20))"""
        with mac() as one:
            with one.running(text) as script:
                script.says("shown")
                one.does("click 1")
                self.assertEqual([heard(script), heard(script)], [[{"what": "clicked"}], DISMISSED])
            with one.running(text) as script:
                script.says("shown")
                one.does("dismiss 1")
                self.assertEqual(heard(script), DISMISSED)
                self.assertEqual(heard(script)[2], "closed")

    def test_buttons_and_replies_of_several_at_once(self) -> None:
        with mac() as one, one.running("""
                local deploy = assert(notify.show { title = "Deploy?", buttons = { "Yes", "No" } })
                local mail   = assert(notify.show { title = "Mail", buttons = { "Later" }, reply = "Answer" })
                local plain  = assert(notify.show { title = "Plain" })
                local again  = assert(notify.show { title = "Again?", buttons = { "Yes", "No" } })
                print "shown"
                say(mail:next(20)) say(mail:next(20))
                say(again:next(20)) say(deploy:next(20))
                say(select(3, plain:next(0)))
                print "more"
                say(deploy:next(20)) say(plain:next(20))
                say(deploy:next(20))""") as script:
            script.says("shown")
            one.does("button 4 2", "foreign 1", "button 1 1", "reply 2 I will, \"soon\"")
            self.assertEqual(heard(script), [{"what": "reply", "text": 'I will, "soon"'}])
            self.assertEqual(heard(script), DISMISSED)
            self.assertEqual(heard(script), [{"what": "button", "button": "No", "index": 2}])
            self.assertEqual(heard(script), [{"what": "button", "button": "Yes", "index": 1}])
            script.says('["timeout"]', "more")
            self.assertEqual(heard(script), DISMISSED)
            one.does("dismiss 3")
            self.assertEqual(heard(script), DISMISSED)
            self.assertEqual(heard(script)[2], "closed")
            self.assertEqual(one.shown()[:4], ["1 Deploy?||normal|[Yes]|[No]", "2 Mail||normal|[Later]|<Answer>",
                                               "3 Plain||normal", "4 Again?||normal|[Yes]|[No]"])

    def test_one_that_was_closed_is_not_shown_again(self) -> None:
        """Its end is told, and not taken yet."""
        with mac() as one, one.running("""
                local shown = assert(notify.show { title = "x", buttons = { "Yes" } })
                print "shown"
                say(shown:next(20))
                say(select(3, shown:update { title = "y" }))
                say(shown:next(20))""") as script:
            script.says("shown")
            one.does("button 1 1")
            self.assertEqual(heard(script), [{"what": "button", "button": "Yes", "index": 1}])
            script.says('["closed"]')
            self.assertEqual(heard(script), DISMISSED)
            self.assertEqual(one.shown(), ["1 x||normal|[Yes]"])

    def test_another_set_of_buttons_in_its_place(self) -> None:
        with mac() as one, one.running("""
                local shown = assert(notify.show { title = "Mail", buttons = { "Later" }, reply = true })
                say(shown:update { buttons = { "Now", "Never" }, reply = false })
                say(shown:next(20))""") as script:
            script.says("[true]")
            one.does("button 1 2")
            self.assertEqual(heard(script), [{"what": "button", "button": "Never", "index": 2}])
            self.assertEqual(one.shown()[:2], ["1 Mail||normal|[Later]|<>", "1 Mail||normal|[Now]|[Never]"])

    def test_a_function(self) -> None:
        """The script goes on until the notification is gone; one that is stopped takes it along."""
        with mac() as one:
            with one.running("""
                    local handle = assert(notify.show({ title = "stay", timeout = 0, buttons = { "A" } }, function(event)
                      say(event)
                      if event.what == "button" then error "as it should" end
                    end))
                    say(handle:runs(), handle.id ~= nil)
                    time.after(0.1, function() say(handle:update { text = "more" }) end)""") as script:
                script.says("[true,true]", "[true]")
                one.does("button 1 1")
                said = script.ends()
                self.assertIn('[{"button":"A","index":1,"what":"button"}]\n', said)
                self.assertIn("as it should", said)
                self.assertIn('[{"reason":"dismissed","what":"closed"}]\n', said)
            with one.running("""
                    local handle = assert(notify.show({ title = "stopped", timeout = 0 }, say))
                    print "shown"
                    time.after(0.2, function() handle:stop() print "stopped" end)""") as script:
                script.says("shown", "stopped")
                self.assertEqual(script.ends(), "")
            self.assertTrue(until(lambda: one.shown()[-2:] == ["1 stopped||normal", "1 removed"]), one.shown())

    def test_one_that_is_attended_to_goes_with_its_engine(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number), mac() as one, one.running("""
                    assert(notify.show { title = "stays" })
                    assert(notify.show({ title = "goes" }, say))
                    assert(notify.show({ title = "goes, too" }, say)):update { text = "changed" }
                    print "shown" """) as script:
                script.says("shown")
                script.process.send_signal(number)
                script.process.wait()
                self.assertTrue(until(lambda: len(one.shown()) == 6), one.shown())
                self.assertEqual(sorted(one.shown()[4:]), ["2 removed", "3 removed"])

    def test_a_process_that_dies_is_told_and_another_one_is_started(self) -> None:
        with mac() as one, one.running("""
                local one, two = assert(notify.show { title = "one" }), assert(notify.show { title = "two" })
                print "shown"
                say(one:next(20)) say(two:next(20))
                say(one:next(1))
                local held = assert(notify.show { title = "kept" })
                print "again"
                say(held:next(20))
                say(held:update { text = "late" })
                say(notify.show { title = "three" } ~= nil)""") as script:
            script.says("shown")
            one.does("die")
            lost = [{"what": "closed", "reason": "lost"}]
            self.assertEqual([heard(script), heard(script)], [lost, lost])
            self.assertEqual(heard(script)[2], "closed")
            script.says("again")
            one.does("die")
            self.assertEqual(heard(script), lost)
            self.assertEqual(heard(script)[2], "closed")
            self.assertEqual(heard(script), [True])

    def test_what_the_user_allows(self) -> None:
        text = 'say(notify.show { title = "x" }) say(select(3, notify.show { title = "x", buttons = { "y" } }))'
        with mac() as one:
            for user, code, part in (("denied", "not_allowed", "System Settings > Notifications > Perigee"),
                                     ("refuses", "not_allowed", "(Notifications are not allowed)"),
                                     ("waits", "not_allowed", "Answer the question")):
                with self.subTest(user), one.running(text, SIM_NOTIFY_USER=user) as script:
                    answer = heard(script)
                    self.assertEqual((answer[0], answer[2]), (None, code))
                    self.assertIn(part, answer[1])
                    script.says(f'["{code}"]')
            self.assertEqual(one.shown(), [])
            with one.running('say(notify.show { title = "x" } ~= nil)', SIM_NOTIFY_USER="allows") as script:
                script.says("[true]")
            with one.running("""
                    local held = assert(notify.show { title = "x" })
                    print "shown"
                    say(held:next(20)) say(select(3, notify.show { title = "y" }))""") as script:
                script.says("shown")
                one.does("deny", "click 1")     # in the settings, in the middle
                heard(script)
                script.says('["not_allowed"]')

    def test_what_macos_refuses(self) -> None:
        with mac() as one, one.running('say(notify.show { title = "x" })', SIM_NOTIFY_FAILS="the disk is full") as script:
            self.assertEqual(heard(script)[1:], ["macOS refused the notification (the disk is full). Check System Settings > "
                                                 "Notifications > Perigee.", "failed"])

    def test_what_macos_takes_too_long_for_is_not_left_on_the_screen(self) -> None:
        with mac() as one, one.running('say(notify.show { title = "x" })', SIM_NOTIFY_FAILS="silence") as script:
            self.assertEqual(heard(script)[1:], ["macOS did not respond in time. Try again.", "timeout"])
            self.assertTrue(until(lambda: one.shown() == ["1 x||normal", "1 removed"]), one.shown())

    def test_the_oldest_of_too_many_is_given_up_aloud(self) -> None:
        with mac() as one, one.running("""
                local shown = {}
                for i = 1, 9 do shown[i] = assert(notify.show { title = tostring(i) }) end    -- the simulation keeps 8
                say(shown[1]:next(20)) say(select(3, shown[2]:next(0)))
                say(select(3, shown[1]:next(0)))""") as script:
            self.assertEqual(heard(script), [{"what": "closed", "reason": "unknown"}])
            script.says('["timeout"]', '["closed"]')

    def test_urgency(self) -> None:
        text = 'say(notify.show { title = "x", urgency = "critical" }.ignored)'
        with mac() as one:
            with one.running(text) as script:
                script.says('[["urgency"]]')
            with one.running(text, SIM_NOTIFY_USER="urgent") as script:
                self.assertEqual(heard(script), [{}])
            self.assertEqual(one.shown(), ["1 x||critical", "1 x||critical"])

    def test_images(self) -> None:
        """macOS gets a copy, of what it can show only."""
        with mac() as one:
            place = one.folder / "a.PNG"
            place.write_bytes(PNG)
            (one.folder / "icon.png").write_bytes(PNG)
            (one.folder / "text.png").write_text("not an image", encoding="utf-8")
            os.mkfifo(one.folder / "pipe.png")
            with (one.folder / "large.png").open("wb") as large:
                large.write(PNG)
                large.truncate((10 << 20) + 1)
            temporary = one.folder / "tmp"
            temporary.mkdir()
            with one.running(f"""
                    local function show(more) more.title = "x" say(notify.show(more).ignored) end
                    show {{ image = "{place}" }}
                    show {{ icon = "{place}" }}
                    show {{ icon = "{one.folder}/icon.png", image = "{place}" }}
                    show {{ icon = "mail", image = "{one.folder}/text.png" }}
                    show {{ image = "{one.folder}/pipe.png" }}
                    show {{ image = "{one.folder}/large.png" }}""", TMPDIR=str(temporary)) as script:
                self.assertEqual([heard(script), heard(script)], [[{}], [{}]])
                script.says('[["icon"]]', '[["icon","image"]]', '[["image"]]', '[["image"]]')
                self.assertEqual(script.ends(), "")
            self.assertEqual(place.read_bytes(), PNG)
            self.assertEqual(list(temporary.glob("*notification*")), [])
            self.assertEqual(one.shown()[:4], [f"1 x||normal|{len(PNG)} bytes of png", f"2 x||normal|{len(PNG)} bytes of png",
                                               f"3 x||normal|{len(PNG)} bytes of png", "4 x||normal"])

    def test_outside_of_the_bundle(self) -> None:
        """Title and text by AppleScript, whose program is not here; the rest is refused with what to do."""
        with mac() as one, one.running("""
                say(notify.show { title = "x", buttons = { "y" } })
                say(select(3, notify.show { title = "x", reply = true }), select(3, notify.show { title = "x" }))
                say(notify.capabilities())""", SIM_NOTIFY_BUNDLE="0", PATH="/nowhere") as script:
            answer = heard(script)
            self.assertEqual(answer[2], "not_supported")
            self.assertIn("Start it from Perigee.app", answer[1])
            script.says('["not_supported","no_notifications"]')
            self.assertFalse(heard(script)[0]["buttons"])
            self.assertEqual(one.shown(), [])

    def test_a_process_that_cannot_start_or_says_something_else(self) -> None:
        with mac() as one, one.running("""
                local center = require "notify.center"
                for _, program in ipairs { { "/nonexistent/perigee" }, { "/bin/true" }, { "/bin/echo", "hello" } } do
                  say(select(2, center.new(program).open()))
                  say(select(3, center.new(program).capabilities()))
                end""") as script:
            for part in ("Cannot start the process", "macOS shows no notifications of Perigee: ", "another line came first"):
                self.assertIn(part, heard(script)[0])
                script.says('["no_notifications"]')

    def test_a_tool_ends_and_its_notification_stays(self) -> None:
        with mac() as one:
            folder = one.folder / "root" / "tools" / "mine"
            folder.mkdir(parents=True)
            shutil.copy(NOTIFY_TOOL, folder / "tell.lua")
            with contextlib.closing(tools.Tools(one.env, "--root", str(one.folder / "root"))) as session:
                result = session("tell")
                self.assertEqual(result["code"], "not_lasting")
                self.assertRegex(result["id"], "^perigee-.*-1$")
            self.assertEqual(one.shown(), ["1 From a tool||normal"])

    # --- perigee --notify itself ---------------------------------------------------------------

    def ask(self, one: Mac, *lines: str) -> list[Any]:
        ran = subprocess.run([BUILD / "perigee", "--notify"], env=one.env, input="".join(f"{line}\n" for line in lines),
                             timeout=60, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def test_it_ends_with_its_input_and_with_its_engine(self) -> None:
        with mac() as one:
            self.assertEqual(self.ask(one), [{"what": "ready"}])
            with one.running('local held = assert(notify.show { title = "x" }) print "shown" held:next()') as script:
                script.says("shown")
                helpers = helpers_of(script)
                self.assertEqual(len(helpers), 1)
                script.process.send_signal(signal.SIGKILL)
                script.process.wait()
                self.assertTrue(until(lambda: not runs(helpers[0])))

    def test_it_ends_with_its_last_notification(self) -> None:
        with mac() as one, one.running("""
                local handles = {}
                for i = 1, 3 do handles[i] = assert(notify.show({ title = tostring(i) }, say)) end
                print "shown"
                time.after(0.1, function() for _, each in ipairs(handles) do each:stop() end print "stopped" time.sleep(60) end)
                """) as script:
            script.says("shown")
            self.assertEqual(len(helpers_of(script)), 1)
            script.says("stopped")
            self.assertTrue(until(lambda: not helpers_of(script)))
            self.assertEqual(sorted(one.shown()[3:]), ["1 removed", "2 removed", "3 removed"])

    def test_lines_that_are_not_requests(self) -> None:
        with mac() as one:
            told = self.ask(one, "not JSON", "[]", "{}", '{"request":1}', '{"request":2,"do":"show"}',
                            '{"request":3,"do":"remove","id":"a"}', '{"request":4,"do":"show","id":"a","buttons":7,"title":[]}')
        self.assertEqual(told[0], {"what": "ready"})
        codes = {each["request"]: each.get("code") for each in told[1:] if each.get("request")}
        self.assertEqual({number: codes.get(number) for number in (1, 2, 3)}, {1: "failed", 2: "failed", 3: "closed"})

    def test_the_end_of_its_input_in_the_middle(self) -> None:
        """What waits is not shown, what is to be removed is, and what is held goes."""
        with mac() as one:
            self.ask(one, '{"request":1,"do":"show","id":"a","held":true,"title":"a"}')
            self.assertIn(one.shown(), ([], ["1 a||normal", "1 removed"]))
        with mac() as one:
            one.env["SIM_NOTIFY_USER"] = "waits"
            told = self.ask(one, '{"request":1,"do":"show","id":"a"}', '{"request":2,"do":"show","id":"b"}',
                            '{"request":3,"do":"remove","id":"c"}')
            self.assertEqual(told, [{"what": "ready"}, {"request": 3, "code": "closed"}])
            self.assertEqual(one.shown(), [])

    def test_more_requests_than_wait(self) -> None:
        with mac() as one:
            one.env["SIM_NOTIFY_USER"] = "waits"
            process = subprocess.Popen([BUILD / "perigee", "--notify"], env=one.env, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
            assert process.stdin and process.stdout
            with process:
                for number in range(1, 301):
                    process.stdin.write(f'{{"request":{number},"do":"show","id":"{number}"}}\n')
                process.stdin.flush()
                lines = [json.loads(process.stdout.readline()) for _ in range(45)]
                self.assertEqual([each.get("code") for each in lines[1:]], ["busy"] * 44)
                process.stdin.close()
                self.assertEqual(process.wait(20), 0)


def helpers_of(script: scripts.Script) -> list[str]:
    children = pathlib.Path(f"/proc/{script.process.pid}/task/{script.process.pid}/children").read_text().split()
    return [pid for pid in children if runs(pid) and b"--notify" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]


def runs(pid: str) -> bool:
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    tap_unittest.main()
