#!/usr/bin/env python3
"""The example services for the clipboard and for files, on a real desktop, worked by real keys."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from installed import HANDLES, SERVICES, Installed, background, search, tool, window_of, xterm

import tap
from desktop import Desktop
from server import PERIGEE
from tools import has, same, until

PYTHON = "/usr/bin/python3"     # the system's, which has Tk
HOLD = "ctrl+super+"
QUIET = 0.3                     # seconds until a file counts as complete

# A program that copies, as password managers do if it is told to.
COPIES = """import sys, tkinter
root = tkinter.Tk()
root.withdraw()
def offer(kind, text):
    root.selection_handle(lambda at, most: text[int(at):int(at) + int(most)], selection="CLIPBOARD", type=kind)
offer("UTF8_STRING", sys.argv[1])
if len(sys.argv) > 2:
    offer("x-kde-passwordManagerHint", sys.argv[2])
root.selection_own(selection="CLIPBOARD")
print("owns it", flush=True)
root.mainloop()
"""


# --- the clipboard -------------------------------------------------------------------------------------

def copy(desktop, text):
    subprocess.run(["xclip", "-selection", "clipboard", "-i"], env=desktop.env, input=text.encode(), check=True, timeout=30,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def pasted(desktop):
    return subprocess.run(["xclip", "-selection", "clipboard", "-o"], env=desktop.env, capture_output=True, timeout=30,
                          check=False).stdout.decode()


def await_entries(service, *entries):
    wanted = list(entries)
    try:
        until(lambda: service.store().get("entries") == wanted, f"the entries {wanted}")
    except tap.Failure as failure:
        raise tap.Failure(f"{failure}, but {service.store()}") from None


def clipboard_is_kept(desktop):
    with Installed(desktop, "clipboard_history", ENTRIES=3, BYTES=1000) as service:
        for text in ("one", "two", " \n", "x" * 1001, "three", "one", "äö\nüß <b>&amp;"):
            copy(desktop, text)
            until(lambda: pasted(desktop) == text, "what xclip has")
            if len(text) < 1000 and text.strip():
                until(lambda: service.store().get("entries", [""])[0] == text, f"{text!r} is kept")
        await_entries(service, "äö\nüß <b>&amp;", "one", "three")
        for words, kept in ((["hunter2", "secret"], False), (["no secret"], True)):
            with subprocess.Popen([PYTHON, "-c", COPIES, *words], env=desktop.env, stdout=subprocess.PIPE) as owner:
                same(owner.stdout.readline(), b"owns it\n")
                if kept:
                    await_entries(service, words[0], "äö\nüß <b>&amp;", "one")
                owner.terminate()
        service.restart()
        copy(desktop, "four")
        await_entries(service, "four", "no secret", "äö\nüß <b>&amp;")


TEXTS = ("--help", "https://example.com/a?b=1&c=2", "Dear Ada,\n\nthank you for the engine.\n", "<b>bold</b> & more")


def open_list(service):
    """The keys open the list once the last one's process has ended, which is later than its window is gone: while it runs, they
    close it."""
    until(lambda: service.status()["handles"] == HANDLES[service.name], "the service has no list open")
    service.keys(HOLD + "v")
    window = window_of(service.desktop, "^Clipboard$")
    tool(service.desktop, "xdotool", "windowactivate", "--sync", str(window))
    until(lambda: "forget all" in service.server.text("get_ui_tree", {"application": "zenity"}), "the last line of the list")
    return window


def choose(service, *keys):
    """zenity 3 has the keys in its list, and zenity 4 on the button OK, from where none lead into the list: a click on any row does.
    The keys are sent once a row has the focus."""
    rows = service.server.call("find_elements", {"application": "zenity", "selector": 'cell "--help"'})
    bounds = rows["result"]["structuredContent"]["elements"][0]["bounds"]
    at = (int(bounds["x"] + bounds["width"] / 2), int(bounds["y"] + bounds["height"] / 2))
    tool(service.desktop, "xdotool", "mousemove", "--sync", *map(str, at), "click", "1")
    until(lambda: any("selected" in line for line in service.server.text("get_ui_tree", {"application": "zenity"}).splitlines()),
          "a row is selected")
    service.keys("Home", *keys, "Return")


def await_closed(desktop, window):
    until(lambda: window not in search(desktop, "--name", ".*"), "the list closes")


def clipboard_list(desktop):
    with Installed(desktop, "clipboard_history") as service:
        for text in TEXTS:
            copy(desktop, text)
            until(lambda: service.store().get("entries", [""])[0] == text, f"{text!r} is kept")
        window = open_list(service)
        service.picture("clipboard")
        choose(service, "Down", "Down")
        await_closed(desktop, window)
        until(lambda: pasted(desktop) == TEXTS[1], "the third one")
        await_entries(service, TEXTS[1], TEXTS[3], TEXTS[2], TEXTS[0])
        window = open_list(service)
        service.keys("Down", "Escape")
        await_closed(desktop, window)
        window = open_list(service)
        service.keys(HOLD + "v")                            # pressed again
        await_closed(desktop, window)
        same(pasted(desktop), TEXTS[1])
        open_list(service)
        choose(service, "End")                              # forget all
        until(lambda: "entries" not in service.store(), "nothing is kept")


# --- files ---------------------------------------------------------------------------------------------

def write(path, text, mode="w"):
    with open(path, mode, encoding="utf-8") as file:
        file.write(text)


def tree(folder):
    """{path: content} of all files."""
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


def await_tree(folder, wanted):
    try:
        until(lambda: tree(folder) == wanted, "the files")
    except tap.Failure as failure:
        raise tap.Failure(f"{failure}: {tree(folder)} in place of {wanted}") from None


def written_slowly(folder):
    """The name and the content of a file that was there until it was complete. On a busy machine the writer may pause as long
    as a complete file has to be quiet: then it is right to move it, and the next file counts."""
    for name in (f"slow{'er' * number}.csv" for number in range(20)):
        begun = last = time.monotonic()
        pause, lines = 0, ""
        with open(folder / name, "a", encoding="utf-8") as file:
            while time.monotonic() < begun + 4 * QUIET and (folder / name).exists():
                lines += "line\n"
                file.write("line\n")
                file.flush()
                time.sleep(QUIET / 6)
                pause, last = max(pause, time.monotonic() - last), time.monotonic()
            if (folder / name).exists():
                return name, lines
            assert pause > QUIET / 2, f"moved while it was written, after pauses of {pause} s at most"
    raise tap.Skip("this machine is too busy")


def files(desktop):
    downloads = pathlib.Path(desktop.env["HOME"], "Downloads")
    downloads.mkdir()
    write(downloads / "old.pdf", "was there before")
    write(downloads / "notes", "without an ending")
    (downloads / "folder.zip").mkdir()
    with Installed(desktop, "file_sorter", grants=[downloads], QUIET=QUIET) as service:
        there = {"notes": "without an ending", "Documents/old.pdf": "was there before"}
        await_tree(downloads, there)
        for _ in range(2):                                  # the second one replaces nothing
            write(downloads / "report.pdf", "a report")
            until(lambda: not (downloads / "report.pdf").exists(), "it is moved")
        write(downloads / "Screenshot from today.PNG", "pixels")
        there |= {"Documents/report.pdf": "a report", "Documents/report (2).pdf": "a report",
                  "Screenshots/Screenshot from today.PNG": "pixels"}
        await_tree(downloads, there)

        write(downloads / "film.mkv.part", "half ")         # as browsers download
        slow, lines = written_slowly(downloads)
        there |= {"film.mkv.part": "half ", f"Tables/{slow}": lines}
        await_tree(downloads, there)
        write(downloads / "film.mkv.part", "and half", "a")
        os.rename(downloads / "film.mkv.part", downloads / "film.mkv")
        del there["film.mkv.part"]
        there["Media/film.mkv"] = "half and half"
        await_tree(downloads, there)

        log = f"'{PERIGEE}' service log file_sorter --pid {service.server.process.pid} | cut -c12-19,25-"
        with xterm(desktop, "Downloads", f"cd; ls -R Downloads; echo; {log}"):
            service.picture("sorter")
        service.keys(HOLD + "b")
        there["film.mkv"] = there.pop("Media/film.mkv")
        await_tree(downloads, there)
        service.keys(HOLD + "b")
        there[slow] = there.pop(f"Tables/{slow}")
        await_tree(downloads, there)
        service.restart()                                   # a file that was taken back stays even then
        write(downloads / "new.zip", "packed")
        there["Archives/new.zip"] = "packed"
        await_tree(downloads, there)
        write(downloads / "new.zip", "another")
        until(lambda: (downloads / "Archives" / "new (2).zip").exists(), "it is moved")
        write(downloads / "film.mkv", "another one")        # it is not the file that was taken back
        del there["film.mkv"]
        there |= {"Archives/new (2).zip": "another", "Media/film.mkv": "another one"}
        await_tree(downloads, there)
        (downloads / "film.mkv").mkdir()                    # in the way
        service.keys(HOLD + "b")
        service.await_log('Downloads/film.mkv": File exists')
        await_tree(downloads, there)
        (downloads / "film.mkv").rmdir()
        service.keys(HOLD + "b")
        there["film.mkv"] = there.pop("Media/film.mkv")
        await_tree(downloads, there)


# --- all of them ---------------------------------------------------------------------------------------

def checked():
    with tempfile.TemporaryDirectory(prefix="perigee-examples-") as root:
        shutil.copytree(SERVICES, pathlib.Path(root, "services"))
        done = subprocess.run([PERIGEE, "check", "--no-user-root", "--root", root], capture_output=True, text=True, timeout=60,
                              check=False)
        same(done.returncode, 0, done.stdout + done.stderr)
        has(done.stdout, f"{len(list(SERVICES.glob('*.lua')))} services")


def together(desktop):
    """All in one engine: none takes the keys of another."""
    home = pathlib.Path(desktop.env["HOME"])
    granted = [home / name for name in ("Downloads", "Calendars")]
    for folder in granted:
        folder.mkdir(exist_ok=True)
    names = sorted(file.stem for file in SERVICES.glob("*.lua"))
    with Installed(desktop, names[0], grants=granted) as service:
        for name in names[1:]:
            shutil.copy(SERVICES / f"{name}.lua", service.file.parent)

        def handles():
            """Of those that run."""
            listed = service.server.call("engine_status")["result"]["structuredContent"]["services"]
            return {each["name"]: each["handles"] for each in listed if each["state"] in ("runs", "ended")}
        until(lambda: sorted(handles()) == names, "all of them run")
        until(lambda: all(handles()[name] >= HANDLES[name] for name in names), "all of them have their keys")


def main():
    tap.case("perigee check has nothing against them", checked)
    for name in ("Xvfb", "openbox", "dbus-daemon", "xclip", "xdotool", "zenity"):
        if not shutil.which(name):
            tap.skip("example services for files", f"{name} is not installed (vendor/install test)")
            tap.done()
    with Desktop((900, 640)) as desktop:
        background(desktop)
        tap.case("clipboard_history: what is kept", clipboard_is_kept, desktop)
        tap.case("clipboard_history: the list", clipboard_list, desktop)
        tap.case("file_sorter: complete files are moved, and back", files, desktop)
        tap.case("all of them in one engine", together, desktop)
    tap.done()


if __name__ == "__main__":
    main()
