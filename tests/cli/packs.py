"""Packs for the tests of `perigee pack`: real directories and real git repositories."""

import http.server
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import threading

from kit import FOLDER, PERIGEE, environment, must, perigee
from server import Server

HOME = FOLDER / "home"
PACKS = HOME / "packs"

PACK = '''--- A pack.
return {
  name        = "%s",
  version     = "1.0.0",
  description = "Phases of the moon.",
  requires    = { perigee = ">= 0.1" },
}
'''

MOON = {
    "tools/phase.lua": '''local phases = require "moon.phases"
local s = require "schema"
return {
  description = "Tell the phase.", inputSchema = s.object { { "day", s.integer "The day." } },
  run = function(args) return phases.name(args.day) end,
  examples = { { "is new at first", args = { day = 0 }, want = "new" } },
}
''',
    "lib/moon/phases.lua": '''local http = require "sys.http"
return { name = function(day) return day < 15 and "new" or "full" end, http = http }
''',
    "tools/moon_day.lua": '''return { description = "Tell the days.", inputSchema = { type = "object" }, run = function() return "30" end }
''',
    "prompts/ask_moon.lua": '''return { description = "Asks.", render = function() return "Which phase is it?" end }
''',
    "commands/mooncommand.lua": '''return {
  summary = "tell the phase",
  run = function(_, io) io:print(require("moon.phases").name(20)) end,
}
''',
}


def fresh():
    """No packs, no record of any, and no directories of earlier cases."""
    for path in (HOME, FOLDER / "made", FOLDER / "state"):
        shutil.rmtree(path, ignore_errors=True)


def make(place, files):
    """Writes files below a directory of ours."""
    top = pathlib.Path(place) if isinstance(place, pathlib.Path) else FOLDER / "made" / place
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return top


def moon(place, name="moon", files=(), link=False):
    """A pack with a tool, a private lib file, a prompt and a command."""
    top = make(place, {"pack.lua": PACK % name, **MOON, **dict(files)})
    if link:
        make(top, {"docs/README.md": "# Moon\n"})
        os.symlink("docs/README.md", top / "README.md")
    return top


def git(folder, *words, text=None):
    done = subprocess.run(["git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.com",
                           "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false", *words], input=text,
                          capture_output=True, check=False, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
    must(done.returncode == 0, f"git {' '.join(words)}: {done.stderr.decode()}")
    return done.stdout.decode().strip()


def commit(folder, tag=None, branch=None):
    """Commits all that is in the directory, which becomes a repository. Returns the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", ".")
    if branch:
        git(folder, "checkout", "--quiet", "-b", branch)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "A change")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")


def commit_tree(folder, lines):
    """A commit on main of a tree that `git add` would not make: lines as of `git mktree`."""
    tree = git(folder, "mktree", "--missing", text="".join(line + "\n" for line in lines).encode())
    made = git(folder, "commit-tree", tree, "-m", "A change")
    git(folder, "update-ref", "refs/heads/main", made)
    return made


class GitServer:
    """A repository over https, by git's own http-backend; another path redirects to a URL of ours. `with GitServer(...) as url`."""

    def __init__(self, repository, key, file, elsewhere):
        environment_of_backend = {**os.environ, "GIT_PROJECT_ROOT": str(repository.parent), "GIT_HTTP_EXPORT_ALL": "1",
                                  "GIT_CONFIG_GLOBAL": os.devnull}

        class Handler(http.server.BaseHTTPRequestHandler):
            def run(self):
                path, _, query = self.path.partition("?")
                if path.startswith("/elsewhere"):
                    self.send_response(302)
                    self.send_header("Location", elsewhere + self.path)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                length = int(self.headers.get("Content-Length") or 0)
                done = subprocess.run(["git", "http-backend"], input=self.rfile.read(length), capture_output=True, check=False,
                                      env={**environment_of_backend, "REQUEST_METHOD": self.command, "PATH_INFO": path,
                                           "QUERY_STRING": query, "CONTENT_TYPE": self.headers.get("Content-Type") or "",
                                           "CONTENT_LENGTH": str(length), "REMOTE_ADDR": "127.0.0.1",
                                           "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
                                           "GIT_PROTOCOL": self.headers.get("Git-Protocol") or ""})
                head, _, body = done.stdout.partition(b"\r\n\r\n")
                fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
                self.send_response(int(fields.pop("Status", "200").split()[0]))
                for name, value in {**fields, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = run

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://localhost:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.url

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def files_of(folder):
    """Returns the paths of the files in the folder, except those of a repository's .git."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                  if path.is_file() and ".git" not in path.relative_to(folder).parts)


def listed():
    """`perigee pack list --json`, by name."""
    done = perigee("pack", "list", "--json")
    must(done.code == 0, done)
    return {pack["name"]: pack for pack in json.loads(done.out)["packs"]}


def record():
    path = HOME / "packs.json"
    return json.loads(path.read_text())["packs"] if path.exists() else {}


def serve(**env):
    return Server([PERIGEE, "serve"], env=environment(**env))
