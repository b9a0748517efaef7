"""A recording of `perigee record`, and the hands of a person: xdotool, which knows nothing of it."""

import contextlib
import os
import queue
import subprocess
import threading

import server as servers
from tap import Failure
from tools import PATIENCE, same, until


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
