"""The window managers that the desktop tests run under, and how each is started.

A row is what a test needs: the program, its configuration (files of the desktop's HOME), and whether it speaks EWMH.
Each starts with what its Debian package brings, apart from settings without which it would wait for a person.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Manager:
    name: str
    argv: tuple[str, ...]
    package: str
    files: dict[str, str] = field(default_factory=dict)
    ewmh: bool = True
    env: dict[str, str] = field(default_factory=dict)

    def missing(self) -> bool:
        return bool(self.argv) and not shutil.which(self.argv[0])


I3_CONFIG = """font pango:monospace 8
focus_follows_mouse no
mouse_warping none
"""
TWM_CONFIG = "RandomPlacement\nNoGrabServer\n" + "".join(f'{part}Font "fixed"\n' for part in ("Title", "Menu", "Icon", "Resize", "IconManager"))

MANAGERS = {row.name: row for row in (
    Manager("openbox", ("openbox", "--sm-disable"), "openbox"),
    Manager("xfwm4", ("xfwm4", "--compositor=off"), "xfwm4"),
    Manager("metacity", ("metacity", "--sm-disable", "--no-composite"), "metacity"),
    Manager("marco", ("marco", "--sm-disable", "--no-composite"), "marco"),
    Manager("mutter", ("mutter", "--x11", "--sm-disable"), "mutter"),
    Manager("kwin_x11", ("kwin_x11",), "kwin-x11", env={"KWIN_COMPOSE": "N"}),
    Manager("icewm", ("icewm",), "icewm"),
    Manager("fluxbox", ("fluxbox",), "fluxbox"),
    Manager("jwm", ("jwm",), "jwm"),
    Manager("i3", ("i3", "-c", "{home}/i3.config"), "i3-wm", {"i3.config": I3_CONFIG}),
    Manager("awesome", ("awesome",), "awesome"),
    Manager("twm", ("twm", "-f", "{home}/twmrc"), "twm", {"twmrc": TWM_CONFIG}, ewmh=False),
    Manager("none", (), "", ewmh=False),
)}
