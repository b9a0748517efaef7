#!/usr/bin/env python3
"""Before a call writes a file that Perigee, a shell or the session obeys by itself, the user is asked, however it is written."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, text_of          # noqa: E402
import tap                           # noqa: E402

FORM = {"elicitation": {"form": {}}}
ACTS = """
local fs, screen, store = require "sys.fs", require "sys.screen", require "sys.store"
local ACTS = {
  write = function(path) return fs.write(path, "x") end,
  append = function(path) return fs.append(path, "x") end,
  make_folder = function(path) return fs.make_folder(path .. "/new") end,
  copy = function(path) return fs.copy("from", path) end,
  rename = function(path) return fs.rename("from", path) end,
  capture = function(path) return screen.capture { path = path .. ".png" } end,
  store = function() return store.open("things"):set("a", 1) end,
}
return { description = "Acts.", inputSchema = { type = "object" }, run = function(args)
  local done, err, code = ACTS[args.act](args.path)
  return { said = done and "done" or tostring(code) .. ": " .. tostring(err) }
end }
"""
# Within the home directory; "link" leads to a file of another name, as startup files often do.
OBEYED = (".config/perigee/policy.lua", ".config/perigee/services/a.lua", ".config/perigee/tools/a/b.lua", ".config/perigee/.env",
          ".local/state/perigee/secrets/outside", ".local/state/perigee/audit/audit-1.jsonl", ".cache/perigee/x", ".bashrc", ".profile",
          ".zshrc", ".ssh/authorized_keys", ".config/autostart/a.desktop", ".config/systemd/user/a.service", ".config/fish/config.fish",
          ".local/bin/a", "bin/a", ".local/share/applications/a.desktop", ".vimrc", ".gitconfig", ".config/git/config", "Desktop/a.desktop",
          ".xprofile", "sub/../.bashrc", "sub/../.ssh/config", "to_home/.bashrc", "link")
OTHERS = ("a.txt", "sub/bashrc", "Documents/policy.lua", ".local/share/notes/a", ".config/notes/a", "sub/perigee/policy.lua", "Desktop/a.txt",
          ".sshx", "binary/a")


def home_of(place):
    home = place.folder / "home_of_user"
    for name in [each for each in (*OBEYED, *OTHERS) if not each.startswith("to_home")]:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / "to_home").symlink_to(home, target_is_directory=True)
    (home / "dotfiles").mkdir()
    (home / ".bash_login").symlink_to(home / "dotfiles/login")
    shutil.copytree(place.folder / "home", home / ".config/perigee", dirs_exist_ok=True)
    for name in ("PERIGEE_HOME", "XDG_STATE_HOME"):
        del place.env[name]
    place.env.update(HOME=str(home), XDG_CONFIG_HOME="", XDG_STATE_HOME="", XDG_CACHE_HOME="", PERIGEE_HOME="")
    return home


def main():
    with Place(None, acts=ACTS) as place:
        home = home_of(place)
        with place.serve("--grant", str(home), capabilities=FORM) as server:
            def asked(act, path):
                (place.folder / "work/from").write_text("x")
                result, questions = call(server, "acts", {"act": act, "path": path}, "decline")
                return len(questions) or "was not asked again" in text_of(result), result
            for act in ("write", "append", "make_folder", "copy", "rename", "capture"):
                for name in OBEYED:
                    in_folder = any(each in name for each in ("perigee/", ".ssh/", "bin/", "fish/"))
                    if act in ("make_folder", "capture") and not in_folder:
                        continue        # what they make has another name
                    path = str(home / name).replace("/link", "/.bash_login")
                    made = path + {"make_folder": "/new", "capture": ".png"}.get(act, "")
                    before = os.path.exists(made) and os.path.getsize(made)
                    count, result = asked(act, path)
                    assert count and before == (os.path.exists(made) and os.path.getsize(made)), (act, name, result)
            for name in OTHERS:
                assert asked("write", str(home / name))[0] is False, name
                assert (home / name).exists()
            assert asked("rename", str(home / "Documents/new"))[0] is False
            assert "done" in str(asked("store", "")), "a tool's own data"
            assert asked("store", "")[0] is False


tap.case("files that are obeyed", main)
tap.done()
