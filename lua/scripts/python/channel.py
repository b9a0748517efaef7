"""The guest's end of its socket: frames (src/guest/frame.h), and calls whose answers come back to who waits for them.

Any thread may call, and any coroutine of any event loop. A thread that finds nobody reading reads for all; the others sleep
until they are answered, or it is their turn to read. An event loop watches the descriptor, and reads when no thread does.

One lock guards all of it. The deadline (guest.py) is an exception that may come after any instruction of the main thread,
so it is held back while that thread has the lock: half a frame would be the end of the connection. A frame made while the
same thread has the lock (a __del__ or a signal handler that prints) is only put in line.
"""
import collections
import json
import os
import select
import struct
import threading
import weakref
from _thread import get_ident

HEAD = struct.Struct("<IBI")
SIZE = struct.Struct("<I")
JOB, CALL, ANSWER, CANCEL = range(4)
TOOLS, NAMES = 6, 7
DONE, OUTPUT, FILE, PICTURE = range(13, 17)


class ToolError(Exception):
    """A tool failed. `code` is stable, `message` says what to do."""
    __module__ = "builtins"     # tracebacks name it as the code does

    def __init__(self, message, code="", tool=""):
        super().__init__(message)
        self.message, self.code, self.tool = message, code, tool

    def __str__(self):
        return f"{self.tool}: {self.message} ({self.code})" if self.code else f"{self.tool}: {self.message}"


def string(value):
    """A string of base/bytes.h: its length, then its bytes."""
    data = value.encode("utf-8", "replace") if isinstance(value, str) else value
    return SIZE.pack(len(data)) + data


def strings(payload, at=0):
    found = []
    while at < len(payload):
        size = SIZE.unpack_from(payload, at)[0]
        found.append(payload[at + 4:at + 4 + size])
        at += 4 + size
    return found


