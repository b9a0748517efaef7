/* libXi is not used: it reads NULL when the connection breaks in its first request (1.8), and a
 * connection breaks whenever a call that hangs is given up. XCB sends the requests, and the
 * server's events become events of Xlib here. */
#include "platform/x11/input/raw_keys.h"

#include <X11/Xlibint.h> /* the next one needs it before */

#include <X11/extensions/XI2.h>
#include <X11/extensions/XI2proto.h>
#include <stdlib.h>
#include <xcb/xinput.h>

/* raw events come during grabs from version 2.1 on */
enum { MAJOR = 2, MINOR = 1 };

/* Converts events of this extension for Xlib: the event in its queue owns a copy of the
 * server's. */
static Bool to_cookie(Display *display, XGenericEventCookie *cookie, xEvent *wire)
{
    const xXIRawEvent *raw = (const void *)wire;

    if (raw->evtype != XI_RawKeyPress && raw->evtype != XI_RawKeyRelease)
        return False;
    *cookie = (XGenericEventCookie){
        .type = GenericEvent,
        .serial = _XSetLastRequestRead(display, (xGenericReply *)wire),
        .display = display,
        .extension = raw->extension,
        .evtype = raw->evtype,
        .data = Xmalloc(sizeof *raw),
    };
    if (cookie->data)
        memcpy(cookie->data, raw, sizeof *raw);
    return cookie->data != NULL;
}

void raw_keys_select(struct x11_desktop *desktop)
{
    struct {
        xcb_input_event_mask_t head;
        uint32_t bits;
    } mask = { { .deviceid = XCB_INPUT_DEVICE_ALL_MASTER, .mask_len = 1 },
               XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE };
    xcb_input_xi_query_version_reply_t *version;

    if (!desktop->xi_opcode)
        return;
    version = xcb_input_xi_query_version_reply(
        desktop->xcb, xcb_input_xi_query_version(desktop->xcb, MAJOR, MINOR), NULL);
    if (version && version->major_version >= MAJOR) {
        XESetWireToEventCookie(desktop->display, desktop->xi_opcode, to_cookie);
        xcb_input_xi_select_events(desktop->xcb, (xcb_window_t)desktop->root, 1, &mask.head);
    }
    free(version);
}

bool raw_keys_take(struct x11_desktop *desktop, XEvent *event, struct raw_key *out)
{
    XGenericEventCookie *cookie = &event->xcookie;

    if (event->type != GenericEvent || cookie->extension != desktop->xi_opcode ||
        !XGetEventData(desktop->display, cookie))
        return false;
    *out = (struct raw_key){ ((const xXIRawEvent *)cookie->data)->detail,
                             cookie->evtype == XI_RawKeyPress };
    XFreeEventData(desktop->display, cookie);
    return true;
}
