#!/usr/bin/env python3
"""perigee image and perigee list on the desktop in memory: options, the JSON envelope, files and their names, faults.

tests/desktop/screen_test.py runs them on a real one."""

import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import time

from kit import FOLDER, PERIGEE, Terminal, done, environment, folder, has, must, perigee, same, tap

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
TEMPORARY = folder("tmp")
DISPLAYS = ["Display 1 / Main", "Display 2"]


def run(*words, **env):
    return perigee(*words, **{"PERIGEE_DESKTOP": "fake", "TMPDIR": str(TEMPORARY), **env})


def envelope(answer, success):
    """The one object on stdout, checked for what every one has."""
    lines = answer.out.splitlines()
    must(len(lines) == 1, f"stdout is not one line: {answer}")
    value = json.loads(lines[0])
    same(value["success"], success, answer.out)
    wanted = ["success", "data", "messages", "debug_logs"] if success else ["success", "error", "debug_logs"]
    same(list(value), wanted, "keys")
    must(all(isinstance(line, str) for line in value["debug_logs"]), value)
    if success:
        same((answer.code, answer.err), (0, ""))
        must(all(isinstance(line, str) for line in value["messages"]), value)
    else:
        must(answer.code in (1, 2), answer)
        must({"message", "code"} <= set(value["error"]) <= {"message", "code", "details"}, value)
        must(all(isinstance(v, str) for v in value["error"].values()), value)
    return value


def good(*words, **env):
    return envelope(run(words[0], "--json-output", *words[1:], **env), True)


def wrong(*words, **env):
    return envelope(run(words[0], "--json-output", *words[1:], **env), False)["error"]


def saved(*words, **env):
    """The saved files of `perigee image`, each looked at."""
    value = good("image", *words, **env)
    same(list(value["data"]), ["saved_files"])
    for file in value["data"]["saved_files"]:
        must(set(file) <= {"path", "item_label", "window_title", "window_id", "window_index", "mime_type"}, file)
        must(os.path.isabs(file["path"]), file)
        head = pathlib.Path(file["path"]).read_bytes()[:8]
        must(head == PNG if file["mime_type"] == "image/png" else head.startswith(JPEG), f"{file} begins with {head!r}")
    return value["data"]["saved_files"]


def names(files):
    return [os.path.basename(file["path"]) for file in files]


def new_folder(name):
    path = folder(name)
    shutil.rmtree(path)
    return path


# --- lists --------------------------------------------------------------------------------

def applications():
    data = good("list", "apps")["data"]
    same(list(data), ["applications"])
    for app in data["applications"]:
        same(list(app), ["app_name", "bundle_id", "pid", "is_active", "window_count"])
    editor = next(a for a in data["applications"] if a["app_name"] == "Text Editor")
    same((editor["bundle_id"], editor["is_active"], editor["window_count"]), ("org.perigee.TextEditor", True, 2))


def windows():
    data = good("list", "windows", "--app", "editor")["data"]
    same(list(data), ["target_application_info", "windows"])
    same(list(data["target_application_info"]), ["app_name", "bundle_id", "pid"])
    same([w["window_index"] for w in data["windows"]], [0, 1])
    same(sorted(w["window_title"] for w in data["windows"]), ["draft.txt", "notes.txt"])
    must(all(set(w) == {"window_title", "window_index"} for w in data["windows"]), data)


def windows_with_details():
    data = good("list", "windows", "--app", "editor", "--include-details", "bounds, ids,off_screen")["data"]
    for window in data["windows"]:
        same(list(window), ["window_title", "window_id", "window_index", "is_on_screen", "bounds"])
        same(list(window["bounds"]), ["x", "y", "width", "height"])
        must(isinstance(window["window_id"], int) and window["is_on_screen"] is True, window)


def lists_for_people():
    answer = run("list", "apps")
    same((answer.code, answer.err), (0, ""))
    lines = answer.out.splitlines()
    same(lines[0].split(), ["PID", "WINDOWS", "ACTIVE", "ID", "NAME"])
    must(any(line.endswith("Text Editor") and " yes " in line for line in lines[1:]), answer.out)
    answer = run("list", "windows", "--app", "editor", "--include-details", "ids")
    same(answer.out.splitlines()[0].split(), ["INDEX", "ID", "TITLE"])


