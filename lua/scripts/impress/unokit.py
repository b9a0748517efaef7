"""UNO made short: structs, enums, property lists, documents and windows."""

from __future__ import annotations

import sys
from typing import Any, Iterator

from wire import Fault


PRESENTATION = "com.sun.star.presentation.PresentationDocument"


def module() -> Any:
    """`uno` itself, late, so that a machine without it gets an answer and not a traceback."""
    try:
        import uno
    except ImportError:
        raise Fault(
            "app_not_installed",
            f"{sys.executable} has no module uno; install the package python3-uno, and "
            "start this helper with the python3 it belongs to",
        ) from None
    return uno


def struct(name: str, *values: Any) -> Any:
    return module().createUnoStruct(name, *values)


def point(x: int, y: int) -> Any:
    return struct("com.sun.star.awt.Point", x, y)


def size(width: int, height: int) -> Any:
    return struct("com.sun.star.awt.Size", width, height)


def choice(kind: str, value: str) -> Any:
    return module().Enum(kind, value)


def properties(**values: Any) -> tuple[Any, ...]:
    found = []
    for name, value in values.items():
        item = struct("com.sun.star.beans.PropertyValue")
        item.Name, item.Value = name, value
        found.append(item)
    return tuple(found)


def typed(values: dict[str, Any]) -> Any:
    """A property list inside a property must say its type, or UNO passes a sequence of anys."""
    return module().Any("[]com.sun.star.beans.PropertyValue", properties(**values))


def components(desktop: Any) -> Iterator[Any]:
    listed = desktop.Components.createEnumeration()
    while listed.hasMoreElements():
        model = listed.nextElement()
        if hasattr(model, "supportsService"):
            yield model


def presentations(desktop: Any) -> list[Any]:
    return [
        model
        for model in components(desktop)
        if model.supportsService(PRESENTATION) and model.DrawPages.Count
    ]


def show_window(window: Any) -> None:
    """To the front and in full: a profile may remember a place off this screen."""
    window.IsMinimized = False
    place, screen = window.PosSize, window.Toolkit.getWorkArea()
    whole = (
        screen.X <= place.X
        and place.X + place.Width <= screen.X + screen.Width + 1
        and screen.Y <= place.Y
        and place.Y + place.Height <= screen.Y + screen.Height + 1
    )
    if not whole or place.Width < screen.Width / 2 or place.Height < screen.Height / 2:
        window.setPosSize(screen.X + 20, screen.Y + 30, screen.Width - 40, screen.Height - 70, 15)
    window.setVisible(True)
    window.toFront()
    window.setFocus()
