#!/usr/bin/python3
"""How GLib starts desktop entries: reads JSON [[Exec without its program, [file, ...]], ...] on stdin, starts each through
Gio and prints the arguments that the program got, null where GLib starts nothing. Exit status 77: no Python of GLib."""

import json
import os
import sys
import tempfile
import time

try:
    import gi
    gi.require_version("Gio", "2.0")
    try:
        gi.require_version("GioUnix", "2.0")
        from gi.repository.GioUnix import DesktopAppInfo
    except (ValueError, ImportError):
        from gi.repository.Gio import DesktopAppInfo
    from gi.repository import Gio, GLib
except (ValueError, ImportError):
    sys.exit(77)

RECORD = """#!/bin/sh
out=$1
shift
for word; do printf '%s\\0' "$word"; done >"$out.new"
mv "$out.new" "$out"
"""


def arguments(folder, number, line, files):
    out, entry = os.path.join(folder, f"out{number}"), os.path.join(folder, "x.desktop")
    with open(entry, "w", encoding="utf-8") as file:
        escaped = f"{folder}/record {out} {line}".replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
        file.write(f"[Desktop Entry]\nType=Application\nName=x\nExec={escaped}\n")
    try:
        info = DesktopAppInfo.new_from_filename(entry)
        info.launch([Gio.File.new_for_path(file) for file in files], None)
    except (GLib.Error, TypeError):
        return None
    while not os.path.exists(out):
        time.sleep(0.001)
    with open(out, encoding="utf-8") as file:
        return file.read().split("\0")[:-1]


with tempfile.TemporaryDirectory() as place:
    with open(os.path.join(place, "record"), "w", encoding="utf-8") as script:
        script.write(RECORD)
    os.chmod(script.name, 0o755)
    json.dump([arguments(place, n, line, files) for n, (line, files) in enumerate(json.load(sys.stdin))], sys.stdout)
