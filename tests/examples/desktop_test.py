#!/usr/bin/env python3
"""The example scripts for the desktop, run as a person would, on real windows."""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "lib"))

import desktop  # noqa: E402
import png      # noqa: E402
import tap      # noqa: E402

TOP = TESTS.parent
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", TOP / "build" / "perigee"))
SCRIPTS = TOP / "examples" / "scripts"
HANGING = 30        # seconds; only a guard
RED = (0xC0, 0x20, 0x30)


class Stage:
    """A desktop with windows, and a folder that the scripts run in."""

    def __init__(self):
        self.desktop = desktop.Desktop((1280, 800))
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perigee-examples-"))
        self.children = []

    def __enter__(self):
        self.desktop.start()
        return self

    def __exit__(self, *_):
        for child in self.children:
            child.kill()
            child.wait()
        self.desktop.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def env(self):
        return dict(self.desktop.env, PERIGEE_HOME=str(self.folder / "home"))

    def open(self, title, *argv):
        """Starts a program and waits for its window, which has this title."""
        self.children.append(subprocess.Popen(argv, env=self.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        end = time.monotonic() + HANGING
        while title not in (w["title"] for w in self.windows()):
            if time.monotonic() > end:
                raise tap.Failure(f"no window {title!r} after {HANGING} s")
            time.sleep(0.02)

    def perigee(self, *words):
        return subprocess.run([PERIGEE, *words], env=self.env(), cwd=self.folder, capture_output=True, text=True,
                              timeout=4 * HANGING, check=False)

    def run(self, script, *words):
        return self.perigee("run", "--no-user-root", str(SCRIPTS / script), *words)

    def windows(self):
        answer = self.perigee("call", "--no-user-root", "--json", "list_windows")
        if answer.returncode:
            raise tap.Failure(answer.stderr or answer.stdout)
        return json.loads(answer.stdout)["structuredContent"]["windows"]


def must(fact, *told):
    if not fact:
        raise tap.Failure("\n".join(str(t) for t in told))


def succeeded(answer):
    must(answer.returncode == 0, f"status {answer.returncode}", answer.stdout, answer.stderr)
    return answer.stdout


# --- arguments ---------------------------------------------------------------------

def helps(stage):
    for script in ("tile_windows.lua", "window_sheet.lua", "fill_form.lua"):
        told = succeeded(stage.run(script, "--help"))
        must(told.startswith(f"usage: perigee run {script}"), told)
        must(all(len(line) <= 96 for line in told.splitlines()), told)
        wrong = stage.run(script, "--colour", "red")
        must(wrong.returncode == 2 and "unknown option --colour" in wrong.stdout, wrong)
    wrong = stage.run("tile_windows.lua", "--columns", "many")
    must(wrong.returncode == 2 and '--columns takes a whole number from 1 to 50, not "many"' in wrong.stdout, wrong)
    wrong = stage.run("tile_windows.lua", "--gap=-1")
    must(wrong.returncode == 2 and '--gap takes a number from 0 to 500, not "-1"' in wrong.stdout, wrong)
    must(stage.run("fill_form.lua").returncode == 2, "a CSV file is needed")


# --- tiles -------------------------------------------------------------------------

def overlaps(a, b):
    return (a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
            and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"])


def tiles(stage):
    said = succeeded(stage.run("tile_windows.lua", "--dry-run"))
    before = stage.windows()
    must(any(overlaps(a["bounds"], b["bounds"]) for a in before for b in before if a is not b), "nothing to do")
    must(all(w["title"] in said for w in before), said)
    must([w["bounds"] for w in stage.windows()] == [w["bounds"] for w in before], "a dry run moves nothing")
    succeeded(stage.run("tile_windows.lua", "--gap", "10"))
    after = stage.windows()
    for number, a in enumerate(after):
        box = a["bounds"]
        must(0 <= box["x"] and 0 <= box["y"] and box["x"] + box["width"] <= 1280
             and box["y"] + box["height"] <= 800, "out of the display", a)
        must(box["width"] * box["height"] > 1280 * 800 / len(after) / 2, "too small", a)
        must(not any(overlaps(box, b["bounds"]) for b in after[number + 1:]), "they overlap", after)
    succeeded(stage.run("tile_windows.lua", "--columns", "1"))
    must(len({w["bounds"]["x"] for w in stage.windows()}) == 1, "one column", stage.windows())
    none = stage.run("tile_windows.lua", "--display", "nowhere")
    must(none.returncode == 1 and 'no display "nowhere"' in none.stdout, none)


# --- the sheet ---------------------------------------------------------------------

def sheet(stage):
    subprocess.run(["wmctrl", "-R", "plain"], env=stage.env(), check=True)     # over the red one
    for name in ("red <1> & \"co\"", "plain"):
        subprocess.run(["wmctrl", "-r", name, "-e", "0,100,100,500,400"], env=stage.env(), check=True)
    subprocess.run(["xdotool", "search", "--name", "third", "windowminimize", "--sync"], env=stage.env(), check=True)
    said = succeeded(stage.run("window_sheet.lua", "deep/sheet"))
    folder = stage.folder / "deep" / "sheet"
    page = (folder / "index.html").read_text(encoding="utf-8")
    must("red &lt;1&gt; &amp; &quot;co&quot;" in page and "red <1>" not in page, "titles are escaped", page)
    must("<em>minimized</em>" in page and "minimized, not captured" in said, page, said)
    files = re.findall(r'src="([^"]+)"', page)
    must(len(files) == len(set(files)) == 1 + len(stage.windows()) - 1, files)
    for file in files:
        png.decode((folder / file).read_bytes())
    number = next(line.split()[0] for line in said.splitlines() if "red <1>" in line)
    red = png.decode((folder / f"window-{int(number):02}.png").read_bytes())
    must(red.matches(RED).count(1) > red.width * red.height / 2, "a covered window is shown as if it were not")
    for line in ("3 windows, ", f": {folder}/index.html"):
        must(line in said, said)
    must(stage.run("window_sheet.lua", "/proc/sheet").returncode == 1, "a folder that cannot be made")


# --- the form ----------------------------------------------------------------------

ROWS = [["Ada Lovelace", "12 St James's Square", "London", "2", "brings \"a machine\""],
        ["Çelik, Müge", "Straße 5", "Köln", "1", ""],
        ["山田 太郎", "", "東京", "4", "🎂, please"]]


def form(stage):
    python = "/usr/bin/python3"         # the system's, which has GTK
    if subprocess.run([python, "-c", "import gi; gi.require_version('Gtk', '3.0')"], check=False,
                      capture_output=True).returncode:
        raise tap.Skip("GTK for Python is not installed (vendor/install test)")
    taken = stage.folder / "taken.csv"
    stage.open("Guests", python, str(TESTS / "lib" / "form.py"), str(taken))
    with open(stage.folder / "guests.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["Name", "Street", "City", "Guests", "Note"], *ROWS])
    said = succeeded(stage.run("fill_form.lua", "guests.csv", "--window", "Guests", "--dry-run"))
    must("3 rows would be typed." in said and not taken.exists(), said)
    said = succeeded(stage.run("fill_form.lua", "guests.csv", "--window", "Guests"))
    must("3 rows typed." in said, said)
    got = read_rows(taken)
    must(got == ROWS, got, said)
    (stage.folder / "bad.csv").write_text("Name\nfine\n\"two\nlines\"\n", encoding="utf-8")
    bad = stage.run("fill_form.lua", "bad.csv", "--window", "Guests")
    must(bad.returncode == 1 and "row 2, Name: the value contains a line end" in bad.stdout, bad)
    must(read_rows(taken) == ROWS, "nothing was typed of a file with a bad row")
    part = stage.run("fill_form.lua", "guests.csv", "--window", "Guests", "--columns", "city,name", "--from", "3")
    succeeded(part)
    must(read_rows(taken)[3:] == [["東京", "山田 太郎", "", "", ""]], read_rows(taken))
    must(stage.run("fill_form.lua", "guests.csv", "--window", "Nobody").returncode == 1, "no such window")


def read_rows(path):
    end = time.monotonic() + HANGING
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.02)
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def main():
    for program in ("Xvfb", "openbox", "dbus-daemon", "xterm", "wmctrl", "xdotool"):
        if not shutil.which(program):
            tap.skip("examples for the desktop", f"{program} is not installed (vendor/install test)")
            tap.done()
    with Stage() as stage:
        tap.case("they tell how they are used, and what is wrong", helps, stage)
        colour = "#%02x%02x%02x" % RED
        stage.open("red <1> & \"co\"", "xterm", "-T", "red <1> & \"co\"", "-bg", colour, "-fg", colour, "-e", "cat")
        stage.open("plain", "xterm", "-T", "plain", "-e", "cat")
        stage.open("third", "xterm", "-T", "third", "-e", "cat")
        tap.case("tile_windows.lua tiles windows", tiles, stage)
        tap.case("window_sheet.lua shows every window", sheet, stage)
        tap.case("fill_form.lua fills a form from a CSV file", form, stage)
    tap.done()


if __name__ == "__main__":
    main()
