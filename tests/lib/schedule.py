"""Runs work on several threads, and keeps how long each piece took."""

import concurrent.futures
import json
import os


class Times:
    """Seconds by name, stored in a file between runs."""

    def __init__(self, path, known):
        self.path = path
        self.seconds = dict(known)
        try:
            with open(path, encoding="utf-8") as file:
                self.seconds.update({name: float(value) for name, value in json.load(file).items()})
        except (OSError, ValueError, TypeError, AttributeError):
            pass        # the first run, or a damaged file: the defaults suffice

    def of(self, *names):
        """The seconds of the first known name."""
        return next((self.seconds[name] for name in names if name in self.seconds), 1.0)

    def keep(self, measured):
        self.seconds.update({name: round(value, 2) for name, value in measured.items()})
        beside = f"{self.path}.{os.getpid()}"
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(self.seconds, file, indent=0, sort_keys=True)
        os.replace(beside, self.path)


def run(works, jobs, do, done, seconds, alone):
    """Calls do(work) on up to `jobs` threads, in descending order of seconds(work). Work for which alone(work) is true
    runs afterwards, one at a time. At the end of each, calls done(work, result, error) on the caller's thread; error is
    the exception from do(), or None. An exception in the caller starts no further work; running work continues."""
    together = sorted((w for w in works if not alone(w)), key=seconds, reverse=True)
    for batch, threads in ((together, jobs), ([w for w in works if alone(w)], 1)):
        pool = concurrent.futures.ThreadPoolExecutor(threads)
        try:
            futures = {pool.submit(do, work): work for work in batch}
            for future in concurrent.futures.as_completed(futures):
                error = future.exception()
                done(futures[future], None if error else future.result(), error)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
