"""Numbers that callers give and get: points, checked, and the office's 1/100 mm. Pure functions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from wire import Fault

FARTHEST = 100_000  # points, about 35 m: far beyond any slide, and well inside the office's 32 bits
UNIT = 72 / 2540  # points in 1/100 mm


def units(length: float) -> int:
    return round(length / UNIT)


def points(length: int) -> float | int:
    return tidy(length * UNIT)


def tidy(value: float) -> float | int:
    """At most two decimals, and none when it is whole."""
    rounded = round(value, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def settled(asked: float, got: int) -> float | int:
    """What the office made of a length: as asked, unless it differs by more than its own unit."""
    actual = got * UNIT
    return tidy(asked if abs(actual - asked) <= UNIT else actual)


def number(name: str, value: Any, low: float, high: float, whole: bool = False) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Fault("bad_argument", f"{name} is not a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise Fault("bad_argument", f"{name} is {value}, which is not a length")
    if whole and value != int(value):
        raise Fault("bad_argument", f"{name} is {value}; it must be a whole number")
    if not low <= value <= high:
        raise Fault("bad_argument", f"{name} is {shorten(value)}; it must be from {low} to {high}")
    return int(value) if whole else float(value)


def shorten(value: float) -> str:
    text = f"{value}"
    return text if len(text) < 24 else text[:20] + "..."


@dataclass(frozen=True)
class Box:
    """A rectangle in points, from the slide's top left corner."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def checked(cls, x: Any, y: Any, width: Any, height: Any) -> "Box":
        box = cls(
            number("x", x, -FARTHEST, FARTHEST),
            number("y", y, -FARTHEST, FARTHEST),
            number("width", width, -FARTHEST, FARTHEST),
            number("height", height, -FARTHEST, FARTHEST),
        )
        for name, size in (("width", box.width), ("height", box.height)):
            if size <= 0:
                raise Fault(
                    "bad_argument", f"{name} is {tidy(size)}; it must be more than 0 points"
                )
            if units(size) < 1:
                raise Fault(
                    "bad_argument",
                    f"{name} is {size:g} points, less than the smallest that can be drawn",
                )
        return box

    def outside(self, width: float, height: float) -> list[str]:
        slide = f"the slide ({width} x {height} points)"
        if (
            self.x >= width
            or self.y >= height
            or self.x + self.width <= 0
            or self.y + self.height <= 0
        ):
            return [f"the rectangle lies wholly outside {slide} and cannot be seen"]
        beyond = (
            max(-self.x, 0),
            max(-self.y, 0),
            max(self.x + self.width - width, 0),
            max(self.y + self.height - height, 0),
        )
        if max(beyond) > UNIT:
            return [f"the rectangle reaches beyond {slide}"]
        return []
