"""The effect of each tool for windows under each window manager: one cell for a manager and an action.

A cell is "done" (the answer says so, and the X server agrees), "refused" (the answer says that it was not done, and why,
and the server agrees) or a Failure: an answer that is not so. The server is asked by another client (xlook), after the
answer, when the windows have been still for a while.
"""

import contextlib
import subprocess
import time

import xclient
import xlook
from tap import Failure
from tools import Tools, same, until

INPUT_ONLY = 2          # a window's class
STILL = 0.25            # seconds without a change, after which windows count as still
HANGING = 60            # seconds; only against hanging
PLACES = {"one": (60, 80, 400, 300), "two": (200, 160, 420, 320)}


class Stage:
    """Two windows that lie over each other, of programs that print what they receive."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.tools = Tools(desktop.env)
        self.look = xlook.Look(desktop.env["DISPLAY"])
        self.programs = {}
        self.names = {}

    def close(self):
        for program in self.programs.values():
            program.kill()
            program.wait()
        self.tools.close()
        self.look.__exit__()

    def open(self):
        """Both windows, new where they are gone; "two" is in front."""
        for title, (x, y, width, height) in PLACES.items():
            if title not in self.programs:
                log = open(self.log(title), "wb")
                self.programs[title] = subprocess.Popen(
                    ["xev", "-name", title, "-geometry", f"{width}x{height}+{x}+{y}"], env=self.desktop.env, stdout=log,
                    stderr=log)
                log.close()
                self.names[title] = until(lambda title=title: self.find(title), f'the window "{title}" in the list')["name"]
        if self.desktop.manager.argv:       # each of them puts a frame around a window, some after it is listed
            for title in PLACES:
                until(lambda title=title: self.look.outer(self.id(title)) != self.id(title), f'the frame of "{title}"')
        self.still()

    def fresh(self):
        """New windows: nothing of the last cell is left."""
        for program in self.programs.values():
            program.kill()
            program.wait()
        self.programs.clear()
        until(lambda: not any(self.find(title) for title in PLACES), "the end of the windows")
        self.open()

    def log(self, title):
        return self.desktop.folder / f"{title}.xev"

    def find(self, title):
        return next((w for w in self.listed() if w["title"] == title), None)

    def listed(self):
        return self.tools("list_windows")["windows"]

    def id(self, title):
        return int(self.names[title].rpartition("/")[2])

    def picture_of_server(self):
        look, ids = self.look, [self.id(title) for title in self.programs]
        return ([(look.content(i), look.whole(i), look.viewable(i)) for i in ids], look.order(), look.focus())

    def still(self):
        """Waits until the server has shown the same for a while."""
        last, since, limit = None, time.monotonic(), time.monotonic() + HANGING
        while time.monotonic() < limit:
            now = self.picture_of_server()
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since >= STILL:
                return
            time.sleep(0.02)
        raise Failure("the windows do not come to rest")

    def act(self, tool, title, /, **arguments):
        """The tool's answer about a window, and whether the server's own facts fit it; None: refused with an error."""
        result = self.tools.result(tool, name=self.names[title], **arguments)
        text = result["content"][0]["text"]
        if result.get("isError"):
            same(result["_meta"]["perigee/code"], "NOT_SUPPORTED", text)
            self.still()
            return None
        answer = result["structuredContent"]
        if not answer["done"] and not answer.get("note"):
            raise Failure(f"not done, and no word why: {text}")
        self.still()
        if not answer["gone"]:
            self.check_frame(title, answer["after"], text)
            same(answer["focused"], self.focused(title), f"focused, in {text}")
        return answer

    def focused(self, title):
        window = self.id(title)
        return self.look.has_focus(window) or self.look.focus() == self.look.outer(window)

    def check_frame(self, title, rect, text):
        """What is reported is so, and stays so: the frame holds the content, and lies within the outermost window."""
        window = self.id(title)
        if not self.look.viewable(window):
            return
        x, y, width, height = self.drawn(window)
        left, top, wide, high = self.look.whole(window)
        got = (rect["x"], rect["y"], rect["width"], rect["height"])
        inside = got[0] <= x and got[1] <= y and got[0] + got[2] >= x + width and got[1] + got[3] >= y + height
        within = got[0] >= left and got[1] >= top and got[0] + got[2] <= left + wide and got[1] + got[3] <= top + high
        if not (inside and within):
            raise Failure(f"reported {got}; content {(x, y, width, height)}, outermost {(left, top, wide, high)}: {text}")
        now = self.tools("get_window", name=self.names[title])["bounds"]
        same(now, rect, f"the frame when still, after {text}")

    def drawn(self, window):
        """The content without the shadow that an application draws for itself."""
        x, y, width, height = self.look.content(window)
        left, right, top, bottom = self.look.longs(window, "_GTK_FRAME_EXTENTS") or (0, 0, 0, 0)
        return x + left, y + top, width - left - right, height - top - bottom

    @contextlib.contextmanager
    def program(self, title, *argv):
        """The window of another program, among ours for as long."""
        process = subprocess.Popen(argv, env=dict(self.desktop.env, GSETTINGS_BACKEND="memory"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            self.names[title] = until(lambda: self.find(title), f'the window "{title}" in the list')["name"]
            self.programs[title] = process
            self.still()
            yield title
        finally:
            self.programs.pop(title, None)
            process.kill()
            process.wait()
            until(lambda: not self.find(title), f'the end of "{title}"')

    def front(self):
        """Which of both lies higher."""
        order = self.look.order()
        return max(self.programs, key=lambda title: order.index(self.look.outer(self.id(title))))

    def clicks(self, title):
        return self.log(title).read_text(errors="replace").split("ButtonPress event")[1:]


# --- the actions ------------------------------------------------------------------------

def expect(stage, answer, holds, what):
    """The answer's word against the server's."""
    if answer is None or not answer["done"]:
        if holds:
            raise Failure(f"not done is reported, but it is: {what}: {answer and answer['note']}")
        return "refused", answer["note"] if answer else "not supported"
    if not holds:
        raise Failure(f"done is reported, but it is not so: {what}")
    return "done", ""


def focus(stage):
    """Each in turn, so that each has to come from behind."""
    word = ("done", "")
    for title in ("one", "two", "one"):
        answer = stage.act("focus_window", title)
        overlapping = overlap(stage)
        holds = stage.focused(title) and (not overlapping or stage.front() == title)
        got = expect(stage, answer, holds, f"focus of {title} ({stage.front()} is in front)")
        word = got if got[0] == "refused" else word
    return word


def wmctrl(stage, *argv):
    """Changes the window "one" as another program does."""
    subprocess.run(["wmctrl", "-i", "-r", hex(stage.id("one")), *argv], env=stage.desktop.env, check=True)
    stage.still()


def send_away(stage):
    """Puts the window "one" on a workspace that is not shown; i3 makes one for it."""
    if stage.desktop.manager.name == "i3":
        subprocess.run(["i3-msg", '[title="^one$"] move container to workspace 7'], env=stage.desktop.env, check=True,
                       stdout=subprocess.DEVNULL)
    else:
        subprocess.run(["wmctrl", "-n", "4"], env=stage.desktop.env, check=False)
        wmctrl(stage, "-t", str(1 - min(1, stage.look.longs(stage.look.root, "_NET_CURRENT_DESKTOP")[0])))
    stage.still()


def workspace(stage):
    """The window is on another workspace: the desktop shows that one, and the window in front."""
    if not stage.desktop.manager.ewmh:
        return "refused", "it has no workspaces"
    send_away(stage)
    now = stage.find("one")
    same((now["states"], now["on_screen"]), (["hidden"], False), "a window on another workspace")
    answer = stage.act("focus_window", "one")
    holds = shown(stage, "one") and stage.focused("one") and (stage.front() == "one" or not shown(stage, "two")) and \
        stage.look.longs(stage.look.root, "_NET_CURRENT_DESKTOP") == [stage.find("one")["workspace"]]
    return expect(stage, answer, holds, f"focus of one elsewhere: {stage.find('one')}")


FILLED = {"maximized": "add,maximized_vert,maximized_horz", "high": "add,maximized_vert", "wide": "add,maximized_horz",
          "fullscreen": "add,fullscreen", "shaded": "add,shaded"}


def put_into(stage, state):
    if state == "elsewhere":
        send_away(stage)
    else:
        wmctrl(stage, "-b", FILLED[state.removesuffix(", minimized")])
    if state.endswith("minimized"):
        stage.tools.result("minimize_window", name=stage.names["one"])


def place(stage):
    """A place and a size are as asked, whatever state the window is in. One that is not shown has them when it is back."""
    if not stage.desktop.manager.ewmh:
        return "refused", "it has none of these states"
    words, own = [], stage.find("one")["bounds"]
    for state in (*FILLED, "maximized, minimized", "elsewhere"):
        for tool, wanted in (("move_window", {"x": 100, "y": 120}), ("resize_window", {"width": 500, "height": 410})):
            put_into(stage, state)
            answer = stage.act(tool, "one", **wanted)
            if state not in FILLED:
                stage.act("focus_window", "one")
            now = stage.find("one")
            holds = {key: now["bounds"][key] for key in wanted} == wanted and now["states"] in ([], ["above"])   # fluxbox keeps it
            words.append(expect(stage, answer, holds, f"{state}, {tool} to {wanted}: {now}"))
            if words[-1][0] == "done":
                same(now["bounds"], {**own, **wanted}, f"{state}, after {tool}")
            stage.tools.result("move_window", name=stage.names["one"], x=own["x"], y=own["y"])
            stage.tools.result("resize_window", name=stage.names["one"], width=own["width"], height=own["height"])
    return next((word for word in words if word[0] == "refused"), words[0])


def overlap(stage):
    a, b = (stage.look.whole(stage.id(title)) for title in PLACES)
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def change(stage, tool, **wanted):
    """The bounds become what is wanted, and what is not named of them stays."""
    before = stage.find("one")["bounds"]
    answer = stage.act(tool, "one", **wanted)
    now = stage.find("one")["bounds"]
    word = expect(stage, answer, {key: now[key] for key in wanted} == wanted, f"{tool} to {wanted}: {now}")
    if word[0] == "done":
        same(now, {**before, **wanted}, f"the bounds after {tool}")
    return word


def move(stage):
    """Three times, since a frame's height lost each time is seen late; the last to where it is."""
    for x, y in ((100, 120), (300, 200), (300, 200)):
        word = change(stage, "move_window", x=x, y=y)
    return word


