#!/usr/bin/env python3
"""The common tools as on a Mac, with a double of osascript: what goes to the scripts, byte for byte, and what becomes of their
answers. No line of AppleScript runs here."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "lib"))

import osascript_double  # noqa: E402
import server as servers  # noqa: E402
import tap_unittest  # noqa: E402

# The program's Lua files but for this one: this system's half of the tools would be that of Linux.
SYSTEM = "return { is_mac = function() return true end }\n"
# And this one: notifications of a program outside of Perigee.app, as it is here.
NOTIFY = 'return { get = function() return require "notify.applescript" end }\n'

VALUES = {
    "quotes": 'say "hi" & (do shell script "touch /tmp/x") & \'',
    "backslashes": "C:\\new\\table\\",
    "lines": "one\ntwo\r\nthree\n",
    "emoji and accents": "Zoë 👩‍👩‍👧 ¬ «class»",
    "a leading dash": "-e display dialog 1",
    "nothing": "",
    "ten kilobytes": 'x"\\' * 3413 + "end",
    "a line of a script": 'on run argv\nend run --',
}

LUA = tempfile.TemporaryDirectory(prefix="perigee-test-")


def setUpModule() -> None:
    shutil.copytree(TOP / "lua", LUA.name, dirs_exist_ok=True)
    pathlib.Path(LUA.name, "lib", "common", "system.lua").write_text(SYSTEM, encoding="utf-8")
    pathlib.Path(LUA.name, "lib", "notify", "backend.lua").write_text(NOTIFY, encoding="utf-8")


def tearDownModule() -> None:
    LUA.cleanup()


class MacCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.files, self.double = self.folder / "files", self.folder / "double"
        for each in (self.files, self.files / "to", self.files / ".Trash", self.double):
            each.mkdir()
        self.change(trash=str(self.files / ".Trash"))
        env = {"PERIGEE_LUA": LUA.name, "PERIGEE_OSASCRIPT": osascript_double.__file__, "OSASCRIPT_DOUBLE": str(self.double),
               "PERIGEE_DESKTOP": "fake", "XDG_STATE_HOME": str(self.folder / "state"), "PERIGEE_MAIL": "", "PERIGEE_MAIL_FROM": ""}
        self.server = servers.perigee("--no-user-root", "--root", servers.TRUSTING, "--toolset", "common", "--grant",
                                      str(self.files), env=env)
        self.addCleanup(self.server.kill)
        self.server.initialize()

    def change(self, **fields: Any) -> None:
        with osascript_double.shared(self.double, "common.json") as state:
            state.update(fields)

    def state(self) -> dict[str, Any]:
        with osascript_double.shared(self.double, "common.json") as state:
            return dict(state)

    def plan(self, script: str, **answer: Any) -> None:
        with osascript_double.shared(self.double, "plan.json") as plan:
            plan["answers"] = [dict(answer, script=script, times=1)]

    def calls(self) -> list[dict[str, Any]]:
        path = self.double / "calls.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def result(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = self.server.call(name, arguments)
        self.assertIn("result", answer, answer)
        return answer["result"]

    def call(self, name: str, **arguments: Any) -> Any:
        result = self.result(name, **arguments)
        self.assertFalse(result.get("isError"), result)
        return result.get("structuredContent")

    def fails(self, code: str, name: str, **arguments: Any) -> str:
        result = self.result(name, **arguments)
        self.assertTrue(result.get("isError"), result)
        self.assertEqual(result["_meta"].get("perigee/code"), code, result)
        return result["content"][0]["text"]


class Values(MacCase):
    def check(self, script: str, value: str, place: int, name: str, *, runs: bool = True, **arguments: Any) -> None:
        """The value is that argument of the script, and no part of its text; or the schema refuses it, and nothing runs."""
        before = len(self.calls())
        result = self.result(name, **arguments)
        made = [each for each in self.calls()[before:] if each["script"] == script]
        if not runs:
            self.assertTrue(result.get("isError"), result)
            self.assertEqual(self.calls()[before:], [])
            return
        self.assertTrue(made, result)
        self.assertEqual(made[0]["argv"][place], value)
        text = made[0]["stdin"] or pathlib.Path(made[0]["file"]).read_text(encoding="utf-8")
        self.assertEqual(text, (TOP / f"lua/scripts/{'mail' if script == 'send_message' else 'common'}/{script}.applescript").read_text())

    def test_names_of_files(self) -> None:
        for what, value in VALUES.items():
            with self.subTest(what):
                name = value.replace("/", ":")[:80] or "empty"
                path = self.files / name
                path.write_text("x")
                self.check("finder_open", str(path), 0, "finder_open", target=str(path))
                self.check("finder_copy", str(path), 0, "finder_copy", target=str(path), to=str(self.files / "to"))
                self.assertTrue((self.files / "to" / name).exists())
                self.check("finder_trash", str(self.files / "to" / name), 0, "finder_trash", target=str(self.files / "to" / name))
                self.check("finder_move", str(path), 0, "finder_move", target=str(path), to=str(self.files / "to"))
                self.assertEqual((path.exists(), (self.files / "to" / name).exists()), (False, True))

    def test_texts(self) -> None:
        for what, value in VALUES.items():
            with self.subTest(what):
                self.check("finder_get_items", value.replace(":", "/"), 1, "finder_get_items", runs=0 < len(value) < 256,
                           folder=str(self.files), filter=value)
                self.change(tabs=[[[value or "x", "title"]]])
                self.check("safari_close_tab", value, 0, "safari_close_tab", runs=value != "", url=value)
                self.check("send_message", value, 1, "mail_send_message", to="ada@example.com", subject="S", content=value)
                self.check("safari_open_url", value, 0, "safari_open_url", runs=False, url=value)
                url = "https://example.com/?q=" + value.replace(" ", "+").replace("\n", "%0A").replace("\r", "")
                self.check("safari_open_url", url, 0, "safari_open_url", url=url)

    def test_texts_of_notifications(self) -> None:
        for what, value in VALUES.items():
            for title, body in ((value, "body"), ("title", value)):
                with self.subTest(what, title=title == value):
                    before, runs = len(self.calls()), 0 < len(title) <= 250 and len(body) <= 2500
                    self.plan("*", text="")
                    result = self.result("notification_show", title=title, body=body)
                    made = [each["argv"] for each in self.calls()[before:]]
                    self.assertEqual((made, result.get("isError", False)), ([[title, body]] if runs else [], not runs))

    def test_the_wrong_type_runs_no_script(self) -> None:
        for name, arguments in (("finder_open", {"target": 7}), ("finder_open", {}), ("finder_get_items", {"folder": ["a"]}),
                                ("safari_open_url", {"url": True}), ("safari_open_url", {"url": "https://a.example", "newWindow": "yes"}),
                                ("safari_open_url", {"url": "file:///etc/passwd"}), ("mail_send_message", {"to": "a@b.example"}),
                                ("safari_close_tab", {"url": "x", "tab": 2}), ("music_control", {"action": "rewind"}),
                                ("music_control", {}), ("music_get_track", {"player": 7}), ("notification_show", {"body": "x"})):
            with self.subTest(name, arguments=arguments):
                self.assertTrue(self.result(name, **arguments).get("isError"))
        self.assertEqual(self.calls(), [])


class Finder(MacCase):
    def test_lists_as_the_finder_shows(self) -> None:
        (self.files / "a:b").write_text("12345")
        listed = self.call("finder_list_folder", folder=str(self.files))["items"]
        self.assertEqual(listed, [{"name": "a:b", "kind": "file"}, {"name": "to", "kind": "folder"}])
        found = self.call("finder_get_items", folder=str(self.files), filter="A:")["items"]      # the Finder has a slash there
        self.assertEqual([(each["path"], each["size"]) for each in found], [(str(self.files / "a:b"), 5)])

    def test_says_what_was_seen(self) -> None:
        (self.files / "a").write_text("x")
        self.assertEqual(self.call("finder_open", target=str(self.files / "to")), {"path": str(self.files / "to"), "shown": True})
        opened = self.call("finder_open", target=str(self.files / "a"))
        self.assertFalse(opened["shown"])
        self.assertIn("list_windows", opened["note"])
        self.assertTrue(self.call("finder_trash", target=str(self.files / "a"))["in_trash"])

    def test_believes_no_script(self) -> None:
        (self.files / "a").write_text("x")
        for name, more in (("finder_move", {"to": str(self.files / "to")}), ("finder_copy", {"to": str(self.files / "to")}),
                           ("finder_trash", {})):
            with self.subTest(name):
                self.plan(name, text="/somewhere/else")
                self.assertIn("finder_list_folder", self.fails("NOT_SEEN", name, target=str(self.files / "a"), **more))
        self.plan("finder_list_folder", text="folder")
        self.fails("BAD_ANSWER", "finder_list_folder", folder=str(self.files))

    def test_stays_in_the_granted_folders(self) -> None:
        (self.files / "link").symlink_to("/etc/hostname")
        for path in ("/etc/passwd", str(self.files), str(self.files / "../x"), str(self.files / "link")):
            for name, more in (("finder_open", {}), ("finder_trash", {}), ("finder_move", {"to": str(self.files / "to")})):
                if (name, path) != ("finder_open", str(self.files)):
                    self.assertTrue(self.result(name, target=path, **more).get("isError"), (name, path))
        self.fails("NOT_GRANTED", "finder_list_folder", folder="/etc")
        self.assertEqual(self.calls(), [])

    def test_errors_have_stable_codes(self) -> None:
        (self.files / "a").write_text("x")
        for number, code in ((-1743, "PERMISSION_DENIED_AUTOMATION"), (-1712, "TIMEOUT"), (-43, "NOT_FOUND"), (-15267, "EXISTS"),
                             (-128, "CANCELLED"), (-1728, "NOT_FOUND")):
            with self.subTest(number):
                self.plan("finder_trash", fail=number, message="words of the Finder")
                self.fails(code, "finder_trash", target=str(self.files / "a"))
        self.assertTrue((self.files / "a").exists())


class Others(MacCase):
    def test_safari(self) -> None:
        self.fails("APP_NOT_RUNNING", "safari_get_current_url")
        self.assertTrue(self.call("safari_open_url", url="https://a.example/")["shown"])
        self.assertTrue(self.call("safari_open_url", url="https://b.example/x", newWindow=True)["shown"])
        self.assertEqual([each["argv"][1] for each in self.calls() if each["script"] == "safari_open_url"], ["tab", "window"])
        self.assertEqual(self.call("safari_get_current_url")["url"], "https://b.example/x")
        self.fails("OTHER_PAGE", "safari_close_tab", url="https://a.example/")
        self.change(stays=True)
        self.fails("NOT_CLOSED", "safari_close_tab")
        self.change(stays=False)
        self.assertEqual(self.call("safari_close_tab", url="https://b.example/x")["tabs"], 1)
        self.assertEqual(self.call("safari_close_tab")["tabs"], 0)
        self.fails("NO_WINDOW", "safari_close_tab")

    def test_mail(self) -> None:
        (self.files / "a.txt").write_text("four")
        result = self.result("mail_send_message", to="Ada <ada@example.com>", subject="S", content="Hi.", cc="c@example.com",
                             attachments=["a.txt"])
        self.assertIn("Sent to ada@example.com", result["content"][0]["text"])
        with osascript_double.shared(self.double, "mail.json") as state:
            self.assertEqual(state["sent"], [{"subject": "S", "text": "Hi.", "sender": "", "to": [["ada@example.com", "Ada"]],
                             "cc": [["c@example.com", ""]], "bcc": [], "file": [[str(self.files / "a.txt"), 4]]}])
        self.fails("not_granted", "mail_send_message", to="a@example.com", subject="S", content="", attachments=["/etc/passwd"])
        self.change(inbox=[12, 3])
        self.assertEqual(self.call("mail_get_inbox_count"), {"messages": 12, "unread": 3})

    def test_music(self) -> None:
        for name, more in (("music_get_track", {}), ("music_control", {"action": "play"})):
            self.assertIn("open_application Music", self.fails("APP_NOT_RUNNING", name, **more))
        self.change(music={"state": "paused", "position": 2500,
                           "tracks": [["A1", 185000, 'One "é" \\', "Ada, Bob", ""], ["B2", "", "🎵\ntwo", "", "Songs"]]})
        self.assertEqual(self.call("music_get_track"), {"application": "Music", "player": "Music", "state": "paused", "length": 185,
                                                        "position": 2.5, "title": 'One "é" \\', "artist": "Ada, Bob"})
        seen = [self.call("music_control", action=action) for action in ("play", "play", "next", "previous", "pause", "play_pause")]
        self.assertEqual([(each["effect"], each["state"], each["title"]) for each in seen], [
            ("changed", "playing", 'One "é" \\'), ("unchanged", "playing", 'One "é" \\'), ("changed", "playing", "🎵 two"),
            ("changed", "playing", 'One "é" \\'), ("changed", "paused", 'One "é" \\'), ("changed", "playing", 'One "é" \\')])
        with osascript_double.shared(self.double, "common.json") as state:
            state["music"]["deaf"] = True
        deaf = self.call("music_control", action="stop", player="com.apple.Music")
        self.assertEqual((deaf["effect"], deaf["state"]), ("unknown", "playing"))
        self.assertIn("nothing was seen to change", deaf["note"])
        before = len(self.calls())
        self.fails("NOT_SUPPORTED", "music_control", action="stop", player="Spotify")
        self.assertEqual(len(self.calls()), before)
        self.plan("music_get_track", text="playing")
        self.fails("BAD_ANSWER", "music_get_track")
        self.plan("music_control", fail=-1743)
        self.fails("PERMISSION_DENIED_AUTOMATION", "music_control", action="next")

    def test_system_events(self) -> None:
        self.change(processes=[[7, "com.apple.TextEdit", False, True, "TextEdit"], [9, "", True, False, "Odd, “name”: 1"]])
        self.assertEqual(self.call("system_events_get_processes")["processes"], [
            {"name": "Odd, “name”: 1", "pid": 9, "id": "", "frontmost": True, "visible": False},
            {"name": "TextEdit", "pid": 7, "id": "com.apple.TextEdit", "frontmost": False, "visible": True}])

    def test_input_is_the_engine_s_own(self) -> None:
        """System Events asks for osascript's own permission."""
        self.result("system_events_keystroke", text="a", using=["command"])
        self.result("system_events_click", x=5, y=5)
        self.assertEqual(self.calls(), [])
        self.assertEqual(sorted(path.stem for path in (TOP / "lua/scripts/common").glob("system_events_*")),
                         ["system_events_get_processes"])


if __name__ == "__main__":
    tap_unittest.main()