def a_terminal_gets_colours_and_what_fits():
    with Terminal("list", "apps", width=44, PERIGEE_DESKTOP="fake") as terminal:
        ended = terminal.end()
    same(ended.code, 0)
    has(ended.out, "\x1b[1m")
    must(all(len(line) <= 44 for line in terminal.screen.text().splitlines()), terminal.screen.text())


# --- pictures and their names ----------------------------------------------------------------

def displays():
    base = new_folder("displays")
    files = saved("--path", str(base / "shot.png"))
    same(names(files), ["shot_display0_main.png", "shot_display1.png"])
    same([f["item_label"] for f in files], DISPLAYS)
    must(all(set(f) == {"path", "item_label", "mime_type"} for f in files), files)


def a_window_by_its_title_alone():
    base = new_folder("titled")
    files = saved("--path", str(base / "x.png"), "--window-title", "Home")
    same((names(files), files[0]["window_title"]), (["x.png"], "Home"))
    same(wrong("image", "--window-title", "nowhere")["code"], "WINDOW_NOT_FOUND")
    same(wrong("image", "--window-index", "0")["code"], "INVALID_ARGUMENT")


def a_missing_value_takes_no_option():
    answer = run("image", "--app", "--json")
    same((answer.code, answer.err), (2, ""))    # nothing but JSON
    same(json.loads(answer.out)["error"], {"message": "--app needs a value; write --app=--json if it is this one",
                                           "code": "INVALID_ARGUMENT"})
    same(json.loads(perigee("--json-output", "image", "--mode", "x", PERIGEE_DESKTOP="fake").out)["error"]["code"], "INVALID_ARGUMENT")


def paths_of_tools_start_in_the_working_folder():
    base = folder("relative")
    listed = json.loads(perigee("call", "list_displays", "--json", PERIGEE_DESKTOP="fake").out)["structuredContent"]["displays"]
    answer = perigee("call", "capture_screenshot", "path=rel.png", "display=" + listed[0]["name"], cwd=base, PERIGEE_DESKTOP="fake")
    same((answer.code, answer.err), (0, ""))
    must((base / "rel.png").read_bytes().startswith(PNG), answer)
    has(answer.out, str(base / "rel.png"))


def one_window():
    base = new_folder("one")
    files = saved("--app", "Text Editor", "--path", str(base / "x.png"), "--window-title", "NOTES")
    same(names(files), ["x.png"])
    same(files[0]["window_title"], "notes.txt")
    same(files[0]["item_label"], "notes.txt")
    must(isinstance(files[0]["window_id"], int) and files[0]["window_index"] in (0, 1), files)
    again = saved("--app", "Text Editor", "--path", str(base / "x.png"), "--window-index", str(files[0]["window_index"]))
    same(again[0]["window_id"], files[0]["window_id"])
    same(os.listdir(base), ["x.png"])


def all_windows():
    base = new_folder("multi")
    files = saved("--app", "editor", "--mode", "multi", "--format", "jpg", "--path", str(base / "deep" / "er") + "/")
    same([f["window_index"] for f in files], [0, 1])
    same({f["mime_type"] for f in files}, {"image/jpeg"})
    for file, name in zip(files, names(files)):
        must(name.startswith("perigee_2") and name.endswith(f"_Text_Editor_window{file['window_index']}_{file['window_title']}.jpg"),
             name)


PATHS = [  # path, format, names
    ("a.jpg", None, ["a_display0_main.jpg", "a_display1.jpg"]),
    ("a.JPEG", None, ["a_display0_main.JPEG", "a_display1.JPEG"]),
    ("a.jpg", "png", ["a_display0_main.png", "a_display1.png"]),
    ("a.png", "jpg", ["a_display0_main.jpg", "a_display1.jpg"]),
    ("prefix", None, ["prefix_display0_main.png", "prefix_display1.png"]),
    ("pre.fix", "jpg", ["pre.fix_display0_main.jpg", "pre.fix_display1.jpg"]),
    ("notes.txt", None, ["notes.txt_display0_main.png", "notes.txt_display1.png"]),
    ("new/a.png", None, ["a_display0_main.png", "a_display1.png"]),
    (".png", None, [".png_display0_main.png", ".png_display1.png"]),
    ("ü 漢字 'q\" $x", None, ["ü 漢字 'q\" $x_display0_main.png", "ü 漢字 'q\" $x_display1.png"]),
]


