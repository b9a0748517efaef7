#!/usr/bin/env python3
"""call_dbus with applications as people have them: each is found, read, searched, checked and called, and its effect is seen
elsewhere than in the answer. tests/desktop/dictionary_dbus_test.py has mousepad, a notification service and a double that has everything."""

import contextlib
import os
import shutil
import sys
import wave

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
from described_application import is_described      # noqa: E402
from tap import Skip            # noqa: E402
from tools import has, opened, run, same, until     # noqa: E402

MPRIS = "/etc/mpv/scripts/mpris.so"


def needs(program):
    if not shutil.which(program):
        raise Skip(f"{program} is not installed (vendor/install wide)")


def caller(tools, app):
    def act(method, **more):
        return tools("call_dbus", app=app, method=method, **more)
    return act


def answers(tools, app, method):
    """Waits until the application has what is to be called: it exports its actions after its window. Wrong arguments call
    nothing."""
    def there():
        said = tools.result("call_dbus", app=app, method=method, args=["no such argument"] * 9)
        return said["_meta"]["perigee/code"] == "INVALID_ARGUMENT" or said["content"][0]["text"]
    until(lambda: there() is True, f"{app} {method}")


def titles(tools):
    return [each["title"] for each in tools("list_windows")["windows"]]


def gedit(tools, desktop):
    needs("gedit")
    note = desktop.folder / "words.txt"
    note.write_text("one\ntwo\n")
    with opened(tools, "gedit", files=[str(note)]):
        answers(tools, "org.gnome.gedit", "win.new-tab")
        is_described(tools, desktop, "org.gnome.gedit", "sort the lines of the text", "sort")
        act = caller(tools, "org.gnome.gedit")
        panel = act("side-panel", state=True)
        same([panel["before"], panel["after"], panel["effect"]], [False, True, "changed"])
        same(act("win.side-panel", state=True)["effect"], "unchanged")
        width = act("tab-width", state=3)
        same([width["effect"], width["after"]], ["changed", 3])
        tab = act("new-tab")
        same(tab["effect"], "seen", str(tab))
        until(lambda: any("Untitled" in each for each in titles(tools)), "a new document")
        has(tools.fails("DISABLED", "call_dbus", app="gedit", method="win.undo"), "win.undo is disabled now")
        new = tools("call_dbus", app="org.gnome.gedit", method="desktop.new-window")
        same(new["effect"], "seen", str(new))
        until(lambda: len(titles(tools)) == 2, "a second window")


