"""The parts that tests of the common tools share: a desktop whose default applications are chosen, pages, and a grant."""

import contextlib
import http.server
import shutil
import subprocess
import threading

from lab import FIREFOX
from tools import Tools

NAMES = ('plain.txt', 'two "quoted" \\ words.txt', "-rf", "zwei Wörter 🎉.txt", "line\nend.txt", "$HOME `id`;x")


class Pages:
    """A server of small pages on this machine; each path is a page with this title."""

    def __enter__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = f"<!doctype html><title>{self.path}</title><button>Ready</button>".encode()
                if self.path.startswith("/stays"):
                    body += b"<script>onbeforeunload = e => { e.preventDefault(); e.returnValue = 'x' }</script>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def entry(desktop, name, command, **fields):
    folder = desktop.folder / "home/.local/share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["[Desktop Entry]", "Type=Application", f"Exec={command}", *(f"{key}={value}" for key, value in fields.items())]
    (folder / f"{name}.desktop").write_text("\n".join(lines) + "\n")
    with contextlib.suppress(OSError):
        subprocess.run(["update-desktop-database", str(folder)], check=False)


def choose(desktop, **types):
    """The user's choice of applications."""
    folder = desktop.folder / "home/.config"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{kind}={name}.desktop" for kind, name in types["types"].items()]
    (folder / "mimeapps.list").write_text("[Default Applications]\n" + "\n".join(lines) + "\n")


def browser_entry(desktop, browser):
    """Its own entry, with a profile of the test."""
    profile = desktop.folder / browser
    profile.mkdir()
    (profile / "user.js").write_text(FIREFOX + 'user_pref("browser.tabs.warnOnClose", false);\n')
    command = (f"{shutil.which('firefox-esr')} --profile {profile} %u" if browser.startswith("firefox") else
               f"{shutil.which('chromium')} --no-sandbox --test-type --no-first-run --disable-gpu --user-data-dir={profile} %U")
    entry(desktop, browser, command, Name=browser.title(), MimeType="x-scheme-handler/http;x-scheme-handler/https;",
          StartupWMClass=browser)


def world(desktop, *, browser="chromium", manager="thunar"):
    """The session of the tools: a granted folder with files of odd names."""
    home = desktop.folder / "home/granted"
    for name in ("from", "to"):
        (home / name).mkdir(parents=True)
    for name in NAMES:
        (home / "from" / name).write_text(name)
    if browser:
        browser_entry(desktop, browser)
    choose(desktop, types={"inode/directory": manager, "text/plain": "org.xfce.mousepad", "x-scheme-handler/http": browser,
                           "x-scheme-handler/https": browser})
    desktop.granted = home
    return Tools(desktop.env, "--grant", str(home))
