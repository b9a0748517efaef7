#!/usr/bin/env python3
"""`perigee pack`: from a directory and from git, approval, updates, and running servers. What hostile packs try is in
pack_hostile_test.py."""

import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import FOLDER, Terminal, certificate, done, has, hasnt, must, perigee, same, soon, tap, write      # noqa: E402
from packs import HOME, PACKS, GitServer, commit, files_of, fresh, listed, make, moon, record, serve     # noqa: E402

TOOLS_CHANGED = "notifications/tools/list_changed"


def from_a_directory():
    fresh()
    pack = moon("moon")
    added = perigee("pack", "add", str(pack), "--yes")
    same((added.code, added.err), (0, ""), added)
    has(added.out, "moon 1.0.0: Phases of the moon.", f"from {pack}", "2 tools, 1 prompt, 1 command, 1 lib file",
        "sys.http", "sends requests to any server", "lib/moon/phases.lua", "Added moon, approved.")
    hasnt(added.out, "NEW")
    same(files_of(PACKS / "moon"), files_of(pack))
    same(perigee("call", "phase", "day=3").out, "new\n")
    same(perigee("mooncommand").out, "full\n")
    has(perigee("help").out, "mooncommand", "tell the phase")
    has(perigee("tools").out, "packs/moon\n")
    only = perigee("tools", "--toolset", "packs/moon")
    has(only.out, "moon_day")
    hasnt(only.out, "list_windows")
    has(perigee("tools", "--toolset", "packs/mon").err, "packs/moon")
    row = listed()["moon"]
    same((row["version"], row["state"], row["source"], row["problems"]), ("1.0.0", "approved", str(pack), []), row)
    must("commit" not in row, row)
    has(perigee("pack").out, "moon  1.0.0  approved")
    same(perigee("check").code, 0)


def without_a_terminal_it_stays_foreign():
    fresh()
    added = perigee("pack", "add", str(moon("moon")))
    same(added.code, 0, added)
    has(added.out, "Added moon, not approved", "run `perigee pack approve moon`")
    row = listed()["moon"]
    same((row["state"], row["approved"]), ("foreign", False), row)
    has(" ".join(row["problems"]), "needs your approval", "1 in prompts/, 1 in commands/")
    has(perigee("tools").out, "foreign/packs/moon\n  moon_day", "[foreign]")
    same(perigee("mooncommand").code, 2)
    hasnt(perigee("help").out, "mooncommand")
    has(perigee("check").out, "the pack needs your approval")
    asked = perigee("pack", "approve", "moon")
    same(asked.code, 2, asked)
    has(asked.err, "no terminal to ask you on. Use --yes")
    same(listed()["moon"]["state"], "foreign")
    approved = perigee("pack", "approve", "moon", "--yes")
    same(approved.code, 0, approved)
    has(approved.out, "sys.http", "Approved moon 1.0.0.")
    same(perigee("mooncommand").out, "full\n")
    has(perigee("pack", "approve", "moon").out, "moon is approved as it is")


def a_foreign_tool_has_its_lib_files():
    fresh()
    perigee("pack", "add", str(moon("moon")))
    same(perigee("call", "moon_day").out, "30\n", "in the jail")
    has(perigee("call", "phase", "day=3").err, "phase")        # its lib file requires sys.http, which no jail has
    has(json.dumps(listed()["moon"]["problems"]), "module 'sys.http' is not available here", "approve its pack")


