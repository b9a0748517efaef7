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

struct visible {
    struct walk *walk;
    int place;
    struct rect bounds;
    char *paths[POINTS]; /* the elements at the points; NULL: none */
    size_t count;
    int left, right, top, bottom, columns; /* bottom < top: no range */
};

static const char *bus_of(const struct visible *visible)
{
    return visible->walk->nodes.items[visible->place].bus;
}

static DBusMessage *call_of(const struct visible *visible, const char *interface,
                            const char *member)
{
    const struct node *node = &visible->walk->nodes.items[visible->place];

    return talk_call(node->bus, node->path, interface, member);
}

static bool visible_ask(const struct visible *visible, DBusMessage **calls, size_t count,
                        DBusMessage **answers, struct error *err)
{
    return talk_ask(visible->walk->atspi, visible->walk->deadline, calls, count, answers, err);
}

static bool read_bounds(struct visible *visible, struct error *err)
{
    const struct node *node = &visible->walk->nodes.items[visible->place];
    DBusMessage *call = extents_call(node->bus, node->path), *answer = NULL;
    bool ok = visible_ask(visible, &call, 1, &answer, err);

    extents_read(answer, &visible->bounds);
    talk_unref(&answer, 1);
    return ok;
}

static void visible_forget(struct visible *visible)
{
    for (size_t i = 0; i < visible->count; i++)
        free(visible->paths[i]);
    visible->count = 0;
}

/* Reads the elements at these points, which are counted from the corner. */
static bool read_points(struct visible *visible, const dbus_int32_t (*points)[2], size_t count,
                        struct error *err)
{
    dbus_uint32_t coords = extents_coords(bus_of(visible));
    DBusMessage *calls[POINTS], *answers[POINTS] = { NULL };
    bool ok;

    for (size_t i = 0; i < count; i++) {
        dbus_int32_t x = (dbus_int32_t)visible->bounds.x + points[i][0];
        dbus_int32_t y = (dbus_int32_t)visible->bounds.y + points[i][1];

        calls[i] = call_of(visible, ATSPI_IFACE("Component"), "GetAccessibleAtPoint");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &x, DBUS_TYPE_INT32, &y,
                                 DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    }
    ok = visible_ask(visible, calls, count, answers, err);
    visible_forget(visible);
    visible->count = count;
    for (size_t i = 0; i < count; i++)
        visible->paths[i] = talk_path(answers[i]);
    talk_unref(answers, count);
    return ok;
}

static bool read_corners(struct visible *visible, struct error *err)
{
    const dbus_int32_t corners[][2] = { { INSIDE, INSIDE },
                                        { (dbus_int32_t)visible->bounds.width - INSIDE,
                                          (dbus_int32_t)visible->bounds.height - INSIDE } };

    return read_points(visible, corners, countof(corners), err);
}

static bool read_edges(struct visible *visible, struct error *err)
{
    int width = (int)visible->bounds.width, height = (int)visible->bounds.height;
    dbus_int32_t points[POINTS][2];
    size_t count = 0;

    for (int i = 0; i < DOWN && INSIDE + i * APART < height; i++) {
        for (int n = 0; n < ACROSS; n++) {
            dbus_int32_t x = INSIDE + (width - 2 * INSIDE) * n / (ACROSS - 1);
            dbus_int32_t y = INSIDE + i * APART;

            points[count][0] = points[count + 1][0] = x;
            points[count][1] = y;
            points[count + 1][1] = height - y;
            count += 2;
        }
    }
    return read_points(visible, points, count, err);
}

static void visible_widen(struct visible *visible, int index)
{
    int row = index / visible->columns, column = index % visible->columns;

    if (index < 0)
        return;
    if (visible->bottom < visible->top) {
        visible->top = visible->bottom = row;
        visible->left = visible->right = column;
    }
    visible->top = row < visible->top ? row : visible->top;
    visible->bottom = row > visible->bottom ? row : visible->bottom;
    visible->left = column < visible->left ? column : visible->left;
    visible->right = column > visible->right ? column : visible->right;
}

static bool read_range(struct visible *visible, struct error *err)
{
    const struct node *node = &visible->walk->nodes.items[visible->place];
    DBusMessage *calls[POINTS + 1], *answers[POINTS + 1] = { NULL };
    dbus_int32_t number = 1;
    size_t count = 0;
    bool ok;

    calls[count++] = talk_get(node->bus, node->path, ATSPI_IFACE("Table"), "NColumns");
    for (size_t i = 0; i < visible->count; i++) {
        if (visible->paths[i])
            calls[count++] = talk_call(node->bus, visible->paths[i], ATSPI_IFACE("Accessible"),
                                       "GetIndexInParent");
    }
    ok = visible_ask(visible, calls, count, answers, err);
    talk_value(answers[0], DBUS_TYPE_INT32, &number);
    visible->columns = number > 0 ? number : 1;
    visible->top = 0;
    visible->bottom = -1;
    for (size_t i = 1; i < count; i++) {
        if (talk_value(answers[i], DBUS_TYPE_INT32, &number))
            visible_widen(visible, number);
    }
    talk_unref(answers, count);
    return ok;
}

static void adopt(struct visible *visible, DBusMessage *answer, int index)
{
    struct nodes *nodes = &visible->walk->nodes;
    char *path = talk_path(answer);
    int child = path ? nodes_add(nodes, bus_of(visible), path) : -1;

    if (child >= 0 && nodes_adopt(nodes, visible->place, child))
        nodes->items[child].index = index;
    free(path);
}

/* The index of the `nth` cell of a range that is `wide` columns wide. */
static dbus_int32_t index_of(const struct visible *visible, int nth, int wide)
{
    return (visible->top + nth / wide) * visible->columns + visible->left + nth % wide;
}

/* Reads whole rows, from the first one on. */
static bool read_cells(struct visible *visible, struct error *err)
{
    int wide = visible->right - visible->left + 1, most = visible->walk->query->children;
    int high = visible->bottom - visible->top + 1;
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
        dbus_int32_t index = index_of(visible, (int)i, wide);

        calls[i] = call_of(visible, ATSPI_IFACE("Accessible"), "GetChildAtIndex");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &index, DBUS_TYPE_INVALID);
    }
    ok = visible_ask(visible, calls, count, answers, err);
    for (size_t i = 0; i < count; i++)
        adopt(visible, answers[i], index_of(visible, (int)i, wide));
    talk_unref(answers, count);
    free(calls);
    free(answers);
    return ok;
}

static bool found_at_both(const struct visible *visible)
{
    return visible->count == 2 && visible->paths[0] && visible->paths[1];
}

bool visible_children_read(struct walk *walk, int place, struct error *err)
{
    struct visible visible = { .walk = walk, .place = place };
    bool ok = read_bounds(&visible, err);

    nodes_disown(&walk->nodes, place);
    walk->nodes.items[place].guessed = false;
    if (ok && visible.bounds.width > 2 * INSIDE && visible.bounds.height > 2 * INSIDE) {
        ok = read_corners(&visible, err);
        if (ok && !found_at_both(&visible))
            ok = read_edges(&visible, err);
        ok = ok && read_range(&visible, err) && read_cells(&visible, err);
    }
    visible_forget(&visible);
    return ok;
}