def resize(stage):
    for width, height in ((500, 400), (320, 240)):
        word = change(stage, "resize_window", width=width, height=height)
    return word


def grown(stage, tool, part):
    answer = stage.act(tool, "one")
    x, y, width, height = stage.look.whole(stage.id("one"))
    screen = stage.look.attributes(stage.look.root)
    return expect(stage, answer, width >= part * screen.width and height >= part * screen.height,
                  f"{tool}: it is {width} x {height} at {x}, {y}")


def maximize(stage):
    return grown(stage, "maximize_window", 0.9)


def fullscreen(stage):
    return grown(stage, "fullscreen_window", 1)


def minimize(stage):
    answer = stage.act("minimize_window", "one")
    return expect(stage, answer, not shown(stage, "one"), "minimize")


def shown(stage, title):
    """A manager that composes the screen keeps what it hides mapped, below a window that only takes input (mutter)."""
    stack, screen = stage.look.order(), stage.look.attributes(stage.look.root)
    above = [stage.look.attributes(w) for w in stack[stack.index(stage.look.outer(stage.id(title))) + 1:]]
    guarded = any(a and a.class_ == INPUT_ONLY and a.map_state == xlook.VIEWABLE and a.x <= 0 and a.y <= 0
                  and a.width >= screen.width and a.height >= screen.height for a in above)
    return stage.look.viewable(stage.id(title)) and not guarded


