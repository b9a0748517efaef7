#!/usr/bin/env python3
"""Files of authority: those that other users can write, or move away, are refused, wherever they are."""

import os
import pwd
import shutil
import subprocess

from kit import FOLDER, PERIGEE, TOP, done, environment, has, hasnt, must, perigee, same, tap, write

ENV = {"PERIGEE_DESKTOP": "fake"}
TOOL = 'return { description = "Say hello.", inputSchema = { type = "object" }, run = function() return "hello" end }\n'


def fresh():
    shutil.rmtree(FOLDER / "home", ignore_errors=True)
    write("home/tools/hello.lua", TOOL)


def said(*words, **env):
    answer = perigee(*words, **ENV, **env)
    return answer.out + answer.err


def each_file():
    """Each is used as it is, and refused once others can write it: by its name, by a link to it, and from their folder."""
    for path, text, words, works in (
            ("policy.lua", "return { rules = { { allow = true } } }\n", ("call", "hello"), "hello"),
            ("tools/hello.lua", TOOL, ("call", "hello"), "hello"),
            ("lib/word.lua", 'return "hello"\n', ("run", "-e", 'print(require "word")'), "hello"),
            ("mcp.json", '{"mcpServers": {"hello": {"command": "true"}}}', ("mcp", "servers"), "hello"),
            (".env", "PERIGEE_HELLO=hello\n", ("run", "-e", 'print(require("sys.env").get "PERIGEE_HELLO")'), "hello")):
        fresh()
        place = FOLDER / "home" / path
        write(place, text)
        has(said(*words), works)
        place.chmod(0o646)
        has(said(*words), "other users can write", "(mode 646)", f"chmod go-w {place}")
        place.unlink()
        write("elsewhere/file", text, 0o666)
        place.symlink_to(FOLDER / "elsewhere/file")
        has(said(*words), "other users can write", f"chmod go-w {place}")
        (FOLDER / "elsewhere/file").chmod(0o644)
        has(said(*words), works)
        (FOLDER / "elsewhere").chmod(0o777)
        has(said(*words), "other users can write in the directory", f"chmod go-w {FOLDER / 'elsewhere'}")
        (FOLDER / "elsewhere").chmod(0o1777)                    # as /tmp: there nobody moves what is another's
        has(said(*words), works)
        (FOLDER / "elsewhere").chmod(0o755)


def a_policy_that_is_not_used():
    """It is not passed over for another root's: no call runs."""
    fresh()
    write("home/policy.lua", "return { rules = { { allow = true } } }\n")
    same(perigee("call", "list_displays", **ENV).code, 0)
    for place, mode in ((FOLDER / "home/policy.lua", 0o666), (FOLDER / "home", 0o777)):
        before = place.stat().st_mode
        place.chmod(mode)
        answer = perigee("call", "list_displays", **ENV)
        same((answer.code, answer.out), (3, ""), answer)
        has(answer.err, "other users can write", f"chmod go-w {place}")
        place.chmod(before)
    same(perigee("call", "list_displays", **ENV).code, 0)


def secrets():
    """Nobody else may read them either."""
    fresh()
    code = 'local text, err, code = require("sys.secrets").read_file "%s"\nprint(text or code .. ": " .. err)'
    path = write("secret", "hello", 0o600)
    has(said("run", "-e", code % path), "hello")
    for mode, verb in ((0o644, "read"), (0o640, "read"), (0o602, "write"), (0o620, "write")):
        os.chmod(path, mode)
        has(said("run", "-e", code % path), f"insecure: other users can {verb} {path} (mode {mode:o})", f"chmod 600 {path}")
    if os.geteuid() == 0:
        os.chmod(path, 0o600)
        os.chown(path, pwd.getpwnam("nobody").pw_uid, 0)
        has(said("run", "-e", code % path), f"insecure: {path} belongs to another user")
    kept = FOLDER / "state/perigee/secrets/word"
    has(said("run", "-e", 'local secrets = require "sys.secrets" assert(secrets.write("word", "hello")) print(secrets.read "word")'),
        "hello")
    kept = next((FOLDER / "state/perigee").rglob("word"))
    kept.chmod(0o644)
    has(said("run", "-e", 'print(require("sys.secrets").read "word")'), "hello")
    same(kept.stat().st_mode & 0o777, 0o600)                    # made private
    kept.chmod(0o666)
    has(said("run", "-e", 'print(require("sys.secrets").read "word")'), "not_private", "other users can write")


def another_user(name):
    """Runs `perigee call hello` as a user of another name; files in their home are theirs."""
    user = pwd.getpwnam(name)

    def become():
        os.setgroups([])
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
    ended = subprocess.run([PERIGEE, "call", "hello"], capture_output=True, text=True, timeout=60, check=False, preexec_fn=become,
                           env=environment(**ENV, XDG_STATE_HOME=str(FOLDER / "other/state"), HOME=str(FOLDER / "other"),
                                           XDG_CACHE_HOME=str(FOLDER / "other/cache"), PERIGEE_HOME=str(FOLDER / "other/home"),
                                           PERIGEE_RUNTIME_DIR=str(FOLDER / "other/run")), cwd="/")
    return ended.stdout + ended.stderr


def owners_and_groups():
    """The user's own group and root may write; other groups and users may not."""
    if os.geteuid() != 0:
        raise tap.Skip("only root becomes other users")
    user = pwd.getpwnam("games")                                # a user with a group of this name and no other member
    for path in {*(TOP / "x").parents, *FOLDER.parents}:
        if not path.stat().st_mode & 0o001:
            raise tap.Skip(f"{path} is for root alone")
    FOLDER.chmod(0o711)
    tool = write("other/home/tools/hello.lua", TOOL)
    for parent in (FOLDER / "other", FOLDER / "other/home", FOLDER / "other/home/tools"):
        os.chown(parent, user.pw_uid, user.pw_gid)
    for owner, group, mode, works in (
            (user.pw_uid, user.pw_gid, 0o664, True), (user.pw_uid, 0, 0o644, True), (user.pw_uid, 0, 0o664, False),
            (user.pw_uid, pwd.getpwnam("nobody").pw_gid, 0o664, False), (0, 0, 0o644, True),
            (pwd.getpwnam("nobody").pw_uid, user.pw_gid, 0o644, False)):
        os.chown(tool, owner, group)
        os.chmod(tool, mode)
        text = another_user("games")
        (has if works else hasnt)(text, "hello\n")
        if not works:
            has(text, "other users can write" if owner == user.pw_uid else "belongs to another user")


tap.case("files that others can write are not used", each_file)
tap.case("without a policy that is trusted no call runs", a_policy_that_is_not_used)
tap.case("secrets that others can read or write", secrets)
tap.case("owners and groups", owners_and_groups)
done()
