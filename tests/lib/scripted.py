"""Doubles of the Mac's programs for scripts of clients, and applications with dictionaries, on a machine that is not a Mac."""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

STANDARD = """<suite name="S" code="????"><class name="application" code="capp"><property name="name" code="pnam" type="text" access="r"/>
<element type="window"/></class><class name="window" code="cwin"><property name="title" code="titl" type="text" access="r"/></class></suite>"""


def program(folder: pathlib.Path, name: str) -> pathlib.Path:
    """A program of this name (the policy knows programs by it) that runs a double, whose folder is FOLDER/double. It says so itself,
    because scripts get none of our variables. NAME.env there has its variables, NAME.pid its process."""
    double, path = folder / "double", folder / "bin" / name
    for each in (double, path.parent):
        each.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\nenv > '{double}/{name}.env'\necho $$ > '{double}/{name}.pid'\n"
                    f"export {name.upper()}_DOUBLE='{double}'\nexec '{sys.executable}' '{HERE}/{name}_double.py' \"$@\"\n")
    path.chmod(0o755)
    return path


def application(folder: pathlib.Path, name: str, bundle: str, dictionary: str = STANDARD) -> None:
    """An application as the system has them, in FOLDER/apps, which PERIGEE_SDEF_DIR is to name: nothing in it can be started."""
    contents = folder / f"apps/{name}.app/Contents"
    (contents / "Resources").mkdir(parents=True)
    (contents / "Info.plist").write_text(
        f'<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>{bundle}</string>'
        f"<key>CFBundleName</key><string>{name}</string><key>CFBundleShortVersionString</key><string>1.0</string></dict></plist>")
    (contents / f"Resources/{name}.sdef").write_text(f'<?xml version="1.0"?><dictionary title="{name}">{dictionary}</dictionary>')
