"""sys.stdout and sys.stderr of a guest.

A printed string waits for others until there are 8 kB, or 20 ms have gone by at the next one. It is sent at the latest
before a call of a tool, at the deadline and at the end. io.TextIOWrapper would cost three times as much for each print.
Meanwhile it is in memory that the server has too, and sends should the guest die: its length, and its bytes.
"""
import collections
import io
import os
import struct
from time import monotonic

from perigee_python.channel import OUTPUT, SIZE, string

PIECE = 8192        # bytes of a frame, at most
DELAY = 0.02        # seconds


class Budget:
    """The bytes of output that a job may still send, of both streams, and how many it did not send."""

    def __init__(self, left=0):
        self.left = left
        self.lost = 0

    def take(self, data):
        """The data that may be sent, without half a character at its end."""
        if len(data) > self.left:
            kept = data[:whole(data, self.left)]
            self.lost += len(data) - len(kept)
            self.left = 0
            return kept
        self.left -= len(data)
        return data


def whole(data, end):
    """The last end of a character at or before `end`."""
    at = end
    while 0 < at < len(data) and end - at < 4 and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


class Output(io.TextIOBase):
    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    mode = "w"

    def __init__(self, channel, stream, budget, tail):
        super().__init__()
        self.channel, self.stream, self.budget, self.tail = channel, stream, budget, tail
        self.name = "<stdout>" if stream == 1 else "<stderr>"
        self.parts = collections.deque()    # threads add to it without a lock
        self.size = 0
        self.pushed = 0.0
        self.buffer = Bytes(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._add(text)
        return len(text)

    def _add(self, part):
        budget = self.budget
        if len(part) > budget.left:             # text far over the limit is counted, not encoded
            kept = budget.left + 1 if budget.left > 0 else 0
            budget.lost += len(part) - kept
            part = part[:kept]
        data = part.encode("utf-8", "backslashreplace") if isinstance(part, str) else part
        self.parts.append(data)
        at, self.size = self.size, self.size + len(data)
        # the beginning of a line waits for its end, which print() writes next
        if self.size >= PIECE or (at or data[-1:] == b"\n") and monotonic() - self.pushed > DELAY:
            self.push()
        else:
            self.tail[SIZE.size + at:SIZE.size + self.size] = data
            SIZE.pack_into(self.tail, 0, self.size)

    def push(self):
        parts, self.size = [], 0
        while self.parts:
            try:
                parts.append(self.parts.popleft())
            except IndexError:
                break                           # another thread took it
        self.pushed = monotonic()
        if parts:
            SIZE.pack_into(self.tail, 0, 0)     # before: a guest that is killed meanwhile has it said once at most
            self.send(b"".join(parts))

    def send(self, data):
        data = self.budget.take(data)
        at = 0
        while at < len(data):
            end = whole(data, at + PIECE) if at + PIECE < len(data) else len(data)
            self.channel.send(OUTPUT, 0, struct.pack("<B", self.stream) + string(data[at:end]))
            at = end

    def tell_begun(self):
        """An empty frame: the time that the engine allows counts from here."""
        self.channel.send(OUTPUT, 0, struct.pack("<B", self.stream) + string(b""))

    def flush(self):
        self.push()

    def close(self):
        """The stream stays: what is printed behind a careless close() is not lost."""
        self.push()

    def writable(self):
        return True

    def fileno(self):
        return self.stream


class Bytes(io.BufferedIOBase):
    """sys.stdout.buffer: bytes pass as they are, in order with the text."""

    def __init__(self, text):
        super().__init__()
        self.text = text

    def write(self, data):
        data = bytes(data)
        self.text._add(data)
        return len(data)

    def flush(self):
        self.text.push()

    def close(self):
        self.text.push()

    def writable(self):
        return True

    def fileno(self):
        return self.text.stream


def read_raw(outputs):
    """Sends what was written to descriptors 1 and 2 past sys.stdout: by os.write and by C code."""
    for output in outputs:
        size = os.fstat(output.stream).st_size
        if size:
            room = output.budget.left
            output.send(os.pread(output.stream, min(size, room), 0))
            output.budget.lost += max(0, size - room)
            os.ftruncate(output.stream, 0)
            os.lseek(output.stream, 0, os.SEEK_SET)
