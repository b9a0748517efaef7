#!/usr/bin/env python3
"""The keynote tools over a real LibreOffice, mostly without a window: what they answer, and what the settings do."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from office_client import PYTHON, wait_until, why_no_window, why_not

import desktop
import server
import tap

WITHOUT_NOTE = r"^RECTANGLE_OK: (?!.*NOTE)"
ACCEPT = "perigee-test-{}"
SETTINGS = ("KEYNOTE_DOCUMENT_MODE", "KEYNOTE_THEME", "SCREENSHOT_PATH", "DISPLAY", "WAYLAND_DISPLAY")


class Kit(unittest.TestCase):
    display: dict[str, str] = {}        # variables by which a program finds its display

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-", ignore_cleanup_errors=True)     # an office may still end
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = None

    def start(self, *arguments: str, toolset: str = "keynote", **environment: str) -> server.Server:
        env = {name: "" for name in SETTINGS} | {"KEYNOTE_DRIVER": "impress", "XDG_STATE_HOME": str(self.folder / "state"),
                                                 "PERIGEE_PYTHON": PYTHON} | self.display | environment
        self.server = server.perigee("--toolset", toolset, *arguments, env=env)
        self.addCleanup(self.server.kill)
        self.server.initialize()
        return self.server

    def call(self, name: str, **arguments) -> str:
        result = (self.server or self.start()).call(name, arguments)["result"]
        text = "\n".join(block["text"] for block in result["content"])
        self.assertFalse(result.get("isError"), text)
        return text

    def draw(self) -> str:
        self.call("open_keynote")
        return self.call("draw_rectangle", x=10, y=10, width=300, height=100)

    # --- a LibreOffice of the user's ---

    def office_of_the_user(self, *more: str) -> subprocess.Popen:
        slides = self.folder / "mine.fodp"
        slides.write_text(FLAT, encoding="utf-8")
        env = {name: value for name, value in os.environ.items() if name not in SETTINGS} | self.display
        child = subprocess.Popen(["soffice", f"-env:UserInstallation={(self.folder / 'profile').as_uri()}",
                                  *([] if self.display else ["--headless"]), "--norestore", "--nologo", *more, str(slides)],
                                 env=env, start_new_session=True)
        self.addCleanup(child.wait)
        self.addCleanup(os.killpg, child.pid, 9)
        return child

    def ask(self, pipe: str, code: str) -> str:
        done = subprocess.run([PYTHON, "-c", ASK.format(pipe=pipe, code=code)], capture_output=True, text=True)
        return done.stdout.strip()

    def fails(self, name: str, **arguments) -> str:
        result = (self.server or self.start()).call(name, arguments)["result"]
        self.assertTrue(result.get("isError"), result)
        return result["content"][0]["text"]

    def programs(self, leader: int) -> str:
        return subprocess.run(["ps", "-o", "comm=", "-g", str(leader)], capture_output=True, text=True).stdout


@unittest.skipIf(why_not(), why_not())
class Driver(Kit):
    def test_the_document_of_a_screenshot_was_not_told_though_it_has_no_window(self) -> None:
        picture = self.folder / "talk.png"
        self.draw()
        self.assertEqual(self.call("screenshot_slide", path=str(picture)),
                         f"SCREENSHOT_SAVED: path={picture}\nNOTE: The document was saved as {self.folder}/talk.odp.")

    def test_the_picture_and_the_document_were_written_where_the_policy_denies_it(self) -> None:
        home = self.folder / "home"
        home.mkdir()
        (home / "policy.lua").write_text('return { rules = { { deny = "not there", effect = "file", paths = { under = "%s" } }, { deny = "no '
                                         'documents", effect = "file", paths = "*/no.odp" }, { allow = true } } }' % (self.folder / "denied"))
        self.start(PERIGEE_HOME=str(home))
        self.draw()
        for path, reason in (("denied/x.png", "not there"), ("no.png", "no documents"), ("other/../denied/x.png", "not there")):
            self.assertIn(reason, self.fails("screenshot_slide", path=str(self.folder / path)))
        self.assertEqual([str(each) for each in self.folder.rglob("*.[po][nd][gp]")], [])
        self.call("screenshot_slide", path=str(self.folder / "yes.png"))
        self.assertTrue((self.folder / "yes.png").exists())

    def test_screenshot_slide_tells_where_the_document_went_when_its_name_is_taken(self) -> None:
        picture, talk = self.folder / "talk.png", self.folder / "talk.odp"
        talk.write_text("mine")
        self.draw()
        said = self.call("screenshot_slide", path=str(picture))
        self.assertEqual(said, f"SCREENSHOT_SAVED: path={picture}\nNOTE: The document was saved as "
                               f"{self.folder}/talk-2.odp, because {talk} exists.")
        self.assertEqual(talk.read_text(), "mine")

    def test_screenshot_slide_replaced_a_file_that_is_not_an_image(self) -> None:
        notes = self.folder / "notes.png"
        notes.write_text("my notes")
        self.draw()
        self.assertEqual(self.fails("screenshot_slide", path=str(notes)),
                         f"ERROR: {notes} exists and is not an image. Choose another path.")
        self.assertEqual(notes.read_text(), "my notes")
        self.assertEqual(list(self.folder.glob("notes*")), [notes], "no document beside it either")

    def test_screenshot_slide_made_a_folder_while_no_presentation_was_open(self) -> None:
        self.assertEqual(self.fails("screenshot_slide", path=str(self.folder / "new" / "x.png")),
                         "ERROR: no presentation is open; call open_keynote first")
        self.assertFalse((self.folder / "new").exists())

    def test_the_first_rectangle_says_where_its_unseen_presentation_is_saved(self) -> None:
        said = self.draw()
        kept = pathlib.Path(re.search(r"NOTE: There is no display.* saved as (\S+)\.$", said)[1])
        self.assertRegex(self.call("draw_rectangle", x=10, y=200, width=300, height=100), WITHOUT_NOTE)
        self.server.kill()      # not even asked to end
        wait_until(kept.exists, f"{kept} is saved")

    def test_a_theme_that_impress_does_not_have_is_told(self) -> None:
        self.start(KEYNOTE_THEME="Gradient")
        said = self.call("open_keynote")
        self.assertTrue(said.startswith("KEYNOTE_READY_WITH_WARNING: slide=1,"), said)
        self.assertIn('KEYNOTE_THEME is "Gradient"', said)
        self.assertTrue(self.call("open_keynote").startswith("KEYNOTE_READY: "), "it reuses the presentation")

    def test_a_theme_may_be_a_template(self) -> None:
        template = self.folder / "template.fodp"
        template.write_text(FLAT, encoding="utf-8")
        self.start(KEYNOTE_THEME=str(template))
        self.assertTrue(self.call("open_keynote").startswith("KEYNOTE_READY: "))

    def test_a_template_that_is_not_there_left_no_presentation_at_all(self) -> None:
        self.start(KEYNOTE_THEME="/nowhere/x.otp")
        said = self.call("open_keynote")
        self.assertTrue(said.startswith("KEYNOTE_READY_WITH_WARNING: slide=1,"), said)
        self.assertIn('KEYNOTE_THEME is "/nowhere/x.otp", which was not used: ', said)

    def test_the_white_theme_is_what_impress_has(self) -> None:
        self.start(KEYNOTE_THEME="White")
        self.assertTrue(self.call("open_keynote").startswith("KEYNOTE_READY: "))

    def test_a_presentation_that_the_user_has_open_is_reused_where_it_listens(self) -> None:
        pipe = ACCEPT.format(os.getpid())
        child = self.office_of_the_user(f"--accept=pipe,name={pipe};urp;")
        wait_until(lambda: self.ask(pipe, "print(len(models))") == "1", "the user's presentation is open")
        self.start(KEYNOTE_DOCUMENT_MODE="reuse")
        self.assertTrue(self.call("open_keynote").startswith("KEYNOTE_READY: "))
        self.assertRegex(self.call("draw_rectangle", x=10, y=10, width=300, height=100), WITHOUT_NOTE)
        names = self.ask(pipe, "print([shape.Name for shape in models[0].DrawPages.getByIndex(0)])")
        self.assertRegex(names, r"'d[0-9a-f]{6}-r1'")
        self.server.kill()
        self.assertEqual(self.ask(pipe, "print(len(models))"), "1", "it goes on without the engine")
        self.assertIsNone(child.poll())

    def test_a_libreoffice_that_does_not_listen_is_told(self) -> None:
        child = self.office_of_the_user()
        wait_until(lambda: child.poll() is not None or "soffice.bin" in self.programs(child.pid), "it runs")
        self.start(KEYNOTE_DOCUMENT_MODE="reuse")
        said = self.call("open_keynote")
        self.assertIn("KEYNOTE_READY_WITH_WARNING", said)
        self.assertRegex(said, r"process \d+\) does not listen .* soffice --accept=")

    def test_the_log_has_the_answer_also_where_a_note_comes_with_it_and_what_the_helper_said(self) -> None:
        errors = self.folder / "log"
        self.start("--log-calls", PERIGEE_LOG_FILE=str(errors))
        self.draw()
        log = errors.read_text(encoding="utf-8")
        self.assertRegex(log, r"\[tool=draw_rectangle\] args=.* -> RECTANGLE_OK: id=\S+, .* \| NOTE: There is no display")
        self.assertRegex(log, r"LibreOffice helper: draw_rectangle -> \{.*\"handle\":")


@unittest.skipIf(why_no_window(), why_no_window())
class OnADisplay(Kit):
    def setUp(self) -> None:
        super().setUp()
        screen = desktop.Desktop((1280, 800))
        self.addCleanup(screen.stop)
        screen.start()
        self.display = {name: screen.env[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")}

    def test_an_impress_of_the_user_that_cannot_be_asked_was_passed_over_in_silence(self) -> None:
        self.office_of_the_user()
        self.start(toolset="keynote,desktop")
        wait_until(lambda: "mine.fodp" in self.call("list_windows"), "the user's presentation")
        said = self.call("open_keynote")
        self.assertTrue(said.startswith("KEYNOTE_READY_WITH_WARNING: slide=1,"), said)
        self.assertRegex(said, r"process \d+\) does not listen .* soffice --accept=")
        self.assertTrue(self.call("open_keynote").startswith("KEYNOTE_READY: "), "the new one is reused")


ASK = """
import os, uno
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
context = resolver.resolve("uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
models = [frame.Controller.Model for frame in desktop.Frames if frame.Controller and hasattr(frame.Controller, "Model")]
{code}
import sys; sys.stdout.flush(); os._exit(0)
"""

FLAT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.2"
 office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:body><office:presentation><draw:page draw:name="one"/></office:presentation></office:body>
</office:document>
"""


if __name__ == "__main__":
    tap.main()
