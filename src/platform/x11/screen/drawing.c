/* Drawing, as the DAMAGE extension reports it. XCB sends the requests, and the server's events
 * become events of Xlib here, because one queue has them all.
 *
 * The server reports each part of a window once until that is taken back, so drawing outside the
 * awaited area does not flood us. */
#include "platform/x11/screen/drawing.h"

#include <X11/Xlibint.h>
#include <stdlib.h>
#include <xcb/damage.h>

#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

struct x11_drawing {
    int event;                   /* its number; 0: the server lacks the extension */
    xcb_damage_damage_t reports; /* the reports that are awaited; 0: none */
    struct rect area;            /* the awaited area, in pixels of the window that is drawn in */
    bool seen;                   /* something was drawn there */
};

/* --- the extension ---------------------------------------------------------------------- */

/* Converts the extension's events for Xlib. An Expose event has room for what we need. */
static Bool to_event(Display *display, XEvent *event, xEvent *wire)
{
    const xcb_damage_notify_event_t *notify = (const void *)wire;

    event->xexpose = (XExposeEvent){
        .type = notify->response_type & 0x7F,
        .serial = _XSetLastRequestRead(display, (xGenericReply *)wire),
        .send_event = (notify->response_type & 0x80) != 0,
        .display = display,
        .window = notify->damage, /* the reports it belongs to */
        .x = notify->area.x,
        .y = notify->area.y,
        .width = notify->area.width,
        .height = notify->area.height,
    };
    return True;
}

static struct x11_drawing *drawing_of(struct x11_desktop *desktop)
{
    const xcb_query_extension_reply_t *there;
    xcb_damage_query_version_reply_t *version = NULL;

    if (desktop->drawing)
        return desktop->drawing;
    desktop->drawing = mem_zero(sizeof *desktop->drawing);
    there = xcb_get_extension_data(desktop->xcb, &xcb_damage_id);
    if (there && there->present)
        version = xcb_damage_query_version_reply(
            desktop->xcb, xcb_damage_query_version(desktop->xcb, 1, 1), NULL);
    if (version) {
        desktop->drawing->event = there->first_event + XCB_DAMAGE_NOTIFY;
        XESetWireToEvent(desktop->display, desktop->drawing->event, to_event);
    }
    free(version);
    return desktop->drawing;
}

void drawing_free(struct x11_drawing *drawing)
{
    free(drawing);
}

/* --- waiting ---------------------------------------------------------------------------- */

void drawing_event(struct x11_drawing *drawing, const XEvent *event)
{
    const XExposeEvent *part = &event->xexpose;
    const struct rect *area = &drawing->area;

    if (!drawing->event || event->type != drawing->event || part->window != drawing->reports)
        return;
    drawing->seen =
        drawing->seen || (part->x < area->x + area->width && area->x < part->x + part->width &&
                          part->y < area->y + area->height && area->y < part->y + part->height);
}

/* The place to watch: all of a window with its frame, or a part of the root window. */
static Window place_of(struct x11_desktop *desktop, const struct capture *what, struct rect *area)
{
    *area = (struct rect){ -1e6, -1e6, 2e6, 2e6 };
    if (what->kind == CAPTURE_WINDOW)
        return x11_outermost(desktop, (Window)what->window.id);
    if (what->kind == CAPTURE_REGION) {
        struct point corner =
            x11_to_root(desktop, (struct point){ what->region.x, what->region.y });

        *area = (struct rect){ corner.x, corner.y, what->region.width, what->region.height };
    }
    return desktop->root;
}

/* Begins new reports. They hold all of the window at first, which is taken back. */
static void begin_reports(struct x11_desktop *desktop, struct x11_drawing *drawing, Window window)
{
    drawing->reports = xcb_generate_id(desktop->xcb);
    xcb_damage_create(desktop->xcb, drawing->reports, (xcb_drawable_t)window,
                      XCB_DAMAGE_REPORT_LEVEL_DELTA_RECTANGLES);
    xcb_damage_subtract(desktop->xcb, drawing->reports, XCB_NONE, XCB_NONE);
    XSync(desktop->display, False);
}

bool x11_await_drawing(struct desktop *handle, struct deadline *deadline,
                       const struct capture *what, uint64_t until, bool *drawn, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct x11_drawing *drawing;
    Window window;
    bool ok;

    *drawn = false;
    if (!x11_begin(desktop, deadline, err))
        return false;
    drawing = drawing_of(desktop);
    if (!drawing->event)
        return error_set(err, "not_supported",
                         "this X server has no DAMAGE extension, which reports drawing");
    window = place_of(desktop, what, &drawing->area);
    begin_reports(desktop, drawing, window);
    ok = x11_pump(desktop, err);
    drawing->seen = false; /* all of the window was reported first */
    while (ok && !drawing->seen && deadline_now() < until)
        ok = x11_wait(desktop, deadline, until, err);
    if (!desktop->dead) /* gone with its window, perhaps: that error means nothing */
        xcb_damage_destroy(desktop->xcb, drawing->reports);
    drawing->reports = 0;
    *drawn = drawing->seen;
    return ok;
}
