"""The processor time that each part of the tests may take, from the file tests/budgets."""

import os

EACH = 3.0          # seconds, for a part that the file does not name
WHOLE = 880.0       # seconds, for all parts together: eight minutes of two processors that sometimes wait


class Budgets:
    """Lines `SECONDS PART`; what follows a `#` is a comment. `factor` multiplies them all. `whole`: every part runs."""

    def __init__(self, path, factor=1, whole=False):
        self.factor = factor
        self.whole = WHOLE * factor if whole else None
        self.seconds = {}
        if os.path.exists(path):
            self.read(path)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                words = line.partition("#")[0].split()
                if not words:
                    continue
                try:
                    seconds, part = words
                    self.seconds[part] = float(seconds)
                except ValueError:
                    raise SystemExit(f"{path}:{number}: expected SECONDS PART") from None

    def of(self, part):
        return self.seconds.get(part, EACH) * self.factor

    def line(self, part, used):
        return f"{part} {used:.1f} of {self.of(part):g} s"

    def warnings(self, used):
        """A line for each part of `used` (part -> seconds) that is over its budget, and one for the whole."""
        lines = [f"over its budget of processor time: {self.line(part, seconds)}"
                 for part, seconds in sorted(used.items()) if seconds > self.of(part)]
        if self.whole:
            total = sum(used.values())
            lines.append(f"{'over the budget of ' if total > self.whole else ''}processor time: "
                         f"all parts {total:.0f} of {self.whole:g} s")
        return lines
