#!/usr/bin/env python3
"""sys.audio on a PulseAudio of our own, without hardware, and sys.awake with the session manager of MATE."""

import contextlib
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications                         # noqa: E402
import tap                                  # noqa: E402
from desktop import Desktop                 # noqa: E402
from script import SAY, bare_bus, running   # noqa: E402
from tools import has, same, until          # noqa: E402

HEAD = ('local audio, awake, dbus, json = require "sys.audio", require "sys.awake", require "sys.dbus", require "sys.json"' + SAY)
SINK = "module-null-sink sink_name={} sink_properties=device.description='{}'"


def answers(desktop, **env):
    return subprocess.run(["pactl", "info"], env=dict(desktop.env, **env), check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


@contextlib.contextmanager
def sound(desktop, folder):
    """A server with two outputs and an input. Yields its variables."""
    folder.mkdir(mode=0o700, exist_ok=True)
    env = {"XDG_RUNTIME_DIR": str(folder), "HOME": str(folder), "PULSE_SERVER": f"unix:{folder}/pulse/native",
           "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
    modules = [SINK.format("one", "Speakers"), SINK.format("two", "Kopfhörer"), "module-null-source source_name=mic",
               "module-native-protocol-unix"]
    with applications.program(desktop, "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                              "--disable-shm=yes", *[word for module in modules for word in ("-L", module)], **env):
        until(lambda: answers(desktop, **env), "the audio server")
        yield env


def devices_and_changes(desktop):
    with sound(desktop, desktop.folder / "sound") as env:
        with running(desktop, HEAD + """
                local function told(device) say(device.name, device.title, device.kind, device.default, device.volume, device.muted) end
                for _, device in ipairs(assert(audio.devices())) do told(device) end
                local source = assert(audio.events())
                told(assert(audio.set { volume = 40, muted = true }))
                told(assert(audio.set { volume = 30, device = "mic" }))
                told(assert(audio.use "two"))
                for _ = 1, 4 do
                  local event = assert(source:next(100))
                  say(event.what, event.device.name, event.device.volume)
                end
                say(select(2, audio.use "tw"))
                say(select(2, audio.set { volume = 1, device = "two", kind = "input" }))""", **env) as script:
            lines = [json.loads(line) for line in script.ends().splitlines()]
        same(lines[:3], [["one", "Speakers", "output", True, 100, False], ["two", "Kopfhörer", "output", False, 100, False],
                         ["mic", "Null Input", "input", True, 100, False]])
        same(lines[3:6], [["one", "Speakers", "output", True, 40, True], ["mic", "Null Input", "input", True, 30, False],
                          ["two", "Kopfhörer", "output", True, 100, False]])
        same(sorted(lines[6:10]), [["default", "two", 100], ["muted", "one", 40], ["volume", "mic", 30], ["volume", "one", 40]])
        has(lines[10][0], "No audio device is called tw; did you mean two?")
        has(lines[11][0], "No audio device is called two")


def a_server_that_goes_and_comes(desktop):
    folder = desktop.folder / "again"
    with contextlib.ExitStack() as stack:
        with sound(desktop, folder) as env:
            script = stack.enter_context(running(desktop, HEAD + """
                local source = assert(audio.events())
                say "listens"
                say(source:next(100).what)
                say(audio.default())
                say(source:next(100).what)
                """, **env))
            script.says('["listens"]')
        script.says('["lost"]')
        _, err, code = json.loads(script.line())
        same(code, "no_audio")
        has(err, "No audio server answers (pactl: Connection failure: Connection refused). Start pipewire-pulse or pulseaudio.")
        with sound(desktop, folder):
            script.says('["found"]')


def without_pactl(desktop):
    empty = desktop.folder / "empty"
    empty.mkdir()
    with running(desktop, HEAD + "say(audio.default())", PATH=str(empty)) as script:
        _, err, code = json.loads(script.line())
    same(code, "no_audio")
    has(err, "Audio needs the program pactl. Install pulseaudio-utils (Debian, Fedora)")


def kept_awake_in_mate(desktop):
    with bare_bus(desktop, "mate") as address:
        env = {"DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={desktop.folder}/none",
               "HOME": str(desktop.folder), "GSETTINGS_BACKEND": "memory"}
        with applications.program(desktop, "mate-session", "--disable-acceleration-check", **env):
            with running(desktop, HEAD + """
                    local function held()
                      local answer = assert(dbus.calls("session", { { to = "org.gnome.SessionManager", path = "/org/gnome/SessionManager",
                        interface = "org.gnome.SessionManager", member = "GetInhibitors" } }))[1]
                      return answer.values and #answer.values[1] or -1
                    end
                    while held() < 0 do require("sys.time").sleep(0.1) end
                    local film = assert(awake.keep { reason = "a film" })
                    local backup = assert(awake.keep { reason = "a backup", display = false })
                    say(held())
                    film:release()
                    say(held())
                    backup:release()
                    say(held())""", **env) as script:
                script.says("[2]", "[1]", "[0]")


CASES = [("pulseaudio", "devices of audio, and their changes", devices_and_changes),
         ("pulseaudio", "an audio server that goes and comes", a_server_that_goes_and_comes),
         ("sh", "a machine without pactl", without_pactl),
         ("mate-session", "kept awake by MATE's session manager", kept_awake_in_mate)]


def main():
    with Desktop() as desktop:
        for program, name, case in CASES:
            if shutil.which(program):
                tap.case(name, case, desktop)
            else:
                tap.note(f"skipped, as {program} is not installed: {name}")
    tap.done()


if __name__ == "__main__":
    main()
