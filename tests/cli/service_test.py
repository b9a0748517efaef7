#!/usr/bin/env python3
"""perigee service: in the foreground, switched on and off, and started with the session. systemctl is a double: a user manager
does not run where tests do. What systemd makes of the unit, systemd-analyze says."""

import codecs
import json
import os
import plistlib
import re
import shutil
import signal
import subprocess

from kit import FOLDER, PERIGEE, TOP, Running, done, environment, folder, has, hasnt, must, perigee, same, soon, tap, write

ENV = {"PERIGEE_DESKTOP": "fake"}
SEEN = FOLDER / "seen.txt"
SERVICE = """local time = require "sys.time"
return { description = "Demo.", start = function(ctx) ctx.log "start %s" assert(time.every(3600, function() end)) end,
  stop = function(ctx) ctx.log "stop %s" time.sleep(0.1) ctx.log "stopped %s" end }
"""


def save(name, word):
    write(f"home/services/{name}.lua", SERVICE % (word, word, word))


def service(*words, code=0, **env):
    answer = perigee("service", *words, **ENV, **env)
    same(answer.code, code, answer)
    return answer.out + answer.err


def states():
    return {each["name"]: each["state"] for each in json.loads(perigee("service", "--json", **ENV).out)["services"]}


def running(*words):
    process = Running("service", "run", *words, stdin=subprocess.PIPE, **ENV)
    soon(lambda: f" {process.process.pid} " in f" {perigee('ps').out} " and states(), "it does not serve")
    return process


def lines(text, *words):
    """Each word is a line of the log once."""
    for word in words:
        same(text.count(f"{word}\n"), 1, f"{word!r} in {text}")


def before_there_is_one():
    """A command that says nothing and does not end looks as if it hung."""
    process = Running("service", "run", stdin=subprocess.PIPE, **ENV)
    soon(lambda: f" {process.process.pid} " in f" {perigee('ps').out} ", "it does not serve")
    save("one", "A")
    soon(lambda: states() == {"one": "runs"}, "it does not start")
    process.signal(signal.SIGINT)
    lines(process.end().err, "perigee service: no services yet. Each one starts when you save it: `perigee new service NAME` "
          "writes one. Ctrl-C ends this command")


HOTKEY = """return { description = "Demo.", start = function() assert(require "sys.hotkey".bind("%s", print)) end }
"""


def keys_of_another():
    """The message names the service that has the keys, and a line of the engine's log begins with the service once."""
    write("home/services/first.lua", HOTKEY % "ctrl+alt+k")
    process = running()
    soon(lambda: states().get("first") == "runs", "it does not run")
    write("home/services/second_one.lua", HOTKEY % "alt+ctrl+K")
    soon(lambda: states().get("second_one") == "failed", "it got the keys")
    said = '"alt+ctrl+K" is bound by service first already. Stop that one, or choose other keys'
    has(service("log", "second_one"), said)
    process.signal(signal.SIGINT)
    has(process.end().err, "[error] service second_one: failed, and starts again in 1 s: ", said)
    for name in ("first", "second_one"):
        os.remove(FOLDER / f"home/services/{name}.lua")


def in_the_foreground():
    """Each signal ends it, and stop() is called once."""
    save("one", "A")
    for number in (signal.SIGINT, signal.SIGTERM):
        process = running()
        soon(lambda: states() == {"one": "runs"}, "it does not run")
        process.signal(number)
        ended = process.end()
        same((ended.code, ended.out), (128 + number, ""), ended)
        lines(ended.err, "start A", "stop A", "stopped A")


def saved_while_it_runs():
    process = running()
    soon(lambda: states() == {"one": "runs"}, "it does not run")
    save("one", "B")
    soon(lambda: "start B" in service("log", "one"), "the new code does not run")
    save("two", "C")
    soon(lambda: states() == {"one": "runs", "two": "runs"}, "the new file does not run")
    process.signal(signal.SIGINT)
    lines(process.end().err, "start A", "stopped A", "start B", "stopped B", "start C", "stopped C")