def named(path, kind, wanted):
    base = new_folder("paths")
    files = saved("--path", str(base / path), *(["--format", kind] if kind else []))
    same(names(files), wanted)
    same(sorted(str(p) for p in base.rglob("*") if p.is_file()), sorted(f["path"] for f in files), "files on the disk")


def another_format_is_told():
    base = new_folder("others")
    for name, told in (("a.gif", "not GIF, so .png is appended"), ("pre.fix", None), ("plain", None)):
        value = good("image", "--path", str(base / name))
        same(any("is appended" in message for message in value["messages"]), told is not None, value["messages"])
        if told:
            has(value["messages"][0], told)


def relative_and_home():
    home = new_folder("my home")
    files = saved("--path", "~/Pictures/x.png", HOME=str(home))
    same(files[0]["path"], str(home / "Pictures" / "x_display0_main.png"))
    files = saved("--app", "editor", "--path", "./below/x.png")
    same(files[0]["path"], str(FOLDER / "here" / "below" / "x.png"))


def default_paths():
    base = new_folder("default")
    for env, wanted in [({"PEEKABOO_DEFAULT_SAVE_PATH": str(base / "theirs")}, "theirs"),
                        ({"PERIGEE_SAVE_PATH": str(base / "ours"), "PEEKABOO_DEFAULT_SAVE_PATH": str(base / "theirs")}, "ours")]:
        files = saved("--app", "editor", **env)
        same(os.path.dirname(files[0]["path"]), str(base / wanted))
        must(names(files)[0].startswith("perigee_2"), files)
    files = saved("--app", "editor", "--path", str(base / "given.png"), PERIGEE_SAVE_PATH=str(base / "ours"))
    same(files[0]["path"], str(base / "given.png"))
    files = saved("--app", "editor", PERIGEE_SAVE_PATH=str(base / "same.jpg"))
    same((files[0]["path"], files[0]["mime_type"]), (str(base / "same.jpg"), "image/jpeg"))


def temporary_files():
    files = saved("--app", "editor")
    path = pathlib.Path(files[0]["path"])
    same(path.parent, TEMPORARY)
    same(stat.S_IMODE(path.stat().st_mode), 0o600)
    fresh = saved()
    must(path.exists(), "it stays for whoever was told of it")
    old = time.time() - 3700
    os.utime(path, (old, old))
    saved("--app", "editor")
    must(not path.exists(), "what is an hour old goes when the next one is made")
    must(all(os.path.exists(f["path"]) for f in fresh), "younger ones stay")


def people_get_paths():
    base = new_folder("people")
    answer = run("image", "--path", str(base / "x.png"))
    same((answer.code, answer.err), (0, ""))
    same(answer.out.splitlines(), [str(base / "x_display0_main.png"), str(base / "x_display1.png")])
    answer = run("image", "--app", "editor")
    has(answer.err, "Temporary files are removed when an hour has passed")
    with Terminal("image", "--path", str(base / "y.png"), width=200, PERIGEE_DESKTOP="fake", NO_COLOR="1") as terminal:
        has(terminal.end().out, str(base / "y_display0_main.png") + "  Display 1 / Main")


def only_pictures_are_replaced():
    base = folder("replace")
    (base / "x.png").write_text("my diary")
    error = wrong("image", "--app", "editor", "--path", str(base / "x.png"))
    same(error["code"], "FILE_IO_ERROR")
    has(error["message"], "is not an image")
    same((base / "x.png").read_text(), "my diary")
    (base / "x.png").write_bytes(PNG + b"old")
    (base / "x.png").chmod(0o640)
    value = good("image", "--app", "editor", "--path", str(base / "x.png"))
    has(value["messages"][0], "The existing image")
    same(stat.S_IMODE((base / "x.png").stat().st_mode), 0o640)
    must(len((base / "x.png").read_bytes()) > 100, "the new one")
    (base / "dir.png").mkdir()
    files = saved("--app", "editor", "--path", str(base / "dir.png"))
    same(os.path.dirname(files[0]["path"]), str(base / "dir.png"))
    os.mkfifo(base / "pipe.png")
    same(wrong("image", "--app", "editor", "--path", str(base / "pipe.png"))["code"], "FILE_IO_ERROR")


# --- faults -----------------------------------------------------------------------------------

