#!/usr/bin/env python3
"""office.py against a real LibreOffice without a window: the whole path, odd input, and what is in the files."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import unittest
import zipfile

from office_client import Office, why_not

import png
import tap

BLUE, WHITE = (0x1F, 0x5F, 0xA6), (255, 255, 255)
FOX = ("The quick brown fox jumps over the lazy dog. " * 300)[:10_000]


FOLDER = tempfile.TemporaryDirectory(prefix="perigee-test-")


@unittest.skipIf(why_not(), why_not())
class ImpressCase(unittest.TestCase):
    """One office for the class; a new presentation for each case."""

    path = pathlib.Path(FOLDER.name)

    @classmethod
    def setUpClass(cls) -> None:
        cls.office = Office(cls.path / "state")     # the profile is warm from the second class on

    @classmethod
    def tearDownClass(cls) -> None:
        code = cls.office.end()
        assert code == 0, cls.office.log

    def setUp(self) -> None:
        self.slide = self.office.call("open", mode="always_new")
        self.document = self.slide["document"]

    def tearDown(self) -> None:
        self.office.call("close", document=self.document)

    def draw(self, x=100, y=80, width=300, height=150, **more):
        return self.office.call("draw_rectangle", x=x, y=y, width=width, height=height, **more)

    def write(self, text, handle=None):
        return self.office.call("set_text", handle=handle or self.draw()["handle"], text=text)

    def export(self, name="slide.png", **more) -> png.Picture:
        answer = self.office.call("export_png", path=str(self.path / name), **more)
        picture = png.decode(pathlib.Path(answer["path"]).read_bytes())
        self.assertEqual((picture.width, picture.height), (answer["width"], answer["height"]))
        return picture

    def assert_white_around(self, picture: png.Picture, box: dict) -> None:
        scale = picture.width / self.slide["width"]
        left, right = int(box["x"] * scale) - 1, int((box["x"] + box["width"]) * scale) + 2
        top, bottom = int(box["y"] * scale) - 1, int((box["y"] + box["height"]) * scale) + 2
        white, width = picture.matches(WHITE, 0), picture.width
        inside = sum(white[y * width + left:y * width + right].count(1) for y in range(top, bottom))
        outside = width * picture.height - (right - left) * (bottom - top)
        self.assertEqual(white.count(1) - inside, outside, "something lies outside the rectangle")
        self.assertLess(inside, (right - left) * (bottom - top) // 2)


class WholePath(ImpressCase):
    def test_a_centred_rectangle_with_text_is_in_the_picture(self) -> None:
        width, height = self.slide["width"], self.slide["height"]
        box = {"width": round(0.6 * width), "height": round(0.3 * height)}
        box.update(x=round((width - box["width"]) / 2), y=round((height - box["height"]) / 2))
        drawn = self.draw(**box)
        self.assertEqual({key: drawn[key] for key in box}, box)
        self.assertEqual([warning[:19] for warning in drawn["warnings"]], ["There is no display"])
        text = self.write("Hello from MCP on macOS.", drawn["handle"])
        self.assertEqual(text["characters"], 24)
        picture = self.export()
        self.check_rectangle(picture, box)
        self.check_text(picture, box)

    def check_rectangle(self, picture: png.Picture, box: dict) -> None:
        scale = picture.width / self.slide["width"]
        left, top, right, bottom = picture.bounds(BLUE)
        wanted = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
        for got, want in zip((left, top, right + 1, bottom + 1), wanted):
            self.assertAlmostEqual(got, want * scale, delta=2)
        self.assertAlmostEqual((left + right + 1) / 2, picture.width / 2, delta=2)
        self.assertAlmostEqual((top + bottom + 1) / 2, picture.height / 2, delta=2)
        self.assertAlmostEqual((right + 1 - left) / picture.width, 0.6, delta=0.002)
        self.assertAlmostEqual((bottom + 1 - top) / picture.height, 0.3, delta=0.003)
        self.assertEqual(picture.pixel(5, 5), WHITE)

    def check_text(self, picture: png.Picture, box: dict) -> None:
        """White pixels inside the blue, about as far from the left edge as from the right, top as bottom."""
        scale = picture.width / self.slide["width"]
        left, right = round(box["x"] * scale) + 3, round((box["x"] + box["width"]) * scale) - 3
        top, bottom = round(box["y"] * scale) + 3, round((box["y"] + box["height"]) * scale) - 3
        rows = {y: [x for x in picture.row_matches(y, WHITE) if left < x < right] for y in range(top, bottom)}
        inked = [y for y, xs in rows.items() if xs]
        self.assertGreater(sum(map(len, rows.values())), 2000)
        first, last = min(min(rows[y]) for y in inked), max(max(rows[y]) for y in inked)
        self.assertAlmostEqual(first - left, right - last, delta=12)
        self.assertAlmostEqual(inked[0] - top, bottom - inked[-1], delta=30)

    def test_the_saved_file_holds_the_shape_its_name_and_the_text(self) -> None:
        drawn = self.draw()
        self.write("Grüße \"& <you>\"\n世界\t😀 ¦|", drawn["handle"])
        answer = self.office.call("save", path=str(self.path / "deep" / "er" / "slide.odp"))
        self.assertEqual(answer["bytes"], os.path.getsize(answer["path"]))
        with zipfile.ZipFile(answer["path"]) as packed:
            self.assertIsNone(packed.testzip())
            self.assertEqual(packed.read("mimetype"), b"application/vnd.oasis.opendocument.presentation")
            content = packed.read("content.xml").decode()
        for part in (drawn["handle"], "Grüße &quot;&amp; &lt;you&gt;&quot;", "世界", "<text:tab/>", "😀", "¦|"):
            self.assertIn(part, content)

    def test_open_reuses_the_last_presentation_unless_told_otherwise(self) -> None:
        again = self.office.call("open")
        self.assertEqual((again["document"], again["reused"]), (self.document, True))
        other = self.office.call("open", mode="always_new")
        self.assertNotEqual(other["document"], self.document)
        self.assertFalse(other["reused"])
        self.assertTrue(self.office.call("close", document=other["document"])["closed"])

    def test_two_presentations_keep_their_own_rectangles(self) -> None:
        first = self.draw()
        other = self.office.call("open", mode="always_new")["document"]
        second = self.draw()
        self.assertEqual((first["document"], second["document"]), (self.document, other))
        self.write("in the first", first["handle"])
        self.write("in the second", second["handle"])
        for document, text in ((self.document, "in the first"), (other, "in the second")):
            path = self.office.call("save", path=str(self.path / "two.odp"), document=document)["path"]
            with zipfile.ZipFile(path) as packed:
                self.assertEqual(packed.read("content.xml").decode().count("in the "), 1)
                self.assertIn(text, packed.read("content.xml").decode())
        self.office.call("close", document=other)
        self.assertEqual(self.office.fails("set_text", handle=second["handle"], text="x").code, "not_found")
        self.write("still there", first["handle"])

    def test_a_saved_presentation_serves_as_template(self) -> None:
        self.write("from the template")
        path = self.office.call("save", path=str(self.path / "template.odp"))["path"]
        made = self.office.call("open", mode="always_new", template=path)
        saved = self.office.call("save", path=str(self.path / "made.odp"))["path"]
        self.office.call("close", document=made["document"])
        with zipfile.ZipFile(saved) as packed:
            self.assertIn("from the template", packed.read("content.xml").decode())

    def test_what_is_no_template_makes_a_plain_presentation_and_is_told(self) -> None:
        note = self.path / "note.txt"
        note.write_text("not a presentation")
        for template, fault in ((str(note), "is not a presentation"), ("/nowhere/x.otp", "is not there"),
                                ("White", "is not absolute"), (7, "is not a path")):
            opened = self.office.call("open", mode="always_new", template=template)
            self.assertIn(fault, opened["template_fault"])
            self.assertTrue(self.office.call("close", document=opened["document"])["closed"])
            self.assertEqual(self.office.call("open", template=template)["template_fault"], "", "it was not needed")


class Handles(ImpressCase):
    def test_a_handle_survives_other_edits(self) -> None:
        drawn = self.draw()
        self.draw(0, 0, 50, 50)
        self.office.uno("""
