#!/usr/bin/env python3
"""perigee login and logout, against tests/lib/oauth_double.py, with a double of a browser."""

import json
import signal
import subprocess
import sys
import urllib.request

from kit import FOLDER, TOP, Running, done, has, hasnt, must, perigee, same, tap, write

# A browser that follows the URL, and comes back.
BROWSER = write("browser", f"""#!{sys.executable}
import sys, urllib.request
open({str(FOLDER / "visited")!r}, "w").write(sys.argv[1])
try:
    page = urllib.request.urlopen(sys.argv[1]).read()
except urllib.error.HTTPError as error:
    page = error.read()
open({str(FOLDER / "page")!r}, "wb").write(page)
""", 0o755)
STORE = FOLDER / "state" / "perigee" / "secrets" / "oauth"

double = subprocess.Popen([sys.executable, str(TOP / "tests" / "lib" / "oauth_double.py")], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True)
BASE = f"http://127.0.0.1:{double.stdout.readline().strip()}"
MCP = BASE + "/mcp"


def world(**settings):
    perigee("logout", "--all")
    control(**settings)


def control(**settings):
    body = json.dumps(settings).encode()
    urllib.request.urlopen(urllib.request.Request(BASE + "/control", body, {"Content-Type": "application/json"}))


def log(path):
    entries = json.load(urllib.request.urlopen(BASE + "/log"))
    return [entry for entry in entries if entry["path"] == path]


