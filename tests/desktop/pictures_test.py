#!/usr/bin/env python3
"""Screenshots through a real MCP session: pixel for pixel, and clicked in."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications         # noqa: E402
import desktop as desktops  # noqa: E402
import png                  # noqa: E402
import tap                  # noqa: E402
from tap import Failure     # noqa: E402
from tools import Tools, bare_client, has, same, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xterm", "xrandr")
PYTHON = "/usr/bin/python3"                 # the system's, which has GTK
FORM = pathlib.Path(__file__).resolve().parent.parent / "lib" / "form.py"
SIZE = (2560, 800)
BLUE = (0x35, 0x84, 0xE4)                   # a suggested button's
RED, GREEN = (0xC0, 0x20, 0x30), (0x20, 0xA0, 0x40)


def frame(desktop):
    """Returns the image in the display server's memory."""
    return desktops.read_xwd(desktops.frame_buffer(desktop.folder))


def difference(a, b, tolerance=0):
    """The first pixel that is not the same; None when all are."""
    if a.rgb == b.rgb and a.width == b.width:
        return None
    at = next((i for i, (x, y) in enumerate(zip(a.rgb, b.rgb)) if abs(x - y) > tolerance), -1) // 3
    if at < 0:
        return None
    x, y = at % a.width, at // a.width
    return f"{x}, {y}: {a.pixel(x, y)} and {b.pixel(x, y)}"


def crop(picture, x, y, width, height):
    rows = (picture.rgb[((y + row) * picture.width + x) * 3:][:width * 3] for row in range(height))
    return png.Picture(width, height, b"".join(rows))


def read(path):
    return png.decode(pathlib.Path(path).read_bytes())


def xterm(tools, desktop, title, colour):
    """A window all in one colour; nothing in it blinks or changes."""
    word = "#%02x%02x%02x" % colour
    tools("open_application", name=shutil.which("xterm"), new=True, wait=30,
          arguments=["-T", title, "-bg", word, "-fg", word, "-cr", word, "-geometry", "60x20", "-e", "sleep", "600"])
    name = until(lambda: [w["name"] for w in tools("list_windows")["windows"] if w["title"] == title], title)[0]
    until(lambda: frame(desktop).matches(colour, 0).count(1) > 20000, f"{title} to be painted")
    return name


# --- pixels ------------------------------------------------------------------------------

def exact(tools, desktop):
    """Flat parts and fine ones: both ways to filter a row give back what was there."""
    path = desktop.folder / "pictures" / "full.png"
    before = desktops.settled_frame(desktop.folder, 10)
    result = tools("capture_screenshot", max_size=0, cursor=True, path=str(path))
    same((result["width"], result["height"], result["scale"]), (*SIZE, 1))
    shown, wanted = read(path), desktops.read_xwd(before)
    same(difference(shown, wanted, 2), None, "the pointer is drawn as the server does")
    same(difference(*(crop(p, 0, 0, 1100, 800) for p in (shown, wanted))), None, "beside it, the same pixels")
    same(result["size"], path.stat().st_size)
    same(sorted(p.name for p in path.parent.iterdir()), ["full.png"], "nothing else is left")


