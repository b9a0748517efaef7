/* What lies at two corners tells the range: the number of a cell is row * columns + column. A
 * number has 32 bits, so of a sheet's rows from 131,072 on nothing is told. */
#include "platform/atspi/walk/sight.h"

#include <stdlib.h>

enum { COORDS_SCREEN = 0, INSIDE = 3 /* points from a corner */ };

struct sight {
    struct walk *walk;
    int place;
    dbus_int32_t x, y, width, height;
    char *paths[2]; /* of what is at the corners */
    int first, last, columns;
};

static const char *bus_of(const struct sight *sight)
{
    return sight->walk->nodes.items[sight->place].bus;
}

static DBusMessage *call_of(const struct sight *sight, const char *interface, const char *member)
{
    const struct node *node = &sight->walk->nodes.items[sight->place];

    return talk_call(node->bus, node->path, interface, member);
}

static bool ask(const struct sight *sight, DBusMessage **calls, size_t count, DBusMessage **answers,
                struct error *err)
{
    return talk_ask(sight->walk->atspi, sight->walk->deadline, calls, count, answers, err);
}

static bool read_bounds(struct sight *sight, struct error *err)
{
    DBusMessage *call = call_of(sight, ATSPI_IFACE("Component"), "GetExtents"), *answer = NULL;
    dbus_uint32_t coords = COORDS_SCREEN;
    dbus_int32_t *const numbers[] = { &sight->x, &sight->y, &sight->width, &sight->height };
    DBusMessageIter at, inside;
    bool ok;

    dbus_message_append_args(call, DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    ok = ask(sight, &call, 1, &answer, err);
    if (answer && dbus_message_has_signature(answer, "(iiii)")) {
        dbus_message_iter_init(answer, &at);
        dbus_message_iter_recurse(&at, &inside);
        for (size_t i = 0; i < countof(numbers); i++) {
            dbus_message_iter_get_basic(&inside, numbers[i]);
            dbus_message_iter_next(&inside);
        }
    }
    talk_unref(&answer, 1);
    return ok;
}

static char *path_of(DBusMessage *answer)
{
    DBusMessageIter at, inside;
    const char *path;

    if (!answer || !dbus_message_has_signature(answer, "(so)"))
        return NULL;
    dbus_message_iter_init(answer, &at);
    dbus_message_iter_recurse(&at, &inside);
    dbus_message_iter_next(&inside);
    dbus_message_iter_get_basic(&inside, &path);
    return strcmp(path, ATSPI_NULL) == 0 ? NULL : mem_strdup(path);
}

static bool read_corners(struct sight *sight, struct error *err)
{
    dbus_int32_t x[2] = { sight->x + INSIDE, sight->x + sight->width - INSIDE };
    dbus_int32_t y[2] = { sight->y + INSIDE, sight->y + sight->height - INSIDE };
    dbus_uint32_t coords = COORDS_SCREEN;
    DBusMessage *calls[2], *answers[2] = { NULL };
    bool ok;

    for (int i = 0; i < 2; i++) {
        calls[i] = call_of(sight, ATSPI_IFACE("Component"), "GetAccessibleAtPoint");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &x[i], DBUS_TYPE_INT32, &y[i],
                                 DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    }
    ok = ask(sight, calls, 2, answers, err);
    for (int i = 0; i < 2; i++)
        sight->paths[i] = path_of(answers[i]);
    talk_unref(answers, 2);
    return ok;
}

static bool read_range(struct sight *sight, struct error *err)
{
    const char *accessible = ATSPI_IFACE("Accessible");
    const struct node *node = &sight->walk->nodes.items[sight->place];
    DBusMessage *calls[3] = {
        talk_call(node->bus, sight->paths[0], accessible, "GetIndexInParent"),
        talk_call(node->bus, sight->paths[1], accessible, "GetIndexInParent"),
        talk_get(node->bus, node->path, ATSPI_IFACE("Table"), "NColumns"),
    };
    DBusMessage *answers[3] = { NULL };
    dbus_int32_t numbers[3] = { -1, -1, 1 };
    bool ok = ask(sight, calls, 3, answers, err);

    for (int i = 0; i < 3; i++)
        talk_value(answers[i], DBUS_TYPE_INT32, &numbers[i]);
    talk_unref(answers, 3);
    sight->first = numbers[0];
    sight->last = numbers[1];
    sight->columns = numbers[2] > 0 ? numbers[2] : 1;
    return ok;
}

static void adopt(struct sight *sight, DBusMessage *answer, int index)
{
    struct nodes *nodes = &sight->walk->nodes;
    char *path = path_of(answer);
    int child = path ? nodes_add(nodes, bus_of(sight), path) : -1;

    if (child >= 0 && nodes_adopt(nodes, sight->place, child))
        nodes->items[child].index = index;
    free(path);
}

/* Whole rows, from the first one on. */
static bool read_cells(struct sight *sight, struct error *err)
{
    int left = sight->first % sight->columns, right = sight->last % sight->columns;
    int top = sight->first / sight->columns, bottom = sight->last / sight->columns;
    int wide = right - left + 1, most = sight->walk->query->children;
    int high = bottom - top + 1;
    DBusMessage **calls, **answers;
    size_t count;
    bool ok;

    if (sight->first < 0 || sight->last < sight->first || wide < 1 || wide > most)
        return true;
    high = high > most / wide ? most / wide : high;
    count = (size_t)wide * (size_t)high;
    calls = mem_zero(count * sizeof *calls);
    answers = mem_zero(count * sizeof *answers);
    for (size_t i = 0; i < count; i++) {
        dbus_int32_t index = (top + (int)i / wide) * sight->columns + left + (int)i % wide;

        calls[i] = call_of(sight, ATSPI_IFACE("Accessible"), "GetChildAtIndex");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &index, DBUS_TYPE_INVALID);
    }
    ok = ask(sight, calls, count, answers, err);
    for (size_t i = 0; i < count; i++)
        adopt(sight, answers[i], (top + (int)i / wide) * sight->columns + left + (int)i % wide);
    talk_unref(answers, count);
    free(calls);
    free(answers);
    return ok;
}

bool sight_read(struct walk *walk, int place, struct error *err)
{
    struct sight sight = { .walk = walk, .place = place };
    bool ok = read_bounds(&sight, err);

    nodes_disown(&walk->nodes, place);
    walk->nodes.items[place].guessed = false;
    if (ok && sight.width > 2 * INSIDE && sight.height > 2 * INSIDE)
        ok = read_corners(&sight, err);
    if (ok && sight.paths[0] && sight.paths[1])
        ok = read_range(&sight, err) && read_cells(&sight, err);
    free(sight.paths[0]);
    free(sight.paths[1]);
    return ok;
}
