"""Text for a shape: what may stand in it, how large, in which colour. Pure functions."""

from __future__ import annotations

import math
import unicodedata

from wire import Fault

LONGEST_TEXT = 20_000  # characters; laying out more takes the office many seconds
LARGEST_FONT, SMALLEST_FONT = 40.0, 1.0  # points
READABLE_FONT = 6.0  # points; below it the caller is warned
LINE_HEIGHT = 1.2  # of the font's size
SQUEEZE = 1.3  # how far the estimate may be off before a text is refused
BREAKS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # other ways to say "new line"
WHITE, BLACK = 0xFFFFFF, 0x1A1A1A


def clean(text: object) -> tuple[str, list[str]]:
    """The text as a document can hold it, and what had to be changed.

    XML 1.0, which .odp is made of, has no place for control characters, so they would be lost or
    spoil the file on saving; lone surrogates are no characters at all.
    """
    if not isinstance(text, str):
        raise Fault("bad_argument", "text is not a string")
    if len(text) > LONGEST_TEXT:
        raise Fault(
            "bad_argument",
            f"text has {len(text)} characters; at most {LONGEST_TEXT} fit on a slide",
        )
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    broken = "".join("\n" if c in BREAKS else c for c in plain)
    kept = "".join(c for c in broken if is_writable(c))
    notes = []
    if len(kept) != len(broken):
        gone = sorted({ord(c) for c in broken if not is_writable(c)})
        names = ", ".join(f"U+{code:04X}" for code in gone[:8]) + (", ..." if len(gone) > 8 else "")
        notes.append(
            f"{len(broken) - len(kept)} characters that no document can hold were left out: {names}"
        )
    if text and not kept:
        raise Fault("bad_argument", "text has only control characters; " + notes[0])
    return kept, notes


def is_writable(character: str) -> bool:
    if character in "\n\t":
        return True
    code = ord(character)
    return unicodedata.category(character) not in ("Cc", "Cs") and code & 0xFFFE != 0xFFFE


def font_size(text: str, width: float, height: float) -> float:
    """Points at which the text about fills a box of this size (points), within the limits
    above.

    A guess that the office corrects downwards. It is more than a start: laying out one long
    paragraph costs the office time in proportion to length times lines, minutes for a book page
    in a stamp at its usual size.
    """
    tightest = needed_height(text, width, SMALLEST_FONT)
    if tightest > height * SQUEEZE:
        raise Fault(
            "bad_argument",
            f"{len(text)} characters in {text.count(chr(10)) + 1} lines do not fit into "
            f"{width:g} x {height:g} points even at {SMALLEST_FONT:g} pt; "
            "draw a larger rectangle or shorten the text",
        )
    low, high = SMALLEST_FONT, min(LARGEST_FONT, max(SMALLEST_FONT, height / 4))
    if needed_height(text, width, high) <= height:
        return _rounded(high)
    while high - low > 0.05:
        middle = (low + high) / 2
        if needed_height(text, width, middle) <= height:
            low = middle
        else:
            high = middle
    return _rounded(low)


def needed_height(text: str, width: float, size: float) -> float:
    lines = sum(
        max(1, math.ceil(advance(line) * size / max(width, size))) for line in text.split("\n")
    )
    return lines * size * LINE_HEIGHT


def advance(line: str) -> float:
    """Width in units of the font's size: an average for Latin, one for East Asian and emoji."""
    return sum(character_advance(character) for character in line)


def character_advance(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    return 1.0 if unicodedata.east_asian_width(character) in "WF" else 0.52


def readable_on(fill: int) -> int:
    """White or near black, whichever has the higher contrast on a colour (WCAG 2 luminance)."""
    light = luminance(fill)
    on_white = (1.05) / (light + 0.05)
    on_black = (light + 0.05) / (luminance(BLACK) + 0.05)
    return WHITE if on_white >= on_black else BLACK


def luminance(colour: int) -> float:
    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(colour >> shift & 255) for shift in (16, 8, 0))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rounded(size: float) -> float:
    steps = 2 if size >= 10 else 10  # to half a point, or a tenth of one in small print
    return max(SMALLEST_FONT, math.floor(size * steps) / steps)
