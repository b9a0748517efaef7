"""Rectangles and their text, on the office's side. Lengths are 1/100 mm here, fonts points."""

from __future__ import annotations

from typing import Any

import lettering
from measures import Box, points, units
from unokit import choice, point, properties, size

FILL = 0x1F5FA6  # white on it has a contrast of 6.5
MARGIN = 250  # between a shape's edge and its text, less in a small shape


def add_rectangle(model: Any, page: Any, box: Box) -> Any:
    """As the office's own rectangle tool draws: unlike a RectangleShape it wraps its text."""
    shape = model.createInstance("com.sun.star.drawing.CustomShape")
    shape.Position = point(units(box.x), units(box.y))
    shape.Size = size(units(box.width), units(box.height))
    page.add(shape)
    shape.CustomShapeGeometry = properties(Type="rectangle")
    shape.FillStyle = choice("com.sun.star.drawing.FillStyle", "SOLID")
    shape.FillColor = FILL
    shape.LineStyle = choice("com.sun.star.drawing.LineStyle", "NONE")
    shape.TextWordWrap = True
    shape.TextAutoGrowHeight = shape.TextAutoGrowWidth = (
        False  # the text yields to the shape, not it to the text
    )
    for side, length in (
        ("Left", units(box.width)),
        ("Right", units(box.width)),
        ("Upper", units(box.height)),
        ("Lower", units(box.height)),
    ):
        setattr(shape, f"Text{side}Distance", margin(length))
    return shape


def write_text(shape: Any, text: str) -> float:
    """Centred, legible, no larger than fits; returns the font's size as it was set."""
    font = lettering.font_size(text, *inner_size(shape.Size))
    shape.String = ""
    start = shape.createTextCursor()  # what is set here is laid out once, in its final form
    for script in (
        "CharHeight",
        "CharHeightAsian",
        "CharHeightComplex",
    ):  # Latin, East Asian, Arabic and the like
        setattr(start, script, font)
    start.CharColor = lettering.readable_on(background(shape))
    start.ParaAdjust = choice("com.sun.star.style.ParagraphAdjust", "CENTER")
    shape.TextVerticalAdjust = choice("com.sun.star.drawing.TextVerticalAdjust", "CENTER")
    shape.TextFitToSize = fit("NONE")  # fitting starts from the scale of the text before
    shape.insertString(start, text, False)
    shape.TextFitToSize = fit("AUTOFIT")
    return font


def fit(how: str) -> Any:
    return choice("com.sun.star.drawing.TextFitToSizeType", how)


def shown_font(shape: Any, font: float) -> float:
    """What is left of a font's size after the office shrank the text to fit."""
    scale = getattr(shape, "TextFitToSizeScale", None) or 100
    return round(font * min(scale, 100) / 100, 1)


def is_on_a_slide(shape: Any, model: Any, name: str) -> bool:
    page = shape.Parent
    if page is None or shape.Name != name or not hasattr(page, "Number"):
        return False
    pages, index = model.DrawPages, page.Number - 1
    return 0 <= index < pages.Count and pages.getByIndex(index) == page


def find(model: Any, name: str) -> Any:
    pages = model.DrawPages
    for page in (pages.getByIndex(i) for i in range(pages.Count)):
        for shape in (page.getByIndex(i) for i in range(page.Count)):
            if shape.Name == name:
                return shape
    return None


def background(shape: Any) -> int:
    """The fill as it is now, which may be the user's; white where there is none."""
    return shape.FillColor if shape.FillStyle.value == "SOLID" else 0xFFFFFF


def margin(length: int) -> int:
    return min(MARGIN, length // 10)


def inner_size(outer: Any) -> tuple[float, float]:
    return points(outer.Width - 2 * margin(outer.Width)), points(
        outer.Height - 2 * margin(outer.Height)
    )
