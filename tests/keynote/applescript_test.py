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

# What must not stand in a script: a name, and a pattern over lines of code, in which every string is "".
FAULTS = {
    "frontmost is read-only": r"\bset frontmost\b",
    "there is no slide size": r"\bslide size\b",
    "a list is printed, not a text": r"\breturn [a-z]\w{0,2} & ",
    "a theme by its translated name": r'\btheme "',
    "a variable, no slide is selected": r"\bset currentSlide\b",
    "an application by its name": r'\bapplication "',
    "shapes have no type": r"\bshape type\b",
    "shapes have no id": r"\bid of \w*[sS]hape|\bshape id\b|\bshape whose id\b",
    "no item can be selected": r"\bset selection\b|\bselect (new)?[sS]hape",
    "text in a shape has no alignment": r"\balignment\b",
    "PNG is no export format": r"\bas (PNG|JPEG|TIFF)\b",
    "slides is no export option": r"(?<!skipped )\bslides ?:",
    "resolution is no export option": r"\bresolution ?:",
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
                self.assertEqual(read(name).count('"com.apple.Keynote"'), 1)    # what a caller may exchange
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
    """The lines that failed on a Mac are found; if a pattern rots, this tells."""

    def assert_found(self, text: str, *names: str) -> None:
        self.assertEqual(faults_in(text), set(names))
        applescript.check(text)                 # their structure was never the problem

    def test_opening(self) -> None:
        self.assert_found("""
tell application "Keynote"
    activate
    set frontmost to true
    set d to make new document with properties {document theme:theme "White"}
    tell d
        set currentSlide to slide 1
        set s to slide size
    end tell
end tell
return w & "|" & h
""", "an application by its name", "frontmost is read-only", "a theme by its translated name",
                          "a variable, no slide is selected", "there is no slide size", "a list is printed, not a text")

    def test_drawing(self) -> None:
        self.assert_found("""
on run argv
    tell application "Keynote" to tell slide 1 of document 1
        set newShape to make new shape with properties {shape type:rectangle, position:{1, 2}}
        set theID to id of newShape
    end tell
    return theID
end run
""", "an application by its name", "shapes have no type", "shapes have no id")

    def test_writing(self) -> None:
        self.assert_found("""
set targetShape to (first shape whose id is theID)
tell object text of targetShape
    set alignment to center
end tell
""", "shapes have no id", "text in a shape has no alignment")

    def test_exporting(self) -> None:
        self.assert_found("""
set t to POSIX file "/tmp/slide.png"
export it to t as PNG with properties {slides:{1}, resolution:144}
""", "PNG is no export format", "slides is no export option", "resolution is no export option",
                          "an export goes to a folder")

    def test_other_temptations(self) -> None:
        self.assert_found('run script "return " & x', "text run as a script")
        self.assert_found('tell application "System Events" to delay 1', "an application by its name",
                          "another application is asked", "a fixed wait")
        self.assert_found("return (width as text)", "a number in the user's language")
        self.assert_found("set it to 5", "a reserved word as a name")


class Checker(unittest.TestCase):
    """The structural check itself."""

    def test_sound_scripts_pass(self) -> None:
        for text in ('set x to "a \\" b"', "tell app \"X\" to quit", "if a then b", "if a\nb\nend if",
                     "if a then\nelse if b then\nend", "(* a (* b *) c *)\nbeep", "-- \" '\nbeep # \"",
                     "tell x to tell y\nend tell", "on f(a)\nend f", "to g()\nend",
                     "repeat\nexit repeat\nend repeat", "try\non error m number n\nend try",
                     'set x to "two\nlines"\nbeep',
                     "with timeout of 5 seconds\nend timeout", "set |end if| to 1", "script s\nend script",
                     f"set x to {applescript.CONTINUES}\n  5", "tell x to if y then\nend if"):
            applescript.check(text)

    def test_unsound_scripts_are_refused_with_their_line(self) -> None:
        for text, line in (('beep\nset x to "abc', 2), ("(* open", 1), ("if a then\nend repeat", 2),
                           ("tell x\nbeep", 1), ("beep\nend", 2), ("else", 1), ("on error", 1), ("exit repeat", 1), ("set x to {1, (2}", 1),
                           ("set x to 5)", 1), ("repeat\nif a then exit repeat\nend if", 3), ("on f()\nend g", 2)):
            with self.subTest(text), self.assertRaises(applescript.StructureError) as caught:
                applescript.check(text)
            self.assertEqual(caught.exception.line, line, text)

    def test_strings_and_comments_are_no_code(self) -> None:
        (line,) = applescript.lines_of('set x to "end tell -- no" & "(*" -- end')
        self.assertEqual((line.code, line.strings), ('set x to "" & ""', ("end tell -- no", "(*")))


if __name__ == "__main__":
    tap.main()