def unwritable():
    base = folder("unwritable")
    (base / "file").write_text("x")
    for path in (base / "file" / "x.png", "/proc/perigee/x.png", base / ("n" * 300 + ".png"), base / "loop" / "x.png"):
        if not (base / "loop").is_symlink():
            (base / "loop").symlink_to("loop")
        error = wrong("image", "--app", "editor", "--path", str(path))
        same(error["code"], "FILE_IO_ERROR", f"{path}: {error}")
        has(error["message"], str(path)[:100])
    same(sorted(os.listdir(base)), ["file", "loop"])


def full_disk():
    """A picture that does not fit leaves nothing, neither of itself nor of a temporary file."""
    base = new_folder("full")
    base.mkdir()
    before = sorted(os.listdir(TEMPORARY))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    for words in (["--path", str(base / "x.png")], []):
        ended = subprocess.run([PERIGEE, "image", "--app", "editor", "--json-output", *words], capture_output=True, check=False,
                               preexec_fn=limit, env=environment(PERIGEE_DESKTOP="fake", TMPDIR=str(TEMPORARY)), cwd=base)
        error = json.loads(ended.stdout)["error"]
        same((ended.returncode, error["code"]), (1, "FILE_IO_ERROR"), ended.stdout)
        has(error["message"], "too large")
    same(os.listdir(base), [])
    same(sorted(os.listdir(TEMPORARY)), before)