def only_those_named():
    has(service("run", "tow", code=1), "there is no file services/tow.lua; did you mean two?")
    process = running("two")
    soon(lambda: states() == {"two": "runs"}, "it does not run")
    process.signal(signal.SIGINT)
    hasnt(process.end().err, "start B")


def switched_off():
    """A running engine learns of the switch at once, and an engine that starts later heeds it."""
    has(service("disable", "tow", code=1), "there is no file services/tow.lua; did you mean two?")
    process = running()
    soon(lambda: states() == {"one": "runs", "two": "runs"}, "they do not run")
    said = service("disable", "one")
    has(said, "one is switched off")
    must(re.search(rf"disabled   one +\d+\.\d s  engine {process.process.pid}\n", said), said)
    same(states(), {"one": "disabled", "two": "runs"})
    has(service("start", "one", code=1), "perigee service enable one")
    has(service("stop", "one"), "disabled   one")
    save("one", "D")                                            # a save does not start it
    save("three", "E")
    soon(lambda: states().get("three") == "runs", "what is saved is not taken")
    (FOLDER / "home/services/three.lua").unlink()
    soon(lambda: "three" not in states(), "what is removed is not taken")
    same(states(), {"one": "disabled", "two": "runs"})
    process.signal(signal.SIGINT)
    ended = process.end()
    lines(ended.err, "start B", "stopped B")
    hasnt(ended.err, "start D")
    same(states(), {"one": "disabled", "two": "stopped"})       # without an engine
    process = running()
    soon(lambda: states() == {"one": "disabled", "two": "runs"}, "it is not as it was")
    has(service("enable", "one"), "one is switched on")
    soon(lambda: states() == {"one": "runs", "two": "runs"}, "it does not run again")
    process.signal(signal.SIGINT)
    lines(process.end().err, "start D", "stopped D", "stopped C")
    service("disable", "two")                                   # without an engine, too
    same(states(), {"one": "stopped", "two": "disabled"})
    (FOLDER / "home/services/two.lua").unlink()
    same(states(), {"one": "stopped"})
    has(service("enable", "two"), "two is switched on")


# --- with the session ---------------------------------------------------------------------------

def with_systemctl(*there, **env):
    """The environment of a machine with this user manager."""
    shutil.rmtree(FOLDER / "double", ignore_errors=True)
    shutil.rmtree(FOLDER / "config/systemd", ignore_errors=True)
    for name in there:
        write(f"double/{name}", "")
    folder("double")
    if not (FOLDER / "bin/systemctl").exists():
        folder("bin")
        os.symlink(TOP / "tests/lib/systemctl_double.sh", FOLDER / "bin/systemctl")
    return {"PATH": f"{FOLDER}/bin:{os.environ['PATH']}", "SYSTEMCTL_DOUBLE": str(FOLDER / "double"), "HOME": str(FOLDER),
            "XDG_CONFIG_HOME": str(FOLDER / "config"), **env}


UNIT = FOLDER / "config/systemd/user/perigee.service"


def calls():
    return (FOLDER / "double/calls").read_text()


def installed():
    env = with_systemctl("graphical", DISPLAY=":7", XAUTHORITY=str(FOLDER / "auth"))
    text = service("install", **env)
    has(text, f"file     {UNIT} (written)", "enabled  yes", "runs     yes")
    unit = UNIT.read_text()
    has(unit, f'ExecStart="{PERIGEE}" "service" "run"\n', 'Environment="DISPLAY=:7"\n', "WantedBy=graphical-session.target\n")
    has(service("install", **env), "(as it was)")
    has(service("status", **env), "(as Perigee wrote it)", "enabled  yes", "runs     yes")
    has(service("uninstall", **env), "(removed)", "enabled  no", "runs     no")
    must(not UNIT.exists(), "the file is gone")
    has(service("uninstall", **env), "does not exist: nothing was removed")
    has(service("status", **env), "does not exist")


def without_a_graphical_session_target():
    env = with_systemctl(DISPLAY=":7")
    write("double/environment", "LANG=C\nDISPLAY=:0\n")
    service("install", **env)
    has(UNIT.read_text(), "WantedBy=default.target\n")
    hasnt(UNIT.read_text(), "DISPLAY", "graphical-session")     # the manager knows it better


