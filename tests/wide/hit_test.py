#!/usr/bin/env python3
"""The element under a point in applications of thousands of elements: the sheet of LibreOffice Calc, and pages in Chromium."""

import glob
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from procs import descendants                         # noqa: E402
from tools import opened, run, same, until            # noqa: E402

PAGE = """<title>Order</title><body><p>Some words about an order</p><label>Size <select><option>Small<option>Medium<option>Large</select></label>
<button><b>Send</b> it</button><ul>""" + "".join(f"<li>Row {n} <button>Add {n}</button></li>" for n in range(30)) + "</ul>"


def middle(bounds):
    return {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}


def under(tools, point):
    return [(each["role"], each["name"]) for each in tools("find_region_elements", width=1, height=1, **point)["elements"]]


def processor(*pids):
    """Milliseconds of all threads of these."""
    total = 0
    for path in (each for pid in pids for each in glob.glob(f"/proc/{pid}/task/*/schedstat")):
        with open(path, encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e6


def cost(tools, app, times, act):
    """Milliseconds of the server's and the application's processor time for one act."""
    leader = int(app.split("/")[1])
    pids = [tools.server.process.pid, leader, *descendants(leader)]
    before = processor(*pids)
    for _ in range(times):
        act()
    return (processor(*pids) - before) / times


def a_sheet(tools, _desktop):
    """A small part of it took as long as all of it, and cells without text were not found. LibreOffice names the cell below the one
    at a point, because it does not count its menu bar."""
    with opened(tools, shutil.which("soffice"), arguments=["--calc", "--norestore", "--nologo"]) as app:
        def cell(name):
            found = tools("find_elements", application=app, role="cell", regex=f"^{name}$")["elements"]
            return found and found[0]
        until(lambda: cell("C5"), "the cells")
        for name in ("A1", "C5", "F9", "B12"):
            bounds = cell(name)["bounds"]
            same(under(tools, middle(bounds)), [("cell", name)])
            same([each["name"] for each in tools("find_region_elements", **bounds)["elements"]], [name], "a region of its size")
        same(tools("act", application=app, steps=[{"click": 'cell "C5"'}, {"type": "hello\n"}])["done"], True)
        point = middle(cell("C5")["bounds"])
        until(lambda: tools("find_region_elements", width=1, height=1, **point)["elements"][0].get("value") == "hello", "its text")
        button = tools("find_elements", application=app, selector='button "Sort Ascending"')["elements"][0]
        same(under(tools, middle(button["bounds"])), [("button", "Sort Ascending")])
        part = cost(tools, app, 20, lambda: under(tools, point))
        whole = cost(tools, app, 3, lambda: cell("C5"))
        same(part * 5 < whole, True, f"{part:.1f} ms for a cell, {whole:.1f} ms for the sheet")


#: Columns of several widths, one of them hidden, a row of two heights, and merged cells.
UNEVEN = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>
<style:style style:name="wide" style:family="table-column"><style:table-column-properties style:column-width="4.5cm"/></style:style>
<style:style style:name="thin" style:family="table-column"><style:table-column-properties style:column-width="0.7cm"/></style:style>
<style:style style:name="high" style:family="table-row"><style:table-row-properties style:row-height="1.5cm"
 style:use-optimal-row-height="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Uneven">
<table:table-column/><table:table-column table:style-name="wide"/><table:table-column table:visibility="collapse"/>
<table:table-column table:style-name="thin"/><table:table-column table:number-columns-repeated="6"/>
<table:table-row><table:table-cell office:value-type="string"><text:p>first</text:p></table:table-cell></table:table-row>
<table:table-row table:style-name="high"><table:table-cell/><table:table-cell table:number-columns-spanned="3"
 table:number-rows-spanned="2" office:value-type="string"><text:p>merged</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="9"><table:table-cell table:number-columns-repeated="9"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document>"""


def meet(a, b):
    return all(a[at] < b[at] + b[size] and b[at] < a[at] + a[size] for at, size in (("x", "width"), ("y", "height")))


def listed(tools, app, **more):
    """All elements of a kind that a look at the whole application finds, with a size."""
    found = tools("find_elements", application=app, page_size=500, **more)["elements"]
    return [each for each in found if each.get("bounds", {}).get("width", 0) > 1]


def names(tools, region):
    found = tools("find_region_elements", page_size=1000, **region)
    same(found["total_size"], len(found["elements"]))
    return sorted(each["name"] for each in found["elements"])


def regions(cells, count, most):
    """Regions of several cells: from a point in one to a point in one that is right of it or below."""
    rng = random.Random(5)
    for _ in range(count):
        first = rng.choice(cells)["bounds"]
        yield {"x": first["x"] + rng.randrange(first["width"]), "y": first["y"] + rng.randrange(first["height"]),
               "width": rng.randrange(2, most), "height": rng.randrange(2, most // 3)}


def each_holds_its_cells(tools, cells, count, most):
    """Regions have the cells that a look at all finds there, empty ones, too."""
    left, top = (min(each["bounds"][at] for each in cells) for at in "xy")
    right, bottom = (max(each["bounds"][at] + each["bounds"][size] for each in cells) for at, size in (("x", "width"), ("y", "height")))
    for region in regions(cells, count, most):
        region = {**region, "width": min(region["width"], right - region["x"]), "height": min(region["height"], bottom - region["y"])}
        same(region["x"] >= left and region["y"] >= top, True)
        same(names(tools, region), sorted(each["name"] for each in cells if meet(each["bounds"], region)), region)


def regions_of_a_sheet(tools, _desktop):
    """Empty cells were left out, and all of the sheet was read."""
    with opened(tools, shutil.which("soffice"), arguments=["--calc", "--norestore", "--nologo"]) as app:
        cells = until(lambda: listed(tools, app, role="cell"), "the cells")
        at = {each["name"]: each["bounds"] for each in cells}
        first, last = middle(at["B3"]), middle(at["E6"])
        region = {**first, "width": last["x"] - first["x"], "height": last["y"] - first["y"]}
        found = tools("find_region_elements", **region)
        same([each["name"] for each in found["elements"]], [f"{column}{row}" for row in range(3, 7) for column in "BCDE"])
        page = tools("find_region_elements", page_size=5, **region)
        same((page["total_size"], [each["name"] for each in page["elements"]]), (16, ["B3", "C3", "D3", "E3", "B4"]))
        page = tools("find_region_elements", page_size=5, page_token=page["next_page_token"], **region)
        same([each["name"] for each in page["elements"]], ["C4", "D4", "E4", "B5", "C5"])
        same(tools("act", application=app, steps=[{"click": f"{found['elements'][5]['ref']}"}, {"type": "hello\n"}])["done"], True)
        until(lambda: [each.get("value") for each in tools("find_region_elements", **region)["elements"]].index("hello") == 5, "its text")
        each_holds_its_cells(tools, cells, 12, 300)
        part = cost(tools, app, 5, lambda: names(tools, region))
        whole = cost(tools, app, 3, lambda: listed(tools, app, selector='cell "C5"'))
        same(part * 2 < whole, True, f"{part:.1f} ms for 16 cells, {whole:.1f} ms for the sheet")


def uneven_cells(tools, desktop):
    path = desktop.folder / "uneven.fods"
    path.write_text(UNEVEN, encoding="utf-8")
    with opened(tools, shutil.which("soffice"), arguments=["--norestore", "--nologo", str(path)]) as app:
        cells = until(lambda: listed(tools, app, role="cell"), "the cells")
        at = {each["name"]: each["bounds"] for each in cells}
        same((at["B2"]["height"] > 2 * at["A3"]["height"], at["D4"]["width"] < at["A1"]["width"] < at["B1"]["width"]), (True, True), at)
        each_holds_its_cells(tools, [each for each in cells if not covered(each, cells)], 15, 400)


def covered(cell, cells):
    """True for a cell that a merged one covers."""
    return any(each is not cell and meet(each["bounds"], cell["bounds"]) and each["bounds"]["height"] > cell["bounds"]["height"]
               for each in cells)


def popups(tools):
    return [each["bounds"] for each in tools("list_windows", all_kinds=True)["windows"] if each["kind"] == "popup"]


def in_front(region, popup, items, cells):
    """The names of the items in the part of the region that is in the menu, and of the cells in the rest."""
    there = sorted(each["name"] for each in items if each["role"] != "separator" and meet(each["bounds"], region)) if meet(region, popup) else []
    left, top, right, bottom = popup["x"], popup["y"], popup["x"] + popup["width"], popup["y"] + popup["height"]
    end, low = region["x"] + region["width"], region["y"] + region["height"]
    spans = ((region["x"], region["y"], min(end, left), low), (max(region["x"], right), region["y"], end, low),
             (region["x"], region["y"], end, min(low, top)), (region["x"], max(region["y"], bottom), end, low))
    parts = [{"x": x, "y": y, "width": to - x, "height": until_y - y} for x, y, to, until_y in spans if to > x and until_y > y]
    return sorted(there + [each["name"] for each in cells if any(meet(part, each["bounds"]) for part in parts)])


def a_menu_over_a_sheet(tools, _desktop):
    """The sheet was read, too, and its cells were found below the menu."""
    with opened(tools, shutil.which("soffice"), arguments=["--calc", "--norestore", "--nologo"]) as app:
        cells = until(lambda: listed(tools, app, role="cell"), "the cells")
        at = {each["name"]: each["bounds"] for each in cells}
        for opening in ({"button": "right", **middle(at["D3"])}, middle(listed(tools, app, selector='menu "Data"')[0]["bounds"])):
            tools("create_input", action="click", **opening)
            popup = until(lambda: popups(tools), "the menu")[0]
            roles = ("menuitem", "checkitem", "radioitem", "menu")
            items = until(lambda: [each for each in listed(tools, app, regex=".") if each["role"] in roles and meet(each["bounds"], popup)
                                   and each["bounds"]["width"] >= popup["width"] - 8], "its items")
            for item in items[:6]:
                same(under(tools, middle(item["bounds"])), [(item["role"], item["name"])])
            inside = {"x": popup["x"] + 5, "y": popup["y"] + 30, "width": 60, "height": 80}
            same(names(tools, inside), in_front(inside, popup, items, []), "a region in the menu")
            part = cost(tools, app, 10, lambda: names(tools, inside))
            whole = cost(tools, app, 3, lambda: listed(tools, app, selector='cell "C5"'))
            same(part * 3 < whole, True, f"{part:.1f} ms in the menu, {whole:.1f} ms for the application")
            top = max(popup["y"], at["A1"]["y"]) + 40
            for region in ({"x": popup["x"] + popup["width"] - 30, "y": top, "width": 100, "height": 50},
                           {"x": popup["x"] + popup["width"] - 10, "y": top, "width": 300, "height": 90},
                           {"x": popup["x"] + popup["width"] + 20, "y": top, "width": 60, "height": 40}):
                same(names(tools, region), in_front(region, popup, items, cells), region)
            tools("create_input", action="keys", keys="escape")
            until(lambda: not popups(tools), "the end of the menu")
            same(under(tools, middle(at["D3"])), [("cell", "D3")])


def a_page(tools, desktop):
    """An option of a closed box is none to click. What covers a page is no part of it."""
    path = desktop.folder / "order.html"
    path.write_text(PAGE, encoding="utf-8")
    arguments = ["--no-sandbox", "--no-first-run", "--force-renderer-accessibility", f"--user-data-dir={desktop.folder / 'profile'}",
                 path.as_uri()]
    with opened(tools, shutil.which("chromium"), arguments=arguments) as app:
        def found(selector):
            return tools("find_elements", application=app, selector=selector)["elements"]
        until(lambda: found('button "Add 9"'), "the page")
        send = until(lambda: found('button "Send it"'), "the button")[0]
        same(under(tools, middle(send["bounds"])), [("label", "Send")], "a text that the page has in the button")
        same(under(tools, middle(found('button "Add 7"')[0]["bounds"])), [("button", "Add 7")])
        box = found('combobox "Size"')[0]
        same(under(tools, middle(box["bounds"])), [("combobox", "Size")])
        point = middle(found('label "Some words about an order"')[0]["bounds"])
        same(under(tools, point), [("label", "Some words about an order")])
        tools("create_input", action="click", **middle(box["bounds"]))
        option = until(lambda: found('menuitem "Medium"'), "the options")[0]
        until(lambda: ("menuitem", "Medium") in under(tools, middle(option["bounds"])), "the option under the point")
        same(("button", "Send it") in under(tools, middle(option["bounds"])), False, "what it covers")
        tools("create_input", action="keys", keys="escape")
        button = middle(found('button "Add 7"')[0]["bounds"])
        until(lambda: under(tools, button) == [("button", "Add 7")], "the page, once the options are gone")
        part, whole = cost(tools, app, 20, lambda: under(tools, button)), cost(tools, app, 5, lambda: found('button "Add 7"'))
        same(part < whole, True, f"{part:.1f} ms for a button, {whole:.1f} ms for the page")


run((("cells of a sheet", a_sheet), ("regions of a sheet", regions_of_a_sheet), ("cells of several sizes", uneven_cells),
     ("a menu over a sheet", a_menu_over_a_sheet), ("a page", a_page)), ("Xvfb", "openbox", "dbus-daemon", "soffice", "chromium"))
