/* HTML may come as UTF-16 (browsers), STRING is Latin-1, and COMPOUND_TEXT is ISO 2022 with names
 * for its charsets. Many owners put UTF-8 into each of them, so what is UTF-8 stays. */
#include "platform/x11/clipboard/clip_text.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>

#include "json/utf8.h"

static uint32_t wide_unit(struct str data, size_t at, bool big)
{
    uint32_t a = (uint8_t)data.ptr[at], b = (uint8_t)data.ptr[at + 1];

    return big ? a << 8 | b : a | b << 8;
}

static void add_wide(struct buf *out, struct str data, size_t at, bool big)
{
    for (; at + 2 <= data.len; at += 2) {
        uint32_t point = wide_unit(data, at, big);
        uint32_t low = at + 4 <= data.len ? wide_unit(data, at + 2, big) : 0;
        char bytes[4];

        if ((point & 0xfc00) == 0xd800 && (low & 0xfc00) == 0xdc00) {
            point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff);
            at += 2;
        } else if (point >= 0xd800 && point < 0xe000) {
            point = 0xfffd;
        }
        buf_add(out, bytes, utf8_encode(bytes, point));
    }
}

static void add_latin1(struct buf *out, struct str data)
{
    for (size_t i = 0; i < data.len; i++) {
        char bytes[4];

        buf_add(out, bytes, utf8_encode(bytes, (unsigned char)data.ptr[i]));
    }
}

/* False: Xlib cannot read it. */
static bool add_compound(struct x11_desktop *desktop, struct buf *out, Atom type, struct str data)
{
    XTextProperty text = { (unsigned char *)data.ptr, type, 8, data.len };
    char **list = NULL;
    int count = 0;

    if (Xutf8TextPropertyToTextList(desktop->display, &text, &list, &count) < 0 || !list)
        return false;
    for (int i = 0; i < count; i++)
        utf8_clean(out, list[i], strlen(list[i]));
    XFreeStringList(list);
    return true;
}

static bool is_type(struct x11_desktop *desktop, Atom type, const char *name)
{
    char *text = type ? XGetAtomName(desktop->display, type) : NULL;
    bool same = text && strcasecmp(text, name) == 0;

    if (text)
        XFree(text);
    return same;
}

void clip_text_add(struct x11_desktop *desktop, struct clip *out, const char *type, Atom came_as,
                   struct str data)
{
    struct buf text = { 0 };
    uint8_t first = data.len >= 2 ? (uint8_t)data.ptr[0] : 0;
    uint8_t second = data.len >= 2 ? (uint8_t)data.ptr[1] : 0;
    bool compound = is_type(desktop, came_as, "COMPOUND_TEXT");
    bool escapes = data.len && memchr(data.ptr, 0x1b, data.len);

    if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff))
        add_wide(&text, data, 2, first == 0xfe);
    else if (is_type(desktop, came_as, "text/plain;charset=utf-16"))
        add_wide(&text, data, 0, false);
    else if (compound && (escapes || !utf8_valid(data.ptr, data.len, NULL)) &&
             add_compound(desktop, &text, came_as, data))
        ;
    else if ((compound || came_as == XA_STRING ||
              is_type(desktop, came_as, "text/plain;charset=iso-8859-1")) &&
             !utf8_valid(data.ptr, data.len, NULL))
        add_latin1(&text, data);
    else
        utf8_clean(&text, data.ptr, data.len);
    clip_add(out, type, text.data, text.len);
    buf_free(&text);
}