page = model.DrawPages.getByIndex(0)
page.getByIndex(0).ZOrder = 1
page.getByIndex(0).String = "another"
model.DrawPages.insertNewByIndex(0)
""")
        self.assertEqual(self.write("mine", drawn["handle"])["characters"], 4)
        self.assertEqual(self.office.uno(f"""
for page in (model.DrawPages.getByIndex(i) for i in range(model.DrawPages.Count)):
    for shape in (page.getByIndex(i) for i in range(page.Count)):
        if shape.Name == "{drawn['handle']}": print(shape.String)
"""), "mine")

    def test_a_deleted_rectangle_is_not_found(self) -> None:
        drawn = self.draw()
        self.office.uno("page = model.DrawPages.getByIndex(0)\npage.remove(page.getByIndex(0))")
        failure = self.office.fails("set_text", handle=drawn["handle"], text="x")
        self.assertEqual(failure.code, "not_found")
        self.assertIn("deleted", failure.message)
        self.write("a new one works")

    def test_a_rectangle_on_a_deleted_slide_is_not_found(self) -> None:
        drawn = self.draw()
        self.office.uno("model.DrawPages.insertNewByIndex(0)\nmodel.DrawPages.remove(model.DrawPages.getByIndex(0))")
        self.assertEqual(self.office.fails("set_text", handle=drawn["handle"], text="x").code, "not_found")

    def test_a_rectangle_moved_to_another_slide_is_found(self) -> None:
        drawn = self.draw()
        self.office.uno("""
