/* Toolkits name one of the children of an element (GTK, LibreOffice), or the innermost element in
 * it (Chromium, Qt): those between are found by their parents. */
#include <math.h>
#include <stdlib.h>

#include "platform/atspi/bus/extents.h"
#include "platform/atspi/walk/walk.h"

static int ask_object(struct walk *walk, DBusMessage *call, struct error *err)
{
    DBusMessage *answer = NULL;
    char *path;
    int place;

    talk_ask(walk->atspi, walk->deadline, &call, 1, &answer, err);
    path = talk_path(answer);
    place = path ? nodes_add(&walk->nodes, walk->nodes.items[walk->root].bus, path) : -1;
    free(path);
    talk_unref(&answer, 1);
    return place;
}

/* Puts the element into the one above, through all between. False: it is that one, or around it. */
static bool put_below(struct walk *walk, int above, int place, struct error *err)
{
    int between[ELEMENT_DEPTH], count = 0;

    while (place >= 0 && place != above && count < ELEMENT_DEPTH) {
        const struct node *node = &walk->nodes.items[place];

        between[count++] = place;
        place = ask_object(
            walk, talk_get(node->bus, node->path, ATSPI_IFACE("Accessible"), "Parent"), err);
    }
    if (!count)
        return false;
    if (place != above && count > 1) /* LibreOffice has several objects for one element */
        count = 1;
    while (count && nodes_adopt(&walk->nodes, above, between[count - 1]))
        above = between[--count];
    return count == 0;
}

bool hit_read(struct walk *walk, struct error *err)
{
    struct nodes *nodes = &walk->nodes;
    const char *bus = nodes->items[walk->root].bus;
    dbus_uint32_t coords = extents_coords(bus);
    DBusMessage *call = extents_call(bus, nodes->items[walk->root].path), *answer = NULL;
    int place = walk->root, next = place;
    struct rect raw = { 0 };
    dbus_int32_t x, y;

    if (!talk_ask(walk->atspi, walk->deadline, &call, 1, &answer, err))
        return false;
    extents_read(answer, &raw);
    talk_unref(&answer, 1);
    x = (dbus_int32_t)floor(raw.x + walk->query->aim.x * raw.width);
    y = (dbus_int32_t)floor(raw.y + walk->query->aim.y * raw.height);
    walk->aim = (struct point){ x, y };
    do {
        place = next;
        call = talk_call(bus, nodes->items[place].path, ATSPI_IFACE("Component"),
                         "GetAccessibleAtPoint");
        dbus_message_append_args(call, DBUS_TYPE_INT32, &x, DBUS_TYPE_INT32, &y, DBUS_TYPE_UINT32,
                                 &coords, DBUS_TYPE_INVALID);
        next = ask_object(walk, call, err);
    } while (put_below(walk, place, next, err));
    nodes->items[walk->root].asked = place == walk->root;
    for (next = place; next >= 0; next = nodes->items[next].parent)
        nodes->items[next].named = nodes->items[next].visible_only = true;
    return walk_on(walk, err);
}
