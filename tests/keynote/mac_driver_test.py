#!/usr/bin/env python3
"""The Keynote driver and the five tools over it, with a test double of osascript: no line of AppleScript runs here.

What these tests hold: what goes to osascript, byte for byte, and what becomes of everything it can answer.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from mac_kit import BOX, HANDLE, TOP, Double, MacCase, wait_until

import png
import server
import tap

OLD = "com.apple.iWork.Keynote"
BLUE = (0, 162, 255)


class WholePath(MacCase):
    def test_five_tools_answer_in_the_grammar(self) -> None:
        self.assertEqual(self.call("open_keynote"), "KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080")
        self.assertEqual(self.call("get_slide_size"), "SLIDE_SIZE: width=1920, height=1080")
        drawn = self.call("draw_rectangle", **BOX)
        self.assertRegex(drawn, rf"^RECTANGLE_OK: id={HANDLE}, x=384, y=378, width=1152, height=324$")
        handle = re.search(r"id=([^,]+),", drawn)[1]
        text = self.call("add_text_in_keynote", text="Hello from MCP on macOS.")
        self.assertEqual(text, f"TEXT_OK: id={handle}, characters=24")
        path = str(self.folder / "new" / "folders" / "slide.png")
        self.assertEqual(self.call("screenshot_slide", path=path), f"SCREENSHOT_SAVED: path={path}")
        picture = png.decode(pathlib.Path(path).read_bytes())
        self.assertEqual(picture.bounds(BLUE, 0), (38, 38, 152, 69))
        self.assertEqual(os.listdir(os.path.dirname(path)), ["slide.png"])
        document = self.argv("get_slide_size")[1]
        self.assertEqual([(c["script"], c["argv"][1:-1] + ["..."] * (c["script"] == "export_slide_png"))
                          for c in self.double.calls()[1:] if c["script"] != "open_keynote"], [
            ("get_slide_size", []),
            ("draw_rectangle", [document, "384", "378", "1152"]),
            ("add_text_in_keynote", [document, "1", "384", "378", "1152", "324"]),
            ("export_slide_png", [document, "1", "..."])])

    def test_keynote_is_looked_for_once(self) -> None:
        self.draw()
        self.call("add_text_in_keynote", text="x")
        self.assertEqual([c["script"] for c in self.double.calls()],
                         ["find_keynote", "open_keynote", "draw_rectangle", "add_text_in_keynote"])
        self.assertTrue(all(c["argv"][0] == "com.apple.Keynote" for c in self.double.calls()[1:]))

    def test_scripts_run_as_files_with_their_own_terms(self) -> None:
        self.draw()
        self.assertTrue(all(c["file"].endswith(f"/scripts/keynote/{c['script']}.applescript")
                            for c in self.double.calls()))

    def test_an_older_keynote_gets_its_own_terms_by_stdin(self) -> None:
        with self.double.model() as model:
            model["installed"] = [OLD]
        self.draw()
        opened, drawn = self.double.calls()[1:]
        for call in (opened, drawn):
            self.assertEqual((call["argv"][0], call["terms"], call["file"]), (OLD, OLD, ""))

    def test_of_two_the_running_one_is_taken(self) -> None:
        with self.double.model() as model:
            model["installed"], model["running"] = [OLD, "com.apple.Keynote"], [OLD]
        self.call("open_keynote")
        self.assertEqual(self.argv("open_keynote")[0], OLD)

    def test_mode_and_theme_come_from_the_environment(self) -> None:
        self.start(KEYNOTE_DOCUMENT_MODE="always_new", KEYNOTE_THEME='No "such" theme')
        line = "slide=1, slide_width=1920, slide_height=1080"
        answer = self.call("open_keynote")
        self.assertEqual(answer, f'KEYNOTE_READY_WITH_WARNING: {line}, note=The theme No "such" theme was not found; '
                                 "the default theme is used.")
        self.assertEqual(self.argv("open_keynote")[1:], ["always_new", 'No "such" theme'])
        self.call("open_keynote")
        with self.double.model() as model:
            self.assertEqual(len(model["documents"]), 2)

    def test_a_document_is_reused_and_white_is_the_theme(self) -> None:
        self.call("open_keynote")
        self.call("open_keynote")
        self.assertEqual(self.argv("open_keynote")[1:], ["reuse_or_create", "White"])
        with self.double.model() as model:
            self.assertEqual(len(model["documents"]), 1)

    def test_a_second_rectangle_is_the_one_that_is_written_in(self) -> None:
        self.draw()
        self.call("draw_rectangle", x=0, y=0, width=10, height=10)
        self.call("add_text_in_keynote", text="second")
        self.assertEqual(self.texts(), ["", "second"])

    def test_calls_at_the_same_time_come_one_after_the_other(self) -> None:
        self.draw()
        self.double.plan("draw_rectangle", *[{"slow": 0.1}] * 3)
        wanted = [self.server.post("tools/call", {"name": "draw_rectangle", "arguments": dict(BOX, x=x)}) for x in (1, 2, 3)]
        for number in wanted:
            self.assertNotIn("isError", self.server.answer(number)["result"])
        self.assertEqual([call["argv"][2] for call in self.double.calls("draw_rectangle")], ["384", "1", "2", "3"])


class Numbers(MacCase):
    """As AppleScript prints them in one language or another, though our scripts print them with a point."""

    def settle(self, width: str, *box: str) -> None:
        self.double.plan("open_keynote", {"text": f"D-1|{width}|768|"})
        self.double.plan("draw_rectangle", {"text": "|".join(["7", *box])})
        self.double.plan("add_text_in_keynote", {"text": "1"})
        self.assertEqual(self.call("open_keynote"), "KEYNOTE_READY: slide=1, slide_width=1024, slide_height=768")
        drawn = self.call("draw_rectangle", x=101, y=100, width=794, height=64)
        self.assertRegex(drawn, rf"^RECTANGLE_OK: id={HANDLE}, x=100.5, y=100, width=793.7, height=64$")
        self.call("add_text_in_keynote", text="x")
        self.assertEqual(self.argv("add_text_in_keynote")[1:7], ["D-1", "7", *box])     # as it was printed

    def test_with_a_point(self) -> None:
        self.settle("1024", "100.5", "100", "793.7", "64")

    def test_with_a_comma(self) -> None:
        self.settle("1024,0", "100,5", "100,0", "793,7", "64,0")

    def test_with_an_exponent(self) -> None:
        self.settle("1.024E+3", "1.005E+2", "1.0E+2", "7.937E+2", "6.4E+1")

    def test_with_both(self) -> None:
        self.settle("1,024E+3", "1,005E+2", "1,0E+2", "7,937E+2", "6,4E+1")

    def test_a_rectangle_put_elsewhere_is_told(self) -> None:
        self.call("open_keynote")
        self.double.plan("draw_rectangle", {"text": "1|-5|378|1152|324"})
        drawn = self.call("draw_rectangle", **BOX)
        self.assertIn("\nNOTE: Keynote drew the rectangle with another position", drawn)
        line, note = self.blocks    # the line of the grammar is alone
        self.assertRegex(line, r"^RECTANGLE_OK: id=[^,\n]+, x=-5, y=378, width=1152, height=324$")
        self.assertTrue(note.startswith("NOTE: "), note)

    def test_odd_boxes_go_through(self) -> None:
        self.call("open_keynote")
        self.assertIn("x=-100, y=5000", self.call("draw_rectangle", x=-100, y=5000, width=1, height=100000))
        self.assertEqual(self.argv("draw_rectangle")[2:], ["-100", "5000", "1", "100000"])
        for width, height in ((0, 10), (10, 0), (-1, 10)):
            self.assertIn("above 0", self.fails("draw_rectangle", x=1, y=1, width=width, height=height))
        self.assertEqual(len(self.double.calls("draw_rectangle")), 1)


class Text(MacCase):
    def write(self, text: str, expected: str | None = None) -> None:
        expected = text if expected is None else expected
        answer = self.call("add_text_in_keynote", text=text)
        self.assertTrue(answer.endswith(f", characters={len(expected)}"), answer)
        self.assertEqual(self.argv("add_text_in_keynote")[-1], expected)
        self.assertEqual(self.texts()[-1], expected)

    def test_text_arrives_verbatim(self) -> None:
        self.draw()
        for text in ('He said "hi" and \'bye\' \\ \\n', "one\ntwo\n\nthree\t.", "\U0001F469\u200D\U0001F680 \U0001F1E9\U0001F1EA e\u0301",
                     "\u4f60\u597d\uff0c\u4e16\u754c \u3053\u3093\u306b\u3061\u306f \uc548\ub155", "", " ", "-e", "--", "-", "$HOME `id` %s %n {} $(id)",
                     "\u00ab\u00acclass furl\u00bb \u202e", "a\x01\x1b\x7f"):
            with self.subTest(text):
                self.write(text)

    def test_both_bars_are_one(self) -> None:
        self.draw()
        self.write("a\u00a6b|c", "a|b|c")

    def test_ten_thousand_characters(self) -> None:
        self.draw()
        self.write(("The quick brown fox \U0001F98A. " * 500)[:10_000])

    def test_what_looks_like_a_script_stays_a_text(self) -> None:
        self.draw()
        before = len(self.double.calls())
        marker = self.folder / "ran"
        for text in (f'" & do shell script "touch {marker}" & "', f'"\nend tell\ndo shell script "touch {marker}"\n',
                     f"'; touch {marker}; '", 'using terms from application id "com.evil"'):
            self.write(text)
        self.assertFalse(marker.exists())
        self.assertEqual({c["script"] for c in self.double.calls()[before:]}, {"add_text_in_keynote"})

    def test_a_text_is_no_script_for_an_older_keynote_either(self) -> None:
        with self.double.model() as model:
            model["installed"] = [OLD]
        self.draw()
        self.write('using terms from application id "com.apple.Keynote"')

    def test_a_nul_is_refused(self) -> None:
        self.draw()
        self.assertIn("NUL", self.fails("add_text_in_keynote", text="a\0b"))

    def test_a_text_that_was_cut_is_told(self) -> None:
        self.draw()
        self.double.plan("add_text_in_keynote", {"text": "3"})
        self.assertIn("characters=3\nNOTE: Keynote shows 3 of the text's 5 characters.", self.call("add_text_in_keynote", text="abcde"))


class Pictures(MacCase):
    def test_a_picture_takes_the_place_of_an_older_one(self) -> None:
        self.draw()
        path = self.folder / "it's a \"slide\" \u4e16.PNG"
        path.write_bytes(png.SIGNATURE + b"old")
        self.assertEqual(self.call("screenshot_slide", path=str(path)), f"SCREENSHOT_SAVED: path={path}")
        self.assertTrue(path.read_bytes().startswith(png.SIGNATURE))

    def test_without_a_path_the_setting_says_where(self) -> None:
        path = str(self.folder / "default.png")
        self.start(SCREENSHOT_PATH=path)
        self.draw()
        self.assertEqual(self.call("screenshot_slide"), f"SCREENSHOT_SAVED: path={path}")

    def test_a_setting_of_the_working_directory_replaced_an_image_that_nobody_granted(self) -> None:
        """Its .env may be a stranger's. The policy here keeps the test from writing the usual path."""
        project, home, mine = (self.folder / name for name in ("project", "home", "mine.png"))
        for folder in (project, home):
            folder.mkdir()
        mine.write_bytes(png.SIGNATURE + b"mine")
        (home / "policy.lua").write_text('return { rules = { { deny = "not the usual path", effect = "file", paths = "/tmp/mcp_keynote_slide.png" }, '
                                         '{ allow = true } } }')
        for path, grants in ((mine, ()), (project / "slide.png", ()), (project / ".." / "mine.png", ("--grant", str(project)))):
            with self.subTest(path):
                (project / ".env").write_text(f"SCREENSHOT_PATH={path}\n")
                self.start(*grants, cwd=project, PERIGEE_HOME=str(home), unset="SCREENSHOT_PATH")
                self.draw()
                self.assertIn("not the usual path", self.fails("screenshot_slide"))
                self.assertEqual(mine.read_bytes(), png.SIGNATURE + b"mine")
                self.stop()
        (project / ".env").write_text(f"SCREENSHOT_PATH={project}/slide.png\n")
        self.start("--grant", str(project), cwd=project, PERIGEE_HOME=str(home), unset="SCREENSHOT_PATH")
        self.draw()
        self.assertEqual(self.call("screenshot_slide"), f"SCREENSHOT_SAVED: path={project}/slide.png")

    def test_bad_paths_are_refused_before_keynote_is_asked(self) -> None:
        self.draw()
        (self.folder / "file").write_text("")
        for path, why in (("slide.png", "not absolute"), (str(self.folder), "is a directory"), (f"{self.folder}/a/", "is a directory"),
                          (f"{self.folder}/file/slide.png", "cannot be created"), ("/dev/null/x/y.png", "cannot be created"),
                          (f"{self.folder}/notes.txt", "does not end in .png")):
            with self.subTest(path):
                self.assertIn(why, self.fails("screenshot_slide", path=path))
        self.assertEqual(self.double.calls("export_slide_png"), [])

    def test_an_export_without_a_picture_is_an_error(self) -> None:
        self.draw()
        path = self.folder / "slide.png"
        self.double.plan("export_slide_png", {"text": "/somewhere"})
        self.assertIn("wrote 0 images", self.fails("screenshot_slide", path=str(path)))
        self.assertFalse(path.exists())

    def test_an_export_that_the_sandbox_refuses_goes_by_keynotes_container(self) -> None:
        container = self.folder / "home/Library/Containers/com.apple.Keynote/Data/tmp"
        container.mkdir(parents=True)
        self.start(HOME=str(self.folder / "home"))
        self.draw()
        path = self.folder / "slide.png"
        self.double.plan("export_slide_png", {"fail": -10004})
        self.assertEqual(self.call("screenshot_slide", path=str(path)), f"SCREENSHOT_SAVED: path={path}")
        self.assertTrue(path.read_bytes().startswith(png.SIGNATURE))
        self.assertTrue(self.argv("export_slide_png")[-1].startswith(str(container)))
        self.assertEqual(list(container.iterdir()), [])

    def test_an_old_picture_outlives_a_failed_export(self) -> None:
        self.draw()
        path = self.folder / "slide.png"
        path.write_bytes(png.SIGNATURE + b"old")
        self.double.plan("export_slide_png", {"fail": -10000})
        self.fails("screenshot_slide", path=str(path))
        self.assertEqual(path.read_bytes(), png.SIGNATURE + b"old")


