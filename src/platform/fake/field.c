#include "platform/fake/field.h"

#include <stdlib.h>

#include "json/utf8.h"
#include "platform/fake/elements.h"
#include "platform/units.h"

static struct fake_window *window_with_keys(struct fake *fake)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.id == fake->focus)
            return window;
    }
    return NULL;
}

/* Typed text goes into it: its own, or the window's, which it shows. */
static bool is_field(const struct fake_element *element)
{
    return element && (element->abilities & ELEMENT_CAN_WRITE) &&
           !(element->abilities & ELEMENT_CAN_COUNT);
}

static char *part_of(const char *text, int from, int to)
{
    size_t first = units_byte(text, from);

    return mem_strndup(text + first, units_byte(text + first, to - from));
}

/* Typed text is added at the end, or replaces all if all is selected. */
static void set_range(const struct fake_element *element, const struct element_field_query *query,
                      struct element_field *out)
{
    out->caret = out->from = out->to = out->length;
    if (element->window->selected)
        out->from = 0;
    if (!query->again)
        return;
    out->from = query->from < out->length ? query->from : out->length;
    out->to = out->length - query->rest;
    out->to = out->to < out->from ? out->from : out->to;
}

static void read_field(struct fake_element *element, const struct element_field_query *query,
                       struct element_field *out)
{
    struct str value = fake_element_text(element);
    char *text = mem_strndup(value.ptr ? value.ptr : "", value.len);
    int first, last;

    out->length = (int)utf8_length(text, strlen(text));
    set_range(element, query, out);
    first = out->from > query->before ? out->from - query->before : 0;
    last = out->length - out->to > query->behind ? out->to + query->behind : out->length;
    out->before = part_of(text, first, out->from);
    out->behind = part_of(text, out->to, last);
    if (query->again)
        out->text = part_of(text, out->from, out->to);
    free(text);
}

static void take_element(struct fake *fake, struct fake_element *element,
                         const struct element_field_query *query, struct element_field *out)
{
    unsigned states = fake_element_states(fake, element);

    if (!query->again && !(states & ELEMENT_FOCUSED))
        return;
    out->finding = FIELD_FOUND;
    out->pid = element->window->ref.pid;
    out->id = element->id;
    out->focused = (states & ELEMENT_FOCUSED) != 0;
    out->multiline = (states & ELEMENT_MULTILINE) != 0;
    out->readable = element->role != ELEMENT_PASSWORD;
    if (out->readable)
        read_field(element, query, out);
}

/* A copy of a desktop reports no field: its own text proves nothing about that of the
 * application. */
static void look_for_field(struct fake *fake, const struct element_field_query *query,
                           struct element_field *out)
{
    struct fake_window *window = window_with_keys(fake);
    struct fake_element *element = NULL;

    if (!window || fake->mirror)
        return;
    out->window = window->ref.id;
    out->pid = window->ref.pid;
    if (!fake_top(fake, window))
        out->finding = FIELD_ABSENT;
    else if (query->id)
        element = fake_find_element(fake, query->id);
    else if (!query->present)
        element = window->keys;
    if (is_field(element))
        take_element(fake, element, query, out);
}

bool fake_field(struct desktop *handle, struct deadline *deadline,
                const struct element_field_query *query, struct element_field *out,
                struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    *out = (struct element_field){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    look_for_field(desktop->fake, query, out);
    fake_leave(desktop);
    return true;
}
