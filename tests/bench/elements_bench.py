#!/usr/bin/env python3
"""`make bench`, the part of elements: looking and acting over AT-SPI beside Debian's pyatspi, on a private desktop.

    tests/bench/elements_bench.py [--tries 20] [--json FILE]

Each figure of ours is the median of whole tool calls, from the line sent to the line read; pyatspi's is the median of the same
work in a Python that runs already. A first look is one of a server that was just started: it knows nothing of the application. Tokens are those of npm's gpt-tokenizer (o200k). Nothing fails by time: an aim is `met` or
`MISSED`, and the exit code tells only whether everything could be done.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time

from desktop_bench import OUT, PERIGEE, Failed, Session

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import desktop  # noqa: E402  (its folder has to be on the path)

TOKENIZER = ("gpt-tokenizer", "4.0.0")
COUNT = ("const {encode} = require('gpt-tokenizer'); const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
         "console.log(JSON.stringify(texts.map(text => encode(text).length)))")

BOXES = """import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="boxes")
grid = Gtk.Grid()
for n in range(100):
    grid.attach(Gtk.CheckButton(label=f"box {n}"), n % 10, n // 10, 1, 1)
window.add(grid)
window.show_all()
Gtk.main()"""

# application, the aim in milliseconds, and what it is opened with
LOOKED_AT = (("mousepad", 15, {}), ("libreoffice-impress", 300, {}), ("gnome-calculator", None, {}), ("featherpad", None, {}))
OUTLINE_TOKENS, DIFF_TOKENS, PEER_PART, PRESS_PART = 1500, 150, 0.1, 1.5
HUGE_MS, DELAY_MS = 1000, 50    # a look at a hundred thousand widgets, and how long another one may wait for it
SERVE = [PERIGEE, "serve", "--no-user-root", "--toolset", "desktop,elements"]
FIRST_TRIES = 3
ROUNDS = 4    # ours and the peer's by turns, so that a machine that becomes slower or faster is so for both


# --- tokens ------------------------------------------------------------------------------

def tokenizer():
    """The folder of the tokenizer; None where there is no npm or no network."""
    name, version = TOKENIZER
    folder = OUT / "node"
    if not (folder / "node_modules" / name).exists():
        if not shutil.which("npm"):
            return None
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", f"{name}@{version}"], cwd=folder, check=False)
    return folder if (folder / "node_modules" / name).exists() else None


def tokens(texts):
    folder = tokenizer()
    if not folder:
        return None
    done = subprocess.run(["node", "-e", COUNT], cwd=folder, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


# --- what is measured ----------------------------------------------------------------------

def content(answer):
    return json.loads(answer)["result"]["structuredContent"]


def peer(env, *words):
    done = subprocess.run(["/usr/bin/python3", str(HERE / "elements_peer.py"), *words], env=env, capture_output=True, text=True,
                          check=False, timeout=120)
    if done.returncode:
        raise Failed(f"pyatspi: {done.stderr.strip()[-200:]}")
    return json.loads(done.stdout)


def until(what, done):
    end = time.monotonic() + 60
    while not done():
        if time.monotonic() > end:
            raise Failed(f"{what}: nothing after 60 s")
        time.sleep(0.05)


def opened(ours, name, more):
    """The application's resource name, once its interface does not grow any more."""
    app = content(ours.call("open_application", name=name, wait=30, **more)[1])["application"]["name"]
    sizes = [0, 1]

    def still():
        try:
            sizes.append(content(ours.call("get_ui_tree", application=app, source="tree")[1])["elements"])
        except Failed:
            sizes.append(0)
        return sizes[-1] > 3 and sizes[-1] == sizes[-2] == sizes[-3]
    until(f"the interface of {name}", still)
    return app


def first_look(env, app):
    def once():
        with Session(SERVE, env) as fresh:
            return fresh.call("get_ui_tree", application=app, max_tokens=50000)[0]
    return statistics.median(once() for _ in range(FIRST_TRIES))


def looks(ours, env, tries, rows):
    for name, limit, more in LOOKED_AT:
        app = opened(ours, name, more)
        process = pathlib.Path(f"/proc/{app.split('/')[1]}/comm").read_text(encoding="utf-8").strip()
        answers, told = [], []
        for _ in range(ROUNDS):
            answers += [ours.call("get_ui_tree", application=app, max_tokens=50000) for _ in range(tries)]
            told.append(peer(env, "outline", {"soffice.bin": "soffice"}.get(process, name)))
        last = content(answers[-1][1])
        rows.append({"name": name, "limit": limit, "first_ms": first_look(env, app), "ms": statistics.median(ms for ms, _ in answers),
                     "peer_ms": statistics.median(ms for each in told for ms in each["ms"]), "lines": last["outline"].count("\n") + 1,
                     "read": last["elements"], "peer_nodes": told[-1]["nodes"], "outline": last["outline"]})
        ours.call("quit_application", name=app, force=True)


def presses(ours, env, tries):
    """One of a hundred check boxes: found, pressed, and its state read."""
    program = subprocess.Popen(["/usr/bin/python3", "-c", BOXES], env=env, stderr=subprocess.DEVNULL)
    try:
        until("the boxes", lambda: b"box 99" in ours.ask("tools/call", {"name": "get_ui_tree", "arguments": {
            "application": f"applications/{program.pid}"}})[1])
        took, changes = [], []
        for _ in range(tries):
            ms, answer = ours.call("click_element", application=f"applications/{program.pid}", element='checkbox "box 57"')
            answer = content(answer)
            if answer["effect"] != "confirmed":
                raise Failed(f"a pressed check box: {answer}")
            took.append(ms)
            changes.append("\n".join(answer["changes"]))
        before = ours.processor()
        time.sleep(3)
        return {"ms": statistics.median(took), "peer_ms": statistics.median(peer(env, "press", "-c", "box 57")["ms"]),
                "diff": max(changes, key=len), "idle_ms": (ours.processor() - before) / 3}
    finally:
        program.kill()
        program.wait()


def huge(ours, env, tries):
    """A window of a hundred thousand widgets; and, while it is looked at, looks at another application."""
    program = subprocess.Popen(["/usr/bin/python3", "-u", str(HERE.parent / "lib" / "huge_tree.py")], env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    app, done = f"applications/{program.pid}", threading.Event()
    other = opened(ours, "gnome-calculator", {})

    def look():
        with Session(SERVE, env) as second:
            while not done.is_set():
                second.ask("tools/call", {"name": "get_ui_tree", "arguments": {"application": app}})

    def others():
        return statistics.median(ours.call("get_ui_tree", application=other)[0] for _ in range(tries))
    try:
        program.stdout.readline()
        until("the huge tree", lambda: b'"isError":true' not in ours.ask("tools/call", {
            "name": "get_ui_tree", "arguments": {"application": app}})[1])
        took = statistics.median(ours.call("get_ui_tree", application=app)[0] for _ in range(5))
        alone, looking = others(), threading.Thread(target=look)
        looking.start()
        meanwhile = others()
        done.set()
        looking.join()
        return {"ms": took, "alone_ms": alone, "meanwhile_ms": meanwhile}
    finally:
        done.set()
        program.kill()
        program.wait()


# --- what is shown -------------------------------------------------------------------------

def aim(what, value, limit, unit):
    print(f"  {'met' if value <= limit else 'MISSED':<7} {what}: {value:.2f}{unit} (aim <= {limit:g}{unit})")


def show(rows, press, large, counts):
    print("elements, milliseconds (medians)\n"
          f"{'':24}{'first':>10}{'again':>10}{'pyatspi':>10}{'lines':>8}{'read':>8}{'pyatspi':>10}{'tokens':>9}")
    for row, count in zip(rows, counts or [None] * len(rows)):
        print(f"outline of {row['name']:<13.13}{row['first_ms']:>10.1f}{row['ms']:>10.1f}{row['peer_ms']:>10.1f}{row['lines']:>8}{row['read']:>8}"
              f"{row['peer_nodes']:>10}{count if count is not None else '-':>9}")
    print(f"{'100,000 widgets':34}{large['ms']:>10.1f}\n"
          f"{'another application':34}{large['alone_ms']:>10.1f}   {large['meanwhile_ms']:.1f} while those are looked at")
    print(f"{'find, press and verify':34}{press['ms']:>10.1f}{press['peer_ms']:>10.1f}\n\naims of elements")
    for row, count in zip(rows, counts or [None] * len(rows)):
        if row["limit"]:
            aim(f"an outline of {row['name']}", row["ms"], row["limit"], " ms")
        if row["peer_nodes"] * 2 > row["lines"]:      # GTK 4 says of nothing that it is shown, and pyatspi goes by that
            aim(f"an outline of {row['name']}", row["ms"] / row["peer_ms"], PEER_PART, "x pyatspi")
        if count is not None and row["read"] >= 100:
            aim(f"300 elements of {row['name']}", count * 300 / row["read"], OUTLINE_TOKENS, " tokens")
    if counts:
        aim("what changed after a press", counts[-1], DIFF_TOKENS, " tokens")
    aim("100,000 widgets", large["ms"], HUGE_MS, " ms")
    aim("another application waits for them", large["meanwhile_ms"] - large["alone_ms"], DELAY_MS, " ms")
    aim("find, press and verify", press["ms"] / press["peer_ms"], PRESS_PART, "x pyatspi")
    aim("processor time while nothing changes", press["idle_ms"], 0.5, " ms a second")


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/elements_bench.py")
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--json", help="write every figure there")
    options = parser.parse_args()
    for program in ("Xvfb", "openbox", "dbus-daemon", "mousepad", "soffice", "gnome-calculator", "featherpad"):
        if not shutil.which(program):
            print(f"bench: no elements, {program} is not installed (vendor/install demo test bench)")
            return 0
    rows = []
    with desktop.Desktop((1920, 1080)) as screen:
        env = dict(screen.env, PERIGEE_HOME=str(screen.folder / "home"))
        with Session(SERVE, env) as ours:
            looks(ours, env, options.tries, rows)
            press = presses(ours, env, options.tries)
            large = huge(ours, env, options.tries)
    counts = tokens([row["outline"] for row in rows] + [press["diff"]])
    show(rows, press, large, counts)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"looks": rows, "press": press, "huge": large, "tokens": counts}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
