#!/usr/bin/env python3
"""The element under a point in applications of thousands of elements: the sheet of LibreOffice Calc, and pages in Chromium."""

import glob
import os
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


run((("cells of a sheet", a_sheet), ("a page", a_page)), ("Xvfb", "openbox", "dbus-daemon", "soffice", "chromium"))