from_page = model.DrawPages.getByIndex(0)
model.DrawPages.insertNewByIndex(0)
to_page = model.DrawPages.getByIndex(1)
shape = from_page.getByIndex(0)
copy = model.createInstance("com.sun.star.drawing.RectangleShape")
name = shape.Name
from_page.remove(shape)
to_page.add(copy)
copy.Name = name
""")
        self.assertEqual(self.write("moved", drawn["handle"])["characters"], 5)

    def test_a_closed_presentation_is_not_found_and_the_next_open_works(self) -> None:
        drawn = self.draw()
        self.office.uno("model.close(True)")
        failure = self.office.fails("set_text", handle=drawn["handle"], text="x")
        self.assertEqual(failure.code, "not_found")
        self.assertIn("closed", failure.message)
        self.assertIn(self.office.fails("slide_size").code, ("not_found", "no_document"))
        self.office.call("open")
        self.write("again")
        self.office.call("close")

    def test_a_presentation_the_user_opened_is_taken_over(self) -> None:
        self.office.uno("model.close(True)\ndesktop.loadComponentFromURL('private:factory/simpress', '_blank', 0, ())")
        opened = self.office.call("open")
        self.assertTrue(opened["reused"])
        self.write("in the user's")
        self.office.call("close")

    def test_without_a_presentation_the_error_says_so(self) -> None:
        self.office.call("close", document=self.document)
        self.assertEqual(self.office.call("close")["closed"], False)
        for method, params in (("slide_size", {}), ("draw_rectangle", dict(x=0, y=0, width=1, height=1)),
                               ("export_png", {"path": str(self.path / "x.png")}),
                               ("save", {"path": str(self.path / "x.odp")})):
            self.assertEqual(self.office.fails(method, **params).code, "no_document", method)

    def test_unknown_handles_and_documents_are_not_found(self) -> None:
        self.assertEqual(self.office.fails("set_text", handle="d000000-r1", text="x").code, "not_found")
        self.assertEqual(self.office.fails("set_text", handle=5, text="x").code, "bad_argument")
        self.assertEqual(self.office.fails("slide_size", document="d000000").code, "not_found")
        self.assertEqual(self.office.fails("slide_size", document=["x"]).code, "not_found")
        self.assertEqual(self.office.fails("slide_size", slide=2).code, "not_found")
        self.assertEqual(self.office.fails("slide_size", slide=0).code, "bad_argument")
        self.assertFalse(self.office.call("close", document="d000000")["closed"])


class Geometry(ImpressCase):
    def test_impossible_rectangles_are_refused(self) -> None:
        for box, part in (((0, 0, 0, 10), "width is 0"), ((0, 0, 10, -5), "height is -5"),
                          ((0, 0, 0.001, 1), "smallest"),
                          ((1e9, 0, 1, 1), "x is"), ((0, -10**400, 1, 1), "y is"), ((0, 0, 1e300, 1), "width is"),
                          (("1", 0, 1, 1), "x is not a number"), ((True, 0, 1, 1), "x is not a number"),
                          ((0, [], 1, 1), "y is not a number")):
            failure = self.office.fails("draw_rectangle", **dict(zip(("x", "y", "width", "height"), box)))
            self.assertEqual(failure.code, "bad_argument")
            self.assertIn(part, failure.message)
        self.assertEqual(self.office.uno("print(model.DrawPages.getByIndex(0).Count)"), "0")

    def test_a_rectangle_outside_the_slide_is_drawn_and_reported(self) -> None:
        for box, part in (((-100, -50, 200, 100), "beyond"), ((5000, 0, 10, 10), "wholly outside"),
                          ((0, 446, 10, 10), "beyond"), ((0, 0, 793.7, 446.46), "")):
            drawn = self.draw(*box)
            self.assertIn(part, " ".join(drawn["warnings"]))
            self.assertEqual(bool(part), bool(drawn["warnings"]), drawn)

    def test_numbers_come_back_as_they_were_given(self) -> None:
        for box in ((100, 80, 300, 150), (0, 0, 1, 1), (12.5, 7.25, 33.3, 0.1), (-7, -3, 2000, 2000)):
            drawn = self.draw(*box)
            self.assertEqual((drawn["x"], drawn["y"], drawn["width"], drawn["height"]), box)

    def test_a_large_rectangle_fills_the_picture(self) -> None:
        self.draw(-50, -50, 2000, 2000)
        picture = self.export(width=320)
        self.assertEqual(picture.bounds(BLUE), (0, 0, 319, picture.height - 1))


class Text(ImpressCase):
    def read_back(self) -> str:
        return self.office.uno("import json\nprint(json.dumps(model.DrawPages.getByIndex(0).getByIndex(0).String))")

    def test_odd_characters_come_back_exactly(self) -> None:
        handle = self.draw()["handle"]
        for text in ("a\"b'c\\d", "one\ntwo\n\nfour", "tab\there", "世界 مرحبا שלום", "😀👩‍👩‍👧🏳️‍🌈", "¦|`$(x)${y}%s", "",
                     " lead and trail ", "\u00a0\u200b\u00ad", "e\u0301", "<b>&amp;</b>", "\n", "\ufeffx\U0001F600"):
            answer = self.write(text, handle)
            self.assertEqual(answer["characters"], len(text), repr(text))
            self.assertEqual(json.loads(self.read_back()), text)
            self.assertEqual(answer["warnings"], [], repr(text))

    def test_other_line_ends_become_new_lines(self) -> None:
        self.write("a\r\nb\rc\vd\u2028e\u2029f\x85g")
        self.assertEqual(json.loads(self.read_back()), "a\nb\nc\nd\ne\nf\ng")

    def test_control_characters_are_left_out_and_named(self) -> None:
        answer = self.write("a\0b\x07c\ud800d\uffff\x9be")
        self.assertEqual(answer["characters"], 5)
        self.assertEqual(len(answer["warnings"]), 1)
        for name in ("5 characters", "U+0000", "U+0007", "U+009B", "U+D800", "U+FFFF"):
            self.assertIn(name, answer["warnings"][0])
        handle = self.draw()["handle"]
        self.assertEqual(self.office.fails("set_text", handle=handle, text="\0\x01").code, "bad_argument")

    def test_what_is_no_text_is_refused(self) -> None:
        handle = self.draw()["handle"]
        for text in (5, ["x"], {"a": 1}, True):
            self.assertEqual(self.office.fails("set_text", handle=handle, text=text).code, "bad_argument")

    def test_ten_thousand_characters_stay_inside_the_rectangle(self) -> None:
        drawn = self.draw(159, 156, 476, 134)
        answer = self.write(FOX, drawn["handle"])
        self.assertEqual(answer["characters"], 10_000)
        self.assertIn("nobody can read", " ".join(answer["warnings"]))
        picture = self.export()
        self.assert_white_around(picture, drawn)
        self.assertGreater(sum(map(len, (picture.row_matches(y, WHITE, 60) for y in range(380, 700, 5)))), 5000)

    def test_more_text_than_any_size_fits_is_refused_at_once(self) -> None:
        small = self.draw(0, 0, 20, 20)["handle"]
        failure = self.office.fails("set_text", handle=small, text=FOX, timeout=10)
        self.assertEqual(failure.code, "bad_argument")
        self.assertIn("larger rectangle", failure.message)
        self.assertEqual(self.office.fails("set_text", handle=small, text="x" * 20_001).code, "bad_argument")

    def test_long_words_and_many_lines_are_shrunk(self) -> None:
        for text in ("W" * 400, "中" * 400, "line\n" * 30):
            drawn = self.draw(100, 80, 300, 150)
            answer = self.write(text, drawn["handle"])
            self.assertLess(answer["font_size"], 16)
            self.assert_white_around(self.export(width=960), drawn)
            self.office.uno("page = model.DrawPages.getByIndex(0)\npage.remove(page.getByIndex(0))")

    def test_the_text_is_dark_on_a_light_fill(self) -> None:
        handle = self.draw()["handle"]
        for colour, wanted in (("0xffff99", "0x1a1a1a"), ("0x000000", "0xffffff"), ("0x729fcf", "0x1a1a1a")):
            self.office.uno(f"model.DrawPages.getByIndex(0).getByIndex(0).FillColor = {colour}")
            self.write("readable", handle)
            self.assertEqual(self.office.uno("""
