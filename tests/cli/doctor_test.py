#!/usr/bin/env python3
"""perigee doctor: what it finds, what it says to do, its JSON and its exit code. A real desktop's part is in
tests/desktop/screen_tools_test.py."""

import json
import os
import shutil
import subprocess

from kit import FOLDER, Terminal, done, folder, has, hasnt, must, perigee, same, soon, tap, write

IDS = ["libraries", "modules", "files", "state_folder", "temporary_folder", "programs", "jail", "python", "text_recognition", "mail",
       "common_tools", "keys", "settings", "displays", "stop", "pictures", "window_manager", "applications", "session_bus",
       "accessibility"]


def look(code, **env):
    """(checks by id, the whole)"""
    answer = perigee("doctor", "--json", **{"PERIGEE_DESKTOP": "fake", **env})
    same((answer.code, answer.err), (code, ""), f"ending of {answer.out}")
    same(answer.out.count("\n"), 1, "lines")
    value = json.loads(answer.out)
    same(list(value), ["ok", "version", "platform", "errors", "warnings", "checks"])
    same(value["ok"], code == 0)
    same(value["errors"], sum(c["status"] == "error" for c in value["checks"]))
    same(value["warnings"], sum(c["status"] == "warning" for c in value["checks"]))
    for check in value["checks"]:
        must({"id", "title", "status", "text"} <= set(check) <= {"id", "title", "status", "text", "next", "facts"}, check)
        must(check["status"] in ("ok", "warning", "error", "skipped") and check["text"], check)
        must(check["status"] in ("ok", "skipped") or check.get("next") or check["id"] in ("pictures", "applications"), check)
    return {c["id"]: c for c in value["checks"]}, value


def all_is_well():
    checks, value = look(0)
    same(list(checks), IDS)
    same({checks[i]["status"] for i in ("libraries", "modules", "files", "state_folder", "temporary_folder", "displays", "stop", "pictures",
                                        "applications")}, {"ok"})
    same(set(checks["libraries"]["facts"]["libraries"]), {"Lua", "libuv", "cJSON"})
    curl = next(m for m in checks["modules"]["facts"]["modules"] if m["name"] == "curl")
    must(curl["version"].startswith("libcurl/"), curl)
    same(len(checks["displays"]["facts"]["displays"]), 2)
    must(value["version"][0].isdigit(), value)
    same(os.path.exists(FOLDER / "state" / "perigee" / "doctor"), False, "a folder was left")


def variables_without_effect():
    checks, _ = look(0, PEEKABOO_CLI_PATH="/opt/peekaboo", MACOS_USE_SERVER_ADDR="localhost:50052")
    same([*checks][:len(IDS) + 1].count("variables"), 1)
    same(checks["variables"]["facts"]["set"], ["PEEKABOO_CLI_PATH", "MACOS_USE_SERVER_ADDR"])
    has(checks["variables"]["text"], "without effect")
    same(look(0, MACOS_USE_SERVER_TLS="true")[0]["variables"]["facts"]["set"], ["MACOS_USE_SERVER_TLS"])


def no_display():
    checks, _ = look(1, PERIGEE_DESKTOP="", DISPLAY="")
    same(checks["displays"]["status"], "error")
    has(checks["displays"]["text"], "DISPLAY is not set")
    same({checks[i]["status"] for i in ("pictures", "window_manager", "applications")}, {"skipped"})
    checks, _ = look(1, PERIGEE_DESKTOP="", DISPLAY=":9999")
    has(checks["displays"]["text"], ":9999")
    checks, _ = look(1, PERIGEE_DESKTOP="", DISPLAY="", WAYLAND_DISPLAY="wayland-0")
    has(checks["displays"]["next"], "Wayland")
    has(checks["displays"]["text"], "this session is Wayland's, which is not supported yet")
    checks, _ = look(0, WAYLAND_DISPLAY="wayland-0")            # with X11 beside it: Xwayland
    same(checks["displays"]["status"], "warning")
    has(checks["displays"]["next"], "only windows of X11 programs")


