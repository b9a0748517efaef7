#!/usr/bin/env python3
"""The Keynote tools with the helper that keeps AppleScript ready, played by the double of osascript."""

from __future__ import annotations

from mac_kit import MacCase, wait_until      # noqa: I001 - it sets the path for those below

import osascript_double
import server
import tap_unittest

FAILURES = (
    ({"fail": -1743}, "for ", "Privacy & Security > Automation"),
    ({"fail": -1712}, "a dialog may be open in it", "(-1712)"),
    ({"do": "syntax"}, "120:164: syntax error", "(-2741)"),
    ({"do": "lost"}, "Privacy & Security > Accessibility", "process"),
    ({"do": "silent"}, "the script gave no reason", ""),
)


class Helper(MacCase):
    def start(self, *arguments: str, **environment: str) -> server.Server:
        environment.setdefault("PERIGEE_OSA_HELPER", osascript_double.__file__)
        return super().start(*arguments, **environment)

    def helpers(self) -> int:
        return len((self.double.folder / "helpers").read_text().splitlines())

    def test_a_slide_is_drawn_by_one_helper(self) -> None:
        text = "it's \"quoted\" \u00ac \u4e16\u754c\nand `$(more)`"
        self.assertIn("KEYNOTE_READY", self.call("open_keynote"))
        self.draw()
        self.call("add_text_in_keynote", text=text)
        self.call("screenshot_slide", path=str(self.folder / "slide.png"))
        self.assertTrue((self.folder / "slide.png").exists())
        self.assertEqual(self.argv("add_text_in_keynote")[-1], text)
        self.assertEqual(self.texts(), [text])
        self.assertTrue(all(call["stdin"] and not call["file"] for call in self.double.calls()))
        self.assertEqual(self.helpers(), 1)

    def test_failures_are_those_of_osascript(self) -> None:
        self.draw()
        for answer, *parts in FAILURES:
            with self.subTest(answer):
                self.double.plan("get_slide_size", answer)
                said = self.fails("get_slide_size")
                for part in parts:
                    self.assertIn(part, said)
        self.assertEqual(self.helpers(), 1)

    def test_every_number_of_the_map_is_told(self) -> None:
        self.draw()
        for number in osascript_double.MESSAGES:
            if number in (-600, -609, -1728, -10814):       # tried again, or looked into
                continue
            with self.subTest(number):
                self.double.plan("get_slide_size", {"fail": number})
                self.assertIn(f"({number})", self.fails("get_slide_size"))

    def test_one_that_is_lost_is_replaced_by_another(self) -> None:
        self.draw()
        for count, what in enumerate(("die", "nonsense"), start=2):
            self.double.plan("get_slide_size", {"do": what})
            self.assertIn("the helper that runs scripts", self.fails("get_slide_size"))
            self.assertIn("width=1920", self.call("get_slide_size"))
            self.assertEqual(self.helpers(), count)

    def test_too_much_and_what_is_no_text(self) -> None:
        self.draw()
        self.double.plan("get_slide_size", {"do": "huge"})
        self.assertIn("printed more than 16 MB", self.fails("get_slide_size"))
        self.double.plan("get_slide_size", {"do": "invalid_utf8"})
        self.assertIn("sent an invalid answer", self.fails("get_slide_size"))

    def test_a_cancelled_call_ends_its_script(self) -> None:
        self.draw()
        self.double.plan("get_slide_size", {"do": "hang"})
        self.server.send({"jsonrpc": "2.0", "id": 77, "method": "tools/call",
                          "params": {"name": "get_slide_size", "arguments": {}}})
        wait_until(lambda: self.double.calls("get_slide_size"), "the script runs")
        self.server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}})
        wait_until(lambda: not self.double.is_running(), "the script was ended")
        self.assertIn("width=1920", self.call("get_slide_size"))
        self.assertEqual(self.helpers(), 2)


if __name__ == "__main__":
    tap_unittest.main()
