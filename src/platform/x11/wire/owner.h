/* The process behind a window: the X server's word, not the window's.
 *
 * A client writes any number it likes into _NET_WM_PID, and one in another PID namespace or on
 * another host writes its number there. The server knows the process at the other end of a local
 * connection from the kernel, and tells of it by the X-Resource extension. A server that counts
 * processes otherwise than we do (it does not call us by our own number) vouches for none. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_OWNER_H
#define PERIGEE_PLATFORM_X11_WIRE_OWNER_H

#include <xcb/res.h>

#include "platform/x11/wire/x11.h"

/* The questions to the server about one window: with has_resource its client's process, otherwise
 * what the window says, and of which host. */
struct owner_question {
    xcb_res_query_client_ids_cookie_t client;
    xcb_get_property_cookie_t claimed, machine;
};

/* True if the server can be asked, and calls this process by the number that it has here. Sets
 * desktop->has_resource. */
bool x11_find_resource(struct x11_desktop *desktop);

struct owner_question x11_ask_owner(struct x11_desktop *desktop, Window window);
/* The process, 0 if it is not known or on another host. Only with has_resource is it vouched
 * for: without, it serves to tell windows apart, and nothing may be signalled. */
int x11_answer_owner(struct x11_desktop *desktop, const struct owner_question *question);
int x11_owner(struct x11_desktop *desktop, Window window); /* the same at once */

/* True if the server vouches that the process is one of its clients. */
bool x11_is_client(struct x11_desktop *desktop, int pid);

#endif