def without_a_user_manager():
    env = with_systemctl("away")
    text = service("install", **env)
    has(text, "enabled  not known", "runs     not known", "It is not enabled", "Failed to connect to bus",
        "systemctl --user enable --now perigee.service")
    must(UNIT.exists(), "the file is written")
    answer = json.loads(perigee("service", "status", "--json", **env).out)
    same((answer["state"], answer.get("enabled"), answer.get("active")), ("ours", None, None))
    has(service("uninstall", **env), "(removed)", "cannot be asked")


def one_that_does_not_run():
    env = with_systemctl("graphical", "broken")
    has(service("install", code=1, **env), "enabled  yes", "runs     no", "does not run as it should", "systemctl --user status")


def a_program_that_systemd_does_not_start():
    env = with_systemctl("graphical")
    odd = folder('odd/"x"')
    shutil.copy(PERIGEE, odd / "perigee")
    os.makedirs(odd / "modules", exist_ok=True)
    answer = subprocess.run([odd / "perigee", "service", "install"], capture_output=True, text=True, timeout=60, check=False,
                            env={**environment(**env), "PERIGEE_LUA": str(TOP / "lua")})
    same(answer.returncode, 1, answer)
    has(answer.stderr, "systemd starts no program whose path has quotes or backslashes")
    must(not UNIT.exists(), "nothing is written")


def only_written():
    env = with_systemctl("graphical")
    has(service("install", "--no-enable", **env), "enabled  no", "To start it with your session: systemctl --user enable --now")
    hasnt(calls(), "enable perigee")
    printed = service("install", "--dry-run", "--grant", FOLDER / "here", **with_systemctl("graphical"))
    has(printed, f"--grant={os.path.realpath(FOLDER / 'here')}")
    has(printed, "ExecStart=")
    must(not UNIT.exists(), "nothing is written")


def a_file_of_the_user():
    env = with_systemctl("graphical")
    service("install", **env)
    changed = UNIT.read_text().replace("RestartSec=5", "RestartSec=50")
    UNIT.write_text(changed)
    has(service("status", **env), "was changed since Perigee wrote it")
    for verb, does in (("install", "replace"), ("uninstall", "remove")):
        has(service(verb, code=1, **env), "was changed since Perigee wrote it, so it was left as it is", f"--force to {does} it")
        same(UNIT.read_text(), changed)
    service("install", "--force", **env)
    has(UNIT.read_text(), "RestartSec=5\n")
    same(UNIT.with_name("perigee.service.before-perigee").read_text(), changed)
    UNIT.write_text("[Service]\nExecStart=/bin/true\n")
    has(service("uninstall", code=1, **env), "was not written by Perigee")
    must(UNIT.exists(), "it stays")


ODD = '/opt/a b/100% $HOME "x" \\y/perigee'
CODE = """local unit = require "services.unit"
local args = require("perigee").args
local spec = { program = %s, words = { "service", "run", table.unpack(args, 2) }, env = { A = "1 < 2 & %%h$A", B = 'q"\\\\' },
  target = "graphical-session.target", label = "io.perigee.services", log = "/l.log" }
local text, err, code = unit[args[1]](spec)
if not text then return nil, err, code end
assert(unit.state(text) == "ours" and unit.state(text .. " ") == "changed" and unit.state "x" == "foreign")
print(text)"""


WORDS = ["--root=/a b/$x%d", "$HOME", "${HOME}$$x", "$$", "%h%%", 'q"\'\\', "\\x41\\", "two\nlines\ttab\r", ";", "é#;", "-@:+!|",
         b"\xff/$a"]


def made(kind, program, *words, code=0):
    quoted = program.replace("\\", "\\\\").replace('"', '\\"')
    answer = perigee("run", "-e", CODE % f'"{quoted}"', kind, *(words or ["--root=/a b/$x%d"]))
    same((answer.code, bool(answer.err)), (code, code != 0), answer)
    return answer.err if code else answer.out


