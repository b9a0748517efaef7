#!/usr/bin/env python3
"""perigee install writes clients' files, and perigee inspect sums servers up."""

import json
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import sys
import tomllib

from kit import FOLDER, PERIGEE, TOP, Running, done, environment, folder, has, hasnt, must, perigee, same, tap, write

HOME = folder("person")
BARE = {"HOME": str(HOME), "DISPLAY": ":7", "XAUTHORITY": str(HOME / ".Xauthority"), "XDG_RUNTIME_DIR": "/run/user/77",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/77/bus"}
DOUBLE = str(TOP / "tests/lib/mcp_server_double.py")


def well(*words, **more):
    seen = perigee(*words, **dict(BARE, **more))
    same((seen.code, seen.err), (0, ""), f"perigee {words}")
    return seen


def entry_of(path, key):
    return json.loads((HOME / path).read_text())[key]["perigee"]


def what_is_written_starts_the_server():
    well("install", "cursor")
    entry = entry_of(".cursor/mcp.json", "mcpServers")
    same(entry["command"], os.path.realpath(PERIGEE))
    same(entry["env"], {name: value for name, value in BARE.items() if name != "HOME"})
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}
    answer = subprocess.run([entry["command"], *entry["args"]], input=json.dumps(opening) + "\n", capture_output=True, text=True,
                            env=dict(entry["env"], HOME=str(HOME)), cwd="/", check=True)
    same(json.loads(answer.stdout)["result"]["serverInfo"]["name"], "perigee")


def every_client_gets_its_form():
    for client, path, key, kind in (("claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers", None),
                                    ("claude-code", ".claude.json", "mcpServers", "stdio"),
                                    ("gemini", ".gemini/settings.json", "mcpServers", None),
                                    ("vscode", ".config/Code/User/mcp.json", "servers", "stdio"),
                                    ("kiro", ".kiro/settings/mcp.json", "mcpServers", None),
                                    ("lmstudio", ".lmstudio/mcp.json", "mcpServers", None),
                                    ("windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers", None),
                                    ("zed", ".config/zed/settings.json", "context_servers", None)):
        well("install", client)
        entry = entry_of(path, key)
        same((entry["args"], entry.get("type"), entry["env"]["DISPLAY"]), (["serve"], kind, ":7"), client)
    well("install", "codex", "--serve=--lean")
    same(tomllib.loads((HOME / ".codex/config.toml").read_text())["mcp_servers"]["perigee"]["args"], ["serve", "--lean"])
    well("install", "goose")
    has((HOME / ".config/goose/config.yaml").read_text(), "extensions:\n  perigee:\n    enabled: true\n    type: stdio\n")
    states = {row["client"]: row["state"] for row in json.loads(well("install", "--json").out)}
    same(set(states.values()), {"installed"})


def homes_that_were_moved():
    well("install", "codex", CODEX_HOME=str(HOME / "moved"))
    has((HOME / "moved/config.toml").read_text(), "[mcp_servers.perigee]")
    well("install", "zed", XDG_CONFIG_HOME=str(HOME / "xdg"))
    has((HOME / "xdg/zed/settings.json").read_text(), "context_servers")
    project = folder("project")
    seen = perigee("install", "vscode", "--project", cwd=project, **BARE)
    same(seen.code, 0)
    has((project / ".vscode/mcp.json").read_text(), '"servers"')
    same(perigee("install", "windsurf", "--project", **BARE).code, 2)