def noisy(tools, desktop):
    """Rows without two equal neighbours are filtered in another way."""
    picture = desktop.folder / "noise"
    picture.write_bytes(bytes((i * i * 7 + i // 3) & 255 for i in range(300 * 200 * 3)))
    subprocess.run([sys.executable, "-c", NOISE, str(picture)], env=desktop.env, check=True, timeout=120)
    path = desktop.folder / "noise.png"
    tools("capture_screenshot", max_size=0, cursor=True, path=str(path))
    shown = read(path)
    wanted = frame(desktop)
    same(difference(*(crop(p, 1200, 450, 400, 300) for p in (shown, wanted))), None, "the same pixels")
    part = crop(shown, 1200, 500, 300, 200)
    same(len(set(part.rgb)) > 200, True, "the noise is in the picture")


# Paints a part of the root window that nothing covers.
NOISE = """
import ctypes, sys
x = ctypes.CDLL("libX11.so.6")
for name in ("XOpenDisplay", "XDefaultGC", "XDefaultVisual", "XCreateImage"): getattr(x, name).restype = ctypes.c_void_p
x.XDefaultRootWindow.restype = x.XCreatePixmap.restype = ctypes.c_ulong
d = ctypes.c_void_p(x.XOpenDisplay(None)); root = ctypes.c_ulong(x.XDefaultRootWindow(d))
rgb = open(sys.argv[1], "rb").read()
data = bytearray(300 * 200 * 4); data[0::4], data[1::4], data[2::4] = rgb[2::3], rgb[1::3], rgb[0::3]
data = bytes(data)
image = x.XCreateImage(d, ctypes.c_void_p(x.XDefaultVisual(d, 0)), 24, 2, 0, data, 300, 200, 32, 0)
gc = ctypes.c_void_p(x.XDefaultGC(d, 0)); image = ctypes.c_void_p(image)
x.XPutImage(d, root, gc, image, 0, 0, 1200, 500, 300, 200); x.XSync(d, 0)
"""


def scaled(tools, desktop):
    path = desktop.folder / "half.png"
    tools("create_input", action="move", x=2550, y=790)        # the frame has the pointer, the picture not
    whole = frame(desktop)
    result = tools("capture_screenshot", max_size=SIZE[0] // 2, path=str(path))
    same((result["width"], result["scale"]), (SIZE[0] // 2, 0.5))
    half = read(path)
    for x, y in [((7 + 61 * i) % half.width, (5 + 37 * i) % half.height) for i in range(300) if (7 + 61 * i) % half.width < 1260]:
        four = [whole.pixel(2 * x + i, 2 * y + j) for i in (0, 1) for j in (0, 1)]
        mean = [sum(pixel[c] for pixel in four) / 4 for c in range(3)]
        if any(abs(got - want) > 1 for got, want in zip(half.pixel(x, y), mean)):
            raise Failure(f"the pixel {x}, {y} is {half.pixel(x, y)}, the mean of its area {mean}")


def returned(tools, desktop):
    """The picture in the result is the file's, and its text says how a pixel leads to a point."""
    path = desktop.folder / "both.png"
    result = tools.result("capture_screenshot", path=str(path), inline=True)
    text, image = result["content"]
    same(image["mimeType"], "image/png")
    same(base64.b64decode(image["data"]) == path.read_bytes(), True, "the same bytes")
    facts = result["structuredContent"]
    same(max(facts["width"], facts["height"]), 1568)
    has(text["text"], f"x / {facts['scale']:.6g}")
    has(text["text"], facts["image_id"])
    same(tools("capture_screenshot", path=str(desktop.folder / "no format.JPG"))["mime_type"], "image/jpeg")
    jpeg = tools.result("capture_screenshot", format="jpeg", quality=40)["content"][1]
    data = base64.b64decode(jpeg["data"])
    same((jpeg["mimeType"], data[:2], data[-2:]), ("image/jpeg", b"\xff\xd8", b"\xff\xd9"))


def covered(tools, desktop):
    under, over = xterm(tools, desktop, "under", RED), xterm(tools, desktop, "over", GREEN)
    for name in (under, over):
        tools("move_window", name=name, x=100, y=100)
    tools("focus_window", name=over)
    path = desktop.folder / "under.png"
    result = tools("capture_window_screenshot", window=under, path=str(path), max_size=0)
    picture = read(path)
    bounds = tools("get_window", name=under)["bounds"]
    same((picture.width, picture.height), (bounds["width"], bounds["height"]))
    same(result["origin"], {"x": bounds["x"], "y": bounds["y"]})
    same(picture.matches(RED, 0).count(1) > 0.8 * picture.width * picture.height, True, "red, not green")
    same(picture.bounds(GREEN, 0), None)
    part = tools("capture_element_screenshot", window="under", path=str(path), padding=2,
                 bounds={"x": bounds["x"] + 50, "y": bounds["y"] + 60, "width": 30, "height": 20})
    same((part["width"], part["height"]), (34, 24))
    same(set(read(path).matches(RED, 0)), {1})
    whole = tools("capture_element_screenshot", path=str(path),
                  bounds={"x": bounds["x"] + 50, "y": bounds["y"] + 60, "width": 30, "height": 20})
    same(set(read(path).matches(GREEN, 0)), {1}, "without its window, what is on the screen")
    same("window" in whole, False)
    tools("minimize_window", name=under)
    has(tools.fails("WINDOW_MINIMIZED", "capture_window_screenshot", window=under), "Restore it first")
    for name in (under, over):
        tools("close_window", name=name)


def covered_and_not_painted(tools, desktop):
    """The server has no picture of what is covered: it had that of the window above, until the application painted."""
    path = desktop.folder / "form.png"
    with form(tools, desktop) as (name, _):
        tools("move_window", name=name, x=300, y=200)
        over = xterm(tools, desktop, "over", GREEN)
        tools("move_window", name=over, x=350, y=250)
        tools("focus_window", name=over)
        desktops.settled_frame(desktop.folder, 10)
        tools("capture_window_screenshot", window=name, path=str(path), max_size=0)
        same(read(path).bounds(GREEN, 0), None, "nothing of the window above")
        same(bool(blue_spot(read(path))), True, "its own button")
        tools("move_window", name=name, x=2400, y=700)
        whole = tools("capture_window_screenshot", window=name, path=str(path), max_size=0)
        bounds = tools("get_window", name=name)["bounds"]
        same((whole["width"], whole["height"]), (bounds["width"], bounds["height"]), "also beyond the edge")
        same(bool(blue_spot(read(path))), True, "its button beyond the edge")
        tools("close_window", name=over)


def refused(tools, desktop):
    has(tools.fails("INVALID_ARGUMENT", "capture_region_screenshot", x=9000, y=0, width=5, height=5), "outside all displays")
    has(tools.fails("INVALID_ARGUMENT", "capture_screenshot", path="here.png"), "absolute")
    has(tools.fails("INVALID_ARGUMENT", "capture_screenshot", path="/tmp/x.png", format="jpeg"), ".jpg")
    has(tools.fails("INVALID_ARGUMENT", "capture_screenshot", path="/tmp/x.gif"), ".png")
    (desktop.folder / "file").write_text("x")
    has(tools.fails("FILE_IO_ERROR", "capture_screenshot", path=f"{desktop.folder}/file/x.png"), "file")
    has(tools.fails("DISPLAY_NOT_FOUND", "capture_screenshot", display="displays/99"), "screen")
    notes = desktop.folder / "notes.png"
    notes.write_text("my notes")
    has(tools.fails("FILE_IO_ERROR", "capture_screenshot", path=str(notes)), "exists and is not an image")
    same(notes.read_text(), "my notes", "a file that was no image was replaced")
    has(tools.fails("WINDOW_NOT_FOUND", "capture_window_screenshot", window="no such window"), "list_windows")
    has(tools.fails("IMAGE_NOT_FOUND", "create_input", action="click", x=1, y=1, image_id="image-1"), "Take another")


# --- clicks in pictures -----------------------------------------------------------------------

@contextlib.contextmanager
def form(tools, desktop):
    """(the form's window, how many rows it has taken)"""
    taken = desktop.folder / "taken.csv"
    taken.write_text("")
    with subprocess.Popen([PYTHON, str(FORM), str(taken)], env=desktop.env, stderr=subprocess.DEVNULL) as child:
        try:
            name = until(lambda: [w["name"] for w in tools("list_windows")["windows"] if w["title"] == "Guests"],
                         "the form")[0]
            yield name, lambda: taken.read_text().count("\n")
        finally:
            child.kill()


def blue_spot(picture):
    """The middle of the blue button: a pixel with nothing but blue around it."""
    width, mask = picture.width, picture.matches(BLUE, 40)
    rows = [mask[y * width:(y + 1) * width] for y in range(picture.height)]
    run = bytes([1]) * 5
    for y in range(2, picture.height - 2):
        x = rows[y].find(run)
        while x >= 0:
            if all(rows[y + dy][x:x + 5] == run for dy in (-2, -1, 1, 2)):
                return x + 2, y
            x = rows[y].find(run, x + 1)
    return None


def click_in(tools, rows, result, path):
    """Clicks the blue button in a picture that was just taken, and waits for what the form does."""
    spot, before = blue_spot(read(path)), rows()
    if not spot:
        raise Failure(f"no blue button in {path}")
    clicked = tools("create_input", action="click", image_id=result["image_id"], x=spot[0], y=spot[1])
    until(lambda: rows() == before + 1, "the form's new row")
    return spot, clicked


def drawn(tools, desktop, path, tool, **arguments):
    """A picture with the button in it; a window is there before it is painted."""
    desktops.settled_frame(desktop.folder, 10)
    return until(lambda: [r for r in [tools(tool, path=str(path), **arguments)] if blue_spot(read(path))], "the blue button")[0]


def click_in_screenshot(tools, desktop):
    path = desktop.folder / "click.png"
    with form(tools, desktop) as (name, rows):
        tools("move_window", name=name, x=300, y=200)
        tools("focus_window", name=name)
        for size in (0, 1000):
            result = drawn(tools, desktop, path, "capture_screenshot", max_size=size)
            spot, clicked = click_in(tools, rows, result, path)
            same(abs(clicked["pointer"]["x"] - spot[0] / result["scale"]) <= 1, True, "where the pointer is")


def click_in_window(tools, desktop):
    """The window was moved since: so is the click. Covered or resized: refused."""
    path = desktop.folder / "click.png"
    with form(tools, desktop) as (name, rows):
        tools("move_window", name=name, x=300, y=200)
        tools("focus_window", name=name)
        result = drawn(tools, desktop, path, "capture_window_screenshot", window=name)
        click_in(tools, rows, result, path)
        tools("move_window", name=name, x=700, y=300)
        _, clicked = click_in(tools, rows, result, path)
        has(clicked["note"], "moved by 400, 100")
        spot = blue_spot(read(path))
        over = xterm(tools, desktop, "over", GREEN)
        tools("move_window", name=over, x=700, y=300)
        tools("focus_window", name=over)
        has(tools.fails("WINDOW_COVERED", "create_input", action="click", image_id=result["image_id"],
                        x=spot[0], y=spot[1]), '"over"')
        tools("close_window", name=over)
        tools("resize_window", name=name, width=800, height=500)
        has(tools.fails("PICTURE_OUTDATED", "create_input", action="click", image_id=result["image_id"],
                        x=spot[0], y=spot[1]), "Take another screenshot")
        same(rows(), 2)


def click_on_second_display(tools, desktop):
    for words in (("LEFT", "1280/338x800/212+0+0", "screen"), ("RIGHT", "1280/338x800/212+1280+0", "none")):
        subprocess.run(["xrandr", "--setmonitor", *words], env=desktop.env, check=True, stdout=subprocess.DEVNULL)
    displays = {d["display_name"]: d for d in tools("list_displays")["displays"]}
    same(displays["RIGHT"]["bounds"], {"x": 1280, "y": 0, "width": 1280, "height": 800})
    path = desktop.folder / "right.png"
    with form(tools, desktop) as (name, rows):
        tools("move_window", name=name, x=1600, y=250)
        tools("focus_window", name=name)
        result = drawn(tools, desktop, path, "capture_screenshot", display="RIGHT", max_size=0)
        same((result["origin"], result["display"]), ({"x": 1280, "y": 0}, displays["RIGHT"]["name"]))
        for size in (0, 700):
            result = drawn(tools, desktop, path, "capture_screenshot", display="RIGHT", max_size=size)
            spot, clicked = click_in(tools, rows, result, path)
            same(abs(clicked["pointer"]["x"] - (1280 + spot[0] / result["scale"])) <= 1, True, "where the pointer is")
    left = tools("capture_screenshot", display="LEFT", path=str(path), max_size=0)
    same((left["origin"]["x"], left["width"]), (0, 1280))
    same(tools("capture_screenshot", display="all", path=str(path), max_size=0)["width"], 2560)


def since(tools, desktop):
    """Only what changed: each part has the pixels that the whole has there, and leads to the same points."""
    window = xterm(tools, desktop, "still", RED)
    tools("create_input", action="move", x=2550, y=790)
    first = tools("capture_window_screenshot", window=window, max_size=0, inline=False)
    result = tools.result("capture_window_screenshot", window=window, max_size=0, since=first["image_id"])
    has(result["content"][0]["text"], "Nothing changed in window \"still\" since " + first["image_id"])
    same((len(result["content"]), result["structuredContent"]["changes"], result["structuredContent"]["size"]), (1, [], 0))

    area = {"x": 1200, "y": 500, "width": 600, "height": 250, "max_size": 0}
    before = tools("capture_region_screenshot", **area, inline=False)
    pictures = [desktop.folder / "noise", desktop.folder / "spot"]
    pictures[1].write_bytes(bytes((i * 31 + i // 7) & 255 for i in range(300 * 200 * 3)))
    subprocess.run([sys.executable, "-c", NOISE, str(pictures[1])], env=desktop.env, check=True, timeout=120)
    result = tools.result("capture_region_screenshot", **area, since=before["image_id"])
    facts, whole = result["structuredContent"], frame(desktop)
    same(len(facts["changes"]), 1, "regions")
    part, image = facts["changes"][0], png.decode(base64.b64decode(result["content"][1]["data"]))
    same((image.width, image.height), (part["width"], part["height"]))
    same(difference(image, crop(whole, 1200 + part["x"], 500 + part["y"], image.width, image.height)), None, "the region's pixels")
    same(part["x"] <= 16 and part["y"] <= 16 and 300 <= part["width"] <= 332 and 200 <= part["height"] <= 232, True, part)
    clicked = tools("create_input", action="move", image_id=part["image_id"], x=20, y=10)
    same(clicked["pointer"], {"x": 1200 + part["x"] + 20, "y": 500 + part["y"] + 10}, "a pixel of the region")
    clicked = tools("create_input", action="move", image_id=facts["image_id"], x=400, y=210)
    same(clicked["pointer"], {"x": 1600, "y": 710}, "a pixel of the whole, beside the region")

    other = tools.result("capture_window_screenshot", window=window, max_size=0, since=facts["image_id"])
    has(other["content"][0]["text"], "this is the whole screenshot")
    same("changes" in other["structuredContent"], False, "regions of another thing")
    tools("resize_window", name=window, width=300, height=200)
    other = tools.result("capture_window_screenshot", window=window, max_size=0, since=first["image_id"])
    has(other["content"][0]["text"], "its size did, so this is the whole screenshot")
    tools.fails("IMAGE_NOT_FOUND", "capture_screenshot", since="image-0000-1")
    tools.fails("INVALID_ARGUMENT", "capture_screenshot", since=first["image_id"], path="/tmp/x.png")


def with_menu(tools, desktop):
    """A menu reaches beyond its window; both are in the picture, and a click there is on the menu."""
    path = desktop.folder / "menu.png"
    with bare_client(tools, desktop) as client:
        client.window("host", at=(300, 300, 200, 100), colour=0x20A040)
        name = until(lambda: [w["name"] for w in tools("list_windows")["windows"] if w["title"] == "host"], "host")[0]
        bounds = until(lambda: (w := tools("get_window", name=name))["on_screen"] and w["bounds"], "host on the screen")
        corner = bounds["x"] + bounds["width"], bounds["y"] + bounds["height"]
        client.window("menu", at=(int(corner[0]) - 20, int(corner[1]) - 30, 150, 90), popup=True, colour=0xC02030)
        until(lambda: frame(desktop).matches(RED, 0).count(1) >= 150 * 90, "the menu to be painted")
        alone = tools("capture_window_screenshot", window=name, path=str(path))
        same((alone["width"], alone["height"]), (bounds["width"], bounds["height"]))
        same(read(path).matches(RED, 0).count(1), 0, "the menu in the picture without it")
        both = tools("capture_window_screenshot", window=name, popups=True, path=str(path))
        same((both["width"], both["height"]), (bounds["width"] + 130, bounds["height"] + 60))
        same((both["origin"]["x"], both["origin"]["y"]), (bounds["x"], bounds["y"]))
        same(read(path).matches(RED, 0).count(1), 150 * 90, "the menu in the picture")
        tools("create_input", action="move", image_id=both["image_id"], x=both["width"] - 5, y=both["height"] - 5)


def under_popup(tools, desktop):
    """A click went to another application's menu, which lay over the pixel, and nothing told so."""
    seen = desktop.folder / "clicks"
    with applications.tk(tools, desktop, "under a popup") as below, bare_client(tools, desktop) as client:
        x, y = int(below.bounds["x"] + 60), int(below.bounds["y"] + 100)
        image = tools("capture_window_screenshot", window=below.window, inline=False, max_size=0)["image_id"]
        spot = {"image_id": image, "x": x + 20 - below.bounds["x"], "y": y + 20 - below.bounds["y"]}
        tools("create_input", action="click", **spot)
        popup = client.window("", at=(x, y, 100, 60), popup=True)
        has(tools.fails("WINDOW_COVERED", "create_input", action="click", **spot), "a popup of Bare")
        client.let_clicks_through(popup)
        tools("create_input", action="click", **spot)
        client.destroy(popup)
        tools("create_input", action="click", **spot)
        tools("create_input", action="type", text="typed")
        until(lambda: "typed" in json.dumps(below.holds()), "the clicked field's text")


def under_its_own(tools, desktop):
    """The menu of the window itself is a part of what is clicked."""
    with bare_client(tools, desktop) as client:
        client.window("host", at=(300, 300, 200, 100))
        name = until(lambda: [w["name"] for w in tools("list_windows")["windows"] if w["title"] == "host"], "host")[0]
        image = tools("capture_window_screenshot", window=name, inline=False, max_size=0)["image_id"]
        bounds = tools("get_window", name=name)["bounds"]
        client.window("", at=(int(bounds["x"]) + 20, int(bounds["y"]) + 40, 100, 60), popup=True)
        clicked = tools("create_input", action="click", image_id=image, x=50, y=60)
        same(clicked["pointer"], {"x": bounds["x"] + 50, "y": bounds["y"] + 60})
        client.window("", at=(int(bounds["x"]) + 20, int(bounds["y"]) + 40, 100, 60), popup=True, owner=1)
        tools("create_input", action="click", image_id=image, x=50, y=60)


def main():
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing:
        tap.skip("screenshots", f"{', '.join(missing)} not installed (vendor/install test)")
        tap.done()
    gtk = subprocess.run([PYTHON, "-c", "import gi; gi.require_version('Gtk', '3.0')"], check=False,
                         capture_output=True).returncode == 0
    cases = [("a screenshot has the display's pixels, exactly", exact),
             ("a screenshot is exact even if no two pixels are alike", noisy),
             ("scaled down, each pixel is the mean of its area", scaled),
             ("the picture is in the result, and the way to points in its text", returned),
             ("a covered window is shown whole, and so are its elements", covered),
             ("a screenshot that cannot be taken or written fails with the reason", refused),
             ("a menu was missing in its window's picture", with_menu),
             ("only what changed since an earlier screenshot", since),
             ("a click in a window's picture went to a menu of another application", under_popup),
             ("a click in a window's picture reaches its own menu", under_its_own)]
    clicks = [("a covered window had a part of the one above in its picture", covered_and_not_painted),
              ("a click in a scaled screenshot reaches its button", click_in_screenshot),
              ("a click in a window's picture goes along with the window", click_in_window),
              ("screenshots and clicks on a second display", click_on_second_display)]
    with desktops.Desktop(SIZE) as desktop, contextlib.closing(Tools(desktop.env)) as tools:
        for name, case in cases:
            tap.case(name, case, tools, desktop)
        for name, case in clicks:
            if gtk:
                tap.case(name, case, tools, desktop)
            else:
                tap.skip(name, "GTK for Python is not installed (vendor/install test)")
    tap.done()


if __name__ == "__main__":
    main()
