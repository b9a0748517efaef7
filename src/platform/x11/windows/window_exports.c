/* The D-Bus names that GTK writes into the properties of its windows. */
#include <stdlib.h>

#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { NAME_MAX_BYTES = 255, PATH_MAX_BYTES = 1024 };

static void exports_ask(struct x11_desktop *desktop, uint64_t window,
                        xcb_get_property_cookie_t *asked)
{
    const Atom properties[EXPORT_TEXTS] = {
        [EXPORT_BUS] = A(_GTK_UNIQUE_BUS_NAME),
        [EXPORT_APPLICATION] = A(_GTK_APPLICATION_ID),
        [EXPORT_APP_PATH] = A(_GTK_APPLICATION_OBJECT_PATH),
        [EXPORT_WINDOW_PATH] = A(_GTK_WINDOW_OBJECT_PATH),
        [EXPORT_MENUBAR_PATH] = A(_GTK_MENUBAR_OBJECT_PATH),
    };

    for (size_t i = 0; i < EXPORT_TEXTS; i++)
        asked[i] = x11_ask(desktop, (Window)window, properties[i], PATH_MAX_BYTES / 4);
}

/* "" without the property, and for a text that is too long for what it names. */
static char *take_text(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie, size_t max)
{
    bool cut = false;
    char *text = x11_answer_text(desktop, cookie, max, &cut);

    if (text && !cut)
        return text;
    free(text);
    return mem_strdup("");
}

bool x11_window_exports(struct x11_desktop *desktop, struct window_exports *out, struct error *err)
{
    xcb_get_property_cookie_t(*asked)[EXPORT_TEXTS];
    struct window_list list;

    if (!x11_window_list(desktop, NULL, &list, err))
        return false;
    asked = mem_alloc(sizeof *asked * (list.count + 1));
    out->items = mem_alloc(sizeof *out->items * (list.count + 1));
    for (size_t i = 0; i < list.count; i++)
        exports_ask(desktop, list.items[i].ref.id, asked[i]);
    for (size_t i = 0; i < list.count; i++) {
        struct window_export *item = &out->items[out->count];

        item->ref = list.items[i].ref;
        for (size_t k = 0; k < EXPORT_TEXTS; k++)
            item->texts[k] = take_text(desktop, asked[i][k],
                                       k < EXPORT_APP_PATH ? NAME_MAX_BYTES : PATH_MAX_BYTES);
        if (*item->texts[EXPORT_BUS])
            out->count++;
        else
            window_export_free(item);
    }
    free(asked);
    window_list_free(&list);
    return true;
}