def pdf(pages):
    """A document with so many empty pages."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>",
               "<< /Type /Pages /Kids [%s] /Count %d >>" % (" ".join(f"{3 + i} 0 R" for i in range(pages)), pages)]
    objects += ["<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>"] * pages
    out, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode()
    at = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{at}\n%%EOF\n".encode()


def evince(tools, desktop):
    """It owns no name that is known: its window says where it is."""
    needs("evince")
    (desktop.folder / "pages.pdf").write_bytes(pdf(3))
    with opened(tools, "evince", files=[str(desktop.folder / "pages.pdf")]):
        answers(tools, "org.gnome.Evince", "win.go-next-page")
        is_described(tools, desktop, "org.gnome.Evince", "turn to the next page", "go-next-page")
        act = caller(tools, "org.gnome.Evince")
        until(lambda: not tools.result("call_dbus", app="org.gnome.Evince", method="win.go-last-page").get("isError"), "the document")
        has(tools.fails("DISABLED", "call_dbus", app="org.gnome.Evince", method="go-next-page"), "win.go-next-page is disabled now")
        first = act("go-first-page")
        has(" ".join(first["seen"]), "action go-next-page is enabled")
        dual = act("dual-page", state=True)
        same([dual["before"], dual["after"]], [False, True])


def nautilus(tools, desktop):
    needs("nautilus")
    folder = desktop.folder / "shelf"
    folder.mkdir()
    with opened(tools, "nautilus", files=[str(folder)]):
        answers(tools, "org.gnome.Nautilus", "win.new-tab")
        is_described(tools, desktop, "org.gnome.Nautilus", "make a new folder", "CreateFolder")
        act = caller(tools, "org.gnome.Nautilus")
        made = act("FileOperations2.CreateFolder", args={"parent_uri": folder.as_uri(), "new_folder_name": "box", "platform_data": {}})
        same(made["effect"] in ("seen", "unknown"), True)
        until((folder / "box").is_dir, "the folder")
        tab = act("win.new-tab")
        same(tab["effect"], "seen", str(tab))


def calculator(tools, desktop):
    """It owns no name that is known, as Evince."""
    needs("gnome-calculator")
    with opened(tools, "gnome-calculator"):
        answers(tools, "org.gnome.Calculator", "win.mode")
        is_described(tools, desktop, "org.gnome.Calculator", "calculate with binary numbers, for programmers", "mode")
        act = caller(tools, "org.gnome.Calculator")
        mode = act("mode", state="advanced")
        same([mode["before"], mode["after"], mode["effect"]], ["basic", "advanced", "changed"])
        about = act("app.about")
        has(" ".join(about["seen"]), "opened")


def thunar(tools, desktop):
    """A service with three names, and methods in the place of actions."""
    needs("thunar")
    folder = desktop.folder / "cellar"
    folder.mkdir()
    with applications.program(desktop, "thunar", "--daemon"):
        answers(tools, "org.xfce.FileManager", "DisplayFolder")
        is_described(tools, desktop, "thunar", "throw a file away", "MoveToTrash")
        act = caller(tools, "org.xfce.FileManager")
        shown = act("DisplayFolder", args={"uri": folder.as_uri(), "display": "", "startup_id": ""})
        same(shown["app"], "thunar")
        has(" ".join(shown["seen"]), "cellar")
        until(lambda: any("cellar" in each for each in titles(tools)), "the folder's window")
        same(act("QueryTrash")["effect"], "read")
        has(tools.fails("INVALID_ARGUMENT", "call_dbus", app="thunar", method="DisplayFolder", args=[folder.as_uri()]),
            "expected 3 arguments, not 1")
        act("Terminate")


def player(tools, desktop):
    needs("mpv")
    if not os.path.exists(MPRIS):
        raise Skip("mpv-mpris is not installed (vendor/install wide)")
    with wave.open(str(desktop.folder / "silence.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(b"\x80" * 8000 * 600)
    with applications.program(desktop, "mpv", "--no-config", "--ao=null", "--force-window=no", "--no-terminal", f"--script={MPRIS}",
                              str(desktop.folder / "silence.wav")):
        answers(tools, "mpv", "Player.PlayPause")
        is_described(tools, desktop, "mpv", "pause the music", "PlayPause")
        act = caller(tools, "mpv")
        until(lambda: act("Player.PlaybackStatus")["result"] == "Playing", "the sound")
        paused = act("PlayPause")
        has(" ".join(paused["seen"]), 'property PlaybackStatus is "Paused"')
        same(act("PlaybackStatus")["result"], "Paused")
        volume = act("Volume", args=[0.5])
        same([volume["effect"], volume["after"]], ["changed", 0.5])
        act("Seek", args=[10000000])
        until(lambda: act("Position")["result"] >= 9000000, "a later place")
        same(act("Metadata")["result"]["xesam:title"], "silence.wav")
        has(tools.fails("INVALID_ARGUMENT", "call_dbus", app="mpv", method="Seek", args=[1.5]), "argument 1 (Offset)")
        act("MediaPlayer2.Quit")


def desktop_actions(tools, _desktop):
    """mousepad does not run: its action is a command line."""
    with contextlib.ExitStack() as end:
        done = tools("call_dbus", app="org.xfce.mousepad", method="preferences")
        end.callback(lambda: tools("quit_application", name="Mousepad", force=True))
        same([done["called"], done["effect"]], ["desktop.preferences", "seen"], str(done))
        until(lambda: any("Preferences" in each for each in titles(tools)), "the window of its preferences")


def dictionaries_of_all(tools, desktop):
    """Everything that is listed can be read, within the limit of a summary."""
    needs("gnome-calculator")
    with opened(tools, "gnome-calculator"), applications.program(desktop, "thunar", "--daemon"):
        answers(tools, "thunar", "DisplayFolder")
        for app in tools("discover_apps")["apps"]:
            text = tools.text("get_app_capabilities", appBundleId=app["bundleId"], format="summary")
            same(len(text) < 12000, True, f"{app['bundleId']}: {len(text)} bytes")


run((("gedit", gedit), ("evince", evince), ("nautilus", nautilus), ("gnome-calculator", calculator), ("thunar", thunar),
     ("a player", player), ("actions of a desktop entry", desktop_actions), ("dictionaries of all", dictionaries_of_all)),
    ["mousepad", "Xvfb"])