def plain(value):
    """For json: numbers and arrays of numpy, which people take for numbers and lists."""
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def json_bytes(value):
    """Strict JSON in UTF-8. Half of a surrogate pair, which UTF-8 has not, becomes U+FFFD."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, default=plain)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


class Waiter:
    """A thread that waits for an answer."""
    __slots__ = ("payload", "asleep", "wake")

    def __init__(self):
        self.payload = None
        self.asleep = False
        self.wake = threading.Lock()
        self.wake.acquire()

    def put(self, payload):
        self.payload = payload
        self.rouse()

    def rouse(self):
        if self.asleep:
            self.asleep = False
            self.wake.release()


class Promise:
    """A coroutine that waits for an answer."""
    __slots__ = ("loop", "future", "running")

    def __init__(self, loop, running):
        self.loop, self.future, self.running = loop, loop.create_future(), running

    def put(self, payload):
        if self.running() is self.loop:
            self._set(payload)
        else:
            try:
                self.loop.call_soon_threadsafe(self._set, payload)
            except RuntimeError:
                pass                        # the loop is closed, and nobody waits

    def _set(self, payload):
        if not self.future.done():
            self.future.set_result(payload)


class Channel:
    """The lock is the object itself: `with channel:`."""

    def __init__(self, fd):
        os.set_blocking(fd, False)
        self.fd = fd
        self.lock = threading.Lock()
        self.owner = 0                      # the thread that has the lock
        self.main = get_ident()
        self.inside = False                 # the main thread has the lock, or is about to
        self.late = False                   # the deadline came meanwhile
        self.overdue = self.answered = self.before_call = lambda: None
        self.out = collections.deque()
        self.sent = 0                       # bytes of the first of them
        self.got = bytearray()
        self.jobs = collections.deque()
        self.waiting = {}                   # by id; JOB's is 0
        self.last = 0
        self.reading = False                # a thread reads, or is about to
        self.readable = select.poll()
        self.readable.register(fd, select.POLLIN)
        self.watching = weakref.WeakSet()   # event loops
        self.muted = False                  # a rehearsal sends nothing
        self.open = False                   # a job is going on

    def __enter__(self):
        me = get_ident()
        if me == self.main:
            self.inside = True
        self.lock.acquire()
        self.owner = me

    def __exit__(self, *_error):
        mine = self.owner == self.main
        self.owner = 0
        self.lock.release()
        if mine:
            self.inside = False
            if self.late:
                self.late = False
                self.overdue()

    # --- out

    def send(self, kind, number, payload):
        if self.muted:
            return
        self.out.append(HEAD.pack(len(payload), kind, number) + payload)
        if self.owner != get_ident():
            with self:
                self._drain()

    def _drain(self):
        while self.out:
            try:
                self.sent += os.write(self.fd, memoryview(self.out[0])[self.sent:])
            except BlockingIOError:
                self._wait_for_room()
            except OSError:
                os._exit(1)                 # the engine is gone
            if self.sent >= len(self.out[0]):
                self.out.popleft()
                self.sent = 0

    def _wait_for_room(self):
        room = select.poll()
        room.register(self.fd, select.POLLOUT | select.POLLIN)
        was = self.inside
        self.inside = False                 # nothing is half done here, and it may take long
        try:
            room.poll()
        finally:
            self.inside = was
        self._receive()                     # an engine that waits for us to read may not read

    # --- in, with the lock

    def _receive(self):
        try:
            data = os.read(self.fd, 1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            os._exit(0)                     # the engine is gone, or ends a session
        self.got += data
        while len(self.got) >= HEAD.size:
            size, kind, number = HEAD.unpack_from(self.got)
            if len(self.got) < HEAD.size + size:
                break
            payload = bytes(self.got[HEAD.size:HEAD.size + size])
            del self.got[:HEAD.size + size]
            self._deliver(kind, number, payload)

    def _deliver(self, kind, number, payload):
        if kind == JOB and 0 not in self.waiting:
            self.jobs.append(payload)
        elif kind in (JOB, ANSWER, NAMES):
            waiter = self.waiting.pop(0 if kind == JOB else number, None)
            if waiter:
                waiter.put(payload)
            if kind == ANSWER:
                self.answered()

    # --- threads

    def _wait(self, waiter):
        """Until the waiter has its payload. Whoever leaves lets another thread read."""
        while True:
            lead = False
            try:
                with self:
                    if waiter.payload is not None:
                        self._promote()
                        return waiter.payload
                    lead = not self.reading
                    self.reading = True
                    waiter.asleep = not lead
                if lead:
                    self.readable.poll()
                else:
                    waiter.wake.acquire()
            finally:
                if lead:
                    with self:
                        self.reading = False
                        self._receive()

    def _promote(self):
        if not self.reading:
            for waiter in self.waiting.values():
                if isinstance(waiter, Waiter) and waiter.asleep:
                    waiter.rouse()
                    return

    def next_job(self):
        """Waits for the next JOB of the engine."""
        with self:
            if self.jobs:
                return json.loads(strings(self.jobs.popleft())[0])
            waiter = self.waiting[0] = Waiter()
        return json.loads(strings(self._wait(waiter))[0])

    def ask(self, kind, payload=b""):
        """Sends a frame that is answered, and waits for the answer: from any thread."""
        if self.owner == get_ident():
            raise RuntimeError("a destructor or a signal handler cannot call tools here")
        waiter = Waiter()
        number = self._post(kind, payload, waiter)
        try:
            return self._wait(waiter)
        finally:
            if waiter.payload is None:
                self._forget(number)

    def _post(self, kind, payload, waiter):
        with self:
            if not self.open:
                raise ToolError("the code that this thread belongs to has ended, so that nothing is called", "no_run")
            self.last = number = self.last % 0xFFFFFFFF + 1
            self.waiting[number] = waiter
            self.out.append(HEAD.pack(len(payload), kind, number) + payload)
            self._drain()
        return number

    def _forget(self, number):
        with self:
            if self.waiting.pop(number, None):
                self.out.append(HEAD.pack(0, CANCEL, number))
                self._drain()
            self._promote()

    def end_calls(self):
        """The job is over: calls that nobody waited for end, too, and threads that it left make no others."""
        over = b"\1" + string("the code has ended before this answer came") + string("no_run")
        with self:
            self.open = False
            while self.waiting:
                self.waiting.popitem()[1].put(over)

    # --- the clock, in a signal handler of the main thread

    def question(self, payload, waiter):
        """Asks the engine. waiter.put() gets the answer, in any thread."""
        self._post(TOOLS, payload, waiter)

    def peek(self, wait=0):
        """Reads what has come, or comes within so many milliseconds, if nobody else does: the main thread may compute for
        long."""
        if not self.reading:
            readable = select.poll()        # of its own: a poll object is one thread's
            readable.register(self.fd, select.POLLIN)
            readable.poll(wait)
        with self:
            if not self.reading:
                self._receive()
                self._promote()
        for loop in self.watching:          # the handler may have interrupted its wait
            try:
                loop.call_soon_threadsafe(lambda: None)
            except RuntimeError:
                pass                        # it is closed

    # --- event loops

    def _loop_readable(self):
        with self:
            if not self.reading:
                self._receive()
                self._promote()

    async def ask_async(self, kind, payload):
        """The same from a coroutine. Cancelling it cancels the call."""
        import asyncio
        loop = asyncio.get_running_loop()
        if loop not in self.watching:
            loop.add_reader(self.fd, self._loop_readable)
            self.watching.add(loop)
        promise = Promise(loop, asyncio._get_running_loop)
        number = self._post(kind, payload, promise)
        try:
            return await promise.future
        finally:
            if not promise.future.done() or promise.future.cancelled():
                self._forget(number)

    # --- calls of tools

    def _call_payload(self, name, arguments, seconds):
        self.before_call()
        if not isinstance(name, str):
            raise TypeError(f"a tool's name is a string, not {type(name).__name__}")
        if arguments is not None and not isinstance(arguments, dict):
            raise TypeError(f"{name}: the arguments are a dict, not {type(arguments).__name__}")
        try:
            data = json_bytes(arguments or {})
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name}: the arguments are not JSON: {error}") from None
        return string(name) + string(data) + struct.pack("<d", seconds)

    def call(self, name, arguments=None, seconds=0.0):
        return self._value(name, self.ask(CALL, self._call_payload(name, arguments, seconds)))

    async def call_async(self, tool_name, arguments=None, seconds=0.0):
        return self._value(tool_name, await self.ask_async(CALL, self._call_payload(tool_name, arguments, seconds)))

    @staticmethod
    def _value(name, payload):
        parts = strings(payload, 1)
        if payload[:1] != b"\0":
            message, code = (part.decode("utf-8", "replace") for part in parts[:2])
            raise ToolError(message, code, name)
        return json.loads(parts[0])
