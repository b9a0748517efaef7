"""The parts that the mail tests share: the emulator of Gmail, a double in front of it that fails as Google does, a user at a
browser, and an engine with a home of its own."""

import base64
import html.parser
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))

import folders                          # noqa: E402
import server as servers                # noqa: E402
import tap                              # noqa: E402
from http_peer import wait_for          # noqa: E402
from tap import Failure                 # noqa: E402

NODE = os.path.join(HERE, "node_modules/node/bin/node")
EMULATE = os.path.join(HERE, "node_modules/emulate/dist/index.js")
USER = "testuser@gmail.com"
SCOPE = "https://www.googleapis.com/auth/gmail."


def same(got, want, note=""):
    if got != want:
        raise Failure(f"{note or 'value'}: got {got!r}, wanted {want!r}")


def has(text, *parts):
    for part in parts:
        if part not in text:
            raise Failure(f"{text!r} does not hold {part!r}")


def code_of(result):
    """Returns the code of a failed call; None if it did not fail."""
    return result.get("_meta", {}).get("perigee/code") if result.get("isError") else None


def free_port():
    """A port that was free a moment ago: the emulator does not accept 0."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def need_emulator():
    if not os.path.exists(NODE) or not os.path.exists(EMULATE):
        raise tap.Skip("the emulator is not installed: tests/mail/install")


class Emulator:
    """emulate's Google: real OAuth pages, tokens and messages in memory."""

    def __init__(self):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen([NODE, EMULATE, "--service", "google", "--port", str(self.port)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=tempfile.gettempdir())
        wait_for("the emulator", self.answers)
        self.token = None

    def answers(self):
        try:
            return self.get("/oauth2/v3/certs", None) is not None
        except OSError:
            return False

    def get(self, path, token, method="GET", body=None):
        request = urllib.request.Request(self.url + path, method=method, data=body)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def own_token(self):
        """A token for the test itself, by the same pages."""
        if not self.token:
            address = (f"{self.url}/o/oauth2/v2/auth?client_id=test&redirect_uri=http://127.0.0.1:9/&state=s"
                       f"&scope={SCOPE}readonly&response_type=code")
            code = urllib.parse.parse_qs(urllib.parse.urlparse(choose_user(address)).query)["code"][0]
            form = urllib.parse.urlencode({"grant_type": "authorization_code", "code": code, "client_id": "test"}).encode()
            self.token = self.get("/oauth2/token", None, "POST", form)["access_token"]
        return self.token

    def names(self):
        """The IDs of all sent messages, the newest first."""
        listed = self.get("/gmail/v1/users/me/messages?labelIds=SENT&maxResults=500", self.own_token())["messages"]
        return [each["id"] for each in listed]

    def sent(self, besides=()):
        """The sent messages, the newest first: (id, threadId, bytes)."""
        return [self.message(name) for name in self.names() if name not in besides]

    def message(self, name):
        got = self.get(f"/gmail/v1/users/me/messages/{name}?format=raw", self.own_token())
        return got["id"], got["threadId"], base64.urlsafe_b64decode(got["raw"] + "==")

    def drafts(self):
        return self.get("/gmail/v1/users/me/drafts", self.own_token())["drafts"]

    def close(self):
        self.process.kill()
        self.process.wait()


# --- a user at a browser --------------------------------------------------------------------------

class Form(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form" and self.action is None:
            self.action = given["action"]
        if tag == "input" and given.get("name"):
            self.fields.setdefault(given["name"], given.get("value", ""))


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args, **_more):
        return None


def choose_user(address):
    """Opens Google's page, chooses the user, and gives where Google sends the browser."""
    with urllib.request.urlopen(address, timeout=120) as answer:
        form = Form(answer.read().decode())
    target = urllib.parse.urljoin(address, form.action)
    opener = urllib.request.build_opener(NoRedirects)
    try:
        opener.open(target, urllib.parse.urlencode(form.fields).encode(), timeout=120)
    except urllib.error.HTTPError as answer:
        return answer.headers["Location"]
    raise Failure("Google's page did not redirect")


def log_in(address):
    """The whole way of a browser, back to Perigee; what it shows there."""
    with urllib.request.urlopen(choose_user(address), timeout=120) as answer:
        return answer.read().decode()


# --- an engine ------------------------------------------------------------------------------------

class Place:
    """A home with credentials.json, and engines in it."""

    def __init__(self, url, api=None, **env):
        self.folder = os.path.realpath(folders.fresh("pm-"))
        self.files = os.path.join(self.folder, "files")
        os.mkdir(self.files)
        os.mkdir(os.path.join(self.folder, "home"))
        self.put("home/credentials.json", json.dumps({"installed": {
            "client_id": "perigee-test", "client_secret": "not-a-secret", "auth_uri": url + "/o/oauth2/v2/auth",
            "token_uri": url + "/oauth2/token", "redirect_uris": ["http://localhost"]}}))
        self.env = {"PERIGEE_GMAIL_URL": api or url, "PERIGEE_DESKTOP": "fake", "XDG_STATE_HOME": os.path.join(self.folder, "state"),
                    "PERIGEE_HOME": os.path.join(self.folder, "home"), "XDG_RUNTIME_DIR": self.folder, "BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", **env}

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)

    def secret(self):
        """The stored login."""
        with open(os.path.join(self.folder, "state/perigee/secrets/gmail"), encoding="utf-8") as file:
            return json.load(file)

    def change_secret(self, **fields):
        path = os.path.join(self.folder, "state/perigee/secrets/gmail")
        kept = {**self.secret(), **fields}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(kept, file)

    def run(self, *argv, guard=60):
        return subprocess.run([servers.PERIGEE, *argv], cwd=self.folder, env={**os.environ, **self.env}, capture_output=True, text=True,
                              timeout=guard, stdin=subprocess.DEVNULL, check=False)

    def serve(self, trusting=True, urls=True, **capabilities):
        roots = ["--no-user-root", "--root", servers.TRUSTING] if trusting else ["--no-user-root"]
        server = servers.perigee(*roots, "--grant", self.files, env=self.env, cwd=self.folder)
        server.initialize(capabilities={"elicitation": {"form": {}, "url": {}}, **capabilities} if urls else capabilities)
        return server

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def finish(server, request, user=log_in, guard=60):
    """The result of a call; what it asks is answered meanwhile: pages by `user`."""
    asked = []
    while True:
        message = server.find(lambda m: m.get("id") == request and "method" not in m or m.get("method") == "elicitation/create", guard)
        if "method" not in message:
            return message["result"], asked
        asked.append(message["params"])
        answer = {"action": "accept"} if user else {"action": "decline"}
        if message["params"].get("mode") != "url":
            answer = user(message["params"])
        server.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        if message["params"].get("mode") == "url" and user:
            user(message["params"]["url"])


def text_of(result):
    return "\n".join(block.get("text", "") for block in result["content"])


def call(server, name, guard=60, user=log_in, **arguments):
    return finish(server, server.post("tools/call", {"name": name, "arguments": arguments}), user, guard)


def mail(**more):
    return {"to": "ada@example.com", "subject": "Hello", "body": "Hi.\n", **more}


__all__ = ["Emulator", "Failure", "Place", "SCOPE", "USER", "call", "finish", "free_port", "http", "log_in", "mail", "need_emulator", "servers",
           "tap", "text_of", "threading", "time", "wait_for"]
