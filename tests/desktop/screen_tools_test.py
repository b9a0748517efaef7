#!/usr/bin/env python3
"""`image`, `list` and the commands of these names on a private desktop with two monitors and real applications.

What needs no real desktop (options, names of files, faults of the disk) is in tests/cli/screen_test.py."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import png                  # noqa: E402
import server as servers    # noqa: E402
import tap                  # noqa: E402
import xclient              # noqa: E402
from models import KEYS, Double  # noqa: E402
from tap import Failure     # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xterm", "mousepad", "gnome-calculator", "xrandr", "xdotool", "xprop")
PATIENCE = servers.GUARD
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="perigee-screen-", dir="/tmp"))     # short, because titles with this path become file names
TEMPORARY = FOLDER / "tmp"
STATUS = "--- Peekaboo MCP Server Status ---"


def same(got, want, what="value"):
    if got != want:
        raise Failure(f"{what} is {got!r}, expected {want!r}")


def has(text, *parts):
    for part in parts:
        if part not in text:
            raise Failure(f"{part!r} is not in {text[:2000]!r}")


def until(what, look, patience=PATIENCE):
    """The first answer of look() that is true; what is looked at changes by itself."""
    end = time.monotonic() + patience
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Failure(f"{what} did not come about")
        time.sleep(0.03)


class World:
    """The desktop, what runs on it, and the command line."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.env = dict(desktop.env, PERIGEE_HOME=str(FOLDER / "home"), TMPDIR=str(TEMPORARY))
        for name in list(self.env):
            if name.startswith("PEEKABOO_") or name == "PERIGEE_SAVE_PATH":
                del self.env[name]
        self.children = []

    def start(self, *words):
        child = subprocess.Popen(words, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        self.children.append(child)
        return child

    def tool(self, *words, **options):
        return subprocess.run(words, env=self.env, capture_output=True, check=True, **options).stdout

    def run(self, *words):
        """(exit code, the one object on stdout)"""
        done = subprocess.run([servers.PERIGEE, *words, "--json-output", "--no-user-root"], env=self.env, cwd=FOLDER,
                              capture_output=True, timeout=3 * PATIENCE, check=False)
        text = done.stdout.decode("utf-8")
        if text.count("\n") != 1:
            raise Failure(f"stdout is not one line: {text!r}, stderr {done.stderr!r}")
        value = json.loads(text)
        same(value["success"], done.returncode == 0, text)
        if value["success"]:
            same(done.stderr, b"", "stderr")
        return done.returncode, value

    def good(self, *words):
        code, value = self.run(*words)
        same(code, 0, json.dumps(value))
        return value

    def wrong(self, code, *words):
        value = self.run(*words)[1]
        same(value.get("error", {}).get("code"), code, json.dumps(value))
        return value["error"]

    def saved(self, *words):
        return self.good("image", *words)["data"]["saved_files"]

    def apps(self):
        code, value = self.run("list", "apps")
        return value["data"]["applications"] if code == 0 else []

    def windows(self, app, *details):
        value = self.good("list", "windows", "--app", str(app), "--include-details", ",".join(details or ["ids"]))
        return value["data"]["windows"]


def picture(path):
    data = pathlib.Path(path).read_bytes()
    if data.startswith(b"\xff\xd8\xff"):
        return None
    return png.decode(data)


def crop(whole, x, y, width, height):
    rows = [whole.rgb[((y + row) * whole.width + x) * 3:((y + row) * whole.width + x + width) * 3] for row in range(height)]
    return png.Picture(width, height, b"".join(rows))


# --- what runs -----------------------------------------------------------------------------

def set_up(world):
    """A calculator, two editors that are processes of their own, one of them with two windows, a terminal."""
    TEMPORARY.mkdir()
    for name in ("apple.txt", "banana.txt", "cherry.txt"):
        (FOLDER / name).write_text(name + "\n")
    world.tool("xrandr", "--setmonitor", "LEFT", "640/169x800/211+0+0", "screen")
    world.tool("xrandr", "--setmonitor", "RIGHT", "640/169x800/211+640+0", "none")
    world.one = world.start("mousepad", "--disable-server", "--opening-mode=window", str(FOLDER / "apple.txt"),
                            str(FOLDER / "banana.txt"))
    world.two = world.start("mousepad", "--disable-server", str(FOLDER / "cherry.txt"))
    world.calculator = world.start("gnome-calculator")
    world.terminal = world.start("xterm", "-T", "shell/one two", "-e", "cat")

    def ready():
        counts = {a["pid"]: a["window_count"] for a in world.apps()}
        wanted = {world.one.pid: 2, world.two.pid: 1, world.calculator.pid: 1, world.terminal.pid: 1}
        return counts if counts == wanted else None
    until("all applications with their windows", ready, 3 * PATIENCE)


def applications(world):
    apps = world.apps()
    for app in apps:
        same(list(app), ["app_name", "bundle_id", "pid", "is_active", "window_count"])
    by_pid = {a["pid"]: a for a in apps}
    same(by_pid[world.one.pid]["app_name"], "Mousepad")
    same(by_pid[world.one.pid]["bundle_id"], "org.xfce.mousepad")
    same(by_pid[world.one.pid]["window_count"], 2)
    same(by_pid[world.calculator.pid]["bundle_id"], "org.gnome.Calculator")
    same(sum(a["is_active"] for a in apps), 1)


def ambiguous(world):
    for words in (["image"], ["list", "windows"]):
        error = world.wrong("AMBIGUOUS_APP_IDENTIFIER", *words, "--app", "mousepad")
        has(error["message"], f"PID {world.one.pid}", f"PID {world.two.pid}")
        has(error["details"], "Mousepad (org.xfce.mousepad, PID ")
    has(world.windows(f"PID:{world.two.pid}")[0]["window_title"], "cherry.txt")


def found_in_many_ways(world):
    for query in ("org.gnome.Calculator", "Calculator", "calculator", "calc", "gnome-calculator", "culator", "calcualtor",
                  str(world.calculator.pid)):
        value = world.good("list", "windows", "--app", query)
        same(value["data"]["target_application_info"]["pid"], world.calculator.pid, query)


def of_two_applications(world):
    """LibreOffice does so with documents of Writer and of Impress."""
    folder = pathlib.Path(world.desktop.folder) / "home/.local/share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("Words", "Sheets"):
        (folder / f"suite-{name.lower()}.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nExec=suite\nName=Suite {name}\nStartupWMClass=suite-{name.lower()}\n")
    with xclient.Client(world.desktop.env["DISPLAY"]) as client:
        client.window("a letter", name="suite-words")
        client.window("a budget", name="suite-sheets", at=(300, 40, 200, 100))
        until("both windows", lambda: sum(a["window_count"] for a in world.apps() if a["pid"] == os.getpid()) == 2)
        rows = [(a["app_name"], a["bundle_id"], a["window_count"]) for a in world.apps() if a["pid"] == os.getpid()]
        same(sorted(rows), [("Suite Sheets", "suite-sheets", 1), ("Suite Words", "suite-words", 1)])
        same(sum(a["is_active"] for a in world.apps()), 1)
        for name, title in (("words", "a letter"), ("Suite Sheets", "a budget"), ("suite-words", "a letter")):
            value = world.good("list", "windows", "--app", name)["data"]
            same(value["target_application_info"]["pid"], os.getpid())
            same([window["window_title"] for window in value["windows"]], [title])
            has(world.saved("--app", name, "--path", str(FOLDER / "suite.png"))[0]["item_label"], title)
        value = world.good("list", "windows", "--app", "suite")["data"]     # both are called so
        same(len(value["windows"]), 2)
        client.destroy_all()
    until("their end", lambda: os.getpid() not in [a["pid"] for a in world.apps()])


def displays(world):
    files = world.saved("--path", str(FOLDER / "shots" / "desk.png"))
    same([os.path.basename(f["path"]) for f in files], ["desk_display0_main.png", "desk_display1.png"])
    same([f["item_label"] for f in files], ["Display 1 / Main", "Display 2"])
    whole = desktops.read_xwd(desktops.frame_buffer(world.desktop.folder))
    for file, left in zip(files, (0, 640)):
        got = picture(file["path"])
        same((got.width, got.height), (640, 800))
        want = crop(whole, left, 0, 640, 800)
        apart = sum(1 for at in range(0, len(want.rgb), 3) if want.rgb[at:at + 3] != got.rgb[at:at + 3])
        if apart > 640 * 8:     # a cursor blinks
            raise Failure(f"{apart} pixels of {file['item_label']} are not those of the screen")


def covered_window(world):
    window = world.windows("xterm", "ids", "bounds")[0]
    world.tool("xdotool", "windowactivate", "--sync", str(window["window_id"]))
    plain = picture(world.saved("--app", "xterm", "--path", str(FOLDER / "plain.png"))[0]["path"])
    before = picture(world.saved("--app", "xterm", "--frame", "--path", str(FOLDER / "before.png"))[0]["path"])
    if not (plain.width < before.width and plain.height < before.height - 10):
        raise Failure(f"{plain.width}x{plain.height} has the title bar of {before.width}x{before.height}")
    same((before.width, before.height), (window["bounds"]["width"], window["bounds"]["height"]))
    b = window["bounds"]
    editor = world.windows(world.two.pid, "ids")[0]
    world.tool("xdotool", "windowactivate", "--sync", str(editor["window_id"]), "windowsize", "--sync", str(editor["window_id"]),
               "1200", "700", "windowmove", "--sync", str(editor["window_id"]), "5", "25")
    active = world.apps()[0]["pid"]
    after = picture(world.saved("--app", "xterm", "--frame", "--path", str(FOLDER / "after.png"))[0]["path"])
    same(world.apps()[0]["pid"], active, "the active application after a capture in the background")
    inner = (10, 40, b["width"] - 20, b["height"] - 60)     # the title bar shows the focus
    apart = sum(a != c for a, c in zip(crop(before, *inner).rgb, crop(after, *inner).rgb))
    if apart > 2000:        # the terminal's cursor is hollow without the focus
        raise Failure(f"{apart} bytes of a covered window are not those of it uncovered")


def foreground(world):
    value = world.good("image", "--app", "xterm", "--capture-focus", "foreground", "--path", str(FOLDER / "front.png"))
    same(value["messages"], [])
    same(world.apps()[0]["pid"], world.terminal.pid)


def one_of_two(world):
    for name in ("apple.txt", "banana.txt"):
        files = world.saved("--app", str(world.one.pid), "--window-title", name.upper(), "--path", str(FOLDER / f"{name}.png"))
        has(files[0]["window_title"], name)
        listed = world.windows(world.one.pid, "ids")[files[0]["window_index"]]
        same(listed["window_id"], files[0]["window_id"])
        by_index = world.saved("--app", str(world.one.pid), "--window-index", str(files[0]["window_index"]))
        same(by_index[0]["window_id"], files[0]["window_id"])
    value = world.good("image", "--app", str(world.one.pid), "--window-title", "mousepad")
    has(" ".join(value["messages"]), "2 windows of Mousepad match the title")


def second_window_to_the_front(world):
    behind = world.windows(world.one.pid, "ids")[1]["window_id"]
    files = world.saved("--app", str(world.one.pid), "--window-index", "1", "--capture-focus", "foreground")
    same((files[0]["window_id"], files[0]["window_index"]), (behind, 1))
    same(world.windows(world.one.pid, "ids")[0]["window_id"], behind, "the frontmost")
    same(int(world.tool("xdotool", "getactivewindow")), behind, "the active one")


def all_windows(world):
    files = world.saved("--app", str(world.one.pid), "--mode", "multi", "--format", "jpg", "--path", str(FOLDER / "all"))
    same([f["window_index"] for f in files], [0, 1])
    for file in files:
        if not re.fullmatch(r"all_window[01]_\S*(apple|banana)\.txt_-_Mousepad\.jpg", os.path.basename(file["path"])):
            raise Failure(file["path"])
        same(pathlib.Path(file["path"]).read_bytes()[:3], b"\xff\xd8\xff")


# --- faults -----------------------------------------------------------------------------------

def minimized(world):
    window = world.windows("xterm", "ids")[0]
    world.tool("xdotool", "windowminimize", "--sync", str(window["window_id"]))
    until("the window to be off the screen", lambda: not world.windows("xterm", "ids"))
    listed = world.windows("xterm", "off_screen", "ids")
    same([(w["window_id"], w["is_on_screen"]) for w in listed], [(window["window_id"], False)])
    same(next(a for a in world.apps() if a["pid"] == world.terminal.pid)["window_count"], 0)
    error = world.wrong("CAPTURE_FAILED", "image", "--app", "xterm")
    has(error["message"], "the window is minimized. Use --capture-focus foreground to restore it first.")
    error = world.wrong("WINDOW_NOT_FOUND", "image", "--app", "xterm", "--mode", "multi")
    has(error["message"], "no window on the screen")
    same([name for name in os.listdir(TEMPORARY) if not os.path.getsize(TEMPORARY / name)], [], "empty files")
    files = world.saved("--app", "xterm", "--capture-focus", "foreground", "--path", str(FOLDER / "restored.png"))
    same(files[0]["window_id"], window["window_id"])
    has(str(picture(files[0]["path"]).width), "")


def titled(world, title):
    """Gives the terminal's window a title of any bytes, and waits until it is seen."""
    window = world.windows("xterm", "ids")[0]["window_id"]
    before = world.windows("xterm", "ids")[0]["window_title"]
    for name in (b"_NET_WM_NAME", b"WM_NAME"):
        world.tool(b"xprop", b"-id", str(window).encode(), b"-f", name, b"8u" if name[0:1] == b"_" else b"8s", b"-set", name, title)
    return until("the new title", lambda: next((w["window_title"] for w in world.windows("xterm", "ids")
                                                if w["window_title"] != before), None))


TITLES = [
    ("slashes", "../../etc/passwd /a", "window0_etc_passwd_a"),
    ("right to left and hidden characters", "\u202ereversed\u202c \u200bab\u2066c", "window0_reversed_abc"),
    ("emoji and other scripts", "Отчёт 📊 漢字 e\u0301", "window0_Отчёт_📊_漢字_e\u0301"),
    ("quotes and shell words", "$(rm -rf ~) `x` \"'; *?", "window0_rm_-rf_x"),
    ("dots and dashes", "...--", "window0"),
]


def odd_title(world, title, wanted):
    seen = titled(world, title.encode())
    files = world.saved("--app", "xterm", "--path", str(FOLDER / "titles") + "/")
    same(files[0]["window_title"], seen)
    name = os.path.basename(files[0]["path"])
    same(re.sub(r"^perigee_\w+Z_XTerm_", "", name), wanted + ".png")
    same(os.path.dirname(files[0]["path"]), str(FOLDER / "titles"))


def huge_title(world):
    seen = titled(world, b"Huge " + b"x" * 100000)
    if len(seen) > 2000:
        raise Failure(f"a title of {len(seen)} characters")
    files = world.saved("--app", "xterm", "--mode", "multi", "--path", str(FOLDER / "titles") + "/")
    if len(os.path.basename(files[0]["path"])) > 255:
        raise Failure(files[0]["path"])
    world.wrong("WINDOW_NOT_FOUND", "image", "--app", "xterm", "--window-title", "nothing such")


def no_utf8_title(world):
    window = world.windows("xterm", "ids")[0]["window_id"]
    # xprop would recode it: the window's own program sets its bytes, as xterm's escape does
    subprocess.run(["xprop", "-id", str(window), "-f", "_NET_WM_NAME", "8s", "-set", "_NET_WM_NAME", b"bad \xff\xfe\xc3("],
                   env=dict(world.env, LC_ALL="C"), check=True)
    title = until("the title", lambda: next((w["window_title"] for w in world.windows("xterm", "ids")
                                             if w["window_title"].startswith("bad")), None))
    title.encode("utf-8")
    files = world.saved("--app", "xterm", "--path", str(FOLDER / "titles") + "/")
    same(files[0]["window_title"], title)


def control_characters_for_people(world):
    titled(world, b"red \x1b[31m bell \x07 end")
    done = subprocess.run([servers.PERIGEE, "list", "windows", "--app", "xterm"], env=world.env, capture_output=True, check=True)
    if b"\x1b" in done.stdout or b"\x07" in done.stdout:
        raise Failure(done.stdout)
    has(done.stdout.decode(), "red [31m bell  end")


def closed_meanwhile(world):
    extra = world.start("xterm", "-T", "short lived", "-class", "ShortLived", "-e", "cat")
    window = until("the window", lambda: next((w for a in world.apps() if a["pid"] == extra.pid
                                               for w in world.windows(extra.pid, "ids")), None))
    same(window["window_title"], "short lived")
    extra.terminate()
    extra.wait()
    until("the window to be gone", lambda: all(a["pid"] != extra.pid for a in world.apps()))
    world.wrong("APP_NOT_FOUND", "image", "--app", f"PID:{extra.pid}")
    world.wrong("WINDOW_NOT_FOUND", "image", "--app", str(world.one.pid), "--window-index", "2")


def killed_while_captured(world):
    """The result is an image, or an error with a code that says what is gone."""
    for delay in range(12):
        extra = world.start("xterm", "-T", "short lived", "-e", "cat")
        until("the window", lambda: next((a for a in world.apps() if a["pid"] == extra.pid and a["window_count"]), None))
        killer = subprocess.Popen(["sh", "-c", f"sleep 0.0{delay:02d}; kill -9 {extra.pid}"])
        value = world.run("image", "--app", f"PID:{extra.pid}", "--mode", ("window", "multi")[delay % 2])[1]
        killer.wait()
        extra.wait()
        if not value["success"] and value["error"]["code"] not in ("APP_NOT_FOUND", "WINDOW_NOT_FOUND", "CAPTURE_FAILED"):
            raise Failure(json.dumps(value))
    same([name for name in os.listdir(TEMPORARY) if not os.path.getsize(TEMPORARY / name)], [], "empty files")


# --- as tools ------------------------------------------------------------------------------------

class Session:
    """An MCP session with the server."""

    def __init__(self, world, **env):
        self.server = servers.perigee("--no-user-root", "--toolset", "screen", env={**world.env, **env})
        self.server.initialize()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()

    def call(self, name, **arguments):
        answer = self.server.call(name, arguments)
        if "result" not in answer:
            raise Failure(json.dumps(answer))
        same(self.server.faults, [], "faults of the wire")
        return answer["result"]

    def fails(self, code, name, **arguments):
        result = self.call(name, **arguments)
        same(result.get("isError"), True, json.dumps(result)[:500])
        same(result["_meta"]["backend_error_code"], code)
        if STATUS in json.dumps(result):
            raise Failure("a failure tells the status")
        return result["content"][0]["text"]


def discovery(world):
    with Session(world) as session:
        tools = {t["name"]: t for t in session.server.ask("tools/list")["result"]["tools"]}
    image, listing = tools["image"]["inputSchema"], tools["list"]["inputSchema"]
    same(list(image["properties"]), ["app", "path", "mode", "window_specifier", "format", "return_data", "capture_focus", "question",
                                      "provider_config", "frame"])
    same(list(tools["analyze"]["inputSchema"]["properties"]), ["image_path", "question", "provider_config"])
    config = tools["analyze"]["inputSchema"]["properties"]["provider_config"]["properties"]
    same((config["type"]["default"], {"auto", "ollama", "openai"} <= set(config["type"]["enum"]), config["model"]["type"]),
         ("auto", True, "string"))
    same(list(listing["properties"]), ["item_type", "app", "include_window_details"])
    same("required" in image or "required" in listing, False)
    same(("default" in image["properties"]["format"], image["properties"]["capture_focus"]["default"]), (False, "background"))


def status_once(world):
    with Session(world, PEEKABOO_AI_PROVIDERS="ollama/llava:latest,openai/gpt-4o") as session:
        text = session.call("list", item_type="server_status")["content"][0]["text"]
        same(re.sub(r"Version: [\d.]+\n", "Version: V\n", text),
             f"\n\n{STATUS}\nName: Perigee\nVersion: V\n"
             "Configured AI Providers (from PEEKABOO_AI_PROVIDERS ENV): ollama/llava:latest, openai/gpt-4o\n---")
        session.fails("APP_NOT_FOUND", "list", item_type="application_windows", app="photoshop")
        first = session.call("list")["content"][0]["text"]
        if not first.endswith(text):
            raise Failure(first)
        same(STATUS in json.dumps(session.call("list")), False, "the status a second time")
        same(STATUS in json.dumps(session.call("image", app="calc", return_data=True)), False, "the status a second time")


def returned_data(world):
    before = set(os.listdir(TEMPORARY))
    with Session(world) as session:
        result = session.call("image", app="calc", return_data=True, frame=True)
        same(set(os.listdir(TEMPORARY)), before, "temporary files")
        same(result["saved_files"], [])
        text, image = result["content"]
        same((text["type"], image["type"], image["mimeType"]), ("text", "image", "image/png"))
        same((image["metadata"]["item_label"], image["metadata"]["window_title"]), ("Calculator", "Calculator"))
        same(image["_meta"], image["metadata"])
        window = world.windows("calc", "ids", "bounds")[0]
        same(image["metadata"]["window_id"], window["window_id"])
        got = png.decode(base64.b64decode(image["data"], validate=True))
        same((got.width, got.height), (window["bounds"]["width"], window["bounds"]["height"]))
        result = session.call("image", return_data=True, format="jpg")
        same([c["type"] for c in result["content"]], ["text", "image", "image"])
        same([c["metadata"]["item_label"] for c in result["content"][1:]], ["Display 1 / Main", "Display 2"])
        same({c["mimeType"] for c in result["content"][1:]}, {"image/jpeg"})


def asked_about(world):
    """A model is shown the window as it is, and told where its elements are in the image."""
    double = Double()
    try:
        double.script("asked", [{"text": "It shows 0."}])
        with Session(world, PEEKABOO_AI_PROVIDERS="openai/local-model", **KEYS, **double.variables("openai", "asked")) as session:
            result = session.call("image", app="calc", question="What number is shown?")
            same((result["saved_files"], result["analysis_text"], result["model_used"]), ([], "It shows 0.", "openai/local-model"))
            requests, problems = double.requests("asked")
            same(problems, [])
            system, user = requests[-1]["body"]["messages"]
            shown = png.decode(base64.b64decode(user["content"][1]["image_url"]["url"].split("base64,")[1]))
            found = {name: (ref, int(x), int(y)) for ref, name, x, y in
                     re.findall(r'^(e\d+) \w+ "([^"]*)".* at (\d+),(\d+)$', system["content"], re.M)}
            _, x, y = found["7"]
            same((0 < x < shown.width, 0 < y < shown.height), (True, True))
            below, right = found["1"], found["9"]           # as a calculator has them
            same((below[2] > y, right[1] > x, abs(right[2] - y) < 5), (True, True, True), json.dumps(found))
    finally:
        double.stop()


def saved_and_returned(world):
    with Session(world, PEEKABOO_DEFAULT_SAVE_PATH=str(FOLDER / "default")) as session:
        result = session.call("image", app="calc", return_data=True, frame=True)
        path = result["saved_files"][0]["path"]
        same(os.path.dirname(path), str(FOLDER / "default"))
        same(result["content"][1]["metadata"]["source_path"], path)
        same(pathlib.Path(path).read_bytes(), base64.b64decode(result["content"][1]["data"]))
        same(result["structuredContent"], {"saved_files": result["saved_files"]})
        same(set(result["saved_files"][0]),
             {"path", "item_label", "window_title", "window_id", "window_index", "mime_type"})
        result = session.call("image", app="calc", path=str(FOLDER / "given.png"))
        same((result["saved_files"][0]["path"], len(result["content"])), (str(FOLDER / "given.png"), 1))


def lists_of_the_tool(world):
    with Session(world) as session:
        result = session.call("list")
        same(result["application_list"], world.apps())
        same(result["structuredContent"], {"application_list": result["application_list"]})
        result = session.call("list", item_type="application_windows", app="calc",
                              include_window_details=["bounds", "ids", "off_screen"])
        window = result["window_list"][0]
        same(sorted(window), ["bounds", "is_on_screen", "window_id", "window_index", "window_title"])
        same(list(window["bounds"]), ["x", "y", "w", "h"])
        theirs = world.windows("calc", "bounds")[0]["bounds"]
        same(window["bounds"], {"x": theirs["x"], "y": theirs["y"], "w": theirs["width"], "h": theirs["height"]})
        same(result["target_application_info"]["pid"], world.calculator.pid)


def refinements(world):
    with Session(world) as session:
        has(session.fails("INVALID_ARGUMENT", "list", item_type="application_windows"),
            "For 'application_windows', 'app' identifier is required.")
        has(session.fails("INVALID_ARGUMENT", "list", include_window_details=["ids"]),
            "'include_window_details' only for 'application_windows'.")
        has(session.fails("INVALID_ARGUMENT", "list", item_type="server_status", app="x"),
            "'app' and 'include_window_details' not applicable for 'server_status'.")
        has(session.fails("INVALID_ARGUMENT", "image", mode="window"), "requires an application")
        has(session.fails("INVALID_ARGUMENT", "image", path="a\0b.png"), "NUL")
        has(session.fails("FILE_IO_ERROR", "image", app="calc", path="/proc/nowhere/x.png"), "/proc/nowhere/x.png")
        has(session.fails("AMBIGUOUS_APP_IDENTIFIER", "image", app="mousepad"), f"PID {world.one.pid}")
        has(session.fails("WINDOW_NOT_FOUND", "image", app="calc", window_specifier={"index": 7}), "0: \"Calculator\"")
        for arguments in ({"window_specifier": {}}, {"window_specifier": {"index": -1}}, {"mode": "all"}, {"format": "pdf"},
                          {"window_specifier": {"title": "a", "index": 1}}, {"other": 1}):
            result = session.call("image", app="calc", **arguments)
            same(result.get("isError"), True, arguments)


def stopped_program(world):
    """A program that hangs costs nothing: its window is the display server's."""
    os.kill(world.two.pid, 19)
    try:
        files = world.saved("--app", str(world.two.pid), "--path", str(FOLDER / "hanging.png"))
        same(picture(files[0]["path"]).width > 100, True)
    finally:
        os.kill(world.two.pid, 18)


def doctor(world):
    done = subprocess.run([servers.PERIGEE, "doctor", "--json", "--no-user-root"], env=world.env, capture_output=True, check=False)
    value = json.loads(done.stdout)
    same((done.returncode, value["ok"]), (0, True), done.stdout)
    checks = {c["id"]: c for c in value["checks"]}
    same([(d["width"], d["height"], d["main"]) for d in checks["displays"]["facts"]["displays"]],
         [(640, 800, True), (640, 800, False)])
    same(checks["window_manager"]["text"], "Openbox")
    same((checks["applications"]["facts"]["running"], checks["applications"]["facts"]["windows"]), (4, 5))
    same((checks["session_bus"]["status"], checks["accessibility"]["status"]), ("ok", "ok"))
    has(checks["accessibility"]["text"], "unix:path=")


CASES = [
    ("perigee doctor finds this desktop", doctor),
    ("list apps: every application with its windows", applications),
    ("two instances of a program are refused with both, and found by number", ambiguous),
    ("an application is found in many ways", found_in_many_ways),
    ("a process that is two applications was found as the frontmost, with all windows", of_two_applications),
    ("each monitor is captured as it is shown", displays),
    ("a covered window is captured whole, and stays where it is", covered_window),
    ("foreground brings the application to the front", foreground),
    ("a window is found by title and by index", one_of_two),
    ("foreground raises the specified window", second_window_to_the_front),
    ("all windows of an application", all_windows),
    ("a minimized window is told, and restored when that is asked for", minimized),
    *[(f"a title with {what} makes a plain name", odd_title, title, wanted) for what, title, wanted in TITLES],
    ("a title of 100 kB is cut", huge_title),
    ("a title that is not UTF-8", no_utf8_title),
    ("control characters of a title do not reach the terminal", control_characters_for_people),
    ("an application that is gone is told", closed_meanwhile),
    ("a window that goes while it is captured", killed_while_captured),
    ("a program that hangs is captured all the same", stopped_program),
    ("tools/list has the parameters of the contract", discovery),
    ("the status is told once, by a success", status_once),
    ("data is returned without any file", returned_data),
    ("a model is asked about a window", asked_about),
    ("data is both returned and saved if a path is named", saved_and_returned),
    ("the list tool has the fields of the contract", lists_of_the_tool),
    ("arguments that do not fit, and codes in _meta", refinements),
]


def main():
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        print(f"1..0 # SKIP {', '.join(missing)} not installed (vendor/install test)")
        return
    try:
        with desktops.Desktop() as desktop:
            world = World(desktop)
            try:
                set_up(world)
                for name, function, *arguments in CASES:
                    tap.case(name, function, world, *arguments)
            finally:
                for child in world.children:
                    child.kill()
                    child.wait()
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
    tap.done()


main()
