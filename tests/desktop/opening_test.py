#!/usr/bin/env python3
"""open_application with applications that show something else first, hand over to others, or have several entries."""

import contextlib
import os
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tap import Failure, Skip                                        # noqa: E402
from tools import PATIENCE, Tools, has, run, same, until    # noqa: E402

JAR = "/usr/share/java/java-atk-wrapper.jar"
SINGLE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "single_instance.py"))
STARTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "slow_starter.py")


def entry(desktop, name, command, **fields):
    """Writes a desktop entry; its id is the name."""
    folder = desktop.folder / "home/.local/share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["[Desktop Entry]", "Type=Application", f"Exec={command}", *(f"{key}={value}" for key, value in fields.items())]
    (folder / f"{name}.desktop").write_text("\n".join(lines) + "\n")


def starter(*words):
    return " ".join([sys.executable, os.path.realpath(STARTER), *words])


def quit_it(tools, opened):
    tools("quit_application", name=opened["application"]["name"], force=True)


def session(desktop):
    """Writes all entries before the server looks at them for the first time."""
    fifo, program = desktop.folder / "requests", desktop.folder / "home/perigee-finder"
    os.mkfifo(fifo)
    shutil.copy(shutil.which("xev"), program)
    entry(desktop, "slow-office", starter("splash", "0.7", "sheet"), Name="Slow Office", StartupWMClass="Bare")
    entry(desktop, "slower-office", starter("splash", "600", "sheet"), Name="Slower Office", StartupWMClass="Bare")
    entry(desktop, "unsaid-office", starter("unsaid", "0.7", "sheet"), Name="Unsaid Office", StartupWMClass="Bare")
    entry(desktop, "brief-office", starter("brief", "100", "sheet"), Name="Brief Office", StartupWMClass="Bare")
    entry(desktop, "bare-office", starter("bare", "sheet"), Name="Bare Office", StartupWMClass="Bare")
    entry(desktop, "argued", "env A=B xterm %U", Name="Argued")
    entry(desktop, "quoted", "sh -c \"cat '%f'; exec xev\"", Name="Quoted")
    entry(desktop, "wine", f"env A=\"b c\" {desktop.folder}/home/says-words C:\\\\\\\\x\\\\ y\\\\\\\\A.lnk --file=%f", Name="Wine")
    entry(desktop, "served", starter("ask", str(fifo), "served"), Name="Served", StartupWMClass="Bare")
    os.mkfifo(desktop.folder / "handed")
    entry(desktop, "single", f"{sys.executable} {SINGLE}", Name="Single", StartupWMClass="Single")
    for part in ("rename", "trash", "home", "network", "settings", "search", "open"):     # one of them is read first
        entry(desktop, f"finder-{part}", f"{program} -name {part} %F", Name=part.title())
    entry(desktop, "finder", f"{program} %U", Name="Finder")
    return Tools(desktop.env)


def behind_splash(tools, _desktop):
    """The splash screen may not say that it is one; but a window that only looks like one is the answer in the end."""
    for name, shown in (("slow-office", "Slow Office"), ("unsaid-office", "Unsaid Office"), ("bare-office", "Bare Office")):
        opened = tools("open_application", name=name, wait=PATIENCE)
        try:
            same(tools("get_window", name=opened["window"])["title"], "sheet", name)
            same(opened["application"]["display_name"], shown)
            same(opened["window"].startswith(opened["application"]["name"] + "/"), True, "the window's own process")
        finally:
            quit_it(tools, opened)


def gone_while_looked_at(tools, _desktop):
    """A splash screen that ended in that moment was taken for a window that stays."""
    for _ in range(3):
        opened = tools("open_application", name="brief-office", wait=PATIENCE)
        try:
            same(tools("get_window", name=opened["window"])["title"], "sheet")
        finally:
            quit_it(tools, opened)


def first_of_a_session(_tools, desktop):
    """The window that was not named yet was asked for an answer, without the state of input: the engine crashed."""
    if not shutil.which("zenity"):
        raise Skip("zenity is not installed")
    with contextlib.closing(Tools(desktop.env)) as tools:
        form = ["--forms", "--add-entry=Name"]
        quit_it(tools, tools("open_application", name=shutil.which("zenity"), arguments=form, wait=PATIENCE))


