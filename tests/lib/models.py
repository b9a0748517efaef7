"""The model double (model_double.py) as a child process, for tests of the program."""

import json
import os
import subprocess
import sys
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = {"GEMINI_API_KEY": "test-gemini-key", "OPENAI_API_KEY": "test-openai-key",
        "ANTHROPIC_API_KEY": "test-anthropic-key"}


class Double:
    """Starts it; it ends when its stdin does: with us."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "model_double.py"), "--until-eof", "--slow", "60"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = f"http://127.0.0.1:{self.process.stdout.readline().split()[1]}"

    def ask(self, path, value=None):
        data = None if value is None else json.dumps(value).encode()
        with urllib.request.urlopen(f"{self.address}/control/{path}", data=data) as answer:
            return json.load(answer)

    def script(self, session, replies):
        self.ask(f"{session}/script", replies)

    def requests(self, session):
        """Everything that was asked, and no request was wrong."""
        asked = self.ask(f"{session}/requests")
        return asked, [r["problem"] for r in asked if r.get("problem")]

    def variables(self, provider, session, scenario="ok"):
        """What leads the provider to a session and a scenario of it."""
        base = f"{self.address}/{session}/{scenario}"
        return {"gemini": {"GEMINI_BASE_URL": base}, "openai": {"OPENAI_BASE_URL": base + "/v1"},
                "anthropic": {"ANTHROPIC_BASE_URL": base}, "ollama": {"OLLAMA_HOST": base}}[provider]

    def stop(self):
        self.process.stdin.close()
        self.process.wait(20)
