#!/usr/bin/env python3
"""The demo, whole: an agent draws on a real slide through MCP tool calls. Looks at the pictures it leaves."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "lib"))

import png   # noqa: E402
import tap   # noqa: E402

TEXT = "Grüße | from the demo: 世界"
LIMIT = 240             # seconds; only guards against hanging
PR_SET_CHILD_SUBREAPER = 36


def run(folder):
    env = dict(os.environ, TEXT=TEXT, DEMO_OUT=os.path.join(folder, "out"), DEMO_LOGS=os.path.join(folder, "logs"),
               PERIGEE=os.path.abspath(os.environ.get("PERIGEE", os.path.join(TOP, "build", "perigee"))))
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "OLLAMA_HOST", "MODEL"):
        env.pop(name, None)
    env["PERIGEE_HOME"] = os.path.join(folder, "home")
    return subprocess.run(["sh", os.path.join(TOP, "examples", "demo", "run")], env=env, capture_output=True,
                          text=True, timeout=LIMIT, check=False)


def adopt_orphans():
    """Makes us the parent of whatever the demo leaves behind."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    """Our children that still run, as lines of ps; those that ended are reaped."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return []
    listing = subprocess.run(["ps", "-o", "pid=,stat=,args=", "--ppid", str(os.getpid())], capture_output=True,
                             text=True, check=False).stdout
    return [line for line in listing.splitlines() if " ps -o" not in line]


def number(line, name):
    return float(re.search(rf"{name}=([0-9.]+)", line).group(1))


def log_lines(folder):
    with open(os.path.join(folder, "logs", "agent.log"), encoding="utf-8") as file:
        return file.read().splitlines()


def check_trace(folder):
    """The calls are those of the agent, in order, with the centred 60 % by 30 % that follows from the tool's answer."""
    lines = log_lines(folder)
    calls = [line.split("FUNCTION_CALL parsed: ")[1] for line in lines if "FUNCTION_CALL parsed: " in line]
    assert [call.split("|")[0] for call in calls] == [
        "open_keynote", "draw_rectangle", "add_text_in_keynote", "screenshot_slide"], calls
    ready = next(line for line in lines if "KEYNOTE_READY" in line)
    width, height = number(ready, "slide_width"), number(ready, "slide_height")
    x, y, w, h = (int(part) for part in calls[1].split("|")[1:])
    assert abs(w - 0.6 * width) <= 0.5 and abs(h - 0.3 * height) <= 0.5, calls[1]
    assert abs(x - (width - w) / 2) <= 0.51 and abs(y - (height - h) / 2) <= 0.51, calls[1]
    assert calls[2] == "add_text_in_keynote|" + TEXT.replace("|", "¦"), calls[2]


def check_slide(folder):
    """A rectangle in the middle, 60 % by 30 %, light text in the middle of it, nothing else."""
    with open(os.path.join(folder, "out", "slide.png"), "rb") as file:
        picture = png.decode(file.read())
    fill = picture.pixel(picture.width // 2, int(picture.height * 0.40))
    assert sum(abs(a - b) for a, b in zip(fill, picture.pixel(5, 5))) > 100, f"no rectangle: {fill}"
    left, top, right, bottom = picture.bounds(fill, 12)
    wide, high = (right - left + 1) / picture.width, (bottom - top + 1) / picture.height
    assert abs(wide - 0.6) < 0.01 and abs(high - 0.3) < 0.01, (wide, high)
    assert abs(left - (picture.width - 1 - right)) <= 6, (left, right)
    assert abs(top - (picture.height - 1 - bottom)) <= 6, (top, bottom)
    ink = [(px, py) for py in range(top + 4, bottom - 3) for px in range(left + 4, right - 3, 2)
           if sum(abs(a - b) for a, b in zip(picture.pixel(px, py), fill)) > 250]
    assert len(ink) > 200, f"only {len(ink)} pixels of text"
    centre_x, centre_y = sum(p[0] for p in ink) / len(ink), sum(p[1] for p in ink) / len(ink)
    assert abs(centre_x / picture.width - 0.5) < 0.05 and abs(centre_y / picture.height - 0.5) < 0.05, (centre_x, centre_y)


def check_document(folder):
    with zipfile.ZipFile(os.path.join(folder, "out", "slide.odp")) as archive:
        content = archive.read("content.xml").decode("utf-8")
    shown = re.sub(r"<[^>]+>", "", content)
    assert TEXT in shown, shown[-200:]


def check_desktop(folder):
    """The real window was there: the rectangle's blue is on the desktop, beside much that is not."""
    with open(os.path.join(folder, "out", "slide.png"), "rb") as file:
        slide = png.decode(file.read())
    with open(os.path.join(folder, "out", "desktop.png"), "rb") as file:
        desktop = png.decode(file.read())
    fill = slide.pixel(slide.width // 2, int(slide.height * 0.40))
    blue = sum(len(desktop.row_matches(y, fill, 12)) for y in range(0, desktop.height, 4))
    assert blue > 500, f"{blue} pixels of the rectangle's colour on the desktop"


def main():
    if sys.platform != "linux" or not shutil.which("soffice") or not shutil.which("Xvfb"):
        tap.skip("the demo", "LibreOffice or Xvfb is not installed (vendor/install demo)")
        return tap.done()
    folder = tempfile.mkdtemp(prefix="perigee-demo-")
    adopt_orphans()
    try:
        result = run(folder)
        if not tap.ok(result.returncode == 0, "the demo runs to its end", result.stdout + result.stderr):
            return tap.done()
        tap.case("the log shows that the agent made every call", check_trace, folder)
        tap.case("the slide shows a centred rectangle with the text in it", check_slide, folder)
        tap.case("the document holds the exact text", check_document, folder)
        tap.case("the picture of the desktop shows the real window", check_desktop, folder)
        tap.ok("a rule-based planner, not a model" in result.stderr and "planner =>" in result.stderr,
               "the offline planner says that it is not a model", result.stderr)
        left = children()
        tap.ok(not left, "no process is left behind", "\n".join(left))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