def no_modules():
    checks, _ = look(1, PERIGEE_MODULES=str(folder("no-modules")))
    same(checks["modules"]["status"], "error")
    has(checks["modules"]["text"], "curl (fetching over HTTP)", "encoders (PNG and JPEG)")
    broken = folder("broken-modules")
    for name in ("curl", "encoders", "x11", "libdbus", "libedit", "microhttpd", "pcre2", "nettle", "hogweed", "utf8proc"):
        (broken / f"{name}.so").write_text("no library")
    checks, _ = look(1, PERIGEE_MODULES=str(broken))
    has(checks["modules"]["text"], "file too short")


def broken_files():
    write("home/tools/mine/bad.lua", "return {")
    try:
        checks, _ = look(1)
        same(checks["files"]["status"], "error")
        has(checks["files"]["text"], "bad.lua", "1 file does not load")
        has(checks["files"]["next"], "perigee check")
    finally:
        os.remove(FOLDER / "home/tools/mine/bad.lua")


def folders():
    checks, _ = look(1, XDG_STATE_HOME="/proc/nowhere")
    same(checks["state_folder"]["status"], "error")
    has(checks["state_folder"]["text"], "/proc/nowhere")
    checks, _ = look(1, TMPDIR="/proc/nowhere")
    same(checks["temporary_folder"]["status"], "error")
    has(checks["temporary_folder"]["text"], "/proc/nowhere")
    same([n for n in os.listdir(os.environ.get("TMPDIR", "/tmp")) if n.endswith("_doctor.png")], [])


def missing_programs():
    empty = folder("no-programs")
    checks, _ = look(0, PATH=str(empty))
    same(checks["programs"]["status"], "warning")
    has(checks["programs"]["next"], "apt-get install libreoffice-impress")


def buses():
    """The question whether there is a session's bus started one, and its accessibility bus, and was answered with yes."""
    nowhere = str(folder("no-bus"))
    for name in ("dbus-launch", "dbus-send"):       # found, they would be asked
        write(f"launchers/{name}", f"#!/bin/sh\ntouch {FOLDER}/launched\n", mode=0o755)
    checks, _ = look(0, DBUS_SESSION_BUS_ADDRESS="", XDG_RUNTIME_DIR=nowhere, DISPLAY=":9",
                     PATH=f"{FOLDER}/launchers:{os.environ['PATH']}")
    same((checks["session_bus"]["status"], checks["accessibility"]["status"]), ("warning", "skipped"))
    has(checks["session_bus"]["text"], f"unix:path={nowhere}/bus")
    same(os.path.exists(FOLDER / "launched"), False, "a program was asked for a bus")


def a_bus_that_runs():
    """Its accessibility bus is not started either."""
    if not shutil.which("dbus-daemon"):
        raise tap.Skip("needs dbus-daemon")
    runtime = str(folder("a-bus"))
    with subprocess.Popen(["dbus-daemon", "--session", "--nofork", f"--address=unix:path={runtime}/bus"]) as daemon:
        try:
            soon(lambda: os.path.exists(f"{runtime}/bus"), "the bus")
            checks, _ = look(0, DBUS_SESSION_BUS_ADDRESS="", XDG_RUNTIME_DIR=runtime)
            same((checks["session_bus"]["status"], checks["session_bus"]["text"]), ("ok", f"unix:path={runtime}/bus"))
            same(checks["accessibility"]["status"] in ("ok", "warning"), True, checks["accessibility"])
            checks, _ = look(0, DBUS_SESSION_BUS_ADDRESS="", XDG_RUNTIME_DIR=runtime)
            hasnt(checks["accessibility"]["text"], "unix:path")      # it was not started by the look before
        finally:
            daemon.kill()


