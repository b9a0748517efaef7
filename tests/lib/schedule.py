"""Runs pieces of work side by side, and remembers how long each took."""

import concurrent.futures
import json
import os


class Times:
    """Seconds by name, kept in a file from one run to the next."""

    def __init__(self, path, known):
        self.path = path
        self.seconds = dict(known)
        try:
            with open(path, encoding="utf-8") as file:
                self.seconds.update({name: float(value) for name, value in json.load(file).items()})
        except (OSError, ValueError, TypeError, AttributeError):
            pass        # no run was before this one, or its file is spoiled: what is known in general is enough

    def of(self, *names):
        """Those of the first name that is known."""
        return next((self.seconds[name] for name in names if name in self.seconds), 1.0)

    def keep(self, measured):
        self.seconds.update({name: round(value, 2) for name, value in measured.items()})
        beside = f"{self.path}.{os.getpid()}"
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(self.seconds, file, indent=0, sort_keys=True)
        os.replace(beside, self.path)


def run(works, jobs, do, done, seconds, alone):
    """Calls do(work) on up to `jobs` threads, the work that takes the most seconds(work) first. What is alone(work) comes
    after all the others, one at a time. As each ends, done(work, result, error) is called on the caller's thread: error
    is what do() raised, if it raised. Whatever interrupts the caller leaves what runs running; no more is started."""
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