def command_of(dump):
    """The arguments that systemd passes: its dump quotes as C does, and of two "$" one is left."""
    line = re.search(rb"^\t*Command Line: (.*)$", dump, re.M)[1]
    words = [word[1:-1].replace(rb"\$", b"$").replace(rb"\`", b"`") if word[:1] == b'"' else word
             for word in re.findall(rb'"(?:\\.|[^"\\])*"|[^ ]+', line)]
    return [codecs.escape_decode(word)[0].replace(b"$$", b"$") for word in words]


def systemd_reads_it():
    if not shutil.which("systemd-analyze"):
        raise tap.Skip("systemd-analyze is not installed")
    odd = folder("odd/a b 100% $HOME (x)")
    program = odd / "perigee"
    shutil.copy("/bin/true", program)
    os.makedirs(FOLDER / "units", exist_ok=True)
    for text in (made("systemd", str(program)), made("systemd", "/bin/true")):
        path = write("units/perigee.service", text)
        checked = subprocess.run(["systemd-analyze", "--user", "verify", path], capture_output=True, text=True, check=False,
                                 env={**os.environ, "XDG_RUNTIME_DIR": str(folder("units-run"))}, timeout=60)
        same((checked.returncode, checked.stderr), (0, ""))
    path = write("units/perigee.service", made("systemd", "/bin/true", *WORDS))
    dump = subprocess.run(["systemd-analyze", "--user", "verify", path], capture_output=True, check=True, timeout=60, env={
        **os.environ, "XDG_RUNTIME_DIR": str(folder("units-run")), "SYSTEMD_LOG_LEVEL": "debug"})
    same(command_of(dump.stdout), [b"/bin/true", b"service", b"run", *map(os.fsencode, WORDS)], dump)
    has(dump.stdout.decode(), "Environment: A=1 < 2 & %h$A\n", 'Environment: B=q"\\\n')
    broken = write("units/perigee.service", made("systemd", "/bin/true").replace("RestartSec=5", "RestartSec=x"))
    checked = subprocess.run(["systemd-analyze", "--user", "verify", broken], capture_output=True, text=True, check=False,
                             env={**os.environ, "XDG_RUNTIME_DIR": str(folder("units-run"))}, timeout=60)
    has(checked.stderr, "Failed to parse")                         # it does look


def launchd_reads_it():
    agent = plistlib.loads(made("launchd", ODD).encode())
    same(agent, {"Label": "io.perigee.services", "ProgramArguments": [ODD, "service", "run", "--root=/a b/$x%d"],
                 "EnvironmentVariables": {"A": "1 < 2 & %h$A", "B": 'q"\\'}, "RunAtLoad": True,
                 "KeepAlive": {"SuccessfulExit": False}, "LimitLoadToSessionType": "Aqua", "StandardErrorPath": "/l.log"})
    words = [*WORDS[:-1], "]]>&amp;<"]
    same(plistlib.loads(made("launchd", ODD, *words).encode())["ProgramArguments"], [ODD, "service", "run", *words])
    for word in ("a\x01b", b"\xff", "\ufffe"):
        has(made("launchd", ODD, word, code=1), "launchd cannot take the word", "it is not UTF-8")


tap.case("without a service it says what it waits for", before_there_is_one)
tap.case("services run in the foreground, until Ctrl-C or SIGTERM", in_the_foreground)
tap.case("a service that is saved meanwhile runs", saved_while_it_runs)
tap.case("only those named run", only_those_named)
tap.case("one that is switched off runs in no engine", switched_off)
tap.case("keys that another service has", keys_of_another)
tap.case("install, status and uninstall, and what systemd says", installed)
tap.case("a session without graphical-session.target", without_a_graphical_session_target)
tap.case("without a user manager the file is written, and nothing else is claimed", without_a_user_manager)
tap.case("one that does not run is told of", one_that_does_not_run)
tap.case("a program that systemd would not start", a_program_that_systemd_does_not_start)
tap.case("--no-enable and --dry-run", only_written)
tap.case("a file that the user wrote or changed stays", a_file_of_the_user)
tap.case("systemd reads the unit, whatever is in its words", systemd_reads_it)
tap.case("the agent for launchd is a property list", launchd_reads_it)
done()
