/* The X11 backend: its table, and the order in which its parts begin and end. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "platform/freedesktop/entries.h"
#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/input/input.h"
#include "platform/x11/screen/drawing.h"
#include "platform/x11/screen/shot.h"
#include "platform/x11/watch.h"
#include "platform/x11/wire/accessibility.h"
#include "platform/x11/wire/connection.h"

extern const struct app_ops x11_app_ops;
extern const struct window_ops x11_window_ops;
extern const struct display_ops x11_display_ops;
extern const struct clipboard_ops x11_clipboard_ops;
extern const struct capture_ops x11_capture_ops;
extern const struct element_ops x11_element_ops;

static void on_event(struct x11_desktop *desktop, XEvent *event)
{
    if (desktop->input)
        x11_input_event(desktop, event);
    if (desktop->clipboard)
        x11_clipboard_event(desktop, event);
    if (desktop->drawing)
        drawing_event(desktop->drawing, event);
    if (desktop->watch)
        x11_watch_event(desktop, event);
}

static struct desktop *x11_open(void *shared, struct error *err)
{
    struct x11_desktop *desktop = x11_desktop_open(on_event, err);

    (void)shared;
    if (desktop)
        desktop->entries = entries_new();
    return (struct desktop *)desktop;
}

/* Frees input first, while the connection lives: leaving the clipboard behind may take the
 * connection along. */
static void x11_close(struct desktop *handle)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (!desktop)
        return;
    x11_watch_free(desktop);
    x11_input_free(desktop);
    x11_exclusively(desktop, x11_leave_clipboard); /* it forks */
    x11_clipboard_free(desktop);
    x11_capture_free(desktop);
    drawing_free(desktop->drawing);
    accessibility_end(desktop);
    entries_free(desktop->entries);
    x11_desktop_close(desktop);
}

static bool x11_alive(struct desktop *handle)
{
    return x11_pump(x11_of(handle), NULL);
}

/* Makes a thread that waits for a reply on this socket get an error now. */
static void x11_interrupt(struct desktop *handle)
{
    shutdown(ConnectionNumber(x11_of(handle)->display), SHUT_RDWR);
}

static bool x11_idle(struct desktop *handle, int wake_fd)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct pollfd fds[2] = { { .fd = wake_fd, .events = POLLIN },
                             { .fd = ConnectionNumber(desktop->display), .events = POLLIN } };
    int ms;

    for (;;) {
        if (!x11_pump(desktop, NULL))
            return false;
        ms = desktop->clipboard ? x11_clipboard_idle(desktop) : -1;
        XFlush(desktop->display);
        if (desktop->dead)
            return false;
        if (XEventsQueued(desktop->display, QueuedAfterReading) > 0)
            continue;
        if (poll(fds, 2, ms) < 0 && errno != EINTR)
            return false;
        if (fds[0].revents)
            return true;
    }
}

static bool x11_permitted(struct desktop *handle, enum permission permission, struct error *err)
{
    (void)handle;
    (void)permission;
    (void)err;
    return true;
}

extern const struct platform_ops perigee_x11;
const struct platform_ops perigee_x11 = {
    .name = "x11",
    .open = x11_open,
    .close = x11_close,
    .alive = x11_alive,
    .interrupt = x11_interrupt,
    .idle = x11_idle,
    .permitted = x11_permitted,
    .apps = &x11_app_ops,
    .windows = &x11_window_ops,
    .displays = &x11_display_ops,
    .input = &x11_input_ops,
    .clipboard = &x11_clipboard_ops,
    .capture = &x11_capture_ops,
    .elements = &x11_element_ops,
    .watch = &x11_watch_ops,
};
