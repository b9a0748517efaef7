#!/usr/bin/env python3
"""`make bench`, the part of vision: what our own work adds to the model's time, on a private desktop.

    tests/bench/vision_bench.py [--tries 15] [--json FILE]

A local server stands for each model's API and answers at once. Its time, from a request's first line to the answer's last byte, is
the model's: it has the upload in it. The rest of a tool call is ours. `image` with a question is shown beside what it does at the
same time: the capture, which is `image` without one, and reading the window's elements, which is `get_ui_tree`. Times are medians. Nothing fails by time: an aim is `met` or `MISSED`.
"""

import argparse
import contextlib
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from desktop_bench import PERIGEE, Session
from elements_bench import content, opened
from session import aim

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import desktop  # noqa: E402  (its folder has to be on the path)
import model_apis  # noqa: E402
import png  # noqa: E402
from models import KEYS  # noqa: E402
from server import TRUSTING  # noqa: E402

OWN_MS = 5.0            # aim
MODELS = {"openai": "gpt-4o", "anthropic": "claude-haiku-4-5", "gemini": "gemini-2.0-flash", "ollama": "llava"}
SIZES = ((1280, 800), (1920, 1080), (3840, 2160))
APPLICATIONS = ("mousepad", "gtk3-widget-factory", "gnome-calculator", "soffice")
QUESTION = "What is it?"


# --- the model ---------------------------------------------------------------------------------

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def parse_request(self):
        self.arrived = time.perf_counter()
        return super().parse_request()

    def answer(self, method):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = "/" + self.path.lstrip("/").split("/", 2)[2]
        api = model_apis.find(method, path)
        aside = api.aside(path, json.loads(body), "ok") if path == "/api/show" else None
        reply = aside or (api.listing("ok") if method == "GET" else api.answer("m", {"text": "A window."}))
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()
        self.server.took += time.perf_counter() - self.arrived
        self.server.bytes = max(self.server.bytes, len(body))

    def do_GET(self):
        self.answer("GET")

    def do_POST(self):
        self.answer("POST")


class Model(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.took, self.bytes = 0.0, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def environment(self):
        base = f"http://127.0.0.1:{self.server_address[1]}/bench/ok"
        return {**KEYS, "GEMINI_BASE_URL": base, "OPENAI_BASE_URL": base + "/v1", "ANTHROPIC_BASE_URL": base,
                "PEEKABOO_OLLAMA_BASE_URL": base, "PEEKABOO_AI_PROVIDERS": ",".join(f"{k}/{v}" for k, v in MODELS.items())}


# --- what is measured -----------------------------------------------------------------------------

def asked(model, ours, tries, tool, **arguments):
    """Ours and the model's milliseconds, medians, and bytes of a request."""
    own, its = [], []
    for attempt in range(tries + 1):
        model.took = model.bytes = 0
        ms, _ = ours.call(tool, **arguments)
        if attempt:                     # the first one opens connections
            own.append(ms - model.took * 1e3)
            its.append(model.took * 1e3)
    return {"own_ms": statistics.median(own), "model_ms": statistics.median(its), "request_bytes": model.bytes}


def files(model, ours, folder, tries, size):
    """Each provider about one screenshot of the whole screen, as a PNG and as a JPEG; and about the largest file that is not scaled."""
    rows = []
    for kind in ("png", "jpg", "max"):
        path = str(folder / f"screen-{size[0]}.{kind}")
        if kind == "max":
            pathlib.Path(path).write_bytes(png.encode(png.Picture(665, 500, random.Random(1).randbytes(665 * 500 * 3)), 0))
        else:
            ours.call("image", path=path, format=kind)
        for name, its in MODELS.items():
            row = asked(model, ours, tries, "analyze", image_path=path, question=QUESTION, provider_config={"type": name, "model": its})
            rows.append({"size": size, "kind": kind, "bytes": pathlib.Path(path).stat().st_size, "provider": name, **row})
    return rows


def captures(model, ours, tries):
    rows = []
    for name in APPLICATIONS:
        app = opened(ours, name, {})
        pid = f"PID:{app.split('/')[1]}"
        plain = statistics.median(ours.call("image", app=pid, return_data=True, format="png")[0] for _ in range(tries))
        row = asked(model, ours, tries, "image", app=pid, question=QUESTION, provider_config={"type": "openai", "model": "gpt-4o"})
        tree = statistics.median(ours.call("get_ui_tree", application=app, source="tree")[0] for _ in range(tries))
        elements = content(ours.call("get_ui_tree", application=app, source="tree", max_tokens=50000)[1])["elements"]
        rows.append({"name": name, "elements": elements, "plain_ms": plain, "tree_ms": tree, **row})
        ours.call("quit_application", name=app, force=True)
    return rows


def show(rows, shots):
    print("analyze, a screenshot of the whole screen: our milliseconds, the model's (with the upload), kB sent")
    for row in rows:
        print(f"  {row['size'][0]:>5} x {row['size'][1]:<5} {row['kind']} {row['bytes'] / 1e3:7.0f} kB  {row['provider']:<10}"
              f"{row['own_ms']:8.2f} {row['model_ms']:8.2f} {row['request_bytes'] / 1e3:8.0f}")
    print("image of one window with a question, beside the capture and the elements alone")
    for row in shots:
        print(f"  {row['name']:<20} {row['elements']:>5} elements  {row['own_ms']:8.2f}  capture {row['plain_ms']:8.2f}"
              f"  elements {row['tree_ms']:8.2f}")
    aim("analyze, the slowest", max(row["own_ms"] for row in rows), OWN_MS, "ms")
    more = max(row["own_ms"] - row["plain_ms"] - row["tree_ms"] for row in shots)
    aim("image with a question, more than both one after the other, the slowest", more, OWN_MS, "ms")


@contextlib.contextmanager
def served(model, size):
    """A desktop of this size, and our server on it."""
    with desktop.Desktop(size) as screen:
        env = dict(screen.env, PERIGEE_HOME=str(screen.folder / "home"), **model.environment())
        with Session([PERIGEE, "serve", "--no-user-root", "--root", TRUSTING], env) as ours:
            yield screen, ours


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/vision_bench.py")
    parser.add_argument("--tries", type=int, default=15)
    parser.add_argument("--json", help="write every figure there")
    options = parser.parse_args()
    for program in ("Xvfb", "openbox", "dbus-daemon", *APPLICATIONS):
        if not shutil.which(program):
            print(f"bench: no vision, {program} is not installed (vendor/install demo test bench)")
            return 0
    model, rows = Model(), []
    with served(model, (1920, 1080)) as (_, ours):
        shots = captures(model, ours, options.tries)
    for size in SIZES:
        with served(model, size) as (screen, ours):
            for name in APPLICATIONS:
                opened(ours, name, {})
            rows += files(model, ours, screen.folder, options.tries, size)
    show(rows, shots)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"analyze": rows, "image": shots}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
