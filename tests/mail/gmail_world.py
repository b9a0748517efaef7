"""One Gmail for the cases of a part; each case has a door to it, a home and an engine of its own."""

import atexit
import functools

from gmail_double import Door
from kit import call, Emulator, mail, Place


@functools.lru_cache(maxsize=None)
def emulator():
    """One emulator for all cases: each looks only at messages that were sent since it began."""
    made = Emulator()
    atexit.register(made.close)
    return made


class World:
    """The emulator, the door before it, a home, and an engine."""

    def __init__(self, logged_in=True, urls=True, scope="", **env):
        self.emulator = emulator()
        self.door = Door(self.emulator)
        self.place = Place(self.door.url, **env)
        self.server = None
        self.before = set(self.emulator.names())
        if logged_in:
            self.start()
            if scope:
                call(self.server, "list_emails", query="nothing-like-this")
            call(self.server, "send_email", **mail(subject="The first one"))
            self.before = set(self.emulator.names())
            if not urls:
                self.server.kill()
                self.start(urls=False)
        else:
            self.start(urls=urls)

    def start(self, **options):
        self.server = self.place.serve(**options)

    def new(self):
        """The messages that were sent since the start, in the order of their seconds, the newest first."""
        return self.emulator.sent(self.before)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.door.close()
        self.place.close()

    def call(self, name="send_email", **arguments):
        return call(self.server, name, **arguments)
