/* The D-Bus names that GTK writes into the properties of its windows. */
#include <stdlib.h>

#include "base/packed_tags.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { TEXTS = 5 };

static const struct {
    const char *name;
    enum x11_atom property;
    size_t max; /* bytes: a longer text names nothing */
} texts[TEXTS] = {
    { "bus", ATOM__GTK_UNIQUE_BUS_NAME, 255 }, /* the connection's unique name: ":1.7" */
    { "application", ATOM__GTK_APPLICATION_ID, 255 },
    { "app_path", ATOM__GTK_APPLICATION_OBJECT_PATH, 1024 },
    { "window_path", ATOM__GTK_WINDOW_OBJECT_PATH, 1024 },
    { "menubar_path", ATOM__GTK_MENUBAR_OBJECT_PATH, 1024 },
};

static void add_integer(struct buf *out, struct str name, uint64_t value)
{
    packed_add_text(out, name);
    packed_add_integer(out, (int64_t)value);
}

static void add_window(struct x11_desktop *desktop, const struct window_ref *ref,
                       const xcb_get_property_cookie_t *asked, struct buf *out)
{
    size_t before = out->len;
    bool named = false;

    packed_begin_table(out, 3 + TEXTS);
    add_integer(out, STR("pid"), (uint64_t)ref->pid);
    add_integer(out, STR("started"), ref->started);
    add_integer(out, STR("id"), ref->id);
    for (size_t i = 0; i < TEXTS; i++) {
        bool cut = false;
        char *text = x11_answer_text(desktop, asked[i], texts[i].max, &cut);
        const char *whole = text && !cut ? text : "";

        packed_add_text(out, str_from(texts[i].name));
        packed_add_text(out, str_from(whole));
        named = named || (i == 0 && *whole);
        free(text);
    }
    if (!named)
        out->len = before;
}

bool x11_window_exports(struct x11_desktop *desktop, struct buf *out, struct error *err)
{
    xcb_get_property_cookie_t(*asked)[TEXTS];
    struct window_list list;

    if (!x11_window_list(desktop, NULL, &list, err))
        return false;
    asked = mem_alloc(sizeof *asked * (list.count + 1));
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < TEXTS; k++)
            asked[i][k] = x11_ask(desktop, (Window)list.items[i].ref.id,
                                  desktop->atoms[texts[k].property], 1024 / 4);
    for (size_t i = 0; i < list.count; i++)
        add_window(desktop, &list.items[i].ref, asked[i], out);
    free(asked);
    window_list_free(&list);
    return true;
}