def text_recognition():
    """Builds with and without text recognition pass. The data of a language is a package of its own."""
    checks, _ = look(0)
    if checks["text_recognition"]["facts"].get("code") != "not_built":
        has(checks["text_recognition"]["text"], "tesseract ")
        must("eng" in checks["text_recognition"]["facts"]["languages"], checks["text_recognition"])
        checks, _ = look(0, TESSDATA_PREFIX=str(folder("no-languages")))
        same(checks["text_recognition"]["facts"]["languages"], [])
        has(checks["text_recognition"]["text"], "no data is installed")
        has(checks["text_recognition"]["next"], "tesseract-ocr-eng", "brew install tesseract", "TESSDATA_PREFIX")
        (folder("german") / "deu.traineddata").touch()
        checks, _ = look(0, TESSDATA_PREFIX=str(FOLDER / "german"))
        same((checks["text_recognition"]["status"], checks["text_recognition"]["facts"]["languages"]), ("warning", ["deu"]))
        has(checks["text_recognition"]["text"], "eng, which is taken unless another is asked for, is not installed")
    checks, _ = look(1, PERIGEE_MODULES=str(folder("no-modules-either")))
    same(checks["text_recognition"]["facts"]["code"], "not_built")
    has(checks["text_recognition"]["next"], "libtesseract-dev tesseract-ocr-eng", "brew install tesseract", "make")


def mail():
    checks, _ = look(0)
    if checks["mail"]["facts"].get("code") != "not_built":
        same((checks["mail"]["status"], checks["mail"]["facts"]["login"]), ("skipped", "no_client"))
        has(checks["mail"]["next"], "docs/mail.md")
        credentials = folder("gmail") / "credentials.json"
        credentials.write_text('{"installed":{"client_id":"x"}}')
        credentials.chmod(0o600)
        checks, _ = look(0, PERIGEE_GMAIL_CREDENTIALS=str(credentials))
        has(checks["mail"]["next"], "perigee login gmail")
        credentials.write_text("{")
        checks, _ = look(0, PERIGEE_GMAIL_CREDENTIALS=str(credentials))
        same((checks["mail"]["status"], checks["mail"]["facts"]["code"]), ("warning", "damaged"))
        checks, _ = look(0, PERIGEE_MAIL="smtps://me@host")
        same(checks["mail"]["facts"]["code"], "bad_setting")
    checks, _ = look(1, PERIGEE_MODULES=str(folder("no-modules-for-mail")))
    same(checks["mail"]["facts"]["code"], "not_built")
    has(checks["mail"]["next"], "libgmime-3.0-dev", "brew install gmime", "make")


def keys_are_named_not_shown():
    checks, value = look(0, OPENAI_API_KEY="sk-very-secret-value", GEMINI_API_KEY="")
    same(checks["keys"]["facts"]["set"], ["OPENAI_API_KEY"])
    hasnt(json.dumps(value), "sk-very-secret-value")
    same(look(0)[0]["keys"]["facts"]["set"], [])


def for_people():
    answer = perigee("doctor", PERIGEE_DESKTOP="", DISPLAY="")
    same((answer.code, answer.err), (1, ""))
    has(answer.out, "ok    Modules", "BAD   Displays", "DISPLAY is not set", "> ", "1 problem, ")
    hasnt(answer.out, "\x1b")
    with Terminal("doctor", width=100, PERIGEE_DESKTOP="fake") as terminal:
        ended = terminal.end()
    same(ended.code, 0)
    has(ended.out, "\x1b[32mok", "nothing that is needed is missing")


def wrong_usage():
    for words in (["x"], ["--bad"], ["--toolset"]):
        answer = perigee("doctor", *words)
        same((answer.code, answer.out), (2, ""))
        has(answer.err, "perigee doctor: ")
    has(perigee("doctor", "--help").out, "usage: perigee doctor", "--json", "Exit status")


tap.case("where all is well", all_is_well)
tap.case("variables of other programs, which have no effect", variables_without_effect)
tap.case("without a display", no_display)
tap.case("without modules, or with broken ones", no_modules)
tap.case("with files that do not load", broken_files)
tap.case("with folders that cannot be written", folders)
tap.case("without other programs", missing_programs)
tap.case("buses, which it does not start", buses)
tap.case("a bus that runs", a_bus_that_runs)
tap.case("text recognition, and its languages", text_recognition)
tap.case("mail: the library, and how far it is set up", mail)
tap.case("keys are named, not shown", keys_are_named_not_shown)
tap.case("for people", for_people)
tap.case("wrong usage", wrong_usage)
done()
