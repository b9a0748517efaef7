/* Input of everybody, as the server reports it to the RECORD extension (x.org: "Record Extension
 * Protocol"), also while another client has grabbed it. Bits 13 and 14 of an event's state are the
 * layout in effect ("The X Keyboard Extension: Protocol Specification", 2.2.2). Moves are left out:
 * they cost 26 us each, and a mouse reports 500 in a second. */
#include <X11/XKBlib.h>
#include <X11/Xproto.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>
#include <xcb/record.h>
#include <xcb/xcbext.h>
#include <xkbcommon/xkbcommon.h>

#include "platform/x11/idle.h"
#include "platform/x11/watch.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

enum { FROM_SERVER = 0, FROM_CLIENT = 1, START_OF_DATA = 4 }; /* categories of replies */
enum { POINTER_MS = 40 }; /* between readings of a pointer that moves */
enum { EVENT_BYTES = 32, HELD = ShiftMask | LockMask | ControlMask | Mod1Mask | Mod4Mask };

/* A key that gets one character, in all columns or with its capital; other keys are Xlib's to know.
 * A program that types a character which the layout lacks gives it to a key and takes it away again
 * within milliseconds, often before the key is read here. The server reports what clients ask of it
 * and keys in their order. */
static void note_given(KeySym given[2], const CARD32 *symbols, size_t width)
{
    XConvertCase(width ? symbols[0] : NoSymbol, &given[0], &given[1]);
    if (width > 1 && symbols[1]) {
        given[0] = symbols[0];
        given[1] = symbols[1];
    }
    for (size_t i = 2; i < width; i++)
        if (symbols[i] != symbols[0])
            given[0] = NoSymbol;
}

static void note_requests(struct x11_desktop *desktop, const uint8_t *data, size_t length)
{
    const xChangeKeyboardMappingReq *change = (const void *)data;
    size_t bytes;

    for (; length >= sizeof *change; data += bytes, length -= bytes, change = (const void *)data) {
        const CARD32 *symbols = (const void *)(change + 1);
        size_t width = change->keySymsPerKeyCode;

        bytes = (size_t)change->length * 4;
        if (bytes > length || bytes < sizeof *change + width * change->keyCodes * sizeof *symbols)
            return; /* the server refuses it as well, or its client has another order of bytes */
        for (size_t i = 0; i < change->keyCodes; i++, symbols += width)
            note_given(desktop->given[(KeyCode)(change->firstKeyCode + i)], symbols, width);
    }
}

static KeySym symbol_of(struct x11_desktop *desktop, KeyCode code, unsigned state)
{
    const KeySym *given = desktop->given[code];
    KeySym symbol = NoSymbol;
    unsigned used;

    if (given[0])
        return given[!(state & ShiftMask) != !(state & LockMask)];
    XkbLookupKeySym(desktop->display, code, state, &used, &symbol);
    return symbol;
}

static void tell_input(struct x11_desktop *desktop, const xEvent *wire,
                       const struct watch_told *told)
{
    KeyCode code = wire->u.u.detail;
    unsigned state = wire->u.keyButtonPointer.state;
    uint32_t late = (uint32_t)(uv_hrtime() / 1000000) - wire->u.keyButtonPointer.time;
    struct watch_event event = {
        .what = WATCH_INPUT_CAME,
        .at = uv_hrtime() - (late < 60000 ? late : 0) * (uint64_t)1000000, /* its clock is ours */
        .input = { .type = wire->u.u.type & 0x7f, .code = code, .state = state },
    };
    KeySym *symbols = /* a button has none, and no key the code 0 */
        desktop->pressed[event.input.type <= KeyRelease ? code : 0];

    if (event.input.type == KeyPress || (event.input.type == KeyRelease && !symbols[0])) {
        symbols[0] = symbol_of(desktop, code, state & ~(unsigned)HELD);
        symbols[1] = symbol_of(desktop, code, state);
    }
    xkb_keysym_get_name((xkb_keysym_t)symbols[0], event.input.symbol, sizeof event.input.symbol);
    event.input.plain = xkb_keysym_to_utf32((xkb_keysym_t)symbols[0]);
    event.input.typed = xkb_keysym_to_utf32((xkb_keysym_t)symbols[1]);
    event.input.at =
        x11_from_root(desktop, wire->u.keyButtonPointer.rootX, wire->u.keyButtonPointer.rootY);
    told->event(told->arg, &event);
}

