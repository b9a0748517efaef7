"""Presentations, slides and rectangles: the methods of the protocol that touch a document.

A document and a rectangle are known to callers by names invented here. A rectangle's handle is
also the shape's name in the document, so it is found again after any other edit, and known to be
gone when it is. Lengths are points outside and 1/100 mm inside, the office's own unit.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import files
import foreign
import lettering
import shapes
from measures import Box, number, points, settled
from suite import Suite
from unokit import PRESENTATION, presentations, properties, show_window, typed
from wire import Fault
from worker import describe

BLANK_LAYOUT = 20  # no placeholders that would stand under a rectangle
PNG_WIDTH = 1920
MODES = ("reuse_or_create", "always_new", "reuse")


def deaf_offices() -> list[dict[str, Any]]:
    """The user's offices that cannot be asked what they have open, and why that matters."""
    return [
        {"pid": office.pid, "note": note_on_deaf(office.pid)}
        for office in foreign.running()
        if not office.url
    ]


def note_on_deaf(pid: int) -> str:
    return (
        f"The LibreOffice that is open (process {pid}) does not listen to other programs, so there is a "
        "new presentation in another one. To have its presentation used, close it and start it with "
        "soffice --accept='pipe,name=slides;urp;'."
    )


@dataclass
class Document:
    name: str
    model: Any
    life: int  # which start of the office it belongs to
    uid: str  # the office's own name for it
    drawn: int = 0  # rectangles so far; their handles are numbered
    saved: dict[str, tuple[str, files.Stamp | None]] = field(default_factory=dict)  # by the path asked for
    kept: str = ""  # where it is saved should the helper end, if there is no window and no file of it


@dataclass
class Rectangle:
    handle: str
    document: Document
    shape: Any = field(repr=False)


