#!/usr/bin/env python3
"""The film of the demo: its length, speed and size, and that its last picture has the terminals beside the slide."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "lib"))

import png   # noqa: E402
import tap   # noqa: E402

LIMIT = 240             # seconds; only guards against hanging
NEEDED = ("ffmpeg", "ffprobe", "xterm", "soffice", "Xvfb", "openbox")
DARK, BLUE = (0x16, 0x18, 0x1D), (0x1F, 0x5F, 0xA8)     # a terminal's ground; the rectangle, as Impress fills it


def film(folder, *words, **more):
    env = dict(os.environ, TEXT="Hello from a test.", PERIGEE_HOME=os.path.join(folder, "home"),
               PERIGEE=os.path.abspath(os.environ.get("PERIGEE", os.path.join(TOP, "build", "perigee"))))
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "OLLAMA_HOST", "MODEL"):
        env.pop(name, None)
    env.update(more)
    path = os.path.join(folder, "demo.mp4")
    done = subprocess.run([os.path.join(TOP, "examples", "demo", "video"), path, *words], env=env, capture_output=True, text=True,
                          timeout=LIMIT, check=False)
    return done, path


def without_office(folder):
    """PATH with a double of the office, which makes no profile there."""
    os.symlink("/bin/true", os.path.join(folder, "soffice"))
    return folder + os.pathsep + os.environ["PATH"]


def last_picture(path, folder):
    """The last picture of the film, and its length in seconds."""
    picture = os.path.join(folder, "last.png")
    subprocess.run(["ffmpeg", "-loglevel", "error", "-sseof", "-1", "-i", path, "-update", "1", picture], check=True, timeout=LIMIT)
    probe = subprocess.run(["ffprobe", "-loglevel", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path],
                           capture_output=True, text=True, check=True, timeout=LIMIT)
    with open(picture, "rb") as file:
        return png.decode(file.read()), float(probe.stdout)


def shows_the_run():
    with tempfile.TemporaryDirectory(prefix="perigee-film-") as folder:
        done, path = film(folder)
        assert done.returncode == 0, done.stderr[-2000:]
        assert re.search(r"demo\.mp4: \d\.\d MB, \d+ s$", done.stdout.strip()), done.stdout
        assert os.path.getsize(path) < 5_000_000
        picture, seconds = last_picture(path, folder)
        assert 2 < seconds <= 30.5, seconds
        assert (picture.width, picture.height) == (1440, 810)
        for x, y in ((500, 380), (500, 790)):           # in the lower right of each terminal
            assert all(abs(a - b) < 12 for a, b in zip(picture.pixel(x, y), DARK)), (x, y, picture.pixel(x, y))
        left, top, right, bottom = picture.bounds(BLUE, 24)
        assert left > 560 and right - left > 20 and bottom > top, (left, top, right, bottom)


def is_faster_than_a_long_run():
    """A double of the program, and no office: the run takes as long as the desktop needs to settle."""
    with tempfile.TemporaryDirectory(prefix="perigee-film-") as folder:
        double = os.path.join(folder, "perigee")
        with open(double, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ $1 = run ] || exec echo done\necho ready\nexec tail -f /dev/null\n")
        os.chmod(double, 0o755)
        done, path = film(folder, "0.2", PERIGEE=double, PATH=without_office(folder))
        assert done.returncode == 0, done.stderr[-2000:]
        first, last = done.stdout.splitlines()
        took, times = re.fullmatch(r"the run took (\d+) s: the film is (\d+\.\d) times as fast", first).groups()
        assert float(times) > 1 and abs(float(times) * 0.2 - int(took)) < 0.6, first
        assert re.search(r"demo\.mp4: \d\.\d MB, 0 s$", last), last
        picture, seconds = last_picture(path, folder)
        assert seconds <= 0.3, seconds
        for x, y in ((500, 380), (500, 790)):
            assert all(abs(a - b) < 12 for a, b in zip(picture.pixel(x, y), DARK)), (x, y, picture.pixel(x, y))


def says_what_failed():
    with tempfile.TemporaryDirectory(prefix="perigee-film-") as folder:
        done, _ = film(folder, MODEL="nobody/none", PATH=without_office(folder))
        assert done.returncode == 1 and "video: the agent failed (exit" in done.stderr, done.stderr
    with tempfile.TemporaryDirectory(prefix="perigee-film-") as folder:
        os.symlink(shutil.which("python3"), os.path.join(folder, "python3"))
        os.symlink(shutil.which("env"), os.path.join(folder, "env"))
        done, _ = film(folder, PATH=folder)
        assert done.returncode == 1 and "video: ffmpeg is missing. Run vendor/install video" in done.stderr, done.stderr


missing = [name for name in NEEDED if not shutil.which(name)]
if missing:
    print(f"1..0 # SKIP {' and '.join(missing)} not installed (vendor/install demo video)")
    sys.exit()
tap.case("it is short, and shows the terminals and the slide side by side", shows_the_run)
tap.case("it is as much faster than a run as that is too long", is_faster_than_a_long_run)
tap.case("it says what failed", says_what_failed)
tap.done()
