"""A recording of `perigee record`, and the hands of a person: xdotool, which knows nothing of it."""

import contextlib
import os
import queue
import subprocess
import threading

import server as servers
from tap import Failure
from tools import PATIENCE, same, until

ITEMS = {"menuitem", "checkitem", "radioitem", "listitem"}


def overlap(a, b):
    return a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"] and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def holds(outer, inner):
    return inner["width"] > 1 and outer["x"] <= inner["x"] and outer["y"] <= inner["y"] \
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def stop_command(env):
    said = subprocess.run([servers.PERIGEE, "record", "--stop", "--no-user-root"], env=env, capture_output=True, text=True)
    same((said.stdout, said.returncode), ("Ended 1 recording.\n", 0), said.stderr)


class Recording:
    """The recorder of the macro `name`, whose files are below `root`."""

    def __init__(self, tools, desktop, root, name, *options, command=("record",)):
        self.tools, self.env, self.name = tools, desktop.env, name
        self.folder = os.path.join(root, "tools", "macros")
        self.path = os.path.join(self.folder, name + ".lua")
        self.lines, self.log = queue.Queue(), []
        self.process = subprocess.Popen(
            [servers.PERIGEE, *command, name, "--verbose", "--no-user-root", "--root", root, *options],
            env=desktop.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()
        if command == ("record",):
            self.await_line("Recording the macro")
            for line in self.log:       # of the first look, which is over by then
                self.lines.put(line)

    def _read(self):
        for line in self.process.stderr:
            self.lines.put(line)
        self.lines.put("")

    def await_line(self, *parts):
        """The next line of its log with these parts."""
        seen = []
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise Failure(f"{parts} did not come") from None
            seen.append(line)
            self.log.append(line)
            if all(part in line for part in parts):
                return line
            if line == "":
                raise Failure(f"it ended before {parts}: {''.join(seen)}")

    def xdotool(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.env, check=True, timeout=PATIENCE)

    def popups(self):
        return [each["bounds"] for each in self.tools("list_windows", all_kinds=True)["windows"] if each["kind"] == "popup"]

    def shown(self, element, where):
        found = self.tools.result("get_element", element=element, **where).get("structuredContent", {})
        box = found.get("bounds", {"width": 0})
        if found.get("role") == "menuitem":         # of a closed menu it is where it was the last time
            return found if any(holds(each, box) for each in self.popups()) else None
        return found if box["width"] > 1 else None

    def rest_on(self, element, where):
        """Moves the pointer onto an element, and waits until the recorder knows what is there."""
        found = until(lambda: self.shown(element, where), f"{element} on the screen")
        box = found["bounds"]
        called = found["role"] + (f' "{found["name"]}"' if found.get("name") and found["role"] != "text" else "")
        x, y = int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)
        self.xdotool("mousemove", x, y)
        self.await_line(f"the pointer rests on {called} at {x},{y}")

    def click(self, element, *words, **where):
        self.rest_on(element, where)
        self.xdotool(*(words or ("click", 1)))

    def text(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def steps(self):
        """The lines of run() in the file."""
        body = self.text().partition("local function run(args, macro)\n")[2].partition("\nend\n")[0]
        return [line.strip() for line in body.splitlines()]

    def await_step(self, part):
        return until(lambda: any(part in line for line in self.steps()), f"the step {part!r}")

    def end(self, *keys):
        """Ends it as its user does, and returns what it printed."""
        if keys:
            self.xdotool("key", *keys)
        else:
            stop_command(self.env)
        out = self.process.communicate(timeout=PATIENCE)[0]
        same(self.process.returncode, 0, out)
        return out

    def stop(self, *keys):
        """Ends it, and returns what it printed and wrote."""
        return self.end(*keys) + self.text()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def everything(self):
        """All that it wrote, as bytes."""
        found = []
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if name.startswith(self.name):
                    with open(os.path.join(folder, name), "rb") as file:
                        found.append(file.read())
        return b"".join(found)


@contextlib.contextmanager
def recording(tools, desktop, root, name, *options, **more):
    one = Recording(tools, desktop, root, name, *options, **more)
    try:
        yield one
    finally:
        one.kill()


class Person:
    """Works in one application, and knows which step each act has to become."""

    def __init__(self, tools, one, app):
        self.tools, self.one, self.app = tools, one, app
        self.plan = []      # (the act, whether it is a click, its step or None: a part of the next one, whether it may be marked)
        self.place = None
        self.dwell = 0.3    # seconds for which a person rests: what opens may be drawn before it tells of itself

    def popups(self):
        """Where its open menus and lists are."""
        windows = self.tools("list_windows", parent=self.app, all_kinds=True)["windows"]
        return [each["bounds"] for each in windows if each["kind"] == "popup" and each["on_screen"]]

    def found(self, element):
        """The element, once it is drawn where it says."""
        result = self.tools.result("get_element", element=element, application=self.app).get("structuredContent", {})
        box = result.get("bounds", {"width": 0})
        if box["width"] <= 1:
            return None
        popups = self.popups()
        if result["role"] in ITEMS and popups:      # those of a closed menu are where they were the last time
            return result if any(overlap(each, box) for each in popups) else None
        return result

    def middle(self, element, across=0.5, down=0.5, moved=(0, 0)):
        """The place of an element; `moved`: the way to it from where the application says that it is."""
        found = until(lambda: self.found(element), f"{element} on the screen")
        box = found["bounds"]
        width = min(box["width"], 180) if found["role"] in ITEMS else box["width"]
        return int(box["x"] + width * across) + moved[0], int(box["y"] + box["height"] * down) + moved[1]

    def rest(self, x, y):
        """Moves the pointer there, and waits until the recorder has looked."""
        if self.place != (x, y):
            self.one.xdotool("mousemove", x - 9, y - 3, "mousemove", x - 4, y - 1, "mousemove", x, y)
            self.one.await_line("the pointer rests on", f"at {x},{y}")
        self.place = (x, y)
        for _ in range(10):
            told = self.one.lines.qsize()
            self.one.xdotool("sleep", self.dwell)
            if self.one.lines.qsize() == told:
                break

    def click(self, element, step=None, button=1, times=1, **where):
        self.rest(*self.middle(element, **where))
        popups = len(self.popups())
        self.one.xdotool("click", *(("--repeat", times, "--delay", 60) if times > 1 else ()), button)
        if step and popups:
            until(lambda: len(self.popups()) < popups, "the end of the menu")
        self.plan.append((f"click {element}", True, step, False))

    def hasty(self, element, step):
        """Without a rest before it: it may be marked."""
        x, y = self.middle(element)
        self.one.xdotool("mousemove", x, y, "click", 1)
        self.place = (x, y)
        self.plan.append((f"hasty click {element}", True, step, True))

    def empty(self, across, down):
        """A click where no element is: it is marked."""
        box = self.tools("list_windows", parent=self.app)["windows"][0]["content"]
        self.rest(int(box["x"] + box["width"] * across), int(box["y"] + box["height"] * down))
        self.one.xdotool("click", 1)
        self.plan.append(("click nothing", False, None, False))

    def writing(self):
        """Clicks into the text of the window."""
        box = self.tools("list_windows", parent=self.app)["windows"][0]["content"]
        self.rest(int(box["x"] + box["width"] * 0.45), int(box["y"] + box["height"] * 0.35))
        self.one.xdotool("click", 1)
        self.plan.append(("click the text", True, None, False))

    def drag(self, element, across, step=None):
        """From the middle of an element along it."""
        x, y = self.middle(element)
        self.rest(x, y)
        to = self.middle(element, across)[0]
        self.one.xdotool("mousedown", 1, "mousemove", (x + to) // 2, y, "mousemove", to, y, "mouseup", 1)
        self.place = None
        self.plan.append((f"drag {element}", True, step, False))

    def type(self, text, step, field=None, holds_now=None):
        self.one.xdotool("type", "--delay", 20, text)
        if field:
            until(lambda: self.value(field) == (holds_now or text), f"{field} with {text!r}")
        self.plan.append((f"type {text}", False, step, False))

    def keys(self, *chords, step=None):
        self.one.xdotool("key", *chords)
        if step:
            self.plan.append((f"keys {' '.join(chords)}", False, step, False))

    def value(self, element):
        found = self.tools.result("get_element", element=element, application=self.app).get("structuredContent", {})
        return found.get("value")

    def has(self, element):
        """Waits for an element."""
        until(lambda: self.found(element), f"{element} on the screen")