def only_splash(tools, _desktop):
    opened = tools("open_application", name="slower-office", wait=1.5)
    try:
        same((opened.get("window"), opened["ended"]), (None, False))
        has(opened["note"], "only a splash screen")
    finally:
        quit_it(tools, opened)


def served(tools, desktop):
    """The program asks a server, which starts the application (as D-Bus does for gnome-terminal)."""
    fifo, started = desktop.folder / "requests", []

    def serve():
        with open(fifo, encoding="utf-8") as pipe:
            title = pipe.readline().strip()
        started.append(subprocess.Popen([sys.executable, STARTER, "window", title], env=desktop.env))

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    opened = tools("open_application", name="served", wait=PATIENCE)
    server.join(PATIENCE)
    try:
        same((opened["already"], opened["application"]["pid"]), (False, started[0].pid), "it did not run before")
        again = tools("open_application", name="served", wait=PATIENCE)
        same((again["already"], again["window"]), (True, opened["window"]), "and now it does")
    finally:
        started[0].kill()
        started[0].wait()


def handed_over(tools, desktop):
    """A dialog of the instance that runs was missed if the new process was seen to have ended before it came: the wait for the
    dialog to settle was longer. And a window of it that had the keyboard was taken for the one that opened."""
    fifo = str(desktop.folder / "handed")
    first = tools("open_application", name="single", arguments=["run", fifo, "the first"], wait=PATIENCE)
    other = tools.xterm("another")
    try:
        for focused, what in ((other[1], "prompt"), (other[1], "busy"), (first["window"], "prompt")):
            tools("focus_window", name=focused)
            opened = tools("open_application", name="single", arguments=[what, fifo], wait=PATIENCE)
            same(opened.get("window") and tools("get_window", name=opened["window"])["title"], what, f"{what} beside {focused}")
            same((opened["application"]["pid"], opened["already"]), (first["application"]["pid"], True))
            tools("close_window", name=opened["window"])
        tools("focus_window", name=first["window"])
        same(tools("open_application", name="single", arguments=["nothing", fifo], wait=PATIENCE)["window"], first["window"])
    finally:
        quit_it(tools, first)
        tools("quit_application", name=other[0], force=True)


def of_one_program(tools, _desktop):
    """Thunar does so: it has entries for the file manager itself and for its tool to rename files."""
    opened = tools("open_application", name="finder", wait=PATIENCE)
    same(opened["application"]["display_name"], "Finder")
    listed = [a["display_name"] for a in tools("list_applications")["applications"] if a["pid"] == opened["application"]["pid"]]
    same(listed, ["Finder"], "one application for one process")
    quit_it(tools, opened)


def with_arguments(tools, _desktop):
    """The application's entry has no place for the arguments in its line."""
    opened = tools("open_application", name="argued", wait=PATIENCE, arguments=["-T", "an argued title", "-e", "sleep", "600"])
    same(tools("get_window", name=opened["window"])["title"], "an argued title")
    quit_it(tools, opened)


def names_as_words(tools, desktop):
    """The name ran in the shell, and the line of Wine's menu builder was split within its path."""
    said, script, file = desktop.folder / "words", desktop.folder / "home/says-words", desktop.folder / "x'; touch y; '"
    file.write_text("x")
    script.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$A\" \"$@\" >{said}.new\nmv {said}.new {said}\nexec xev\n")
    script.chmod(0o755)
    has(tools.fails("LAUNCH_FAILED", "open_application", name="quoted", files=[str(file)]), "could run as one")
    opened = tools("open_application", name="wine", files=[str(file)], wait=PATIENCE)
    same(said.read_text().split("\n"), ["b c", "C:\\x y\\A.lnk", f"--file={file}", ""])
    quit_it(tools, opened)