def on_a_terminal_it_asks():
    fresh()
    pack = moon("moon")
    with Terminal("pack", "add", str(pack), width=160) as t:
        t.expect("sys.http", "Approve it?", "[y/N]")
        same((PACKS / "moon").exists(), False, "before the answer it is not in place")
        t.type("n\n")
        has(t.end().out, "Added moon, not approved")
    same(listed()["moon"]["state"], "foreign")
    with Terminal("pack", "approve", "moon", width=160) as t:
        t.expect("sends requests to any server", "Approve it? [y/N]")
        t.type("\n")
        ended = t.end()
        same(ended.code, 1, ended)
        has(ended.out, "moon stays not approved")
    with Terminal("pack", "approve", "moon", width=160) as t:
        t.expect("Approve it? [y/N]")
        t.type("yes\n")
        same(t.end().code, 0)
    same(listed()["moon"]["state"], "approved")
    with Terminal("pack", "update", width=160) as t:
        t.expect("moon 1.0.0 is up to date")
        same(t.end().code, 0)
    with Terminal("pack", "add", str(moon("sun", name="sun")), width=160) as t:
        t.expect("Approve it?", "[y/N]")
        t.type("\x03")
        same(t.end().code, 130)
    same(sorted(os.listdir(PACKS)), ["moon"], "an interrupted one leaves nothing")
    with Terminal("pack", "remove", "moon", width=160) as t:
        t.expect("Remove the pack moon", "[y/N]")
        t.type("no\n")
        same(t.end().code, 0)
    same(listed()["moon"]["state"], "approved")
    with Terminal("pack", "remove", "moon", width=160) as t:
        t.expect("[y/N]")
        t.type("y\n")
        has(t.end().out, "Removed moon.")
    same((listed(), record(), sorted(os.listdir(PACKS))), ({}, {}, []))


def from_a_repository():
    fresh()
    repository = moon("repository", link=True)
    first = commit(repository, "v1")
    url = f"file://{repository}"
    added = perigee("pack", "add", f"{url}@v1", "--yes")
    same(added.code, 0, added)
    has(added.out, f"from {url}@v1 (commit {first[:12]})")
    row = listed()["moon"]
    same((row["source"], row["ref"], row["commit"]), (url, "v1", first), row)
    must(not (PACKS / "moon/.git").exists(), "the repository is not in it")
    same((PACKS / "moon/README.md").read_text(), "# Moon\n", "a link to a file of the pack is that file")
    must(not (PACKS / "moon/README.md").is_symlink(), "and no link")
    same(perigee("call", "phase", "day=3").out, "new\n")


def a_branch_and_a_commit():
    fresh()
    repository = moon("repository")
    first = commit(repository)
    make(repository, {"tools/more.lua": "return {}"})
    commit(repository, branch="feature/more")
    url = f"file://{repository}"
    same(perigee("pack", "add", f"{url}@feature/more").code, 0)
    must((PACKS / "moon/tools/more.lua").exists(), "the branch has it")
    perigee("pack", "remove", "moon", "--yes")
    same(perigee("pack", "add", f"{url}@{first}").code, 0)
    must(not (PACKS / "moon/tools/more.lua").exists(), "the commit does not")
    same(listed()["moon"]["commit"], first)


def over_https():
    fresh()
    repository = moon("moon.git")
    first = commit(repository, "v1")
    key, file = certificate(FOLDER, "localhost")
    plain = {"NO_PROXY": "localhost", "no_proxy": "localhost"}
    with GitServer(repository, key, file, "http://localhost:9") as url:
        refused = perigee("pack", "add", f"{url}/moon.git@v1", "--yes", **plain)
        same((refused.code, listed()), (1, {}), refused)
        has(refused.err, "git could not fetch", "certificate")
        trusting = {**plain, "GIT_SSL_CAINFO": file}
        for source in (f"{url}/moon.git@v1", f"{url}/moon.git@{first}"):
            added = perigee("pack", "add", source, "--yes", **trusting)
            same((added.code, added.err), (0, ""), added)
            same((listed()["moon"]["commit"], listed()["moon"]["state"]), (first, "approved"))
            perigee("pack", "remove", "moon", "--yes")
        lured = perigee("pack", "add", f"{url}/elsewhere/moon.git", "--yes", **trusting)
        same((lured.code, listed()), (1, {}), lured)
        has(lured.err, 'Protocol "http"')    # git follows no redirect to what is not https
        absent = perigee("pack", "add", f"{url}/sun.git", "--yes", **trusting)
        has(absent.err, "not found")


