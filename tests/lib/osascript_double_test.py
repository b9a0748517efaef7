#!/usr/bin/env python3
"""The stand-in for osascript behaves as its head says, with the project's own scripts."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import osascript_double
import png
import tap

HERE = pathlib.Path(__file__).resolve().parent
DOUBLE = HERE / "osascript_double.py"
SCRIPTS = HERE.parent.parent / "lua" / "scripts" / "keynote"
NEW, OLD = "com.apple.Keynote", "com.apple.iWork.Keynote"
BOX = ("384", "378", "1152", "324")


class DoubleCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def plan(self, **plan: object) -> None:
        (self.path / "plan.json").write_text(json.dumps(plan))

    def state(self, **state: object) -> None:
        (self.path / "keynote.json").write_text(json.dumps(state))

    def model(self) -> dict:
        return json.loads((self.path / "keynote.json").read_text())

    def calls(self) -> list[dict]:
        return [json.loads(line) for line in (self.path / "calls.jsonl").read_text().splitlines()]

    def osascript(self, *arguments: str, text: str = "", **options) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, str(DOUBLE), *arguments], input=text.encode(), capture_output=True,
                              env=dict(os.environ, OSASCRIPT_DOUBLE=str(self.path)), timeout=60, **options)

    def script(self, name: str, *arguments: str) -> str:
        done = self.osascript(str(SCRIPTS / f"{name}.applescript"), *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().removesuffix("\n")

    def failure(self, name: str, *arguments: str) -> str:
        done = self.osascript(str(SCRIPTS / f"{name}.applescript"), *arguments)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        return done.stderr.decode()


class Playing(DoubleCase):
    def test_a_whole_session_ends_in_a_picture(self) -> None:
        self.assertEqual(self.script("find_keynote"), NEW + "|installed")
        document, *size, note = self.script("open_keynote", NEW, "reuse_or_create", "White").split("|")
        self.assertEqual((size, note), (["1920", "1080"], ""))
        self.assertEqual(self.script("get_slide_size", NEW, document), f"{document}|1920|1080")
        drawn = self.script("draw_rectangle", NEW, document, *BOX)
        self.assertEqual(drawn, "1|" + "|".join(BOX))
        text = "Grüße\n世界 😀 \"'"
        self.assertEqual(self.script("add_text_in_keynote", NEW, document, *drawn.split("|"), text), str(len(text)))
        self.assertEqual(self.script("find_keynote"), NEW + "|running")
        folder = str(self.path / "slide")
        self.assertEqual(self.script("export_slide_png", NEW, document, "1", folder), folder)
        self.assertEqual([file.name for file in (self.path / "slide").iterdir()], ["slide.001.png"])
        picture = png.decode((self.path / "slide" / "slide.001.png").read_bytes())
        self.assertEqual(picture.bounds((0, 162, 255)), (38, 38, 152, 69))
        self.assertEqual(self.calls()[-3]["argv"][-1], text)

    def test_open_reuses_or_makes_a_document(self) -> None:
        first = self.script("open_keynote", NEW, "reuse_or_create", "White")
        self.assertEqual(self.script("open_keynote", NEW, "reuse_or_create", ""), first)
        other = self.script("open_keynote", NEW, "always_new", "Nonsense")
        self.assertNotEqual(other.split("|")[0], first.split("|")[0])
        self.assertIn("Nonsense was not found", other)

    def test_a_test_may_change_the_model_in_between(self) -> None:
        document = self.script("open_keynote", NEW, "reuse_or_create", "").split("|")[0]
        drawn = self.script("draw_rectangle", NEW, document, *BOX).split("|")
        model = self.model()
        shapes = model["documents"][0]["slides"][0]["shapes"]
        shapes.insert(0, {"box": [1, 2, 3, 4], "text": ""})
        self.state(**model)
        self.assertEqual(self.script("add_text_in_keynote", NEW, document, *drawn, "x"), "1")
        self.assertEqual([shape["text"] for shape in self.model()["documents"][0]["slides"][0]["shapes"]], ["", "x"])
        shapes.pop()
        self.state(**model)
        self.assertIn("(9003)", self.failure("add_text_in_keynote", NEW, document, *drawn, "x"))
        self.state(**dict(model, documents=[]))
        self.assertIn("(9001)", self.failure("add_text_in_keynote", NEW, document, *drawn, "x"))

    def test_a_script_compiles_only_with_an_installed_dictionary(self) -> None:
        self.state(installed=[OLD])
        self.assertEqual(self.script("find_keynote"), OLD + "|installed")
        text = (SCRIPTS / "open_keynote.applescript").read_text()
        self.assertIn(": syntax error: ", self.failure("open_keynote", OLD, "always_new", ""))
        done = self.osascript("-", OLD, "always_new", "", text=text.replace(NEW, OLD))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.calls()[-1]["terms"], OLD)
        self.state(installed=[])
        self.assertIn("(-10814)", self.failure("find_keynote"))

    def test_wrong_arguments_fail_as_in_the_scripts(self) -> None:
        self.assertIn("(-1703)", self.failure("open_keynote", NEW))
        self.script("open_keynote", NEW, "always_new", "")
        self.assertIn("(9001)", self.failure("draw_rectangle", NEW, "other", *BOX))
        self.assertIn("(-1700)", self.failure("draw_rectangle", NEW, "", "left", "0", "1", "1"))
        self.assertIn("(9004)", self.failure("export_slide_png", NEW, "", "2", "/tmp/x"))
        self.assertIn("(-10000)", self.failure("export_slide_png", NEW, "", "1", str(self.path / "no" / "x")))

    def test_text_may_come_by_stdin_or_by_options(self) -> None:
        text = (SCRIPTS / "find_keynote.applescript").read_text()
        for arguments, stdin in ((["-"], text), ([], text), (["-l", "AppleScript", "-s", "o", "-"], text),
                                 (["-e", text], ""), (["-e", "-- find_keynote: x", "-e", "beep"], "")):
            said = self.osascript(*arguments, text=stdin).stdout.decode()
            self.assertEqual(said, NEW + "|installed\n", arguments[:1])
        self.assertEqual(self.osascript("/nowhere/x.applescript").returncode, 1)


class Plans(DoubleCase):
    def test_every_failure_is_printed_as_osascript_prints_it(self) -> None:
        for number in (-1743, -600, -609, -1712, -1728, -1719, -128, -10000):
            self.plan(answers=[{"fail": number}])
            said = self.failure("get_slide_size", NEW, "")
            self.assertRegex(said, rf"^/.*\.applescript:\d+:\d+: execution error: .+ \({number}\)\n$")
        self.plan(answers=[{"do": "syntax"}])
        self.assertRegex(self.failure("get_slide_size", NEW, ""), r":\d+:\d+: syntax error: .+ \(-2741\)\n$")
        self.plan(answers=[{"do": "lost"}])
        self.assertRegex(self.failure("get_slide_size", NEW, ""), r"not allowed assistive access\. \(-1719\)\n$")
        self.plan(answers=[{"fail": -1728, "message": "Mine."}])
        done = self.osascript("-", text="-- get_slide_size: x")
        self.assertRegex(done.stderr.decode(), r"^\d+:\d+: execution error: Mine\. \(-1728\)\n$")

    def test_odd_ends(self) -> None:
        for what, code, output in (("silent", 1, b""), ("die", -signal.SIGKILL, b""),
                                   ("invalid_utf8", 0, b"D1|\xff\xfe|768|\n")):
            self.plan(answers=[{"do": what}])
            done = self.osascript("-", text="-- open_keynote: x")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (code, output, b""), what)
        self.plan(answers=[{"do": "huge"}])
        self.assertGreater(len(self.osascript("-", text="-- open_keynote: x").stdout), 16 << 20)
        self.plan(answers=[{"text": "any|thing"}])
        self.assertEqual(self.osascript("-", text="-- open_keynote: x").stdout, b"any|thing\n")

    def test_a_hanging_one_ends_by_a_kill_alone(self) -> None:
        self.plan(answers=[{"do": "hang"}])
        child = subprocess.Popen([sys.executable, str(DOUBLE), "-e", "-- open_keynote: x"],
                                 env=dict(os.environ, OSASCRIPT_DOUBLE=str(self.path)))
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        while not (self.path / "calls.jsonl").exists():
            self.assertIsNone(child.poll())
        with self.assertRaises(subprocess.TimeoutExpired):
            child.wait(0.3)

    def test_answers_are_counted_off_and_chosen_by_script(self) -> None:
        self.plan(answers=[{"script": "find_keynote", "times": 1, "fail": -600},
                           {"script": "open_keynote", "fail": -609},
                           {"script": "find_keynote", "times": 1, "slow": 0.01}])
        self.assertIn("(-600)", self.failure("find_keynote"))
        self.assertIn("(-609)", self.failure("open_keynote", NEW, "", ""))
        self.assertEqual(self.script("find_keynote"), NEW + "|installed")
        self.assertEqual(self.script("find_keynote"), NEW + "|installed")

    def test_unexpected_arguments_are_refused_and_noted(self) -> None:
        self.plan(expect={"open_keynote": [NEW, None, "White"]})
        self.script("open_keynote", NEW, "always_new", "White")
        done = self.osascript(str(SCRIPTS / "open_keynote.applescript"), NEW, "always_new", "Black")
        self.assertEqual(done.returncode, 64)
        self.assertEqual(["unexpected" in call for call in self.calls()], [False, True])

    def test_without_a_folder_it_says_what_it_is(self) -> None:
        env = {key: value for key, value in os.environ.items() if key != "OSASCRIPT_DOUBLE"}
        done = subprocess.run([sys.executable, str(DOUBLE), "-e", "beep"], env=env, capture_output=True, text=True)
        self.assertEqual(done.returncode, 64)
        self.assertIn("test double", done.stderr)


class Helper(DoubleCase):
    def test_it_greets_and_answers_one_script_after_the_other(self) -> None:
        asked = [{"id": number, "text": f"-- find_keynote: x\n-- {number}", "args": []} for number in (1, 2)]
        done = self.osascript("--osa-helper", text="".join(json.dumps(line) + "\n" for line in asked))
        self.assertEqual([json.loads(line) for line in done.stdout.splitlines()], [
            {"perigee_osa": 1}, {"id": 1, "output": NEW + "|installed"}, {"id": 2, "output": NEW + "|installed"}])
        self.assertEqual([call["stdin"] for call in self.calls()], [line["text"] for line in asked])
        self.assertEqual(len((self.path / "helpers").read_text().splitlines()), 1)

    def test_failures_have_number_place_and_message(self) -> None:
        self.plan(answers=[{"fail": -1743}])
        done = self.osascript("--osa-helper", text=json.dumps({"id": 5, "text": "x", "args": []}) + "\n")
        self.assertEqual(json.loads(done.stdout.splitlines()[1]), {"id": 5, "error": {
            "number": -1743, "message": "Not authorized to send Apple events to Keynote.", "range": [120, 44],
            "compiling": False}})

    def test_every_number_that_the_runner_knows_has_a_message(self) -> None:
        source = (HERE.parent.parent / "src" / "platform" / "osascript" / "error.c").read_text()
        known = {int(number) for number in re.findall(r"^    \{ (-?\d+), ", source, re.M)}
        self.assertGreater(len(known), 25)
        self.assertEqual(known - set(osascript_double.MESSAGES), set())


if __name__ == "__main__":
    tap.main()