class Failures(MacCase):
    # the plan for osascript, the code, a part of the message
    ROWS = (
        ({"fail": -1743}, "PERMISSION_DENIED_AUTOMATION", "System Settings > Privacy & Security > Automation"),
        ({"fail": -1744}, "permission_prompt_needed", "Run it once while a user is at the screen, and answer the dialog"),
        ({"fail": -1712}, "timeout", "a dialog may be open in it"),
        ({"fail": -1728}, "not_found", "(-1728)"),
        ({"fail": -1719}, "not_found", "(-1719)"),
        ({"do": "lost"}, "PERMISSION_DENIED_ACCESSIBILITY", "System Settings > Privacy & Security > Accessibility"),
        ({"do": "syntax"}, "script_invalid", "syntax error"),
        ({"fail": -128}, "cancelled", "User canceled"),
        ({"fail": -10000}, "event_failed", "(-10000)"),
        ({"fail": -10006}, "read_only", "(-10006)"),
    )

    def test_each_number_has_its_sentence(self) -> None:
        self.draw()
        for answer, _, sentence in self.ROWS:
            with self.subTest(answer):
                self.double.plan("get_slide_size", answer)
                before = len(self.double.calls("get_slide_size"))
                self.assertIn(sentence, self.fails("get_slide_size"))
                self.assertEqual(len(self.double.calls("get_slide_size")), before + 1, "tried again")

    def test_folders_are_not_shown(self) -> None:
        self.double.plan("open_keynote", {"fail": -1743})
        self.assertTrue(self.fails("open_keynote").startswith("ERROR: open_keynote.applescript:120:164: execution error: Not"))

    def test_a_failure_without_words(self) -> None:
        self.double.plan("open_keynote", {"do": "silent"}, {"do": "die"})
        self.assertIn("failed without a message", self.fails("open_keynote"))
        self.assertIn("ended by signal 9", self.fails("open_keynote"))

    def test_answers_that_are_none(self) -> None:
        self.call("open_keynote")
        texts = "", "1920, |, 1080", "a|b|c", "a|0x10|1", "a|nan|1", "a|1|", "a|1|2|3", "a|1E|2", "a|1 2|3", "x" * 100_000
        for answer in (*({"text": text} for text in texts), {"do": "invalid_utf8"}):
            with self.subTest(str(answer)[:80]):
                self.double.plan("get_slide_size", answer)
                text = self.fails("get_slide_size")
                self.assertIn("Keynote's reply to get_slide_size cannot be parsed", text)
                self.assertLess(len(text), 300)

    def test_more_than_osascript_may_say(self) -> None:
        self.double.plan("open_keynote", {"do": "huge"})
        self.assertIn("printed more than 16 MB", self.fails("open_keynote"))

    def test_keynote_that_is_not_there(self) -> None:
        with self.double.model() as model:
            model["installed"] = []
        self.assertEqual(self.fails("open_keynote"), "ERROR: Keynote is not installed. Install it from the App Store.")

    def test_another_keynote_is_found_when_the_first_is_gone(self) -> None:
        self.call("open_keynote")
        with self.double.model() as model:
            model["installed"], model["running"] = [OLD], []
        self.call("open_keynote")
        self.assertEqual(self.argv("open_keynote")[0], OLD)
        self.assertEqual(len(self.double.calls("find_keynote")), 2)

    def test_osascript_that_is_not_there(self) -> None:
        self.start(PERIGEE_OSASCRIPT="/nowhere/osascript")
        self.assertIn("AppleScript works on macOS only", self.fails("open_keynote"))

    def test_keynote_that_quits_is_started_once_more(self) -> None:
        for number in (-600, -609):
            self.double.plan("open_keynote", {"fail": number})
            self.call("open_keynote")
        self.assertEqual(len(self.double.calls("open_keynote")), 4)

    def test_and_only_once(self) -> None:
        self.double.plan("open_keynote", {"fail": -600}, {"fail": -609})
        self.assertIn("Open the application", self.fails("open_keynote"))
        self.assertEqual(len(self.double.calls("open_keynote")), 2)

    def test_a_document_that_went_with_keynote_is_told(self) -> None:
        self.draw()
        with self.double.model() as model:
            model["running"], model["documents"] = [], []
        self.double.plan("draw_rectangle", {"fail": -609})
        self.assertIn("Call open_keynote, then draw again", self.fails("draw_rectangle", **BOX))
        self.assertIn("Call open_keynote first", self.fails("draw_rectangle", **BOX))
        self.draw()

    def test_a_cancelled_call_takes_its_osascript_along(self) -> None:
        self.call("open_keynote")
        self.double.plan("get_slide_size", {"do": "hang"})
        number = self.server.post("tools/call", {"name": "get_slide_size", "arguments": {}})
        wait_until(lambda: self.double.calls("get_slide_size"), "the call is under way")
        self.server.notify("notifications/cancelled", {"requestId": number})
        wait_until(lambda: not self.double.is_running(), "osascript ends")
        self.assertEqual(self.call("get_slide_size"), "SLIDE_SIZE: width=1920, height=1080")

    def test_what_a_cancelled_export_leaves_goes_with_the_next(self) -> None:
        self.draw()
        self.double.plan("export_slide_png", {"do": "hang"})
        path = str(self.folder / "slide.png")
        number = self.server.post("tools/call", {"name": "screenshot_slide", "arguments": {"path": path}})
        wait_until(lambda: self.double.calls("export_slide_png"), "the export is under way")
        self.server.notify("notifications/cancelled", {"requestId": number})
        self.call("screenshot_slide", path=path)
        self.assertEqual(list(self.temporary.iterdir()), [])