def over_ssh():
    fresh()
    repository = moon("moon.git")
    first = commit(repository, "v1")
    double = write("made/ssh_double", f'''#!/bin/sh
# ssh as git calls it: options, a host, and a command that the host would run.
for word; do last=$word; done
echo "$@" >> {FOLDER}/made/asked
case "$last" in
  "git-upload-pack '/ann/moon.git'"|"git-upload-pack 'ann/moon.git'") exec git-upload-pack {repository} ;;
  *) echo "Permission denied (publickey)." >&2; exit 255 ;;
esac
''', 0o755)
    for source in ("git@example.com:ann/moon.git@v1", "ssh://git@example.com:2222/ann/moon.git@v1"):
        added = perigee("pack", "add", source, "--yes", GIT_SSH=double, GIT_SSH_VARIANT="ssh")
        same((added.code, added.err), (0, ""), added)
        same((listed()["moon"]["source"], listed()["moon"]["commit"]), (source[:-3], first))
        perigee("pack", "remove", "moon", "--yes")
    denied = perigee("pack", "add", "git@example.com:ann/sun.git", "--yes", GIT_SSH=double)
    has(denied.err, "Permission denied (publickey)")
    folder = os.path.dirname(write("made/bin/ssh", open(double, encoding="utf-8").read(), 0o755))
    same(perigee("pack", "add", "git@example.com:ann/moon.git", "--yes", PATH=f"{folder}:{os.environ['PATH']}").code, 0)
    has((FOLDER / "made/asked").read_text().splitlines()[-1], "-oBatchMode=yes")


def what_git_says_is_shown():
    fresh()
    repository = moon("repository")
    commit(repository)
    unknown = perigee("pack", "add", f"file://{repository}@nope")
    same((unknown.code, unknown.out), (1, ""), unknown)
    has(unknown.err, "git could not fetch", "couldn't find remote ref nope")
    absent = perigee("pack", "add", f"file://{repository}-not", "--yes")
    same(absent.code, 1, absent)
    has(absent.err, "does not appear to be a git repository")
    without = perigee("pack", "add", f"file://{repository}", PATH="/nowhere")
    same(without.code, 1, without)
    has(without.err, "git is not installed. Install it, or add the pack from a directory")
    same(sorted(os.listdir(PACKS)), [], "nothing is left")


def an_update_shows_what_is_new():
    fresh()
    repository = moon("repository")
    commit(repository)
    same(perigee("pack", "add", f"file://{repository}", "--yes").code, 0)
    same(perigee("pack", "update").out, "moon 1.0.0 is up to date.\n")
    make(repository, {"lib/run.lua": 'local p = require "sys.process"\nreturn {}', "tools/odd.lua": 'return require("x" .. "y")',
                      "pack.lua": (repository / "pack.lua").read_text().replace("1.0.0", "1.1.0")})
    (repository / "prompts/ask_moon.lua").unlink()
    second = commit(repository)
    refused = perigee("pack", "update", "moon")
    same(refused.code, 2, refused)
    has(refused.out, "moon 1.0.0 -> 1.1.0", "added lib/run.lua", "changed pack.lua", "removed prompts/ask_moon.lua",
        "NEW  sys.process  starts programs: it can do all that you can", "NEW What else it requires cannot be told",
        "tools/odd.lua:1: it computes the name of a module")
    hasnt(refused.out, "NEW  sys.http")
    same(listed()["moon"]["version"], "1.0.0")
    with Terminal("pack", "update", width=200) as t:
        t.expect("NEW  sys.process", "Install and approve this version of moon? [y/N]")
        t.type("n\n")
        has(t.end().out, "moon stays as it is")
    same((listed()["moon"]["version"], listed()["moon"]["state"]), ("1.0.0", "approved"))
    updated = perigee("pack", "update", "moon", "--yes")
    same(updated.code, 0, updated)
    row = listed()["moon"]
    same((row["version"], row["state"], row["commit"]), ("1.1.0", "approved", second), row)
    must(not (PACKS / "moon/prompts/ask_moon.lua").exists(), "what is gone is gone")


def an_update_of_one_that_is_not_approved():
    fresh()
    pack = moon("moon")
    perigee("pack", "add", str(pack))
    make(pack, {"data/more.txt": "more"})
    same(perigee("pack", "update", "--yes").code, 0)
    must((PACKS / "moon/data/more.txt").exists(), "it was updated")
    same(listed()["moon"]["state"], "foreign", "--yes approves nothing that was not approved")


def an_update_to_another_ref():
    fresh()
    repository = moon("repository")
    commit(repository, "v1")
    make(repository, {"data/more.txt": "more"})
    second = commit(repository, "v2")
    perigee("pack", "add", f"file://{repository}@v1", "--yes")
    has(perigee("pack", "update").out, "is up to date")
    same(perigee("pack", "update", "moon", "--ref", "v2", "--yes").code, 0)
    row = listed()["moon"]
    same((row["ref"], row["commit"], row["state"]), ("v2", second, "approved"), row)
    same(perigee("pack", "update", "moon", "--ref", "--exec=x", "--yes").code, 2)


