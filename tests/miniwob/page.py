"""A page of MiniWoB++ in Chromium, worked by Perigee's tools, and how it is made ready.

The pages are copied with a script at their end: it seeds their random numbers, gives them a minute in place of ten seconds
for slow machines, and sets the title to how an episode ended. The title is read by the window system, not by the tools that
work the page. The calendar is kept beside its hours, where Arial has it: with a font of wider spaces it is drawn an hour later.
"""

import glob
import json
import os
import pathlib
import re

from tools import until

HERE = pathlib.Path(__file__).resolve().parent
HEAD = 50       # points: the instruction, above the task
SIZE = 160      # points: all of a page

SCRIPT = """<style>.hour { white-space: nowrap }</style><script>
(function () {
  const start = core.startEpisodeReal, end = core.endEpisode;
  let begun = 0;
  core.startEpisodeReal = function () {
    if (begun == SEEDS) { location.href = NEXT; return; }
    begun++;
    Math.seedrandom(NAME + " " + begun);
    core.EPISODE_MAX_TIME = SECONDS * 1000;
    document.title = NAME + " " + begun;
    start();
  };
  core.endEpisode = function (reward, proportional, why) {
    if (core.EP_TIMER === null) return;
    document.title = NAME + " " + begun + " ended " + JSON.stringify({ reward: reward, why: why || "" });
    end(reward, proportional, why);
  };
})();
</script></body>"""


def pages():
    """The folder of the package's pages; None: it is not installed."""
    found = glob.glob(str(HERE / ".venv/lib/*/site-packages/miniwob/html"))
    return pathlib.Path(found[0]) if found else None


def prepare(folder, names, seeds, seconds=40):
    """Copies with the script, each leading to the next; the address of the first."""
    source, run = pages(), folder / "run"
    run.mkdir()
    for part in ("core", "common"):
        os.symlink(source / part, folder / part)
    for name, after in zip(names, [*names[1:], None]):
        text = (source / "miniwob" / f"{name}.html").read_text(encoding="utf-8", errors="replace")
        words = {"SEEDS": seeds, "SECONDS": seconds, "NAME": json.dumps(name),
                 "NEXT": json.dumps(f"{after}.html" if after else "about:blank")}
        script = re.sub(r"\b(SEEDS|SECONDS|NAME|NEXT)\b", lambda match: str(words[match[1]]), SCRIPT)
        (run / f"{name}.html").write_text(text.replace("</body>", script, 1), encoding="utf-8")
    return f"file://{run}/{names[0]}.html"


class Gone(Exception):
    """The episode ended: a click would begin the next one."""


class Page:
    def __init__(self, tools, app, title):
        self.tools, self.app, self.title = tools, app, title
        self.calls = 0
        box = until(lambda: [e["bounds"] for e in self.find(role="document") if e.get("bounds")], "the place of the page")[0]
        self.x, self.y = box["x"], box["y"]

    def call(self, name, /, **arguments):
        self.calls += 1
        return self.tools(name, **arguments)

    # --- seeing ------------------------------------------------------------------------------

    def find(self, **wanted):
        """Elements in the page's order."""
        return self.call("find_elements", application=self.app, page_size=200, **wanted)["elements"]

    def first(self, **wanted):
        return until(lambda: self.find(**wanted), f"an element {wanted}")[0]

    def in_task(self, found):
        return [e for e in found if e.get("bounds") and e["bounds"]["x"] < self.x + SIZE
                and e["bounds"]["y"] >= self.y + HEAD - 6]

    def task(self, **wanted):
        """Elements of the task, without the instruction above and the score beside it."""
        return self.in_task(self.find(**wanted))

    def labels(self):
        return [e["name"] for e in self.task(role="label", regex=".") if e["name"]]

    def instruction(self):
        found = [e for e in self.find(role="group") if e.get("value") and e.get("bounds") and e["bounds"]["y"] == self.y
                 and e["bounds"]["x"] == self.x and e["bounds"]["height"] < 2 * HEAD]
        return found[0]["value"] if found else " ".join(
            e["name"] for e in self.find(role="label", regex=".") if e.get("bounds") and e["bounds"]["y"] < self.y + HEAD - 6
            and e["bounds"]["x"] < self.x + SIZE and e["name"])

    # --- acting ------------------------------------------------------------------------------

    def act(self, name, /, **arguments):
        if self.ended():
            raise Gone(f"the episode ended before {name}")
        return self.call(name, **arguments)

    def click(self, element, **more):
        return self.act("click_element", element=element, application=self.app, **more)

    def set(self, element, value):
        return self.act("write_element_value", element=element, application=self.app, value=value)

    def keys(self, keys):
        return self.act("create_input", action="keys", keys=keys)

    def type(self, text):
        return self.act("create_input", action="type", text=text)

    def press_at(self, element):
        box = element["bounds"]
        return self.act("create_input", action="click", x=box["x"] + box["width"] // 2, y=box["y"] + box["height"] // 2)

    def drag(self, points, to):
        return self.act("create_input", action="drag", x=points[0], y=points[1], to_x=to[0], to_y=to[1])

    def submit(self, name="Submit"):
        return self.click(f'button "{name}"')

    # --- an episode ---------------------------------------------------------------------------

    def start(self):
        self.call("click_element", element='label "START"', application=self.app, method="pointer")

    def ended(self):
        """(reward, why) of an episode that has ended."""
        title = self.title()
        return json.loads(title.partition(" ended ")[2]) if " ended " in title else None
