"""The files that a check found clean and need not look at again: by the content of a file and of all that it includes, the flags
and the tool's version.

Kept in PERIGEE_CHECK_CACHE, by default perigee-check in the user's cache folder, which fresh checkouts share: paths in the
project are stored from its top. ALL=1 in the environment looks at everything again.
"""

import hashlib
import json
import os
import re
import subprocess
import time

MOST = 8                    # states of one file's includes that are remembered
KEPT_S = 60 * 86400         # states that were not used for so long are removed


def folder():
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("PERIGEE_CHECK_CACHE") or os.path.join(caches, "perigee-check")


class Clean:
    """For one kind of check. `top` is the project's folder, `tool` the version of what checks, with all that every file
    depends on."""

    def __init__(self, kind, top, tool):
        self.folder = os.path.join(folder(), kind)
        self.top = top
        self.tool = tool
        self.everything = bool(os.environ.get("ALL"))
        self.sums = {}
        os.makedirs(self.folder, exist_ok=True)
        for entry in os.scandir(self.folder):
            if entry.stat().st_mtime < time.time() - KEPT_S:
                os.remove(entry.path)

    def sum(self, path):
        """Of a file's content, by its path from the top; "" if it is not there."""
        if path not in self.sums:
            try:
                with open(os.path.join(self.top, path), "rb") as file:
                    self.sums[path] = hashlib.sha256(file.read()).hexdigest()
            except OSError:
                self.sums[path] = ""
        return self.sums[path]

    def place(self, path, flags):
        """Where it is noted. The folder of the checkout does not matter."""
        about = [path, self.sum(path), self.tool, *(flag.replace(self.top, "") for flag in flags)]
        return os.path.join(self.folder, hashlib.sha256("\0".join(about).encode()).hexdigest())

    @staticmethod
    def read(place):
        try:
            with open(place, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return []

    def holds(self, path, flags):
        """The name of the state in which it was found clean, if that is its state now; None otherwise."""
        place = self.place(path, flags)
        for includes in [] if self.everything else self.read(place):
            if all(self.sum(each) == total for each, total in includes.items()):
                os.utime(place)
                return self.name(place, includes)
        return None

    @staticmethod
    def name(place, includes):
        return hashlib.sha256((place + json.dumps(includes, sort_keys=True)).encode()).hexdigest()

    def includes(self, path, flags):
        """{path: sum} of all that a C file includes; None if that cannot be found out."""
        done = subprocess.run(["clang", "-M", "-MT", "x", *flags, path], capture_output=True, text=True, cwd=self.top, check=False)
        if done.returncode:
            return None
        words = re.split(r"(?<!\\)\s+", done.stdout.replace("\\\n", " ").partition(":")[2].strip())
        paths = (os.path.normpath(os.path.join(self.top, word.replace("\\ ", " "))) for word in words)
        return {each: self.sum(each) for each in sorted(each.removeprefix(self.top + "/") for each in paths)}

    def note(self, path, flags, includes):
        """It is clean, with these includes. Returns the name of that state."""
        place = self.place(path, flags)
        states = [includes, *(each for each in self.read(place) if each != includes)][:MOST]
        beside = f"{place}.{os.getpid()}.{time.monotonic_ns()}"
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(states, file)
        os.replace(beside, place)
        return self.name(place, includes)


class Progress:
    """How many of a check's files are done, on the terminal whose path is in CHECK_TERMINAL; nothing without it."""

    def __init__(self, what, count):
        self.what, self.count, self.done = what, count, 0
        self.path = os.environ.get("CHECK_TERMINAL")

    def step(self):
        self.done += 1
        if self.path:
            with open(self.path, "w", encoding="utf-8") as terminal:
                terminal.write(f"\r\033[K  {self.what}: {self.done} of {self.count}\r")