def changes_made_here_are_not_lost_unseen():
    fresh()
    repository = moon("repository")
    commit(repository)
    perigee("pack", "add", f"file://{repository}", "--yes")
    (PACKS / "moon/tools/phase.lua").write_text("return {}")
    with Terminal("pack", "update", width=200) as t:
        t.expect("Its files were changed here, and these changes are lost. Install")
        t.type("y\n")
        same(t.end().code, 0)
    same(listed()["moon"]["state"], "approved")


def an_approval_is_for_the_files_as_they_are():
    fresh()
    perigee("pack", "add", str(moon("moon")), "--yes")
    same(perigee("pack", "verify").out, "moon: 6 files, as recorded and approved\n")
    tool, kept = PACKS / "moon/tools/phase.lua", (PACKS / "moon/tools/phase.lua").read_text()
    tool.write_text(kept.replace("day < 15", "day < 16") + "\n")
    make(PACKS / "moon", {"lib/extra.lua": "return {}"})
    (PACKS / "moon/pack.lua").rename(PACKS / "moon/data.lua")
    (PACKS / "moon/data.lua").rename(PACKS / "moon/pack.lua")
    row = listed()["moon"]
    same((row["state"], row["approved"]), ("changed", False), row)
    has(row["problems"][0], "lib/extra.lua was added after you approved the pack")
    has(perigee("pack").out, "changed since you approved it")
    same(perigee("mooncommand").code, 2)
    verified = perigee("pack", "verify", "moon")
    same((verified.code, verified.out), (1, "moon: lib/extra.lua was added\nmoon: tools/phase.lua was changed\n"), verified)
    found = json.loads(perigee("pack", "verify", "--json").out)
    same(found["packs"][0]["differences"], [{"path": "lib/extra.lua", "what": "added"},
                                            {"path": "tools/phase.lua", "what": "changed"}])
    with Terminal("pack", "approve", "moon", width=200) as t:
        t.expect("Since it was recorded:", "added lib/extra.lua", "changed tools/phase.lua", "[y/N]")
        t.type("n\n")
        t.end()
    tool.write_text(kept)
    (PACKS / "moon/lib/extra.lua").unlink()
    same(listed()["moon"]["state"], "approved", "the files are as they were approved")
    same(perigee("pack", "verify").code, 0)
    (PACKS / "moon/tools/phase.lua").unlink()
    has(perigee("pack", "verify").out, "moon: tools/phase.lua is missing")


def the_digest_is_that_of_sha256sum():
    fresh()
    perigee("pack", "add", str(moon("moon")), "--yes")
    lines = "".join(f"{hashlib.sha256((PACKS / 'moon' / name).read_bytes()).hexdigest()}  {name}\n"
                    for name in sorted(files_of(PACKS / "moon")))
    same(record()["moon"]["digest"], hashlib.sha256(lines.encode()).hexdigest())


def one_put_there_by_hand():
    fresh()
    moon(PACKS / "moon")
    row = listed()["moon"]
    same((row["state"], row.get("source")), ("foreign", None), row)
    has(perigee("pack", "verify").out, "nothing is recorded of it")
    same(perigee("pack", "verify").code, 1)
    has(perigee("pack", "update", "moon").err, "put there by hand")
    same(perigee("pack", "approve", "moon", "-y").code, 0)
    has(perigee("pack", "list").out, "moon  1.0.0  approved  put there by hand")
    (PACKS / "moon").rename(PACKS / "sun")
    same(list(listed()), ["sun"])
    has(perigee("pack", "approve", "sun", "--yes").err, "its pack.lua says that it is moon")


def a_pack_replaces_nothing():
    fresh()
    make(HOME, {"tools/mine/phase.lua": 'return { description = "Mine.", inputSchema = { type = "object" }, '
                                        'run = function() return "mine" end }'})
    perigee("pack", "add", str(moon("moon")), "--yes")
    same(perigee("call", "phase").out, "mine\n")
    problem = " ".join(listed()["moon"]["problems"])
    has(problem, "the name 'phase' is taken by tools/mine/phase.lua, which no pack replaces")
    has(perigee("check").out, "which no pack replaces")
    perigee("pack", "add", str(moon("luna", name="luna")), "--yes")
    has(" ".join(listed()["moon"]["problems"]), "taken by packs/luna/tools/moon_day.lua, and of two packs the first by name has it")