static bool take_events(struct x11_desktop *desktop, xcb_connection_t *events, unsigned enabled,
                        const struct watch_told *told, struct error *err)
{
    xcb_record_enable_context_reply_t *reply = NULL;
    xcb_generic_error_t *refused = NULL;

    while (xcb_poll_for_reply(events, enabled, (void **)&reply, &refused) && reply) {
        const uint8_t *data = xcb_record_enable_context_data(reply);
        int length = xcb_record_enable_context_data_length(reply);

        if (reply->category == START_OF_DATA)
            told->begun(told->arg);
        if (reply->category == FROM_CLIENT)
            note_requests(desktop, data, (size_t)length);
        for (int at = 0; reply->category == FROM_SERVER && at < length; at += EVENT_BYTES)
            tell_input(desktop, (const xEvent *)(const void *)(data + at), told);
        free(reply);
    }
    free(xcb_poll_for_event(events)); /* every client is told of another layout */
    if (!refused && !xcb_connection_has_error(events))
        return true;
    if (!refused && xcb_connection_has_error(events) != XCB_CONN_CLOSED_EXT_NOTSUPPORTED)
        return x11_lost(desktop, err);
    free(refused);
    return error_set(err, "not_supported",
                     "the display server has no RECORD extension, or refuses to record");
}

static void note_use(struct x11_desktop *desktop, XEvent *event)
{
    (void)event; /* the alarm, or one of the few that nobody asked for */
    desktop->in_use = true;
}

/* Reads the pointer's place while there is input, and reports a rest: until then its time is 0.
 * After idle time was read beyond the alarm's value, the alarm reports the next input. */
static bool await_input(struct x11_desktop *desktop, struct pollfd *fds, struct watch_event *rest,
                        const struct watch_told *told, struct error *err)
{
    int ready = poll(fds, 3, desktop->in_use ? POINTER_MS : -1);
    struct point last = rest->input.at;
    uint64_t ms;

    if (ready != 0)
        return ready > 0 || errno == EINTR || x11_lost(desktop, err);
    /* Nothing is on its way, so Xlib's map is true. */
    memset(desktop->given, 0, sizeof desktop->given);
    rest->input.at = x11_pointer_place(desktop);
    if (rest->input.at.x != last.x || rest->input.at.y != last.y) {
        rest->at = 0;
    } else if (!rest->at) {
        rest->at = uv_hrtime();
        told->event(told->arg, rest);
    } else if (x11_idle(desktop, &ms, err)) {
        desktop->in_use = ms <= POINTER_MS;
    }
    return true;
}

bool x11_record(struct desktop *handle, int wake_fd, const struct watch_told *told,
                struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    xcb_connection_t *events = xcb_connect(DisplayString(desktop->display), NULL);
    uint32_t context = xcb_generate_id(events);
    xcb_record_client_spec_t clients = XCB_RECORD_CS_ALL_CLIENTS;
    xcb_record_range_t range = {
        .core_requests = { X_ChangeKeyboardMapping, X_ChangeKeyboardMapping },
        .device_events = { KeyPress, ButtonRelease },
    };
    struct pollfd fds[] = { { .fd = wake_fd, .events = POLLIN },
                            { .fd = xcb_get_file_descriptor(events), .events = POLLIN },
                            { .fd = ConnectionNumber(desktop->display), .events = POLLIN } };
    struct watch_event rest = { .what = WATCH_POINTER_RESTS, .input.at = { -1, -1 } };
    struct idle_alarm alarm = { 0 };
    unsigned enabled;
    int n;
    bool ok = !XQueryExtension(desktop->display, "XWAYLAND", &n, &n, &n) &&
              !(getenv("WAYLAND_DISPLAY") && /* versions before 23.1 */
                XInternAtom(desktop->display, "WL_SURFACE_ID", True));

    if (!ok)
        error_set(err, "not_supported",
                  "a Wayland session shows no program the keys and clicks that are for others. Log "
                  "in to an X11 session to record");
    xcb_record_create_context(events, context, 0, 1, 1, &clients, &range);
    enabled = xcb_record_enable_context(events, context).sequence;
    xcb_flush(events);
    desktop->on_event = note_use;
    desktop->in_use = true;
    if (ok)
        idle_alarm_set(desktop, &alarm, POINTER_MS, err); /* without it the pointer is read on */
    while (ok && !fds[0].revents)
        ok = x11_pump(desktop, err) && take_events(desktop, events, enabled, told, err) &&
             await_input(desktop, fds, &rest, told, err);
    xcb_disconnect(events); /* this ends the recording */
    return ok;
}