shape = model.DrawPages.getByIndex(0).getByIndex(0)
cursor = shape.createTextCursor()
cursor.gotoStart(False); cursor.gotoEnd(True)
print(hex(cursor.CharColor))"""), wanted)

    def test_east_asian_and_arabic_text_is_as_large_as_latin(self) -> None:
        self.write("A 世界 مرحبا")
        heights = self.office.uno("""
shape = model.DrawPages.getByIndex(0).getByIndex(0)
cursor = shape.createTextCursor()
cursor.gotoStart(False); cursor.gotoEnd(True)
print(len({cursor.CharHeight, cursor.CharHeightAsian, cursor.CharHeightComplex}))""")
        self.assertEqual(heights, "1")


class Files(ImpressCase):
    def test_the_picture_has_the_width_asked_for(self) -> None:
        self.assertEqual((self.export(width=640).width, self.export().width), (640, 1920))
        for width in (0, 15, 100_000, 640.5, "640"):
            self.assertEqual(self.office.fails("export_png", path="/tmp/x.png", width=width).code, "bad_argument")

    def test_a_file_that_is_there_is_replaced_whole(self) -> None:
        target = self.path / "there.png"
        target.write_text("old")
        self.export("there.png", width=64)
        self.assertEqual(sorted(p.name for p in self.path.glob(".perigee*")), [])

    def test_a_picture_never_takes_the_place_of_notes(self) -> None:
        notes = self.path / "notes.txt"
        notes.write_text("mine")
        failure = self.office.fails("export_png", path=str(notes), width=64)
        self.assertEqual(failure.code, "bad_argument")
        self.assertIn("does not end in .png", failure.message)
        self.assertEqual(notes.read_text(), "mine")

    def test_a_document_that_is_there_is_not_replaced_unasked(self) -> None:
        talk, second, third = (self.path / f"{name}.odp" for name in ("talk", "talk-2", "talk-3"))
        talk.write_text("mine")
        save = lambda: self.office.call("save", path=str(talk), replace=False)["path"]  # noqa: E731
        self.assertEqual((save(), save()), (str(second), str(second)), "its own earlier file is replaced")
        self.assertEqual(talk.read_text(), "mine")
        second.write_text("edited by its user")
        self.assertEqual(save(), str(third))
        self.assertEqual(second.read_text(), "edited by its user")
        self.assertEqual(self.office.call("save", path=str(talk))["path"], str(talk), "what is named is replaced")
        self.assertTrue(zipfile.is_zipfile(talk))

    def test_paths_that_cannot_be_written_are_refused(self) -> None:
        (self.path / "file").write_text("in the way")
        for path, code in (("relative.png", "bad_argument"), ("", "bad_argument"), (str(self.path), "bad_argument"),
                           (str(self.path / "file" / "x.png"), "io_error"), (5, "bad_argument"),
                           (str(self.path / "a\0b.png"), "bad_argument"), ("/proc/nothing/x.png", "io_error"),
                           (str(self.path / ("n" * 300 + ".png")), "io_error")):
            failure = self.office.fails("export_png", path=path, width=64)
            self.assertEqual(failure.code, code, failure.message)
        self.assertEqual(self.office.fails("save", path=str(self.path / "x.pdf")).code, "bad_argument")
        self.assertEqual(sorted(p.name for p in self.path.glob(".perigee*")), [])

    def test_a_name_with_spaces_and_letters_of_the_world_is_kept(self) -> None:
        self.export("ein Bild – 世界 #1%20?.png", width=64)
        self.assertTrue((self.path / "ein Bild – 世界 #1%20?.png").exists())


class Lines(ImpressCase):
    def test_what_is_no_request_gets_an_error_and_the_next_one_works(self) -> None:
        for line, identity in ((b"nonsense", None), (b"[1]", None), (b'{"id":"a","method":"frob"}', "a"),
                               (b'{"id":7}', 7), (b'{"id":8,"method":"status","params":[1]}', 8),
                               (b'{"id":9,"method":"status","timeout":0}', 9),
                               (b'{"id":9,"method":"status","timeout":"5"}', 9),
                               (b'{"id":10,"method":"draw_rectangle","params":{"x":NaN}}', None),
                               (b'\xff\xfe{"id":1}', None), (b"[" * 100_000, None)):
            self.office.raw(line + b"\n")
            answer = self.office.answer()
            self.assertEqual(answer["id"], identity, line[:60])
            self.assertEqual(answer["error"]["code"], "bad_request", line[:60])
        self.office.call("slide_size")

    def test_missing_and_unknown_parameters_are_named(self) -> None:
        self.assertIn("height", self.office.fails("draw_rectangle", x=1, y=1, width=1).message)
        self.assertIn("'colour'", self.office.fails("open", colour="red").message)
        self.assertEqual(self.office.call("slide_size", document=None, slide=None)["document"], self.document)

    def test_a_line_over_the_limit_is_skipped(self) -> None:
        self.office.raw(b'{"id":1,"method":"set_text","params":{"text":"' + b"x" * 5_000_000 + b'"}}\n')
        answer = self.office.answer()
        self.assertEqual((answer["id"], answer["error"]["code"]), (None, "bad_request"))
        self.office.call("slide_size")

    def test_lines_may_come_in_pieces_or_together(self) -> None:
        self.office.raw(b'{"id":"p","meth')
        self.office.raw(b'od":"slide_size"}\n\n{"id":"q","method":"slide_size","params":[]}\n'
                        b'{"id":{"r":[1]},"method":"slide_size"}\n')
        self.assertEqual([self.office.answer()["id"] for _ in range(3)], ["p", "q", {"r": [1]}])


if __name__ == "__main__":
    tap.main()
