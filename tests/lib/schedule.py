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


def run(works, jobs, do, done, seconds, alone, heavy=(0, lambda work: False)):
    """Calls do(work) on up to `jobs` threads, in descending order of seconds(work). heavy is (number, test): of the work
    for which test(work) is true, no more than `number` run at once, while lighter work fills the other threads. Work
    for which alone(work) is true comes first, one at a time and beside light work only. At the end of each, calls
    done(work, result, error) on the caller's thread; error is the exception from do(), or None. An exception in the
    caller starts no further work; running work continues."""
    waiting, running = sorted(works, key=lambda work: (alone(work), seconds(work)), reverse=True), {}
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        while waiting or running:
            for work in startable(waiting, list(running.values()), jobs, heavy, alone):
                waiting.remove(work)
                running[pool.submit(do, work)] = work
            ended, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                work, error = running.pop(future), future.exception()
                done(work, None if error else future.result(), error)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def startable(waiting, running, threads, heavy, alone):
    """Returns the waiting work that may start now, beside the work that runs."""
    number, is_heavy = heavy
    free = threads - len(running)
    burden = sum(is_heavy(work) and not alone(work) for work in running)
    apart = any(map(alone, running))
    chosen = []
    for work in waiting:
        if len(chosen) == free:
            break
        if alone(work):
            if burden or apart:
                continue
            apart = True
        elif is_heavy(work):
            if apart or number and burden >= number:
                continue
            burden += 1
        chosen.append(work)
    return chosen
