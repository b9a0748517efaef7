#!/usr/bin/env python3
"""The sheet of LibreOffice Calc claims 2^31 cells: those that can be seen are among what is read."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tools import has, opened, run, same, until     # noqa: E402

ROWS = 200


def outline(tools, app):
    return tools("get_ui_tree", application=app, max_tokens=5000)


def cells_are_read_where_they_are_seen(tools, desktop):
    path = desktop.folder / "sheet.csv"
    path.write_text("".join(f"row {n},{n}\n" for n in range(1, ROWS + 1)), encoding="utf-8")
    with opened(tools, "libreoffice-calc", files=[str(path)]) as app:
        until(lambda: 'button "OK"' in outline(tools, app)["outline"], "the import")
        tools("click_element", application=app, element='button "OK"')
        until(lambda: 'cell "B3" =3' in outline(tools, app)["outline"], "the third row")
        told = outline(tools, app)
        same(told["cut"], True)
        has(told["outline"], 'cell "A1" ="row 1"')
        same('cell "C1"' in told["outline"], False, "an empty cell has a line")
        until(lambda: "dialog" not in outline(tools, app)["outline"] or not tools("create_input", action="keys", keys="escape"),
              "the sheet in front")
        tools("create_input", action="keys", keys="ctrl+end")
        until(lambda: f'"row {ROWS - 2}"' in outline(tools, app)["outline"], "rows that were scrolled to")
        same('cell "A1"' in outline(tools, app)["outline"], False, "a row that was scrolled away")


def a_click_takes_the_cell_that_was_meant(tools, desktop):
    """LibreOffice tells where its parts are as if no menu bar lay above them: a click took a cell of the row above."""
    path = desktop.folder / "names.csv"
    path.write_text("".join(f"row {n},{n}\n" for n in range(1, 31)), encoding="utf-8")
    with opened(tools, "libreoffice-calc", files=[str(path)]) as app:
        until(lambda: 'button "OK"' in outline(tools, app)["outline"], "the import")
        tools("click_element", application=app, element='button "OK"')
        until(lambda: 'cell "B3" =3' in outline(tools, app)["outline"], "the third row")
        until(lambda: "dialog" not in outline(tools, app)["outline"] or not tools("create_input", action="keys", keys="escape"),
              "the sheet in front")

        def box(**wanted):
            return tools("find_elements", application=app, **wanted)["elements"][0]["bounds"]
        bar, pane = box(role="menubar"), box(role="document")
        same(pane["y"] >= bar["y"] + bar["height"], True, "the sheet lies below the menu bar")
        for cell, text in (("A7", "row 7"), ("B2", "2"), ("A12", "row 12")):
            tools("click_element", application=app, element=f'cell "{cell}"', method="pointer")
            found = until(lambda name=cell: [e for e in tools("find_elements", application=app, role="cell", regex=f"^{name}$")["elements"]
                                             if "focused" in e.get("states", [])], f"{cell} with the focus")[0]
            same(found["value"], text)
            same(tools("get_element", application=app, element=found["ref"])["bounds"], found["bounds"], "bounds of one and of the tree")


def a_cell_that_does_not_exist_is_not_found(tools, _desktop):
    """Looking for it timed out: there is no end to the cells. The answer says that not all was looked at."""
    with opened(tools, "libreoffice-calc") as app:
        until(lambda: 'cell "A1"' in tools.text("find_elements", application=app, role="cell"), "the sheet")
        for hidden in (True, False):
            result = tools.result("find_elements", application=app, selector='cell "ZZ99"', hidden=hidden)
            same((result.get("isError"), result["structuredContent"]["total_size"], result["structuredContent"]["cut"]), (None, 0, True))
            has(result["content"][0]["text"], "the application has more (cut)")
            has(result["content"][0]["text"], "that were not read: scroll in it")
        has(tools.fails("ELEMENT_NOT_FOUND", "click_element", application=app, element='cell "ZZ99"'), "(cut)")


def cells_are_written(tools, app):
    """Text was refused, a number of seven digits called another, and one name completed by another in its column."""
    for cell, value in (("B2", "1234567"), ("B3", "hello"), ("B4", "hel"), ("B3", "")):
        result = tools("write_element_value", application=app, element=f'cell "{cell}"', value=value)
        same((result["effect"], result.get("value", "")), ("confirmed", value), result)
    text = outline(tools, app)["outline"]
    has(text, 'cell "B2" =1234567')
    has(text, 'cell "A3" =42')
    same('cell "B3"' in text, False, "an empty cell has a line")
    tools.fails("INVALID_ARGUMENT", "write_element_value", application=app, element='cell "B5"', value="a\tb")


def typing_into_a_sheet_does_not_hang(tools, _desktop):
    """The search for the field that was typed into made LibreOffice look through 2^30 cells, and it answered nothing more."""
    with opened(tools, "libreoffice-calc") as app:
        until(lambda: 'cell "A1"' in tools.text("find_elements", application=app, role="cell"), "the sheet")
        until(lambda: "dialog" not in outline(tools, app)["outline"] or not tools("create_input", action="keys", keys="escape"),
              "the sheet in front")
        tools("act", application=app, steps=[{"type": "12\n30\n=A1+A2\n"}])
        until(lambda: 'cell "A3" =42' in outline(tools, app)["outline"], "the sum")
        cells_are_written(tools, app)


# The last one leaves a document that is not saved, which the next start would offer to recover.
run((("cells are read where they are seen", cells_are_read_where_they_are_seen),
     ("a cell that does not exist is not found, and the look is cut", a_cell_that_does_not_exist_is_not_found),
     ("a click takes the cell that was meant", a_click_takes_the_cell_that_was_meant),
     ("typing into a sheet does not hang LibreOffice, and cells are written", typing_into_a_sheet_does_not_hang)),
    ("Xvfb", "openbox", "dbus-daemon", "soffice"))