def what_it_requires_of_the_rest():
    fresh()
    needs = 'return { name = "moon", version = "1", description = "D.", requires = { %s } }'
    pack = make("needs", {"pack.lua": needs % 'perigee = ">= 99.1"'})
    has(perigee("pack", "add", str(pack)).err, "moon requires perigee >= 99.1 (this is ")
    make(pack, {"pack.lua": needs % 'perigee = ">= 0.0.1", packs = { "sun" }'})
    has(perigee("pack", "add", str(pack)).err, "moon requires the pack sun")
    sun = make("sun", {"pack.lua": 'return { name = "sun", version = "1", description = "D." }'})
    same(perigee("pack", "add", str(sun)).code, 0)
    same(perigee("pack", "add", str(pack), "--yes").code, 0)
    perigee("pack", "remove", "sun", "--yes")
    has(" ".join(listed()["moon"]["problems"]), "moon requires the pack sun")


def a_name_is_there_once():
    fresh()
    perigee("pack", "add", str(moon("moon")), "--yes")
    again = perigee("pack", "add", str(moon("other")), "--yes")
    same(again.code, 1, again)
    has(again.err, 'there is a pack "moon" already. Run `perigee pack update moon`')
    same(listed()["moon"]["state"], "approved")
    unknown = perigee("pack", "remove", "mon", "--yes")
    same(unknown.code, 1, unknown)
    has(unknown.err, 'there is no pack "mon"', "did you mean moon?")


def its_examples_and_tests_run():
    fresh()
    pack = moon("moon", files={"tests/phases_test.lua": 'local phases = require "moon.phases"\nassert(phases.name(20) == "full")\n'
                                                        'print("checked " .. tools.phase { day = 3 })',
                               "tests/helper.lua": 'error "this is no test"'})
    named = perigee("pack", "test", str(pack))
    same(named.code, 0, named)
    has(named.out, "tools/phase.lua\n  ok   is new at first\n", "checked new\nok   tests/phases_test.lua")
    hasnt(named.out, "search_tools", "helper")
    perigee("pack", "add", str(pack))
    has(perigee("pack", "test", "moon").err, "moon is not approved")
    perigee("pack", "approve", "moon", "--yes")
    same(perigee("pack", "test", "moon").code, 0)
    make(pack, {"tests/wrong_test.lua": "assert(1 == 2, 'it is wrong')"})
    wrong = perigee("pack", "test", str(pack))
    same(wrong.code, 1, wrong)
    has(wrong.out, "it is wrong", "FAIL tests/wrong_test.lua", "ok   tests/phases_test.lua")
    same(perigee("test", "--root", str(pack), "--only", str(pack)).out, "tools/phase.lua\n  ok   is new at first\n"
         "without examples: tools/moon_day.lua, prompts/ask_moon.lua, commands/mooncommand.lua\n1 passed, 0 failed\n")


def its_scripts_have_a_path():
    fresh()
    pack = moon("moon", files={"scripts/say.txt": "said", "tools/where.lua": '''local engine = require "sys.engine"
return { description = "Where.", inputSchema = { type = "object" },
  run = function() return (engine.script "packs/moon/say.txt") or "nowhere" end }'''})
    same(perigee("call", "where", "--root", str(pack)).out, f"{pack}/scripts/say.txt\n", "in the making")
    perigee("pack", "add", str(pack), "--yes")
    same(perigee("call", "where").out, f"{PACKS}/moon/scripts/say.txt\n")
    script = 'print(require "sys.engine".script "packs/moon/say.txt" or "none", require "sys.engine".script "packs/../x" or "none")'
    same(perigee("run", "-e", script).out, f"{PACKS}/moon/scripts/say.txt\tnone\n")
    make(PACKS / "moon", {"more": ""})
    same(perigee("run", "-e", script).out, "none\tnone\n", "it is not approved any more")


