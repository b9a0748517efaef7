/* Properties by XCB: ask for many, then take the answers in order. */
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/x11/wire/property.h"

enum { LONGS_MAX = 1 << 16 }; /* for lists on the root window */

xcb_get_property_cookie_t x11_ask(struct x11_desktop *desktop, Window window, Atom property,
                                  uint32_t longs)
{
    return xcb_get_property(desktop->xcb, 0, (xcb_window_t)window, (xcb_atom_t)property,
                            XCB_GET_PROPERTY_TYPE_ANY, 0, longs);
}

/* Returns NULL if the window or the property is not there. */
static xcb_get_property_reply_t *take_property(struct x11_desktop *desktop,
                                               xcb_get_property_cookie_t cookie, int format)
{
    xcb_generic_error_t *error = NULL;
    xcb_get_property_reply_t *reply = xcb_get_property_reply(desktop->xcb, cookie, &error);

    free(error);
    if (reply && reply->format != format) {
        free(reply);
        return NULL;
    }
    return reply;
}

size_t x11_answer_longs(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                        uint32_t *out, size_t max)
{
    xcb_get_property_reply_t *reply = take_property(desktop, cookie, 32);
    size_t count;

    if (!reply)
        return 0;
    count = (size_t)xcb_get_property_value_length(reply) / 4;
    count = count > max ? max : count;
    memcpy(out, xcb_get_property_value(reply), count * 4);
    free(reply);
    return count;
}

static void add_latin1(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char bytes[4];

        buf_add(out, bytes, utf8_encode(bytes, (unsigned char)text[i]));
    }
}

/* Takes text. WM_NAME of type STRING is Latin-1; any other is taken for UTF-8 and cleaned. */
char *x11_answer_text(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie, size_t max,
                      bool *cut)
{
    xcb_get_property_reply_t *reply = take_property(desktop, cookie, 8);
    struct buf out = { 0 };
    const char *text;
    size_t len;

    if (!reply)
        return NULL;
    text = xcb_get_property_value(reply);
    len = (size_t)xcb_get_property_value_length(reply);
    if (memchr(text, '\0', len))
        len = strlen(text);
    if (reply->type == XCB_ATOM_STRING && !utf8_valid(text, len, NULL))
        add_latin1(&out, text, len);
    else if (reply->bytes_after)
        utf8_clean(&out, text, utf8_cut(text, len, max)); /* no half sequence at the end */
    else
        utf8_clean(&out, text, len);
    if (cut)
        *cut = reply->bytes_after > 0 || out.len > max;
    out.len = utf8_cut(out.data, out.len, max);
    free(reply);
    return buf_take(&out);
}

xcb_get_property_cookie_t x11_ask_list(struct x11_desktop *desktop, Window window, Atom property)
{
    return x11_ask(desktop, window, property, LONGS_MAX);
}

uint32_t *x11_answer_list(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                          size_t *count)
{
    xcb_get_property_reply_t *reply = take_property(desktop, cookie, 32);
    uint32_t *out = NULL;

    *count = reply ? (size_t)xcb_get_property_value_length(reply) / 4 : 0;
    if (*count) {
        out = mem_alloc(*count * 4);
        memcpy(out, xcb_get_property_value(reply), *count * 4);
    }
    free(reply);
    return out;
}

uint32_t *x11_read_longs(struct x11_desktop *desktop, Window window, Atom property, size_t *count)
{
    return x11_answer_list(desktop, x11_ask_list(desktop, window, property), count);
}

bool x11_answer_has_atom(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie, Atom wanted)
{
    size_t count;
    uint32_t *atoms = x11_answer_list(desktop, cookie, &count);
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found = found || atoms[i] == wanted;
    free(atoms);
    return found;
}

bool x11_has_atom(struct x11_desktop *desktop, Window window, Atom property, Atom wanted)
{
    return x11_answer_has_atom(desktop, x11_ask_list(desktop, window, property), wanted);
}

uint32_t x11_read_long(struct x11_desktop *desktop, Window window, Atom property)
{
    uint32_t value = 0;

    x11_answer_longs(desktop, x11_ask(desktop, window, property, 1), &value, 1);
    return value;
}
