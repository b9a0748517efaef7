#!/usr/bin/env python3
"""The Keynote scripts, as far as they can be checked without a Mac: structure, contract, and known mistakes.

The mistakes are those of scripts that looked right and failed on a Mac: terms that are not in Keynote's dictionary,
identities that its shapes do not have, numbers that print differently in another language.
"""

from __future__ import annotations

import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "lua" / "scripts" / "keynote"
sys.path.insert(0, str(HERE.parent / "lib"))

import applescript  # noqa: E402
import tap  # noqa: E402

NAMES = ("find_keynote", "open_keynote", "get_slide_size", "draw_rectangle", "add_text_in_keynote", "export_slide_png")
TERMS = 'using terms from application id "com.apple.Keynote"'

# Faults that no script may have: a name, and a pattern over lines of code, in which every string is "".
FAULTS = {
    "a theme by its translated name": r'\btheme "',
    "an application by its name": r'\bapplication "',
    "no item can be selected": r"\bset selection\b|\bselect (new)?[sS]hape",
    "an export goes to a folder": r"\bexport\b(?!.* as slide images)",
    "text run as a script": r"\brun script\b|\bdo shell script\b|\bload script\b",
    "a fixed wait": r"\bdelay\b",
    "a number in the user's language": r"\b(width|height|X|Y|Width|Height) as (text|string)\b",
    "a reserved word as a name": r"\bset (th|st|nd|rd|it|me|before|after|front|back|result|every|some) to\b",
}
FAULTS_IN_STRINGS = {
    "an export goes to a folder": r"\.png$",
    "another application is asked": r"^(System Events|Finder)$",
}
RECORD_KEYS = {"document theme", "width", "height", "position", "image format", "skipped slides"}
COERCIONS = {"text", "integer", "list", "slide images"}


def written_out(line: applescript.Line) -> str:
    """A line's code with its strings in their places again."""
    strings = iter(line.strings)
    return re.sub('""', lambda _: f'"{next(strings)}"', line.code)


def faults_in(text: str) -> set[str]:
    lines = applescript.lines_of(text)
    found = {name for name, pattern in FAULTS.items() if any(re.search(pattern, line.code) for line in lines)}
    strings = [string for line in lines for string in line.strings]
    return found | {name for name, pattern in FAULTS_IN_STRINGS.items()
                    if any(re.search(pattern, string) for string in strings)}


def read(name: str) -> str:
    return (SCRIPTS / f"{name}.applescript").read_text(encoding="ascii")