def a_copy_is_kept_and_modes_and_links_stay():
    secret = HOME / "dotfiles/mcp.json"
    secret.parent.mkdir()
    secret.write_text('{ // mine\n  "mcpServers": { "x": { "command": "x" }, }\n}\n')
    secret.chmod(0o600)
    link = HOME / "linked.json"
    link.symlink_to(secret)
    before = secret.read_text()
    seen = json.loads(well("install", "cursor", "--file", str(link), "--json").out)
    same((seen["changed"], seen["written"], seen["copy"]), (True, True, str(link) + ".before-perigee"))
    must(link.is_symlink(), "the link was replaced")
    has(secret.read_text(), "{ // mine\n", '"x": { "command": "x" },', '"perigee": {')
    same(stat.S_IMODE(secret.stat().st_mode), 0o600)
    copy = HOME / "linked.json.before-perigee"
    same((copy.read_text(), stat.S_IMODE(copy.stat().st_mode)), (before, 0o600))
    seen = json.loads(well("install", "cursor", "--file", str(link), "--json").out)
    same((seen["changed"], seen["written"]), (False, False))
    well("install", "cursor", "--file", str(link), "--remove")
    hasnt(secret.read_text(), "perigee")
    has(well("install", "cursor", "--file", str(link), "--remove").out, 'has no entry "perigee"')


def a_second_install_keeps_the_original():
    path = FOLDER / "original.json"
    path.write_text('{ "mine": 1 }\n')
    kept, last = f"{path}.before-perigee", f"{path}.before-perigee-last"
    first = well("install", "cursor", "--file", str(path)).out
    has(first, f"The file as it was: {kept}\n")
    hasnt(first, "before the first change")
    for words in (["--serve=--lean"], ["--remove"], []):
        before = path.read_text()
        seen = well("install", "cursor", "--file", str(path), *words).out
        has(seen, f"The file as it was: {last}\nThe file before the first change: {kept}\n")
        same([pathlib.Path(kept).read_text(), pathlib.Path(last).read_text()], ['{ "mine": 1 }\n', before])
    seen = json.loads(well("install", "cursor", "--file", str(path), "--remove", "--json").out)
    same([seen["copy"], seen["original"]], [last, kept])


def a_byte_order_mark_stays():
    path = HOME / "marked.json"
    path.write_text("\ufeff{}\n", encoding="utf-8")
    well("install", "cursor", "--file", str(path))
    must(path.read_text(encoding="utf-8").startswith('\ufeff{\n  "mcpServers"'), path.read_text())
    well("install", "cursor", "--file", str(path), "--remove")
    same(path.read_text(encoding="utf-8"), '\ufeff{\n  "mcpServers": {}\n}\n')


def a_byte_order_mark_does_not_hide_the_entry():
    path = HOME / ".gemini/settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('\ufeff{"mcpServers": {"perigee": {"command": "x"}}}', encoding="utf-8")
    rows = {row["client"]: row["state"] for row in json.loads(well("install", "--json").out)}
    same(rows["gemini"], "installed")


def line_ends_stay():
    path = HOME / "crlf.json"
    path.write_bytes(b'{\r\n\t"a": 1\r\n}\r\n')
    well("install", "cursor", "--file", str(path))
    same(path.read_bytes().count(b"\n"), path.read_bytes().count(b"\r\n"))
    path.write_bytes(b'{\r\n\t"a": 1\n}\r\n')       # mixed: the lines that are there stay as they are
    well("install", "cursor", "--file", str(path))
    must(path.read_bytes().startswith(b'{\r\n\t"a": 1,\n'), path.read_bytes())


def an_entry_that_is_replaced_is_told():
    path = write("other.json", '{"mcpServers": {"perigee": {"command": "old", "autoApprove": ["x"]}}}')
    has(well("install", "cursor", "--file", path).out, 'Another entry "perigee" was there. The new one replaces all of it.')
    hasnt(well("install", "cursor", "--file", path).out, "Another entry")
    for path in (write("new.json", "{}"), write("empty.json", ""), str(HOME / "missing.json")):
        hasnt(well("install", "cursor", "--file", path).out, "Another entry")


def a_mistyped_option_of_serve_is_not_written():
    path = HOME / "typo.json"
    for words, told in ((["--serve=--leann"], "--serve: unknown option --leann: did you mean --lean?"),
                        (["--serve=extra"], "--serve: "), (["--serve=--page-size=x"], "--serve: --page-size")):
        seen = perigee("install", "cursor", "--file", str(path), *words, **BARE)
        same(seen.code, 2)
        has(seen.err, told)
    must(not path.exists(), "it was written")
    well("install", "cursor", "--file", str(path), "--serve=--toolset", "--serve=desktop")
    same(json.loads(path.read_text())["mcpServers"]["perigee"]["args"], ["serve", "--toolset", "desktop"])


