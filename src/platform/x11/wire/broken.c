/* Xlib's own side of the header is public, for extensions: it has the buffer of requests. Once a
 * connection is known to be broken, Xlib (1.8.4) neither sends nor empties the buffer, so that it
 * is full some hundred requests later, and has no room at all if XCB held the socket when it broke.
 * So the buffer is emptied here, and the error flag taken back: the next attempt to send comes here
 * again. */
#include "platform/x11/wire/broken.h"

#include <X11/Xlibint.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/util.h"

enum { ROOM = 2048 }; /* bytes: the smallest buffer that Xlib allocates */

void x11_mend_buffer(Display *display)
{
    display->bufptr = display->buffer;
    if (display->bufmax == display->buffer)
        display->bufmax = display->buffer + ROOM;
    display->flags &= ~(unsigned long)XlibDisplayIOError;
}

/* All displays that were left behind: still pointed to, so that LeakSanitizer does not report
 * them. */
struct left_behind {
    struct left_behind *next;
    Display *display;
};

void x11_leave_behind(Display *display)
{
    static _Atomic(struct left_behind *) all;
    struct left_behind *entry = mem_zero(sizeof *entry);

    entry->display = display;
    entry->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &entry->next, entry))
        ;
    close(ConnectionNumber(display));
}