def tiny_disk():
    base = folder("disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(base)], capture_output=True, check=False)
    if mounted.returncode:
        raise tap.Skip("no file system may be mounted here")
    try:
        error = wrong("image", "--app", "editor", "--path", str(base / "x.png"))
        same(error["code"], "FILE_IO_ERROR")
        has(error["message"], "No space left")
        same(os.listdir(base), [])
    finally:
        subprocess.run(["umount", str(base)], check=True)


def no_such_application():
    for words in (["list", "windows", "--app", "photoshop"], ["image", "--app", "photoshop"], ["image", "--app", "PID:1"]):
        error = wrong(*words)
        same(error["code"], "APP_NOT_FOUND")
        has(error["message"], "Text Editor (org.perigee.TextEditor, PID ")


def no_such_window():
    error = wrong("image", "--app", "editor", "--window-index", "2")
    same(error["code"], "WINDOW_NOT_FOUND")
    has(error["message"], "draft.txt", "notes.txt")
    error = wrong("image", "--app", "editor", "--window-title", "x" * 100000)
    same(error["code"], "WINDOW_NOT_FOUND")
    must(len(error["message"]) < 2000, len(error["message"]))


USAGE = [
    ["image", "--bad"], ["image", "--mode"], ["image", "--mode", "all"], ["image", "--format", "pdf"], ["image", "--path", ""],
    ["image", "--app"], ["image", "--app", " "], ["image", "--window-index", "-1", "--app", "editor"],
    ["image", "--window-index", "1.5", "--app", "editor"], ["image", "--window-index", "1", "--window-title", "x"],
    ["image", "--window-index", "99999999999999999999"], ["image", "--app", "editor", "--window-title", ""],
    ["image", "--mode", "window"], ["image", "--mode", "multi"], ["image", "--capture-focus", "none"], ["image", "x.png"],
    ["image", "--path", "~nobody/x.png"], ["image", "--root"], ["image", "-x"], ["image", "--timeout", "5"],
    ["list"], ["list", "screens"], ["list", "apps", "windows"], ["list", "apps", "--app", "x"], ["list", "windows"],
    ["list", "windows", "--app", ""], ["list", "windows", "--app", "editor", "--include-details", "ids,size"],
    ["list", "windows", "--window-index", "1"], ["image", *(["word"] * 100)],
]


def usage(words):
    error = wrong(*words)
    same(error["code"], "INVALID_ARGUMENT", error)
    must(len(error["message"]) > 10, error)
    same(run(words[0], "--json-output", *words[1:]).code, 2)
    answer = run(*words)
    same((answer.code, answer.out), (2, ""))
    has(answer.err, f"perigee {words[0]}: ", f"`perigee help {words[0]}`")


def slips_in_options():
    has(wrong("image", "--window-titel", "x")["message"], "did you mean --window-title?")
    has(wrong("image", "--form")["message"], "did you mean --format")
    has(wrong("list", "--json-ouput")["message"], "did you mean --json-output?")


def no_display():
    for env, code in [({"PERIGEE_DESKTOP": "", "DISPLAY": ""}, "NO_DISPLAY"), ({"PERIGEE_DESKTOP": "", "DISPLAY": ":9999"}, "NO_DISPLAY"),
                      ({"PERIGEE_DESKTOP": "wayland"}, None)]:
        for words in (["image"], ["list", "apps"], ["list", "windows", "--app", "x"], ["image", "--app", "x"]):
            error = wrong(*words, **env)
            must(code is None or error["code"] == code, error)
            same(run(*words, **env).code, 1)


def broken_tools_say_nothing_on_stdout():
    root = folder("broken-root")
    (root / "tools" / "x").mkdir(parents=True, exist_ok=True)
    (root / "tools" / "x" / "bad.lua").write_text("return {")
    value = good("list", "apps", "--root", str(root))
    must(value["data"]["applications"], value)


def full_stdout():
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run([PERIGEE, "list", "apps", "--json-output"], stdout=full, stderr=subprocess.PIPE, check=False,
                               env=environment(PERIGEE_DESKTOP="fake"))
    same(ended.returncode, 1)
    has(ended.stderr.decode(), "No space left")


def odd_bytes():
    """The answer is UTF-8 even if the arguments are not."""
    ended = subprocess.run([PERIGEE, "image", "--json-output", "--app", b"\xff\xfe"], capture_output=True, check=False,
                           env=environment(PERIGEE_DESKTOP="fake"))
    same(json.loads(ended.stdout.decode("utf-8"))["error"]["code"], "APP_NOT_FOUND")
    base = os.fsencode(str(folder("odd")))
    ended = subprocess.run([PERIGEE, "image", "--json-output", "--app", "editor", "--path", base + b"/\xff.png"],
                           capture_output=True, check=False, env=environment(PERIGEE_DESKTOP="fake"))
    same(json.loads(ended.stdout.decode("utf-8"))["success"], True)
    same(os.listdir(base), [b"\xff.png"])


def help_texts():
    for command, words in [("image", ["--app", "--path", "--mode", "--window-title", "--window-index", "--format", "--capture-focus",
                                      "--json-output"]),
                           ("list", ["apps", "windows", "--app", "--include-details", "--json-output"])]:
        for form in ([command, "--help"], ["help", command]):
            answer = run(*form)
            same((answer.code, answer.err), (0, ""))
            has(answer.out, *words)


tap.case("list apps has the fields of the contract", applications)
tap.case("list windows has the fields of the contract", windows)
tap.case("details come when asked for", windows_with_details)
tap.case("people get tables", lists_for_people)
tap.case("on a terminal they fit", a_terminal_gets_colours_and_what_fits)
tap.case("each display goes to a file of its own", displays)
tap.case("a window is found by title and by index", one_window)
tap.case("a window by its title alone, without --app", a_window_by_its_title_alone)
tap.case("a missing value takes no option, and JSON is all there is", a_missing_value_takes_no_option)
tap.case("path=rel.png of a capture is in the working folder", paths_of_tools_start_in_the_working_folder)
tap.case("all windows of an application go into a folder that is made", all_windows)
for entry in PATHS:
    tap.case(f"--path {entry[0]} with format {entry[1]} names {entry[2][0]}", named, *entry)
tap.case("a name that ends in another format: what is written is told", another_format_is_told)
tap.case("relative paths start here, ~ is home", relative_and_home)
tap.case("the environment names a folder, ours before theirs", default_paths)
tap.case("a temporary file is private, stays, and goes after an hour", temporary_files)
tap.case("people get paths, a line each", people_get_paths)
tap.case("a file that is not an image is never replaced", only_pictures_are_replaced)
tap.case("a path that cannot be written is FILE_IO_ERROR", unwritable)
tap.case("a file that grows too large leaves nothing behind", full_disk)
tap.case("a full disk leaves nothing behind", tiny_disk)
tap.case("an unknown application is told with those that run", no_such_application)
tap.case("an unknown window is told with those there are", no_such_window)
for line in USAGE:
    tap.case(f"wrong usage: {' '.join(line)[:60]}", usage, line)
tap.case("a mistyped option is told with the nearest one", slips_in_options)
tap.case("without a display stdout is still one object", no_display)
tap.case("a broken tool of the user does not mix in", broken_tools_say_nothing_on_stdout)
tap.case("a stdout that is full is a failure", full_stdout)
tap.case("the answer to arguments that are not UTF-8 is UTF-8", odd_bytes)
tap.case("help", help_texts)
done()