def homebrews_path_without_the_version_is_written():
    cellar = FOLDER / "brew/Cellar/perigee/0.1.0/bin"
    cellar.mkdir(parents=True)
    shutil.copy(PERIGEE, cellar / "perigee")
    here = {"PERIGEE_LUA": str(TOP / "lua"), "PERIGEE_MODULES": str(pathlib.Path(PERIGEE).resolve().parent / "modules")}
    path = HOME / "brew.json"

    def written():
        done_ = subprocess.run([cellar / "perigee", "install", "cursor", "--file", path], env=environment(**BARE, **here),
                               capture_output=True, text=True, check=False)
        same(done_.returncode, 0, done_)
        return json.loads(path.read_text())["mcpServers"]["perigee"]["command"]

    same(written(), str(cellar / "perigee"))       # nothing else is there
    opt = FOLDER / "brew/opt"
    opt.mkdir()
    (opt / "perigee").symlink_to(cellar.parent)
    same(written(), str(opt / "perigee/bin/perigee"))


def without_a_home_nothing_is_written_below_a_tilde():
    place = folder("homeless")
    seen = perigee("install", "cursor", cwd=place, HOME="", DISPLAY=":7")
    same((seen.code, os.listdir(place)), (2, []))
    has(seen.err, "HOME is not set")
    seen = perigee("install", "zed", "--dry-run", cwd=place, **dict(BARE, XDG_CONFIG_HOME="relative"))
    has(seen.out, str(HOME / ".config/zed/settings.json"))     # a relative one does not count


def a_dry_run_writes_nothing():
    path = HOME / "none.json"
    seen = well("install", "cursor", "--file", str(path), "--dry-run")
    has(seen.out, str(path), '"mcpServers"', "Nothing was written")
    must(not path.exists(), "it was written")


def what_cannot_be_kept_is_left_alone():
    path = write("broken.toml", 'mcp_servers = { a = { command = "x" } }\n')
    seen = perigee("install", "codex", "--file", path, **BARE)
    same(seen.code, 1)
    has(seen.err, "is left as it is: mcp_servers is written in another form", "Add this yourself:\n[mcp_servers.perigee]")
    same(open(path, encoding="utf-8").read(), 'mcp_servers = { a = { command = "x" } }\n')
    seen = perigee("install", "codex", "--file", path, "--json", **BARE)
    same((seen.code, json.loads(seen.out)["error"]["code"]), (1, "not_understood"))


def a_key_that_changes_with_each_login_is_not_written():
    path = str(HOME / "wayland.json")
    seen = well("install", "cursor", "--file", path, XAUTHORITY="/run/user/77/.mutter-Xwaylandauth.X1")
    has(seen.out, "DISPLAY is not written")
    hasnt(open(path, encoding="utf-8").read(), "DISPLAY")


def a_client_that_is_not_known():
    seen = perigee("install", "claud-desktop", **BARE)
    same(seen.code, 2)
    has(seen.err, "claude-desktop", "windsurf", 'not "claud-desktop"; did you mean claude-desktop?')


def a_server_is_summed_up():
    listed = [DOUBLE, "--list", "echo,die"]
    for words in (["--", sys.executable, *listed], [write("server.py", f"import sys, runpy\nsys.argv = {listed}\n"
                                                                       f"runpy.run_path({DOUBLE!r}, run_name='__main__')\n")]):
        seen = json.loads(well("inspect", "--json", *words).out)
        same([tool["name"] for tool in seen["tools"]], ["echo", "die"])
        has(well("inspect", *words).out, "  protocol      ", "  capabilities  ", "\ntools\n  echo  ")


