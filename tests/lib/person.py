"""A person who works in a terminal while tools act in the windows behind it, with `background`."""

import contextlib
import subprocess

import tap
from tools import Failure, opened, same, still, until


def hands(desktop):
    """The pointer's place, the window with the focus and the active window, as the display has them."""
    def ask(*words):
        return subprocess.run(["xdotool", *words], env=desktop.env, check=True, capture_output=True, text=True).stdout.split()
    return ask("getmouselocation")[:2], ask("getwindowfocus"), ask("getactivewindow")


class Person:
    """Counts the tasks that were done behind, and keeps those that were refused."""

    def __init__(self, tools, desktop):
        self.tools, self.desktop, self.terminal = tools, desktop, None
        self.done, self.refused = 0, []

    @contextlib.contextmanager
    def at_work(self):
        app, self.terminal, _ = self.tools.xterm("work")
        subprocess.run(["xdotool", "mousemove", "700", "500"], env=self.desktop.env, check=True)
        self.comes_back()
        try:
            yield self
        finally:
            self.tools("quit_application", name=app, force=True)

    def comes_back(self):
        self.tools("focus_window", name=self.terminal)
        until(lambda: self.tools("get_window", name=self.terminal)["focused"], "the terminal in front")

    @contextlib.contextmanager
    def behind(self, name, shown, **more):
        """An application behind the terminal that shows this element."""
        with opened(self.tools, name, **more) as app:
            self.comes_back()
            self.tools("wait_for", application=app, condition="element", element=shown, timeout=55)
            yield lambda tool, *effects, **arguments: self.task(app, tool, effects, **arguments)

    def task(self, app, tool, effects, /, **arguments):
        """One task: done, with one of these effects (default: confirmed), or refused. Returns its result as text."""
        before = still(lambda: hands(self.desktop))
        result = self.tools.result(tool, application=app, background=True, **arguments)
        text = result["content"][0]["text"]
        same(still(lambda: hands(self.desktop)), before, f"{tool} {arguments}: {text}: pointer and focus")
        if result.get("isError"):
            same(result["_meta"]["perigee/code"], "NEEDS_FRONT", text)
            self.refused.append(text)
            tap.note(f"refused: {text}")
            return text
        facts = result["structuredContent"]
        if not (facts["done"] if tool == "act" else facts["effect"] in (effects or ("confirmed",))):
            raise Failure(f"{tool} {arguments}: {text}")
        self.done += 1
        return text
