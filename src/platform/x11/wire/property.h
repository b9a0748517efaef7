/* Properties of windows: ask for many, then take the answers in order. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_PROPERTY_H
#define PERIGEE_PLATFORM_X11_WIRE_PROPERTY_H

#include "platform/x11/wire/x11.h"

xcb_get_property_cookie_t x11_ask(struct x11_desktop *desktop, Window window, Atom property,
                                  uint32_t longs);
/* Each of these takes the answer and frees it. */
size_t x11_answer_longs(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                        uint32_t *out, size_t max);
/* Text as valid UTF-8 in at most `max` bytes; NULL without the property. The caller frees. */
char *x11_answer_text(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie, size_t max,
                      bool *cut);
/* All of a property of 32-bit items; the caller frees. NULL and 0 without the property. */
xcb_get_property_cookie_t x11_ask_list(struct x11_desktop *desktop, Window window, Atom property);
uint32_t *x11_answer_list(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                          size_t *count);
uint32_t *x11_read_longs(struct x11_desktop *desktop, Window window, Atom property, size_t *count);
bool x11_has_atom(struct x11_desktop *desktop, Window window, Atom property, Atom wanted);
bool x11_answer_has_atom(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                         Atom wanted); /* answers x11_ask_list() */
uint32_t x11_read_long(struct x11_desktop *desktop, Window window, Atom property); /* or 0 */

#endif