def a_configuration_is_summed_up():
    path = write("servers.json", json.dumps({"mcpServers": {
        "a": {"command": sys.executable, "args": [DOUBLE, "--list", "echo"]}, "b": {"command": "no-such-program"}}}))
    seen = perigee("inspect", path, "--json", **BARE)
    same(seen.code, 1)
    rows = json.loads(seen.out)
    same([row["name"] for row in rows], ["a", "b"])
    same([tool["name"] for tool in rows[0]["tools"]], ["echo"])
    has(rows[1]["error"]["message"], "no-such-program")
    for key in ("servers", "context_servers"):      # VS Code's, and Zed's
        path = write("editor.json", json.dumps({"other": 1, key: {"a": {"command": sys.executable, "args": [DOUBLE, "--list", "echo"]}}}))
        same([row["name"] for row in json.loads(well("inspect", path, "--json").out)], ["a"])
    words = json.dumps({"command": sys.executable, "args": [DOUBLE, "--list", "echo"]})
    path = write("commented.json", f'// mine\n{{ "servers": {{ "a": {words}, /* last */ }}, }}\n')
    same([row["name"] for row in json.loads(well("inspect", path, "--json").out)], ["a"])
    seen = perigee("inspect", write("config.toml", "[mcp_servers.a]\n"), **BARE)
    same(seen.code, 2)
    has(seen.err, "config.toml is not JSON", "perigee inspect -- COMMAND")
    seen = perigee("inspect", str(FOLDER / "none.json"), **BARE)
    same(seen.code, 2)
    has(seen.err, "none.json")


def each_is_shown_as_it_answers():
    """The first server begins only when what the second says was read."""
    gate = str(FOLDER / "gate")
    os.mkfifo(gate)
    double = [sys.executable, DOUBLE, "--list", "echo"]
    path = write("gated.json", json.dumps({"mcpServers": {
        "a": {"command": "sh", "args": ["-c", f"read _ <{gate}; exec {shlex.join(double)}"]},
        "b": {"command": double[0], "args": double[1:]}}}))
    running = Running("inspect", path, **BARE)
    same(running.line(), "b:")
    running.wait_for("  echo  ")
    with open(gate, "w", encoding="utf-8") as file:
        file.write("go\n")
    same(running.wait_for("  echo  ")[:2], ["", "a:"])
    same(running.end().code, 0)


def main():
    tap.case("an installed entry starts the server, with nothing else in its environment", what_is_written_starts_the_server)
    tap.case("every client gets its own form and file", every_client_gets_its_form)
    tap.case("CODEX_HOME, XDG_CONFIG_HOME and projects move the file", homes_that_were_moved)
    tap.case("a copy is kept; modes, links and comments stay", a_copy_is_kept_and_modes_and_links_stay)
    tap.case("a second install does not replace the copy of the original", a_second_install_keeps_the_original)
    tap.case("a byte order mark stays", a_byte_order_mark_stays)
    tap.case("a byte order mark does not hide the entry", a_byte_order_mark_does_not_hide_the_entry)
    tap.case("line ends stay those of the file", line_ends_stay)
    tap.case("an entry that is replaced is told", an_entry_that_is_replaced_is_told)
    tap.case("a mistyped option of serve is not written", a_mistyped_option_of_serve_is_not_written)
    tap.case("Homebrew's path without the version is written", homebrews_path_without_the_version_is_written)
    tap.case("without HOME nothing is written below a folder called ~", without_a_home_nothing_is_written_below_a_tilde)
    tap.case("--dry-run writes nothing", a_dry_run_writes_nothing)
    tap.case("a file that cannot be edited is left alone, and the entry shown", what_cannot_be_kept_is_left_alone)
    tap.case("XAUTHORITY of one login is not written", a_key_that_changes_with_each_login_is_not_written)
    tap.case("an unknown client: those there are", a_client_that_is_not_known)
    tap.case("inspect sums a server up, by command and by file", a_server_is_summed_up)
    tap.case("inspect sums the servers of a configuration up; one that fails is told", a_configuration_is_summed_up)
    tap.case("inspect shows each server of a configuration as it answers", each_is_shown_as_it_answers)
    done()


main()
