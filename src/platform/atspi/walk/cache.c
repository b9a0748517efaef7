/* org.a11y.atspi.Cache.GetItems. There are two forms:
 *   a((so)(so)(so)iiassusau)    object, application, parent, index, number of children, interfaces,
 * name, role, description, states a((so)(so)(so)a(so)assusau) with the children in place of the two
 * numbers (Qt 5, old GTK) GTK gives none before somebody has registered for events. */
#include <stdlib.h>

#include "platform/atspi/bus/roles.h"
#include "platform/atspi/walk/walk.h"

enum { ITEMS_MAX = 200000 };

/* Reads an object, (so). */
static int read_object(struct nodes *nodes, DBusMessageIter *at)
{
    struct talk_object object = { "", ATSPI_NULL };

    talk_object(at, &object);
    return nodes_add(nodes, object.bus, object.path);
}

static int read_int(DBusMessageIter *at)
{
    dbus_int32_t value;

    dbus_message_iter_get_basic(at, &value);
    dbus_message_iter_next(at);
    return value;
}

static char *read_text(DBusMessageIter *at)
{
    const char *text;

    dbus_message_iter_get_basic(at, &text);
    dbus_message_iter_next(at);
    return *text ? mem_strdup(text) : NULL;
}

static void read_children(struct nodes *nodes, DBusMessageIter *at, int parent)
{
    DBusMessageIter each;
    int count = 0;

    dbus_message_iter_recurse(at, &each);
    while (dbus_message_iter_get_arg_type(&each) == DBUS_TYPE_STRUCT) {
        int child = read_object(nodes, &each);

        count++;
        if (child >= 0)
            nodes_adopt(nodes, parent, child);
    }
    nodes->items[parent].count = count;
    dbus_message_iter_next(at);
}

static unsigned read_abilities(DBusMessageIter *at)
{
    DBusMessageIter each;
    unsigned abilities = 0;

    dbus_message_iter_recurse(at, &each);
    for (; dbus_message_iter_get_arg_type(&each) == DBUS_TYPE_STRING;
         dbus_message_iter_next(&each)) {
        const char *name;

        dbus_message_iter_get_basic(&each, &name);
        abilities |= roles_ability(name);
    }
    dbus_message_iter_next(at);
    return abilities;
}

static uint64_t read_states(DBusMessageIter *at)
{
    DBusMessageIter each;
    uint64_t states = 0;

    dbus_message_iter_recurse(at, &each);
    for (int word = 0; word < 2 && dbus_message_iter_get_arg_type(&each) == DBUS_TYPE_UINT32;
         word++) {
        dbus_uint32_t bits;

        dbus_message_iter_get_basic(&each, &bits);
        states |= (uint64_t)bits << (32 * word);
        dbus_message_iter_next(&each);
    }
    return states;
}

static void read_item(struct nodes *nodes, DBusMessageIter *at, bool lists_children)
{
    DBusMessageIter item;
    int place, parent;
    struct node *node;

    dbus_message_iter_recurse(at, &item);
    place = read_object(nodes, &item);
    read_object(nodes, &item); /* the application */
    parent = read_object(nodes, &item);
    if (place < 0 || nodes->items[place].known)
        return;
    if (lists_children) {
        read_children(nodes, &item, place);
    } else {
        nodes->items[place].index = read_int(&item);
        nodes->items[place].count = read_int(&item);
        if (parent >= 0)
            nodes_adopt(nodes, parent, place);
    }
    node = &nodes->items[place];
    node->abilities = read_abilities(&item);
    node->name = read_text(&item);
    dbus_message_iter_get_basic(&item, &node->role);
    dbus_message_iter_next(&item);
    node->description = read_text(&item);
    node->states = read_states(&item);
    node->known = node->count >= 0; /* not if it makes its children as they are looked at */
}

struct numbered {
    int index, place;
};

static int by_index(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    return x->index != y->index ? (x->index > y->index ? 1 : -1) : x->place - y->place;
}

/* Sorts the children by their numbers, if they have some: the cache has no order. */
static void sort_children(struct nodes *nodes, struct node *node)
{
    struct numbered *sorted;

    if (node->listed == 1 && node->count == 1)
        nodes->items[node->children[0]].index = 0;
    if (node->listed < 2)
        return;
    sorted = mem_alloc((size_t)node->listed * sizeof *sorted);
    for (int i = 0; i < node->listed; i++) {
        sorted[i] = (struct numbered){ nodes->items[node->children[i]].index, node->children[i] };
        node->unordered = node->unordered || sorted[i].index < 0;
    }
    qsort(sorted, (size_t)node->listed, sizeof *sorted, by_index);
    for (int i = 0; i < node->listed; i++)
        node->children[i] = sorted[i].place;
    free(sorted);
}

static void read_items(struct nodes *nodes, DBusMessage *answer)
{
    bool lists_children = dbus_message_has_signature(answer, "a((so)(so)(so)a(so)assusau)");
    DBusMessageIter at, items;

    if (!lists_children && !dbus_message_has_signature(answer, "a((so)(so)(so)iiassusau)"))
        return;
    dbus_message_iter_init(answer, &at);
    dbus_message_iter_recurse(&at, &items);
    while (dbus_message_iter_get_arg_type(&items) == DBUS_TYPE_STRUCT && nodes->count < ITEMS_MAX) {
        read_item(nodes, &items, lists_children);
        dbus_message_iter_next(&items);
    }
    for (size_t i = 0; i < nodes->count && !lists_children; i++)
        sort_children(nodes, &nodes->items[i]);
}

/* Registers for one kind of events, in the registry's own words: any kind will do. */
static DBusMessage *registration(void)
{
    DBusMessage *call = talk_call(ATSPI_REGISTRY, "/org/a11y/atspi/registry",
                                  ATSPI_IFACE("Registry"), "RegisterEvent");
    const char *event = "object:children-changed";

    dbus_message_append_args(call, DBUS_TYPE_STRING, &event, DBUS_TYPE_INVALID);
    return call;
}

static bool read_cache(struct walk *walk, const char *bus, bool registers, struct error *err)
{
    DBusMessage *calls[2], *answers[2] = { NULL, NULL };
    size_t count = 0;
    bool ok;

    if (registers)
        calls[count++] = registration();
    calls[count++] = talk_call(bus, ATSPI_CACHE_PATH, ATSPI_IFACE("Cache"), "GetItems");
    ok = talk_ask(walk->atspi, walk->deadline, calls, count, answers, err);
    walk->atspi->listening = walk->atspi->listening || (registers && ok && answers[0]);
    if (ok && answers[count - 1]) {
        read_items(&walk->nodes, answers[count - 1]);
        walk->cached = walk->nodes.count;
    }
    talk_unref(answers, count);
    return ok;
}

bool cache_read(struct walk *walk, const char *bus, struct error *err)
{
    return read_cache(walk, bus, !walk->atspi->listening, err);
}

bool cache_glance(struct walk *walk, const char *bus, struct error *err)
{
    return read_cache(walk, bus, false, err);
}