def variables(tools, desktop):
    """Toolkits that tell nothing of their elements by themselves are woken, and modules that the user wants stay."""
    said = desktop.folder / "variables"
    script = desktop.folder / "home/says-variables"
    script.write_text(f"#!/bin/sh\nenv >{said}.new\nmv {said}.new {said}\nexec xev\n")
    script.chmod(0o755)
    for own, modules in ((None, "gail:atk-bridge"), ("canberra-gtk-module", "canberra-gtk-module:gail:atk-bridge"),
                         ("gail:atk-bridge:x", "gail:atk-bridge:x"), ("atk-bridge", "atk-bridge:gail"),
                         ("my-atk-bridge:gail", "my-atk-bridge:gail:atk-bridge")):
        with contextlib.closing(Tools(dict(desktop.env, **{"GTK_MODULES": own} if own else {}))) as session_of:
            opened = session_of("open_application", name=str(script), new=True, wait=PATIENCE)
        told = said.read_text().split("\n")
        same([line for line in told if line.startswith(("GTK_MODULES=", "QT_LINUX"))],
             [f"GTK_MODULES={modules}", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1"])
        quit_it(tools, opened)


def popups_of(tools, app):
    return [each for each in tools("list_windows", parent=app, all_kinds=True)["windows"] if each["kind"] == "popup"]


def items_of_menus(tools, app):
    """GTK 2 does not tell that items of an open menu are shown: the menus were called empty."""
    def mode():
        return tools("find_elements", application=app, selector='checkitem "Compact View"', hidden=True)["elements"][0].get("states", [])
    for choose in (lambda: tools("select_menu_item", application=app, path="View > Folder View Mode > Compact View"),
                   lambda: tools("click_element", application=app, element='checkitem "Icon View"')):
        before = mode()
        choose()
        until(lambda was=before: mode() != was, "the other mode")
    # in a menu that is open already, which another press of its heading would close
    for choose in (lambda: tools("select_menu_item", application=app, path="View > Folder View Mode > Compact View"),
                   lambda: tools("click_element", application=app, element='menuitem "Reload Folder"')):
        opened = tools("click_element", application=app, element='menu "View"')
        same(opened["effect"], "confirmed", opened)
        has(choose()["route"], "pointer at")
        try:
            until(lambda: not popups_of(tools, app), "the end of the menu")
        except Failure as failure:
            raise Failure(f"{failure}: {popups_of(tools, app)}") from None


def of_java(tools, desktop):
    """Its wrapper is loaded only where it is installed, because Java ends without it, and never beside one of the user's."""
    said = desktop.folder / "variables"
    wrapper = "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:" + JAR
    for own, wanted in (("-Dx=y", f"-Dx=y {wrapper}" if os.path.exists(JAR) else "-Dx=y"),
                        ("-Djavax.accessibility.assistive_technologies=mine",) * 2):
        with contextlib.closing(Tools(dict(desktop.env, JAVA_TOOL_OPTIONS=own))) as session_of:
            opened = session_of("open_application", name=str(desktop.folder / "home/says-variables"), new=True, wait=PATIENCE)
        same([line for line in said.read_text().split("\n") if line.startswith("JAVA")], [f"JAVA_TOOL_OPTIONS={wanted}"])
        quit_it(tools, opened)


def of_gtk_2(tools, _desktop):
    """It was said to be one that never tells of its elements."""
    if not shutil.which("pcmanfm"):
        raise Skip("pcmanfm is not installed (vendor/install test)")
    opened = tools("open_application", name="pcmanfm", wait=PATIENCE)
    app = opened["application"]["name"]
    until(lambda: not tools.result("get_ui_tree", application=app, source="tree").get("isError"), "the elements")
    has(tools("get_ui_tree", application=app, source="tree")["outline"], 'menu "File"')
    items_of_menus(tools, app)
    quit_it(tools, opened)


run((("the window behind a splash screen is the answer, with its own process", behind_splash),
     ("a window that is not named yet is asked before any input", first_of_a_session),
     ("a splash screen that stays is not called the window", only_splash),
     ("a splash screen that ends while it is looked at is not the window", gone_while_looked_at),
     ("an application that a server starts on request did not run already", served),
     ("a window of the instance that runs already is the answer, and no older one", handed_over),
     ("arguments reach an application that is found by its entry", with_arguments),
     ("a file's name is one word for a program, and never a command", names_as_words),
     ("a program with several entries is named by its own, once", of_one_program),
     ("a program is started with what makes its toolkit tell of elements", variables),
     ("Java tells of its elements by a wrapper, if there is one", of_java),
     ("PCManFM, of GTK 2 or later, tells of its elements", of_gtk_2)),
    ("Xvfb", "openbox", "dbus-daemon", "xev"), session)