class Slides:
    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.documents: dict[str, Document] = {}
        self.rectangles: dict[str, Rectangle] = {}
        self.current = ""

    # --- methods of the protocol ---

    def start(self) -> dict[str, Any]:
        self.suite.connect()
        return dict(self.suite.status(), warnings=self.suite.take_notices())

    def open(self, mode: str = "reuse_or_create", template: str | None = None) -> dict[str, Any]:
        if mode not in MODES:
            raise Fault("bad_argument", f"mode is {mode!r}; it must be {', '.join(MODES)}")
        self.suite.connect(reuse=mode != "always_new")
        warnings = self.suite.take_notices()
        document = None if mode == "always_new" else self._open_already()
        reused = document is not None
        deaf: list[dict[str, Any]] = []
        fault = ""
        if document is None:
            document, fault = self._create(template)
            deaf = [] if mode == "always_new" else deaf_offices()
            if mode == "reuse" and not deaf:
                warnings.append("No presentation was open, so there is a new one.")
        if self.suite.process:
            self.suite.process.last()
        self.current = document.name
        page = self._page(document, 1)
        self._show(document, page)
        return {
            "document": document.name,
            "slide": 1,
            "slides": document.model.DrawPages.Count,
            "width": points(page.Width),
            "height": points(page.Height),
            "reused": reused,
            "headless": self.suite.status()["headless"],
            "deaf": deaf,
            "template_fault": fault,
            "warnings": warnings,
        }

    def slide_size(self, document: str | None = None, slide: int = 1) -> dict[str, Any]:
        owner = self._document(document)
        page = self._page(owner, slide)
        return {
            "document": owner.name,
            "slide": slide,
            "width": points(page.Width),
            "height": points(page.Height),
        }

    def draw_rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        document: str | None = None,
        slide: int = 1,
    ) -> dict[str, Any]:
        box = Box.checked(x, y, width, height)
        owner = self._document(document)
        page = self._page(owner, slide)
        shape = shapes.add_rectangle(owner.model, page, box)
        owner.drawn += 1
        handle = shape.Name = f"{owner.name}-r{owner.drawn}"
        self.rectangles[handle] = Rectangle(handle, owner, shape)
        self._select(owner, shape)
        at, size = shape.Position, shape.Size
        return {
            "handle": handle,
            "document": owner.name,
            "slide": slide,
            "x": settled(box.x, at.X),
            "y": settled(box.y, at.Y),
            "width": settled(box.width, size.Width),
            "height": settled(box.height, size.Height),
            "warnings": box.outside(points(page.Width), points(page.Height)) + self._keep(owner),
        }

    def set_text(self, handle: str, text: str) -> dict[str, Any]:
        clean, warnings = lettering.clean(text)
        rectangle = self._rectangle(handle)
        shape = rectangle.shape
        font = shapes.write_text(shape, clean)
        shown = shapes.shown_font(shape, font)
        if shown < lettering.READABLE_FONT:
            warnings.append(
                f"the text is {shown:g} pt high to fit the rectangle; nobody can read that"
            )
        written = shape.String
        if written != clean:
            warnings.append("LibreOffice changed the text while it was written")
        warnings += self._keep(rectangle.document)
        return {
            "handle": handle,
            "characters": len(written),
            "font_size": shown,
            "warnings": warnings,
        }

    def export_png(
        self, path: str, slide: int = 1, document: str | None = None, width: int = PNG_WIDTH
    ) -> dict[str, Any]:
        pixels = number("width", width, 16, 8192, whole=True)
        page = self._page(self._document(document), slide)  # before a folder is made for it
        target = files.target(path, ".png")
        size = {
            "PixelWidth": pixels,
            "PixelHeight": max(1, round(pixels * page.Height / page.Width)),
        }

        def draw(beside: str) -> None:
            graphic = self.suite.create("com.sun.star.drawing.GraphicExportFilter")
            graphic.setSourceDocument(page)
            done = graphic.filter(
                properties(MediaType="image/png", URL=files.url(beside), FilterData=typed(size))
            )
            files.check_png(beside, done)

        files.write_whole(target, ".png", draw)
        return {
            "path": target,
            "slide": slide,
            "width": size["PixelWidth"],
            "height": size["PixelHeight"],
            "bytes": os.path.getsize(target),
            "warnings": [],
        }

    def save(
        self, path: str, document: str | None = None, replace: bool = True
    ) -> dict[str, Any]:
        if not isinstance(replace, bool):
            raise Fault("bad_argument", "replace is true or false")
        owner = self._document(document)
        target = files.target(path, ".odp")
        name, stamp = owner.saved.get(target, (target, None))
        ours = stamp is not None and stamp == files.stamp(name)

        def store(beside: str) -> None:
            owner.model.storeToURL(files.url(beside), properties(FilterName="impress8"))

        written = files.write_whole(
            name if ours and not replace else target, ".odp", store, replace or ours
        )
        owner.saved[target] = written, files.stamp(written)
        owner.kept = ""
        self._note_kept()
        return {
            "path": written,
            "bytes": os.path.getsize(written),
            "headless": self.suite.status()["headless"],
            "warnings": [],
        }

    def close(self, document: str | None = None) -> dict[str, Any]:
        """Closes a presentation without asking; what was not saved is lost."""
        name = self.current if document is None else str(document)
        owner = self.documents.get(name)
        closed = bool(owner and self._alive(owner))
        if owner and closed:
            owner.model.close(True)
        self._forget(name)
        self._note_kept()
        return {"closed": closed}

    # --- what nobody sees and nobody saved ---

    def _keep(self, owner: Document) -> list[str]:
        """Notes that a document has changed. Without a window it is saved when the helper ends: tells where."""
        process = self.suite.process
        if process is None or not process.headless or process.lasting or owner.kept:
            return []
        name = time.strftime("%Y-%m-%d-%H%M%S-") + owner.name
        owner.kept = str(self.suite.state / "kept" / f"{name}.odp")
        self._note_kept()
        return [
            "There is no display, so the presentation has no window. "
            f"When Perigee ends, it is saved as {owner.kept}."
        ]

    def _note_kept(self) -> None:
        if self.suite.process:
            self.suite.process.keep(
                {d.uid: d.kept for d in self.documents.values() if d.kept}
            )

    # --- documents ---

    def _document(self, name: str | None) -> Document:
        """A live document, by name or the current one; raises what the caller should be told."""
        self.suite.connect()
        notices = self.suite.take_notices()
        if notices:
            self.documents.clear()
            self.rectangles.clear()
            self.current = ""
            raise Fault(
                "app_died",
                f"{' '.join(notices)}. Its presentations are gone with it. "
                "It has been started again; call open_keynote first.",
            )
        if not self.current and name is None:
            raise Fault("no_document", "no presentation is open; call open_keynote first")
        wanted = name if name is not None else self.current
        document = self.documents.get(wanted) if isinstance(wanted, str) else None
        if document is None:
            raise Fault("not_found", f"there is no open presentation {wanted!r}; call open_keynote first")
        if not self._alive(document):
            self._forget(document.name)
            why = (
                "was closed"
                if document.life == self.suite.starts
                else f"is gone ({self.suite.last_end})"
            )
            raise Fault("not_found", f"the presentation {why}; call open_keynote first")
        return document

    def _alive(self, document: Document) -> bool:
        if document.life != self.suite.starts:
            return False
        try:
            return bool(document.model.RuntimeUID)
        except Exception:  # a closed model raises several kinds; a dead office raises too
            self.suite.check_alive()
            return False

    def _forget(self, name: str) -> None:
        self.documents.pop(name, None)
        for handle in [h for h, r in self.rectangles.items() if r.document.name == name]:
            del self.rectangles[handle]
        if self.current == name:
            self.current = next(reversed(self.documents), "")

    def _open_already(self) -> Document | None:
        """The presentation used last, else any that the user opened in our office."""
        for document in sorted(self.documents.values(), key=lambda d: d.name != self.current):
            if self._alive(document):
                return document
            self._forget(document.name)
        for model in presentations(self.suite.desktop()):
            return self._adopt(model)
        return None

    def _create(self, template: Any) -> tuple[Document, str]:
        """A new presentation, and what is wrong with the template: then it is a plain one."""
        fault = ""
        if template is not None:
            try:
                return self._load(files.template_url(template), blank=False), ""
            except Fault as wrong:
                if wrong.code not in ("bad_argument", "not_found"):
                    raise
                fault = wrong.message
        return self._load("private:factory/simpress", blank=True), fault

    def _load(self, source: str, blank: bool) -> Document:
        options = properties(MacroExecutionMode=0, UpdateDocMode=0, AsTemplate=not blank)
        try:
            model = self.suite.desktop().loadComponentFromURL(source, "_blank", 0, options)
        except Exception as error:  # what a broken file raises depends on the filter
            self.suite.check_alive()
            raise Fault("bad_argument", f"{source} cannot be loaded: {describe(error)}") from None
        if model is None or not model.supportsService(PRESENTATION):
            if model is not None:
                model.close(True)
            raise Fault("bad_argument", f"{source} is not a presentation")
        if blank:
            model.DrawPages.getByIndex(0).Layout = BLANK_LAYOUT
        return self._adopt(model)

    def _adopt(self, model: Any) -> Document:
        document = Document(
            "d" + secrets.token_hex(3), model, self.suite.starts, str(model.RuntimeUID)
        )
        self.documents[document.name] = document
        return document

    def _page(self, document: Document, slide: Any) -> Any:
        pages = document.model.DrawPages
        index = number("slide", slide, 1, 100_000, whole=True)
        if index > pages.Count:
            raise Fault(
                "not_found", f"there is no slide {index}; the presentation has {pages.Count}"
            )
        return pages.getByIndex(index - 1)

    # --- shapes ---

    def _rectangle(self, handle: Any) -> Rectangle:
        if not isinstance(handle, str) or not handle:
            raise Fault("bad_argument", "handle is not the string that draw_rectangle gave")
        rectangle = self.rectangles.get(handle)
        document = self._document(rectangle.document.name if rectangle else None)
        if rectangle is None:
            raise Fault("not_found", f"there is no rectangle {handle!r}; draw one first")
        if not shapes.is_on_a_slide(rectangle.shape, document.model, handle):
            shape = shapes.find(
                document.model, handle
            )  # undo and redo make a new object of the same name
            if shape is None:
                raise Fault("not_found", f"the rectangle {handle} was deleted; draw one first")
            rectangle.shape = shape
        return rectangle

    # --- windows ---

    def _show(self, document: Document, page: Any) -> None:
        """Brings the window, where there is one, to the front with the slide in it."""
        controller = document.model.CurrentController
        if controller is None:
            return
        controller.setCurrentPage(page)
        if not self.suite.status()["headless"]:
            with contextlib.suppress(
                Exception
            ):  # a window manager may refuse; the slide is what counts
                show_window(controller.Frame.ContainerWindow)

    def _select(self, document: Document, shape: Any) -> None:
        controller = document.model.CurrentController
        if controller is not None:
            with contextlib.suppress(Exception):  # a slide show or another view has no selection
                controller.select(shape)