def login(*words, **more):
    env = {"BROWSER": BROWSER, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", **more}
    return perigee("login", *words, **env)


def logs_in():
    world(challenge='scope="files:read"')
    answer = login(MCP)
    same((answer.code, answer.err), (0, ""), str(answer))
    has(answer.out, "The browser is open; log in there.", "\nLogged in to The Double, which has 1 tool.\n")
    has((FOLDER / "page").read_text(), "You are logged in", "Perigee may now use 127.0.0.1")
    same(STORE.stat().st_mode & 0o777, 0o600)
    listed = perigee("login", "--list")
    has(listed.out, MCP, f"from {BASE}, renewed by itself; may files:read")
    kept = json.loads(perigee("login", "--list", "--json").out)
    same([(one["resource"], one["servers"], one["renews"]) for one in kept], [(MCP, [MCP], True)])
    secrets = json.loads(STORE.read_text())["tokens"][f"{MCP} {BASE}"]
    hasnt(listed.out + answer.out + json.dumps(kept), secrets["access"], secrets["refresh"])


def no_secret_in_the_log():
    world()
    answer = login(MCP, LOG_LEVEL="debug")
    same(answer.code, 0, str(answer))
    record = json.loads(STORE.read_text())["tokens"][f"{MCP} {BASE}"]
    form = log("/token")[0]["form"]
    hasnt(answer.out + answer.err, record["access"], record["refresh"], form["code_verifier"], form["code"])


def kept_for_scripts():
    world()
    login(MCP)
    script = write("here/use.lua", f"""
local mcp, oauth = require "sys.mcp", require "oauth"
local client <close> = assert(mcp.connect {{ url = "{MCP}", token = oauth.token "{MCP}",
  authorize = oauth.authorizer {{ url = "{MCP}" }} }})
print(#assert(client:list_tools()))""")
    answer = perigee("run", script, NO_PROXY="127.0.0.1")
    same((answer.code, answer.out), (0, "1\n"), str(answer))
    perigee("logout", MCP, NO_PROXY="127.0.0.1")
    answer = perigee("run", script, NO_PROXY="127.0.0.1")
    same(answer.code, 1)
    has(answer.err, f"Run `perigee login {MCP}`")


def asked_for_on_the_way():
    world()
    script = write("here/ask.lua", f"""
local mcp, oauth = require "sys.mcp", require "oauth"
local client <close> = assert(mcp.connect(oauth.equip({{ url = "{MCP}" }}, {{ interactive = true }})))
print(#assert(client:list_tools()))""")
    answer = perigee("run", script, NO_PROXY="127.0.0.1", BROWSER=BROWSER)
    same((answer.code, answer.out), (0, "1\n"), str(answer))
    has(answer.err, "a server requires a login; its page was opened in the browser")


def logs_out():
    world()
    login(MCP)
    answer = perigee("logout", MCP, NO_PROXY="127.0.0.1")
    same((answer.code, answer.out), (0, f"Logged out of {MCP}.\n"), str(answer))
    same(len(log("/revoke")), 1)
    same(perigee("logout", MCP).out, f"There was no token for {MCP}.\n")
    same(perigee("login", "--list").out, "Nothing is kept. `perigee login URL` logs in.\n")
    same(perigee("login", "--list", "--json").out, "[]\n")
    same(perigee("logout", "--all").out, "Everything is forgotten.\n")
    must(not STORE.exists(), "the file is still there")


def says_why_not():
    world(deny="access_denied")
    answer = login(MCP)
    same(answer.code, 1)
    same(answer.err, f"perigee login: {BASE} refused the login: access_denied, a person said <no>\n")
    has((FOLDER / "page").read_text(), "a person said &lt;no&gt;")
    world(server={"issuer": "https://attacker.example"})
    has(login(MCP).err, 'names its issuer "https://attacker.example"')
    answer = login(BASE + "/nowhere")
    same(answer.code, 1)
    hasnt(answer.err, "Traceback", "stack")


def without_a_browser():
    world()
    answer = perigee("login", "--timeout", "0.3", MCP, NO_PROXY="127.0.0.1", DISPLAY="", WAYLAND_DISPLAY="", BROWSER="")
    same(answer.code, 1)
    has(answer.out, "Open this URL in a browser on this machine (there is no display):\nhttp://127.0.0.1:")
    has(answer.err, "the login in the browser was not finished in time")
    answer = login("--no-browser", "--timeout", "0.3", MCP)
    has(answer.out, "Open this URL in a browser on this machine:\nhttp://127.0.0.1:")
    answer = login("--timeout", "0.3", MCP, BROWSER="/nowhere/browser")
    has(answer.out, "Open this URL in a browser on this machine (")


def without_a_person():
    world(registers=False, known={"ours": "top secret"}, methods=["client_secret_basic"])
    secret = write("secret", "top secret\n", 0o600)
    answer = login("--client-credentials", "--client-id", "ours", "--client-secret-file", secret, MCP)
    same((answer.code, answer.out, answer.err), (0, "Logged in to The Double, which has 1 tool.\n", ""), str(answer))
    same(len(log("/authorize")), 0)
    has(perigee("login", "--list").out, MCP, "renewed by itself")
    answer = perigee("mcp", "call", MCP, "whoami", NO_PROXY="127.0.0.1")
    same(answer.code, 0, str(answer))
    for words in (("--client-credentials", MCP), ("--client-credentials", "--client-id", "ours", MCP)):
        answer = perigee("login", *words)
        same(answer.code, 2)
        has(answer.err, "--client-credentials needs --client-id and --client-secret-file")


def a_client_of_ones_own():
    world(registers=False, known={"ours": "top secret"}, methods=["client_secret_basic"])
    answer = login(MCP)
    same(answer.code, 1)
    has(answer.err, "does not register OAuth clients automatically", "perigee login --client-id ID URL")
    secret = write("secret", "top secret\n", 0o600)
    answer = login("--client-id", "ours", "--client-secret-file", secret, "--redirect", "http://localhost/back", MCP)
    same(answer.code, 0, str(answer))
    has(log("/authorize")[0]["query"]["redirect_uri"], "http://localhost:", "/back")
    hasnt(answer.out + answer.err, "top secret")
    same(login(MCP).code, 0, "the client is remembered")


def interrupted():
    world()
    running = Running("login", "--no-browser", MCP, NO_PROXY="127.0.0.1")
    running.wait_for("code_challenge")
    running.signal(signal.SIGINT)
    same(running.end().code, 130)


def what_a_script_prints_on_the_way():
    """The client calls the script's functions then, in a task without a parent."""
    world()
    script = write("printing.lua", f"""
local http, mcp, oauth = require "sys.http", require "sys.mcp", require "oauth"
local function browse(address)
  print "the browser is called"
  local page = assert(http.request {{ url = address }})
  print("it saw", page.status)
  return true
end
local authorize = oauth.authorizer {{ url = "{MCP}", interactive = true, open = browse, say = print }}
local client <close> = assert(mcp.connect {{ url = "{MCP}", authorize = authorize }})
print "connected"
""")
    answer = perigee("run", "--quiet", script, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
    same((answer.code, answer.out, answer.err), (0, "the browser is called\nit saw\t200\nconnected\n", ""), str(answer))


def wrong_usage():
    for words, why in (((), "the server's URL is missing"), (("--list", MCP), "--list takes no URL"),
                       ((MCP, MCP), "one URL at a time"), (("--json", MCP), "--json is for --list"),
                       (("--all",), "unknown option --all"), (("--client-secret-file", "x", MCP), "needs --client-id"),
                       (("--timeout", "0", MCP), "--timeout"), (("--what", MCP), "unknown option --what")):
        answer = perigee("login", *words)
        same(answer.code, 2, str(words))
        has(answer.err, why)
    for words, why in (((), "the server's URL is missing"), (("--all", MCP), "--all takes no URL"),
                       (("--list",), "unknown option --list"), (("--scope", "x", MCP), "unknown option --scope")):
        answer = perigee("logout", *words)
        same(answer.code, 2, str(words))
        has(answer.err, why)
    same(perigee("login", "ftp://x").code, 1)


tap.case("login: browser, token, list", logs_in)
tap.case("login: no token, code or verifier in the log", no_secret_in_the_log)
tap.case("login: scripts use the token, and are told when there is none", kept_for_scripts)
tap.case("login: on the way, where somebody is there", asked_for_on_the_way)
tap.case("logout: one, and all", logs_out)
tap.case("login: refusals are said, in the browser and in the terminal", says_why_not)
tap.case("login: without a browser the address is printed", without_a_browser)
tap.case("login: a client of one's own", a_client_of_ones_own)
tap.case("login: without a person", without_a_person)
tap.case("login: what a script prints on the way is printed", what_a_script_prints_on_the_way)
tap.case("login: Ctrl-C", interrupted)
tap.case("login, logout: wrong usage", wrong_usage)
double.stdin.close()
double.wait()
done()
