"""Runs a module's unittest cases and prints TAP, so that every suite of the project is counted the same way.

    if __name__ == "__main__":
        tap_unittest.main()      (tap.main() is the same)
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
import unittest


class TapResult(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.bad = 0
        self.began = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.began = time.monotonic()

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.line(True, test)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.line(True, test, " # SKIP " + reason)

    def addFailure(self, test: unittest.TestCase, error) -> None:
        self.line(False, test, "", error)

    addError = addFailure

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, error) -> None:
        if error is not None:
            self.line(False, subtest, "", error)

    def line(self, good: bool, test: unittest.TestCase, note: str = "", error=None) -> None:
        self.count += 1
        self.bad += not good
        took = f" ({time.monotonic() - self.began:.2f} s)" if self.began else ""
        print(f"{'ok' if good else 'not ok'} {self.count} - {name_of(test)}{note or took}")
        if error is not None:
            for text in "".join(traceback.format_exception(*error)).splitlines():
                print("#   " + text)
        sys.stdout.flush()


def name_of(test: unittest.TestCase) -> str:
    """The case's docstring, or its method's name as words; a class that failed to set up has neither."""
    said = test.shortDescription()
    words = test.id().rpartition(".")[2].removeprefix("test_").replace("_", " ")
    return (said or words).replace("#", "")


def main() -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)   # cleaned up after, as on Ctrl-C
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    if len(sys.argv) > 1:
        suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:], sys.modules["__main__"])
    result = TapResult()
    suite.run(result)
    print(f"1..{result.count}")
    sys.exit(1 if result.bad else 0)
