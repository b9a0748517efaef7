#!/usr/bin/env python3
"""`make bench`, the part of text recognition: what is read of real applications, and how fast, on a private desktop.

    tests/bench/ocr_bench.py [--tries 5] [--json FILE] [--misses]

What should be read is what the accessibility tree of the same application gives: the names of what shows its name, and the
values of fields and of the cells of a sheet. Counted are those with a drawn text that is whole on the screen:

- shown, with a letter or digit, at most 60 characters on one line;
- whole within the window (and the region), so not scrolled or cut off;
- not in a toolbar (nor in LibreOffice's menu bar: it tells Data where Sheet is drawn), and at least 6 points wide a character
  (buttons: 16 more, for their sides): else the name is a tooltip of an icon, or is cut;
- once, where one lies within another of the same name.

One is found if its text, without blanks and in any case of letters, is in what was read within its bounds. Time is that of a
whole tool call, picture and all, in a session that has read another window, but not this one: the quickest of all tries, the
median, by which aims are judged, and the processor time of our process, that of two threads together. Nothing fails by time: an
aim is `met` or `MISSED`.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import unicodedata

from desktop_bench import BUILD, PERIGEE, Session
from elements_bench import content, until

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import desktop  # noqa: E402  (its folder has to be on the path)
from server import TRUSTING  # noqa: E402

REGION = (640, 480)
APPLICATIONS = (("mousepad", []), ("gtk3-widget-factory", []), ("gnome-calculator", []), ("featherpad", []),
                ("soffice", ["--calc", "--norestore", "--nologo", "SHEET"]))     # a path in its place
HOLDERS = {"window", "dialog", "image", "group", "separator", "scrollbar", "toolbar", "list", "tree", "table", "document", "panel",
           "form", "menubar", "statusbar", "tablist", "scrollarea", "element"}
FIELDS = {"entry", "combobox", "spin"}
SHEET = [["Region", "Product", "January", "February", "Average", "Total"]] + [
    [("North", "South", "East", "West")[n % 4], ("Apples", "Pears", "Bread", "Carpets", "Lamps")[n % 5],
     str(120 + 17 * n), str(98 + 31 * n), f"{12.5 + 3 * n:.1f}", str(1000 + 137 * n)] for n in range(24)]
AIMS = {"region": (95, 160), "screen": (85, 900)}


# --- what should be read -------------------------------------------------------------------

def fold(text):
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s…_|]|\.\.\.$|:$", "", text)


def inside(inner, outer):
    return (inner["x"] >= outer["x"] and inner["y"] >= outer["y"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"]
            and inner["y"] + inner["height"] <= outer["y"] + outer["height"])


def text_of(node):
    """A cell of a sheet is called by its address, which is not drawn."""
    is_address = node["role"] == "cell" and re.fullmatch(r"[A-Z]{1,3}\d+", node["name"])
    return node.get("value", "") if is_address or node["role"] in FIELDS else node["name"]


def is_drawn(node, text):
    bounds = node["bounds"]
    sides = 16 if node["role"] in ("button", "toggle") else 0
    return bounds["height"] >= 8 and bounds["width"] >= 6 * len(text) + sides


def everything(ours, **arguments):
    nodes, token = [], None
    while True:
        more = {"page_token": token} if token else {}
        told = content(ours.call("find_elements", regex=".", page_size=500, **arguments, **more)[1])
        nodes += told["elements"]
        token = told.get("next_page_token")
        if not token:
            return nodes


def labels(ours, app, name, frame):
    """(text, bounds) of each that counts."""
    bars = {node["ref"] for node in everything(ours, application=app, source="tree", within="toolbar")}
    if "soffice" in name:
        bars |= {node["ref"] for node in everything(ours, application=app, source="tree", within="menubar")}
    found = []
    for node in everything(ours, application=app, source="tree"):
        text, bounds = text_of(node), node.get("bounds")
        if node["role"] in HOLDERS or node["ref"] in bars or not bounds or not any(c.isalnum() for c in text):
            continue
        if len(text) <= 60 and "\n" not in text and inside(bounds, frame) and is_drawn(node, text):
            found.append((text, bounds))
    return [each for each in found if not any(
        other is not each and fold(other[0]) == fold(each[0]) and inside(other[1], each[1])
        and (other[1] != each[1] or found.index(other) < found.index(each)) for other in found)]


# --- what was read -----------------------------------------------------------------------------

def touches(label, read):
    def holds(outer, inner):
        x, y = inner["x"] + inner["width"] / 2, inner["y"] + inner["height"] / 2
        return outer["x"] - 3 <= x <= outer["x"] + outer["width"] + 3 and outer["y"] - 3 <= y <= outer["y"] + outer["height"] + 3
    return holds(label, read) or holds(read, label)


def misses(wanted, read):
    out = []
    for text, bounds in wanted:
        there = sorted((each for each in read if each["role"] == "label" and touches(bounds, each["bounds"])), key=lambda each: each["bounds"]["x"])
        seen = " ".join(each["name"] for each in there)
        if fold(text) not in fold(seen):
            out.append((text, seen))
    return out


def processor(ours):
    """Milliseconds that its threads have had, those that have ended among them; the system counts in tens."""
    fields = pathlib.Path(f"/proc/{ours.child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def warm(ours, app):
    """Reads a window, so that the library and its data are there."""
    content(ours.call("find_elements", application=app, regex=".", source="ocr")[1])


def measure(env, tries, read, other):
    """The quickest milliseconds, the median, those of the processor, and what was read."""
    took, used, seen = [], [], []
    for _ in range(tries):
        with Session([PERIGEE, "serve", "--no-user-root", "--root", TRUSTING], env) as ours:
            warm(ours, other)
            before = processor(ours)
            ms, answer = read(ours)
            took.append(ms)
            used.append(processor(ours) - before)
            seen = content(answer)["elements"]
    return min(took), statistics.median(took), statistics.median(used), seen


def window_of(ours, app):
    return next((w for w in content(ours.call("list_windows")[1])["windows"] if w["application"] == app), None)


def place(ours, name, x, y, width, height):
    ours.ask("tools/call", {"name": "move_window", "arguments": {"name": name, "x": x, "y": y}})
    ours.ask("tools/call", {"name": "resize_window", "arguments": {"name": name, "width": width, "height": height}})


def settled(ours, app):
    """Its elements, once two looks agree."""
    looks = [None, None]

    def still():
        answer = ours.ask("tools/call", {"name": "find_elements", "arguments": {"application": app, "regex": ".", "source": "tree",
                                                                               "page_size": 500}})[1]
        looks.append(answer.partition(b'"result"')[2] if b'"isError":true' not in answer else None)
        return looks[-1] is not None and looks[-1].count(b'"ref"') > 5 and looks[-1] == looks[-2] == looks[-3]
    until(f"the interface of {app}", still)


def rows_of(env, ours, app, name, tries, other):
    """A row of the screen, and one of a region of the same."""
    window = window_of(ours, app)
    place(ours, window["name"], 0, 0, 1920, 1080)
    settled(ours, app)
    frame = window_of(ours, app)["bounds"]
    region = {"x": frame["x"], "y": frame["y"], "width": REGION[0], "height": REGION[1]}
    for kind, part, read in (
            ("screen", frame, lambda it: it.call("find_elements", application=app, regex=".", page_size=500, source="ocr")),
            ("region", region, lambda it: it.call("find_region_elements", application=app, source="ocr", page_size=500, **region))):
        wanted = labels(ours, app, name, part)
        ms, median, used, seen = measure(env, tries, read, other)
        lost = misses(wanted, seen)
        yield {"name": name, "kind": kind, "wanted": len(wanted), "found": len(wanted) - len(lost), "ms": ms, "median": median, "processor": used,
               "read": len(seen), "misses": lost}


# --- a sheet ------------------------------------------------------------------------------------

def cell(text):
    kind = f'"float" office:value="{text}"' if text[0].isdigit() else '"string"'
    return f"<table:table-cell office:value-type={kind}><text:p>{text}</text:p></table:table-cell>"


def write_sheet(folder):
    """A file that opens without a question, unlike CSV."""
    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in SHEET)
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text"))
    path = folder / "sales.fods"
    path.write_text(f'<?xml version="1.0"?><office:document {names} office:version="1.2" '
                    'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
                    f'<table:table table:name="Sheet1">{rows}</table:table></office:spreadsheet></office:body></office:document>',
                    encoding="utf-8")
    return str(path)


# --- the whole ---------------------------------------------------------------------------------

def show(rows, with_misses):
    print(f"text recognition{'':22}{'found':>10}{'of':>6}{'read':>7}{'best ms':>9}{'median':>9}{'processor':>11}")
    for row in rows:
        print(f"{row['name']:<24}{row['kind']:<14}{row['found']:>10}{row['wanted']:>6}{row['read']:>7}{row['ms']:>9.0f}{row['median']:>9.0f}{row['processor']:>11.0f}")
        for text, seen in row["misses"] if with_misses else ():
            print(f"    missed {text!r}, read there: {seen!r}")
    print("\naims of text recognition (region: 640x480; screen: 1920x1080)")
    for kind, (part, limit) in AIMS.items():
        mine = [row for row in rows if row["kind"] == kind]
        found, wanted = sum(row["found"] for row in mine), sum(row["wanted"] for row in mine)
        if wanted:
            percent = 100 * found / wanted
            print(f"  {'met' if percent >= part else 'MISSED':<7} labels of a {kind}: {found} of {wanted}, {percent:.0f} % (aim >= {part} %)")
        for row in mine:
            print(f"  {'met' if row['median'] <= limit else 'MISSED':<7} {kind} of {row['name']}: {row['median']:.0f} ms (aim <= {limit} ms)")


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/ocr_bench.py")
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--json", help="write every figure there")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    options = parser.parse_args()
    if not (BUILD / "modules" / "tesseract.so").exists():
        print("bench: no text recognition, the build has none (vendor/install build, then make)")
        return 0
    rows = []
    with desktop.Desktop((1920, 1080)) as screen:
        env = dict(screen.env, PERIGEE_HOME=str(screen.folder / "home"))
        with Session([PERIGEE, "serve", "--no-user-root", "--root", TRUSTING], env) as ours:
            form = subprocess.Popen(["xterm", "-e", "sh", "-c", "ls -la / /usr; exec sleep 6000"], env=screen.env, stderr=subprocess.DEVNULL)
            other = f"applications/{form.pid}"
            until("xterm", lambda: window_of(ours, other))
            for name, arguments in APPLICATIONS:
                if not shutil.which(name):
                    print(f"bench: {name} is not installed, it is left out")
                    continue
                arguments = [write_sheet(screen.folder) if each == "SHEET" else each for each in arguments]
                app = content(ours.call("open_application", name=shutil.which(name), arguments=arguments, wait=60)[1])["application"]["name"]
                settled(ours, app)
                rows += rows_of(env, ours, app, name, options.tries, other)
                ours.ask("tools/call", {"name": "quit_application", "arguments": {"name": app, "force": True}})
            form.kill()
            form.wait()
    show(rows, options.misses)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