class State(MacCase):
    def test_without_a_rectangle(self) -> None:
        self.assertEqual(self.fails("add_text_in_keynote", text="x"),
                         "ERROR: No rectangle context. Call draw_rectangle first.")
        self.call("open_keynote")
        self.fails("add_text_in_keynote", text="x")
        self.assertEqual(self.double.calls("add_text_in_keynote"), [])

    def test_before_anything_is_open(self) -> None:
        self.assertEqual(self.fails("draw_rectangle", **BOX), "ERROR: No presentation is open yet. Call open_keynote first.")
        self.assertEqual(self.fails("screenshot_slide", path="/nowhere/x.png"),
                         "ERROR: No presentation is open yet. Call open_keynote first.")
        self.assertEqual(self.fails("get_slide_size"), "ERROR: No presentation is open yet. Call open_keynote first.")

    def test_a_document_closed_by_the_user(self) -> None:
        for tool, arguments in (("get_slide_size", {}), ("draw_rectangle", BOX), ("add_text_in_keynote", {"text": "x"}),
                                ("screenshot_slide", {"path": str(self.folder / "x.png")})):
            with self.subTest(tool):
                self.draw()
                with self.double.model() as model:
                    model["documents"] = []
                self.assertEqual(self.fails(tool, **arguments), "ERROR: The document is no longer open in Keynote. "
                                                                "Call open_keynote, then draw again.")
                self.assertIn("No rectangle context", self.fails("add_text_in_keynote", text="x"))

    def test_nothing_is_drawn_in_another_document(self) -> None:
        self.draw()
        with self.double.model() as model:
            model["documents"][0]["id"] = "another"
        for _ in range(2):
            self.fails("draw_rectangle", **BOX)
        self.assertEqual(self.texts(), [""])

    def test_a_rectangle_that_was_deleted_or_moved(self) -> None:
        self.draw()
        with self.double.model() as model:
            model["documents"][0]["slides"][0]["shapes"].pop()
        self.assertEqual(self.fails("add_text_in_keynote", text="x"), "ERROR: The rectangle is gone. Call draw_rectangle again.")
        self.call("draw_rectangle", **BOX)
        with self.double.model() as model:
            model["documents"][0]["slides"][0]["shapes"][-1]["box"][0] = 7
        self.assertEqual(self.fails("add_text_in_keynote", text="x"),
                         "ERROR: The rectangle was moved or is gone. Call draw_rectangle again.")
        self.assertEqual(self.texts(), [""])

    def test_a_rectangle_whose_number_changed_is_found_by_its_box(self) -> None:
        self.draw()
        with self.double.model() as model:
            model["documents"][0]["slides"][0]["shapes"].insert(0, {"box": [0, 0, 5, 5], "text": ""})
        self.call("add_text_in_keynote", text="mine")
        self.assertEqual(self.texts(), ["", "mine"])

    def test_a_reload_forgets_nothing(self) -> None:
        root = self.folder / "root"
        (root / "tools" / "keynote").mkdir(parents=True)
        self.start("--root", str(root))
        self.draw()
        shipped = (TOP / "lua" / "tools" / "keynote" / "add_text_in_keynote.lua").read_text()
        (root / "tools" / "keynote" / "add_text_in_keynote.lua").write_text(shipped.replace('"TEXT_OK: ', '"RELOADED: '))
        wait_until(lambda: "RELOADED" in self.call("add_text_in_keynote", text="x"), "the new tool answers")
        self.assertEqual(self.call("get_slide_size"), "SLIDE_SIZE: width=1920, height=1080")
        self.assertEqual(len(self.double.calls("find_keynote")), 1)

    def test_drivers_are_not_mixed(self) -> None:
        self.start(KEYNOTE_DRIVER="impress", PERIGEE_PYTHON="/nowhere/python3")
        self.assertIn("LibreOffice", self.fails("open_keynote"))
        self.assertFalse((self.double.folder / "calls.jsonl").exists())

    def test_a_driver_nobody_knows(self) -> None:
        self.start(KEYNOTE_DRIVER="powerpoint")
        self.assertIn('Set it to "keynote" or "impress"', self.fails("open_keynote"))