def restore(stage):
    """Out of each state that this manager has, to the frame before."""
    words = []
    for tool in ("minimize_window", "maximize_window", "fullscreen_window"):
        stage.fresh()
        before = stage.find("one")["bounds"]
        result = stage.tools.result(tool, name=stage.names["one"])
        if result.get("isError") or not result["structuredContent"]["done"]:
            continue
        answer = stage.act("restore_window", "one")
        now = stage.find("one")
        holds = shown(stage, "one") and now["bounds"] == before
        words.append(expect(stage, answer, holds, f"restore after {tool}: {now['bounds']}, was {before}"))
    if not words:
        return "refused", "it has no state to restore from"
    return next((word for word in words if word[0] == "refused"), words[0])


def close(stage):
    program = stage.programs["one"]
    answer = stage.act("close_window", "one")
    if answer and answer["done"]:
        program.wait(HANGING)
        del stage.programs["one"]
        return "done", ""
    return expect(stage, answer, program.poll() is not None, "close")


def quit_it(stage):
    program, application = stage.programs["one"], stage.names["one"].partition("/windows/")[0]
    answer = stage.tools("quit_application", name=application)
    if not answer["done"]:
        return expect(stage, answer, program.poll() is not None, "quit")
    program.wait(HANGING)
    del stage.programs["one"]
    return "done", ""


