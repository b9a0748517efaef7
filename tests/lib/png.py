"""PNG files by the standard library alone: enough to write a screenshot and to look at pixels.

Reads 8-bit grey, grey with alpha, palette, RGB and RGBA without interlacing, which is what LibreOffice
and Keynote write; every picture is handed out as RGB, and what is transparent is laid on white.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}

Pixel = tuple[int, int, int]


class PngError(ValueError):
    """The bytes are no picture this file can read."""


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    rgb: bytes  # width * height * 3 bytes, rows from the top

    def pixel(self, x: int, y: int) -> Pixel:
        at = (y * self.width + x) * 3
        return self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]

    def bounds(self, wanted: Pixel, tolerance: int = 8) -> tuple[int, int, int, int] | None:
        """Left, top, right, bottom (both ends included) of every pixel near a colour; None without one."""
        mask, width = self.matches(wanted, tolerance), self.width
        rows = [(mask.find(1, y * width, (y + 1) * width), mask.rfind(1, y * width, (y + 1) * width), y)
                for y in range(self.height)]
        hit = [(first - y * width, last - y * width, y) for first, last, y in rows if first >= 0]
        if not hit:
            return None
        return min(first for first, _, _ in hit), hit[0][2], max(last for _, last, _ in hit), hit[-1][2]

    def row_matches(self, y: int, wanted: Pixel, tolerance: int = 8) -> list[int]:
        row = Picture(self.width, 1, self.rgb[y * self.width * 3:(y + 1) * self.width * 3])
        return [x for x, near in enumerate(row.matches(wanted, tolerance)) if near]

    def matches(self, wanted: Pixel, tolerance: int = 8) -> bytes:
        """One byte a pixel: 1 where every channel is within the tolerance. Whole planes at a time, for speed."""
        mask = -1
        for channel, value in enumerate(wanted):
            near = bytes(int(abs(value - other) <= tolerance) for other in range(256))
            mask &= int.from_bytes(self.rgb[channel::3].translate(near), "big")
        return mask.to_bytes(self.width * self.height, "big")


def encode(picture: Picture, level: int = 6) -> bytes:
    stride = picture.width * 3
    rows = b"".join(b"\0" + picture.rgb[at:at + stride] for at in range(0, len(picture.rgb), stride))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    return (SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, level))
            + _chunk(b"IEND", b""))


def decode(data: bytes) -> Picture:
    if not data.startswith(SIGNATURE):
        raise PngError("not a PNG file")
    width = height = kind = 0
    palette, packed, ended = b"", b"", False
    for name, body in _chunks(data):
        if name == b"IHDR":
            width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if depth != 8 or kind not in CHANNELS or interlace:
                raise PngError(f"depth {depth}, colour type {kind}, interlace {interlace}")
        elif name == b"PLTE":
            palette = body
        elif name == b"IDAT":
            packed += body
        elif name == b"IEND":
            ended = True
    if not ended:
        raise PngError("cut off before its end")
    channels = CHANNELS[kind]
    rows = _unfilter(zlib.decompress(packed), width * channels, height, channels)
    return Picture(width, height, _as_rgb(rows, kind, palette))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _chunks(data: bytes):
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        crc = data[at + 8 + size:at + 12 + size]
        if len(crc) < 4 or zlib.crc32(name + body) != struct.unpack(">I", crc)[0]:
            raise PngError(f"chunk {name!r} is damaged")
        yield name, body
        at += 12 + size


def _unfilter(raw: bytes, stride: int, height: int, step: int) -> bytes:
    if len(raw) != (stride + 1) * height:
        raise PngError(f"{len(raw)} bytes of pixels, expected {(stride + 1) * height}")
    out = bytearray()
    above = before = bytes(stride)
    packed_before = b""
    for y in range(height):
        at = y * (stride + 1)
        packed = raw[at:at + 1 + stride]
        if packed == packed_before and above == before:     # flat pictures repeat; one row stands for many
            out += above
            continue
        row = bytearray(packed[1:])
        _unfilter_row(packed[0], row, above, step)
        out += row
        packed_before, before, above = packed, above, bytes(row)
    return bytes(out)


def _unfilter_row(kind: int, row: bytearray, above: bytes, step: int) -> None:
    if kind == 0:
        return
    if kind == 2:
        row[:] = bytes((a + b) & 255 for a, b in zip(row, above))
        return
    if kind not in (1, 3, 4):
        raise PngError(f"filter {kind}")
    for x in range(len(row)):
        left = row[x - step] if x >= step else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[x]) // 2
        else:
            guess = _paeth(left, above[x], above[x - step] if x >= step else 0)
        row[x] = (row[x] + guess) & 255


def _paeth(left: int, up: int, corner: int) -> int:
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner


def _as_rgb(rows: bytes, kind: int, palette: bytes) -> bytes:
    if kind == 2:
        return rows
    if kind == 3:
        return b"".join(palette[3 * i:3 * i + 3] for i in rows)
    channels = CHANNELS[kind]
    out = bytearray(len(rows) // channels * 3)
    alpha = rows[channels - 1::channels] if kind in (4, 6) else None
    for to in range(3):
        plane = rows[(to if kind == 6 else 0)::channels]
        if alpha is not None and alpha.count(255) != len(alpha):
            plane = bytes((p * a + 255 * (255 - a)) // 255 for p, a in zip(plane, alpha))
        out[to::3] = plane
    return bytes(out)
