"""Runs of `perigee agent` whose model is recorded: each answer is a call of a tool, with `@role "name"` where the model took a ref
from what it had read. The journals are those of real runs, on real applications."""

import json
import os
import pathlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import procs  # noqa: F401  (the folder of this file is on the path of a program that imports it)
import server as servers
from tap import Failure

GUARD = 300     # seconds, only against hanging


class Model(ThreadingHTTPServer):
    """Ollama's API, as far as the agent uses it. `answers` are [(tool, arguments)], and the last words."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.asked, self.problem = [], 0, None
        self.thread = threading.Thread(target=self.serve_forever)
        self.thread.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, messages):
        """The next recorded answer, with refs in the places of what they mean."""
        self.asked += 1
        if not self.answers:
            return {"role": "assistant", "content": "It is done."}
        told = "\n".join(message["content"] for message in messages if message["role"] == "tool")
        tool, arguments = self.answers.pop(0)
        return {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": tool, "arguments": self.with_refs(arguments, told)}}]}

    def with_refs(self, value, told):
        if isinstance(value, dict):
            return {key: self.with_refs(each, told) for key, each in value.items()}
        if isinstance(value, list):
            return [self.with_refs(each, told) for each in value]
        if isinstance(value, str) and value.startswith("@"):
            wanted, _, nth = value[1:].partition("#")
            found = re.findall(rf"(?:^|\W)(e\d+) {re.escape(wanted)}(?![\w\"])", told, re.MULTILINE)
            if not found:
                self.problem = f"nothing that was read is {wanted}"
                return value
            return list(dict.fromkeys(found))[int(nth) - 1] if nth else found[-1]
        return value

    def close(self):
        self.shutdown()
        self.server_close()
        self.thread.join()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/api/show"):
            answer = {"details": {"family": "llama"}, "capabilities": ["completion", "tools"]}
        else:
            answer = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z", "done": True, "done_reason": "stop",
                      "message": self.server.answer(body["messages"]), "prompt_eval_count": 1, "eval_count": 1}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def clean_env(env, home):
    """The environment of a command: without keys of models, with a directory of the user's own."""
    env = {key: value for key, value in env.items() if not key.endswith("_API_KEY")}
    env["PERIGEE_HOME"] = str(home)
    pathlib.Path(home).mkdir(parents=True, exist_ok=True)
    policy = pathlib.Path(home, "policy.lua")
    if not policy.exists():
        policy.write_text("return { rules = { { allow = true } } }\n", encoding="utf-8")
    return env


def perigee(*words, env, cwd, **more):
    import subprocess
    return subprocess.run([servers.PERIGEE, *words], env=env, cwd=cwd, capture_output=True, text=True, timeout=GUARD, check=False, **more)


def journal_of(model, request, answers, env, cwd, *words):
    """Runs the agent with these recorded answers. Returns the path of its journal."""
    model.answers, model.asked, model.problem = list(answers), 0, None
    before = set(pathlib.Path(cwd).glob("logs/runs/*.jsonl"))
    done = perigee("agent", "--model", "ollama/llama3.2", "--max-turns", str(len(answers) + 2), *words, request,
                   env={**env, "OLLAMA_HOST": model.address}, cwd=cwd)
    files = set(pathlib.Path(cwd).glob("logs/runs/*.jsonl")) - before
    if model.problem or done.returncode not in (0, 3) or len(files) != 1:
        raise Failure(f"{request}: {model.problem or ''} {done.returncode}\n{done.stdout}{done.stderr}")
    return files.pop()


def events(journal):
    return [json.loads(line) for line in pathlib.Path(journal).read_text(encoding="utf-8").splitlines()]


def main_of(path):
    """The lines of a macro's run()."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return [line.strip() for line in text.split("local function run(args, macro)\n")[1].split("\nend\n")[0].splitlines()]


def own(env, name):
    return os.path.join(env["PERIGEE_HOME"], "tools", "macros", name + ".lua")