def a_running_server_takes_it():
    fresh()
    pack = moon("moon")
    with serve() as server:
        server.initialize()
        has(server.text("phase", {"day": 3}), "phase")
        same(perigee("pack", "add", str(pack)).code, 0)
        server.notified(TOOLS_CHANGED)
        denied = server.call("moon_day")
        must(denied["result"]["isError"], denied)       # the policy asks, and this client cannot
        same(perigee("pack", "approve", "moon", "--yes").code, 0)
        soon(lambda: server.text("phase", {"day": 3}) == "new", "the approved pack is not served")
        prompts = [p["name"] for p in server.ask("prompts/list")["result"]["prompts"]]
        must("ask_moon" in prompts, prompts)
        (PACKS / "moon/data.txt").write_text("changed")
        soon(lambda: server.text("phase", {"day": 3}) != "new", "the changed pack is still served")
        prompts = [p["name"] for p in server.ask("prompts/list")["result"]["prompts"]]
        must("ask_moon" not in prompts, prompts)
        (PACKS / "moon/data.txt").unlink()
        soon(lambda: server.text("phase", {"day": 3}) == "new", "the pack as it was approved is not served")
        same(perigee("pack", "remove", "moon", "--yes").code, 0)
        soon(lambda: "phase" not in [t["name"] for t in server.ask("tools/list")["result"]["tools"]], "it is still listed")


def its_services_run_and_end():
    fresh()
    pack = moon("moon", files={"services/tides.lua": '''local time = require "sys.time"
return { description = "Tides.", start = function() assert(time.every(3600, function() end)) end }'''})
    with serve(PERIGEE_DESKTOP="fake") as server:
        server.initialize()

        def states():
            status = server.call("engine_status")["result"]["structuredContent"]
            return [(each["name"], each["state"]) for each in status.get("services") or []]
        same(perigee("pack", "add", str(pack)).code, 0)
        soon(lambda: "foreign/packs/moon" in server.text("search_tools", {"query": "days"}), "it is not there")
        same(states(), [], "before it is approved")
        perigee("pack", "approve", "moon", "--yes")
        soon(lambda: states() == [("tides", "runs")], "it does not run")
        make(PACKS / "moon", {"more": ""})
        soon(lambda: states() == [], "it still runs, and its pack is not as it was approved")


def what_was_left_half_done():
    fresh()
    perigee("pack", "add", str(moon("moon")), "--yes")
    (PACKS / "moon").rename(PACKS / ".replaced-0123456789ab-moon")
    make(PACKS, {".adding-0123456789ab/pack.lua": "return {}", ".removing-0123456789ab/pack.lua": "return {}"})
    same(listed(), {})
    perigee("pack", "add", str(moon("sun", name="sun")), "--yes")
    same(sorted(os.listdir(PACKS)), ["moon", "sun"])
    same(listed()["moon"]["state"], "approved")


for name, function in [
        ("from a directory, with a yes", from_a_directory),
        ("without a terminal it stays foreign until it is approved", without_a_terminal_it_stays_foreign),
        ("a foreign tool has the pack's own lib files", a_foreign_tool_has_its_lib_files),
        ("on a terminal each step asks", on_a_terminal_it_asks),
        ("from a repository, at a tag", from_a_repository),
        ("from a branch, and from a commit", a_branch_and_a_commit),
        ("from a repository over https", over_https),
        ("from a repository over ssh", over_ssh),
        ("git's error is shown, and nothing is left", what_git_says_is_shown),
        ("an update shows what is new and asks", an_update_shows_what_is_new),
        ("an update approves nothing by itself", an_update_of_one_that_is_not_approved),
        ("an update to another ref", an_update_to_another_ref),
        ("an update says that changes made here are lost", changes_made_here_are_not_lost_unseen),
        ("an approval is for the files as they are", an_approval_is_for_the_files_as_they_are),
        ("the digest is that of what sha256sum prints", the_digest_is_that_of_sha256sum),
        ("one that was put there by hand", one_put_there_by_hand),
        ("a pack replaces nothing", a_pack_replaces_nothing),
        ("a pack is added only if the Perigee and the packs that it requires are there", what_it_requires_of_the_rest),
        ("a name is there once", a_name_is_there_once),
        ("its examples and its tests run", its_examples_and_tests_run),
        ("its scripts have a path", its_scripts_have_a_path),
        ("a running server takes it, and lets it go", a_running_server_takes_it),
        ("its services run once it is approved, and end when it is not", its_services_run_and_end),
        ("a change of packs that was left half done is put right", what_was_left_half_done)]:
    tap.case(name, function)
done()
