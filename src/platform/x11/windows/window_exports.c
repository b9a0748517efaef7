/* The D-Bus names that GTK writes into the properties of its windows. */
#include <stdlib.h>

#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { NAME_MAX_BYTES = 255, PATH_MAX_BYTES = 1024 };

struct export_question {
    xcb_get_property_cookie_t bus, application, app_path, window_path, menubar_path;
};

static xcb_get_property_cookie_t ask_text(struct x11_desktop *desktop, uint64_t window, Atom name)
{
    return x11_ask(desktop, (Window)window, name, PATH_MAX_BYTES / 4);
}

static struct export_question exports_ask(struct x11_desktop *desktop, uint64_t window)
{
    return (struct export_question){
        ask_text(desktop, window, A(_GTK_UNIQUE_BUS_NAME)),
        ask_text(desktop, window, A(_GTK_APPLICATION_ID)),
        ask_text(desktop, window, A(_GTK_APPLICATION_OBJECT_PATH)),
        ask_text(desktop, window, A(_GTK_WINDOW_OBJECT_PATH)),
        ask_text(desktop, window, A(_GTK_MENUBAR_OBJECT_PATH)),
    };
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

static struct window_export exports_answer(struct x11_desktop *desktop,
                                           const struct window_ref *ref,
                                           const struct export_question *question)
{
    return (struct window_export){
        *ref,
        take_text(desktop, question->bus, NAME_MAX_BYTES),
        take_text(desktop, question->application, NAME_MAX_BYTES),
        take_text(desktop, question->app_path, PATH_MAX_BYTES),
        take_text(desktop, question->window_path, PATH_MAX_BYTES),
        take_text(desktop, question->menubar_path, PATH_MAX_BYTES),
    };
}

bool x11_window_exports(struct x11_desktop *desktop, struct window_exports *out, struct error *err)
{
    struct export_question *asked;
    struct window_list list;

    if (!x11_window_list(desktop, NULL, &list, err))
        return false;
    asked = mem_alloc(sizeof *asked * (list.count + 1));
    out->items = mem_alloc(sizeof *out->items * (list.count + 1));
    for (size_t i = 0; i < list.count; i++)
        asked[i] = exports_ask(desktop, list.items[i].ref.id);
    for (size_t i = 0; i < list.count; i++) {
        struct window_export item = exports_answer(desktop, &list.items[i].ref, &asked[i]);

        if (*item.bus)
            out->items[out->count++] = item;
        else
            window_export_free(&item);
    }
    free(asked);
    window_list_free(&list);
    return true;
}