class Structure(unittest.TestCase):
    def test_every_script_is_sound_and_free_of_known_faults(self) -> None:
        self.assertEqual(sorted(path.stem for path in SCRIPTS.glob("*.applescript")), sorted(NAMES))
        for name in NAMES:
            with self.subTest(name):
                applescript.check(read(name))
                self.assertEqual(faults_in(read(name)), set())
                self.assertEqual(applescript.warnings(read(name)), set())

    def test_every_script_says_what_it_takes_and_prints(self) -> None:
        for name in NAMES:
            with self.subTest(name):
                head = read(name).split("\n\non run argv\n")[0]
                self.assertTrue(head.startswith(f"-- {name}: "))
                self.assertTrue(all(line.startswith("--") for line in head.splitlines()))
                for word in ("argv:", "prints:", "errors:"):
                    self.assertIn(f"-- {word}", head)

    def test_arguments_are_counted_as_the_head_names_them(self) -> None:
        for name in NAMES[1:]:
            with self.subTest(name):
                counted = r"\(count of argv\) is not (\d+) then error \"\w+ takes ([^\"]+)\""
                wanted, listed = re.search(counted, read(name)).groups()
                self.assertEqual(len(listed.split(", ")), int(wanted))
                used = {int(n) for n in re.findall(r"item (\d+) of argv", read(name))}
                used |= {n for a, b in re.findall(r"repeat with i from (\d) to (\d)\n\s+set end of oldBox", read(name))
                         for n in range(int(a), int(b) + 1)}
                self.assertEqual(used, set(range(1, int(wanted) + 1)))

    def test_the_application_is_chosen_at_run_time_and_the_dictionary_in_one_place(self) -> None:
        for name in NAMES[1:]:
            with self.subTest(name):
                lines = [written_out(line) for line in applescript.check(read(name))]
                self.assertEqual(lines.count(TERMS), 1)
                self.assertEqual(read(name).count('"com.apple.Keynote"'), 1)    # the caller may replace it
                tells = [line for line in lines if line.startswith("tell application")]
                self.assertEqual(tells, ["tell application id bundleId"])
        finder = [written_out(line) for line in applescript.check(read("find_keynote"))]
        self.assertFalse([line for line in finder if line.startswith(("tell ", "using terms"))])

    def test_every_event_has_a_time_limit(self) -> None:
        for name in NAMES[1:]:
            with self.subTest(name):
                lines = [line.code for line in applescript.check(read(name))]
                limits = [int(line.split()[3]) for line in lines if line.startswith("with timeout of ")]
                self.assertLess(lines.index(next(x for x in lines if x.startswith("with timeout"))),
                                lines.index("tell application id bundleId"))
                said = int(re.search(r"up to (\d+)\s+seconds", read(name).replace("\n-- ", " "))[1])
                self.assertEqual(sum(limits), said)

    def test_records_and_coercions_use_terms_of_the_dictionary(self) -> None:
        for name in NAMES:
            for line in applescript.check(read(name)):
                for key in re.findall(r"[{,] ?([a-z][a-z ]*?):", line.code):
                    self.assertIn(key, RECORD_KEYS, f"{name}:{line.number}")
                for kind in re.findall(r"\bas ([a-z]+(?: images)?)", line.code):
                    self.assertIn(kind, COERCIONS, f"{name}:{line.number}")

    def test_numbers_are_printed_by_one_handler_in_all_scripts(self) -> None:
        bodies = {re.search(r"-- With a point.*end numberText\n", read(name), re.S)[0] for name in NAMES[1:5]}
        self.assertEqual(len(bodies), 1)

    def test_skipped_flags_are_restored_after_a_failed_export(self) -> None:
        lines = [line.code for line in applescript.check(read("export_slide_png"))]
        export = next(i for i, line in enumerate(lines) if line.startswith("export "))
        caught = next(i for i, line in enumerate(lines) if i > export and line.startswith("on error"))
        restored = next(i for i, line in enumerate(lines) if "to (item i of skippedBefore)" in line)
        self.assertLess(export, caught)
        self.assertLess(caught, restored)
        self.assertLess(restored, lines.index("if failNumber is not 0 then error failText number failNumber"))


class KnownMistakes(unittest.TestCase):
    """The lines that failed on a Mac are found; if a pattern rots, this tells. What a dictionary tells is tested in
    tests/lua/applescript_terms_test.lua."""

    def assert_found(self, text: str, *names: str) -> None:
        self.assertEqual(faults_in(text), set(names))
        applescript.check(text)                 # their structure was never the problem

    def test_opening(self) -> None:
        self.assert_found("""
tell application "Keynote"
    set d to make new document with properties {document theme:theme "White"}
end tell
""", "an application by its name", "a theme by its translated name")

    def test_selecting(self) -> None:
        self.assert_found("set selection to newShape", "no item can be selected")

    def test_exporting(self) -> None:
        self.assert_found("""
set t to POSIX file "/tmp/slide.png"
export it to t as PNG
""", "an export goes to a folder")

    def test_other_temptations(self) -> None:
        self.assert_found('run script "return " & x', "text run as a script")
        self.assert_found('tell application "System Events" to delay 1', "an application by its name",
                          "another application is asked", "a fixed wait")
        self.assert_found("return (width as text)", "a number in the user's language")
        self.assert_found("set it to 5", "a reserved word as a name")


if __name__ == "__main__":
    tap.main()