def order(stage):
    """The list is front-most first, as the server has them, after each change."""
    for title in ("one", "two", "one"):
        stage.tools.result("focus_window", name=stage.names[title])
        stage.still()
        listed = [w["title"] for w in stage.listed() if w["title"] in PLACES]
        stack = stage.look.order()
        real = sorted(PLACES, key=lambda t: -stack.index(stage.look.outer(stage.id(t))))
        same(listed, real, "the list of windows")
        for place, w in enumerate(stage.listed()):
            same(stage.tools("get_window", name=w["name"])["order"], place, f"the order of {w['title']}")
    return "done", ""


def picture(stage):
    """A click by a pixel of a window's picture meets that pixel; one that another window or popup covers is refused."""
    for title in ("one", "two"):
        stage.tools.result("focus_window", name=stage.names[title])
        stage.still()
        bounds = stage.find(title)["bounds"]
        shot = stage.tools("capture_window_screenshot", window=stage.names[title], inline=False)
        same((shot["width"], shot["height"]), (round(bounds["width"]), round(bounds["height"])), "size of the picture")
        x, y, width, height = stage.look.content(stage.id(title))
        for point in ((x + width - 20, y + height - 20), (x + 12, y + 12)):
            click_at(stage, title, shot, point)
    with xclient.Client(stage.desktop.env["DISPLAY"]) as client:
        client.window("", at=(point[0] - 10, point[1] - 10, 40, 40), popup=True)
        click_at(stage, title, shot, point)
    return "done", ""


def top_at(stage, point):
    """Returns the title of the program whose window is on top at a point; None if another window is, or none."""
    for outer in reversed(stage.look.order()):
        a = stage.look.attributes(outer)
        inside = a and a.map_state == xlook.VIEWABLE and a.class_ == 1 and 0 <= point[0] - a.x < a.width + 2 * a.border_width \
            and 0 <= point[1] - a.y < a.height + 2 * a.border_width
        if inside:
            return next((t for t in stage.programs if stage.look.outer(stage.id(t)) == outer), None)
    return None


def click_at(stage, title, shot, point):
    pixel = {"x": point[0] - shot["origin"]["x"], "y": point[1] - shot["origin"]["y"]}
    seen, before = top_at(stage, point), len(stage.clicks(title))
    result = stage.tools.result("create_input", action="click", image_id=shot["image_id"], **pixel)
    if result.get("isError"):
        same(result["_meta"]["perigee/code"], "WINDOW_COVERED", result["content"][0]["text"])
        if seen == title:
            raise Failure(f"called covered, but {title} is seen at {point}")
        return
    same(seen, title, f"the window seen at {point}")
    got = until(lambda: stage.clicks(title)[before:], f"the click in {title}")
    if f"root:({point[0]},{point[1]})" not in got[0]:
        raise Failure(f"a click at {point} became {got[0][:200]}")


def is_final(answer):
    """False for the answer about an application that is at work for longer than the tool waits, as on a busy machine."""
    return "so its size is not final" not in answer.get("note", "")


def sizes(stage, title):
    """Each change of size, whatever comes of it: what is reported is so, and stays so."""
    states = [(tool, {}) for tool in ("maximize_window", "restore_window", "fullscreen_window", "restore_window")]
    for tool, arguments in (*states, *states, ("resize_window", {"width": 501, "height": 407}),
                            ("resize_window", {"width": 620, "height": 700})):
        answer = stage.act(tool, title, **arguments)
        now = stage.find(title)["bounds"]
        if arguments and answer and is_final(answer):
            expect(stage, answer, {key: now[key] for key in arguments} == arguments, f"{tool} to {arguments}: {now}")
    return "done", ""


def own_frame(stage):
    """An application that draws its frame, and its shadow where that is seen; it has a smallest size, too."""
    with stage.program("Calculator", "gnome-calculator") as title:
        return sizes(stage, title)


def increments(stage):
    """An application whose size is whole characters, and that answers no pings."""
    with stage.program("whole characters", "xterm", "-T", "whole characters") as title:
        return sizes(stage, title)


CELLS = {"focus": focus, "move": move, "resize": resize, "maximize": maximize, "fullscreen": fullscreen,
         "minimize": minimize, "restore": restore, "close": close, "quit": quit_it, "workspace": workspace, "place": place,
         "order": order, "click": picture, "own frame": own_frame, "increments": increments}


@contextlib.contextmanager
def staged(desktop):
    stage = Stage(desktop)
    try:
        yield stage
    finally:
        stage.close()
