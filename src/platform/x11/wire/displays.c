/* Displays: RandR's monitors, which a user can also define (xrandr --setmonitor).
 *
 * X11 has no points: one is a pixel here and the scale is 1. The root window's coordinates
 * begin anywhere; ours begin at the main display. */
#include <X11/extensions/Xrandr.h>
#include <stdlib.h>

#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"
#include "platform/x11/wire/property.h"

static int main_monitor(const XRRMonitorInfo *monitors, int count)
{
    for (int i = 0; i < count; i++) {
        if (monitors[i].primary)
            return i;
    }
    for (int i = 0; i < count; i++) {
        if (monitors[i].x == 0 && monitors[i].y == 0)
            return i;
    }
    return 0;
}

void x11_find_origin(struct x11_desktop *desktop)
{
    int count = 0;
    XRRMonitorInfo *monitors = NULL;

    if (desktop->randr_event)
        monitors = XRRGetMonitors(desktop->display, desktop->root, True, &count);
    desktop->origin_x = desktop->origin_y = 0;
    if (monitors && count > 0) {
        int main = main_monitor(monitors, count);

        desktop->origin_x = monitors[main].x;
        desktop->origin_y = monitors[main].y;
    }
    if (monitors)
        XRRFreeMonitors(monitors);
    desktop->origin_known = true;
}

struct point x11_to_root(struct x11_desktop *desktop, struct point at)
{
    return (struct point){ at.x + desktop->origin_x, at.y + desktop->origin_y };
}

struct point x11_from_root(struct x11_desktop *desktop, double x, double y)
{
    return (struct point){ x - desktop->origin_x, y - desktop->origin_y };
}

/* The display's part of the work area, which the window manager reports for all monitors
 * together. */
static struct rect work_area(struct x11_desktop *desktop, struct rect bounds)
{
    size_t count, current = x11_read_long(desktop, desktop->root, A(_NET_CURRENT_DESKTOP));
    uint32_t *areas = x11_read_longs(desktop, desktop->root, A(_NET_WORKAREA), &count);
    struct rect work = bounds;

    if (current * 4 + 3 < count) {
        const uint32_t *area = areas + current * 4;
        struct point at = x11_from_root(desktop, (int32_t)area[0], (int32_t)area[1]);

        work = rect_cut(bounds, (struct rect){ at.x, at.y, area[2], area[3] });
    }
    free(areas);
    return work;
}

/* Degrees clockwise, of the first output that shows the monitor; RandR counts counterclockwise. */
static double rotation_of(struct x11_desktop *desktop, const XRRMonitorInfo *monitor)
{
    XRRScreenResources *resources =
        monitor->noutput > 0 ? XRRGetScreenResourcesCurrent(desktop->display, desktop->root) : NULL;
    XRROutputInfo *output =
        resources ? XRRGetOutputInfo(desktop->display, resources, monitor->outputs[0]) : NULL;
    XRRCrtcInfo *crtc =
        output && output->crtc ? XRRGetCrtcInfo(desktop->display, resources, output->crtc) : NULL;
    int turned = crtc ? crtc->rotation & (RR_Rotate_90 | RR_Rotate_180 | RR_Rotate_270) : 0;

    if (crtc)
        XRRFreeCrtcInfo(crtc);
    if (output)
        XRRFreeOutputInfo(output);
    if (resources)
        XRRFreeScreenResources(resources);
    return turned == RR_Rotate_90 ? 270 : turned == RR_Rotate_180 ? 180 : turned ? 90 : 0;
}

static void add_display(struct x11_desktop *desktop, const XRRMonitorInfo *monitor, bool main,
                        struct display_info *out)
{
    struct point at = x11_from_root(desktop, monitor->x, monitor->y);
    char *name = monitor->name ? XGetAtomName(desktop->display, monitor->name) : NULL;

    *out = (struct display_info){
        .id = monitor->name,
        .name = mem_strdup(name ? name : "screen"),
        .bounds = { at.x, at.y, monitor->width, monitor->height },
        .scale = 1,
        .rotation = rotation_of(desktop, monitor),
        .main = main,
    };
    out->work = work_area(desktop, out->bounds);
    if (name)
        XFree(name);
}

/* Adds the whole screen as one display, without RandR. */
static void add_screen(struct x11_desktop *desktop, struct display_list *out)
{
    XRRMonitorInfo screen = { .width = DisplayWidth(desktop->display, desktop->screen),
                              .height = DisplayHeight(desktop->display, desktop->screen) };

    out->items = mem_alloc(sizeof *out->items);
    add_display(desktop, &screen, true, &out->items[0]);
    out->items[0].id = 1;
    out->count = 1;
}

bool x11_display_list(struct x11_desktop *desktop, struct deadline *deadline,
                      struct display_list *out, struct error *err)
{
    XRRMonitorInfo *monitors = NULL;
    int count = 0, main;

    *out = (struct display_list){ 0 };
    if (!x11_begin(desktop, deadline, err))
        return false;
    x11_find_origin(desktop);
    if (desktop->randr_event)
        monitors = XRRGetMonitors(desktop->display, desktop->root, True, &count);
    if (desktop->dead)
        return x11_lost(desktop, err);
    if (!monitors || count <= 0) {
        add_screen(desktop, out);
    } else {
        main = main_monitor(monitors, count);
        out->items = mem_alloc(sizeof *out->items * (size_t)count);
        add_display(desktop, &monitors[main], true, &out->items[out->count++]);
        for (int i = 0; i < count; i++) {
            if (i != main)
                add_display(desktop, &monitors[i], false, &out->items[out->count++]);
        }
    }
    if (monitors)
        XRRFreeMonitors(monitors);
    return true;
}

static bool displays_list(struct desktop *handle, struct deadline *deadline,
                          struct display_list *out, struct error *err)
{
    return x11_display_list(x11_of(handle), deadline, out, err);
}

struct point x11_pointer_place(struct x11_desktop *desktop)
{
    xcb_query_pointer_reply_t *reply = xcb_query_pointer_reply(
        desktop->xcb, xcb_query_pointer(desktop->xcb, (xcb_window_t)desktop->root), NULL);
    struct point at = x11_from_root(desktop, reply ? reply->root_x : 0, reply ? reply->root_y : 0);

    free(reply);
    return at;
}

static bool displays_cursor(struct desktop *handle, struct deadline *deadline, struct point *out,
                            struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (!x11_begin(desktop, deadline, err))
        return false;
    *out = x11_pointer_place(desktop);
    return desktop->dead ? x11_lost(desktop, err) : true;
}

const struct display_ops x11_display_ops = { displays_list, displays_cursor };
