/* The cells at two corners give the range: the number of a cell is row * columns + column. A number
 * has 32 bits, so a sheet's rows from 131,072 on cannot be read.
 *
 * No cell is at a corner of a list of GTK 3 that has headers, or a margin, or that ends before its
 * lower edge. Then the cells along its edges and its middle give the range. */
#include "platform/atspi/walk/visible_children.h"

#include <stdlib.h>

#include "platform/atspi/bus/extents.h"

enum {
    INSIDE = 3, /* points from a corner */
    ACROSS = 5, /* points in a row */
    DOWN = 12,  /* rows of points from each of the upper and the lower edge */
    APART = 10, /* points from one row to the next: less than a row is high */
    POINTS = ACROSS * DOWN * 2
};

struct sight {
    struct walk *walk;
    int place;
    dbus_int32_t x, y, width, height;
    char *paths[POINTS]; /* the elements at the points; NULL: none */
    size_t count;
    int left, right, top, bottom, columns; /* bottom < top: no range */
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

static bool sight_ask(const struct sight *sight, DBusMessage **calls, size_t count,
                      DBusMessage **answers, struct error *err)
{
    return talk_ask(sight->walk->atspi, sight->walk->deadline, calls, count, answers, err);
}

static bool read_bounds(struct sight *sight, struct error *err)
{
    DBusMessage *call = call_of(sight, ATSPI_IFACE("Component"), "GetExtents"), *answer = NULL;
    dbus_uint32_t coords = extents_coords(bus_of(sight));
    dbus_int32_t *const numbers[] = { &sight->x, &sight->y, &sight->width, &sight->height };
    DBusMessageIter at, inside;
    bool ok;

    dbus_message_append_args(call, DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    ok = sight_ask(sight, &call, 1, &answer, err);
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

static void sight_forget(struct sight *sight)
{
    for (size_t i = 0; i < sight->count; i++)
        free(sight->paths[i]);
    sight->count = 0;
}

/* Reads the elements at these points, which are counted from the corner. */
static bool read_points(struct sight *sight, const dbus_int32_t (*points)[2], size_t count,
                        struct error *err)
{
    dbus_uint32_t coords = extents_coords(bus_of(sight));
    DBusMessage *calls[POINTS], *answers[POINTS] = { NULL };
    bool ok;

    for (size_t i = 0; i < count; i++) {
        dbus_int32_t x = sight->x + points[i][0], y = sight->y + points[i][1];

        calls[i] = call_of(sight, ATSPI_IFACE("Component"), "GetAccessibleAtPoint");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &x, DBUS_TYPE_INT32, &y,
                                 DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    }
    ok = sight_ask(sight, calls, count, answers, err);
    sight_forget(sight);
    sight->count = count;
    for (size_t i = 0; i < count; i++)
        sight->paths[i] = path_of(answers[i]);
    talk_unref(answers, count);
    return ok;
}

static bool read_corners(struct sight *sight, struct error *err)
{
    const dbus_int32_t corners[][2] = { { INSIDE, INSIDE },
                                        { sight->width - INSIDE, sight->height - INSIDE } };

    return read_points(sight, corners, countof(corners), err);
}

static bool read_edges(struct sight *sight, struct error *err)
{
    dbus_int32_t points[POINTS][2];
    size_t count = 0;

    for (int i = 0; i < DOWN && INSIDE + i * APART < sight->height; i++) {
        for (int n = 0; n < ACROSS; n++) {
            dbus_int32_t x = INSIDE + (sight->width - 2 * INSIDE) * n / (ACROSS - 1);
            dbus_int32_t y = INSIDE + i * APART;

            points[count][0] = points[count + 1][0] = x;
            points[count][1] = y;
            points[count + 1][1] = sight->height - y;
            count += 2;
        }
    }
    return read_points(sight, points, count, err);
}

static void sight_widen(struct sight *sight, int index)
{
    int row = index / sight->columns, column = index % sight->columns;

    if (index < 0)
        return;
    if (sight->bottom < sight->top) {
        sight->top = sight->bottom = row;
        sight->left = sight->right = column;
    }
    sight->top = row < sight->top ? row : sight->top;
    sight->bottom = row > sight->bottom ? row : sight->bottom;
    sight->left = column < sight->left ? column : sight->left;
    sight->right = column > sight->right ? column : sight->right;
}

static bool read_range(struct sight *sight, struct error *err)
{
    const struct node *node = &sight->walk->nodes.items[sight->place];
    DBusMessage *calls[POINTS + 1], *answers[POINTS + 1] = { NULL };
    dbus_int32_t number = 1;
    size_t count = 0;
    bool ok;

    calls[count++] = talk_get(node->bus, node->path, ATSPI_IFACE("Table"), "NColumns");
    for (size_t i = 0; i < sight->count; i++) {
        if (sight->paths[i])
            calls[count++] = talk_call(node->bus, sight->paths[i], ATSPI_IFACE("Accessible"),
                                       "GetIndexInParent");
    }
    ok = sight_ask(sight, calls, count, answers, err);
    talk_value(answers[0], DBUS_TYPE_INT32, &number);
    sight->columns = number > 0 ? number : 1;
    sight->top = 0;
    sight->bottom = -1;
    for (size_t i = 1; i < count; i++) {
        if (talk_value(answers[i], DBUS_TYPE_INT32, &number))
            sight_widen(sight, number);
    }
    talk_unref(answers, count);
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

/* The index of the `nth` cell of a range that is `wide` columns wide. */
static dbus_int32_t index_of(const struct sight *sight, int nth, int wide)
{
    return (sight->top + nth / wide) * sight->columns + sight->left + nth % wide;
}

/* Reads whole rows, from the first one on. */
static bool read_cells(struct sight *sight, struct error *err)
{
    int wide = sight->right - sight->left + 1, most = sight->walk->query->children;
    int high = sight->bottom - sight->top + 1;
    DBusMessage **calls, **answers;
    size_t count;
    bool ok;

    if (high < 1 || wide > most)
        return true;
    high = high > most / wide ? most / wide : high;
    count = (size_t)wide * (size_t)high;
    calls = mem_zero(count * sizeof *calls);
    answers = mem_zero(count * sizeof *answers);
    for (size_t i = 0; i < count; i++) {
        dbus_int32_t index = index_of(sight, (int)i, wide);

        calls[i] = call_of(sight, ATSPI_IFACE("Accessible"), "GetChildAtIndex");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &index, DBUS_TYPE_INVALID);
    }
    ok = sight_ask(sight, calls, count, answers, err);
    for (size_t i = 0; i < count; i++)
        adopt(sight, answers[i], index_of(sight, (int)i, wide));
    talk_unref(answers, count);
    free(calls);
    free(answers);
    return ok;
}

static bool found_at_both(const struct sight *sight)
{
    return sight->count == 2 && sight->paths[0] && sight->paths[1];
}

bool sight_read(struct walk *walk, int place, struct error *err)
{
    struct sight sight = { .walk = walk, .place = place };
    bool ok = read_bounds(&sight, err);

    nodes_disown(&walk->nodes, place);
    walk->nodes.items[place].guessed = false;
    if (ok && sight.width > 2 * INSIDE && sight.height > 2 * INSIDE) {
        ok = read_corners(&sight, err);
        if (ok && !found_at_both(&sight))
            ok = read_edges(&sight, err);
        ok = ok && read_range(&sight, err) && read_cells(&sight, err);
    }
    sight_forget(&sight);
    return ok;
}