class CommandLine(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.double = Double(self.folder / "double")
        self.env = {name: value for name, value in os.environ.items()
                    if not re.search(r"_API_KEY$|^(OLLAMA|OPENAI|MODEL|KEYNOTE)", name)}
        self.env.update(self.double.env, PERIGEE_HOME=str(self.folder / "home"), XDG_STATE_HOME=str(self.folder / "state"),
                        PERIGEE_LUA=str(TOP / "lua"), TMPDIR=str(self.folder), NO_COLOR="1")

    def run_perigee(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([server.PERIGEE, *words], env=self.env, cwd=self.folder, capture_output=True, text=True,
                              timeout=3 * server.GUARD, check=False)

    def test_each_failure_has_its_code(self) -> None:
        for answer, code, _ in (*Failures.ROWS, ({"fail": -600}, "app_not_running", ""), ({"fail": -10814}, "app_not_found", "")):
            with self.subTest(answer):
                self.double.plan("open_keynote", answer, answer)
                done = self.run_perigee("run", "-e", "local e = require 'sys.engine' return e.call('open_keynote', {}).code")
                self.assertEqual(done.stdout.strip(), code, done.stderr)
                self.double.plan_nothing()

    def test_the_offline_agent_draws_through_the_server(self) -> None:
        done = self.run_perigee("agent", "--model", "offline", 'Create a rectangle in Keynote slide 1 and write this exact '
                                'text inside it: Hello from MCP on macOS.')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("FINAL_ANSWER: [done]", done.stdout + done.stderr)
        calls = [call for call in self.double.calls() if call["script"] != "find_keynote"]
        self.assertEqual([call["script"] for call in calls], ["open_keynote", "draw_rectangle", "add_text_in_keynote"])
        self.assertEqual(calls[1]["argv"][2:], ["384", "378", "1152", "324"])
        self.assertEqual(calls[2]["argv"][-1], "Hello from MCP on macOS.")
        with self.double.model() as model:
            self.assertEqual(model["documents"][0]["slides"][0]["shapes"][-1], {"box": list(BOX.values()), "text": "Hello from MCP on macOS."})


if __name__ == "__main__":
    tap.main()
