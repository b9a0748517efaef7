#include "platform/x11/wire/client.h"

#include "platform/freedesktop/proc.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

bool x11_answers(struct x11_desktop *desktop, Window window)
{
    return window && x11_has_atom(desktop, window, A(WM_PROTOCOLS), A(_NET_WM_PING));
}

/* The next serial of this connection. Other connections, and other programs, ask as well, and all
 * of them see all answers: it holds the number that the server gave to the connection. */
static unsigned long next_serial(const struct x11_desktop *desktop)
{
    enum { CLIENT_SHIFT = 18, CLIENT_MASK = 0x7ff, COUNT_BITS = 19 };
    unsigned long client = desktop->probe >> CLIENT_SHIFT & CLIENT_MASK;

    return 0x40000000ul | client << COUNT_BITS | ((desktop->ping + 1) & ((1ul << COUNT_BITS) - 1));
}

void x11_ping(struct x11_desktop *desktop, Window window)
{
    XEvent event = { .xclient = { .type = ClientMessage, .format = 32 } };

    desktop->ping = next_serial(desktop);
    event.xclient.window = window;
    event.xclient.message_type = A(WM_PROTOCOLS);
    event.xclient.data.l[0] = (long)A(_NET_WM_PING);
    event.xclient.data.l[1] = (long)desktop->ping;
    event.xclient.data.l[2] = (long)window;
    XSendEvent(desktop->display, window, False, NoEventMask, &event);
}

bool x11_ponged(const struct x11_desktop *desktop)
{
    return desktop->pong == desktop->ping;
}

bool x11_responds(struct x11_desktop *desktop, struct deadline *deadline,
                  const struct window_ref *ref, uint64_t ms)
{
    uint64_t until = deadline_now() + ms;

    if (!x11_answers(desktop, (Window)ref->id))
        return proc_state(ref->pid) != 'T';
    x11_ping(desktop, (Window)ref->id);
    while (!x11_ponged(desktop) && deadline_now() < until) {
        if (!x11_wait(desktop, deadline, until, NULL))
            return true; /* the connection broke, or the time is up: nothing is known */
    }
    return x11_ponged(desktop);
}
