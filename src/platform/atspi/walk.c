#include "platform/atspi/walk.h"

#include <stdlib.h>

#include "platform/atspi/roles.h"

enum { ROUND_MAX = 4000 /* calls of one round */ };

/* --- one object -------------------------------------------------------------------------- */

/* One by one: Properties.GetAll() ends every Qt 5 application. */
void walk_calls_for(const struct node *node, DBusMessage **calls)
{
    const char *accessible = ATSPI_IFACE("Accessible");

    calls[0] = talk_get(node->bus, node->path, accessible, "Name");
    calls[1] = talk_get(node->bus, node->path, accessible, "ChildCount");
    calls[2] = talk_call(node->bus, node->path, accessible, "GetRole");
    calls[3] = talk_call(node->bus, node->path, accessible, "GetState");
    calls[4] = talk_call(node->bus, node->path, accessible, "GetInterfaces");
}

static void take_states(struct node *node, DBusMessage *answer)
{
    dbus_uint32_t *words;
    int count;

    if (!answer || !dbus_message_get_args(answer, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_UINT32, &words,
                                          &count, DBUS_TYPE_INVALID))
        return;
    node->states = count > 0 ? words[0] : 0;
    node->states |= count > 1 ? (uint64_t)words[1] << 32 : 0;
}

static void take_interfaces(struct node *node, DBusMessage *answer)
{
    char **names;
    int count;

    if (!answer || !dbus_message_get_args(answer, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &names,
                                          &count, DBUS_TYPE_INVALID))
        return;
    node->abilities = 0;
    for (int i = 0; i < count; i++)
        node->abilities |= roles_ability(names[i]);
    dbus_free_string_array(names);
}

void walk_take_answers(struct node *node, DBusMessage **answers)
{
    const char *name;
    dbus_int32_t count;
    dbus_uint32_t role;

    node->known = true;
    if (talk_value(answers[0], DBUS_TYPE_STRING, &name)) {
        free(node->name);
        node->name = *name ? mem_strdup(name) : NULL;
    }
    if (talk_value(answers[1], DBUS_TYPE_INT32, &count))
        node->count = count;
    if (talk_value(answers[2], DBUS_TYPE_UINT32, &role))
        node->role = role;
    take_states(node, answers[3]);
    take_interfaces(node, answers[4]);
    node->dead = !answers[2] || HAS_STATE(node->states, STATE_DEFUNCT);
}

static void take_children(struct nodes *nodes, int place, DBusMessage *answer)
{
    DBusMessageIter at, each, inside;
    int count = 0;

    if (!answer || !dbus_message_has_signature(answer, "a(so)"))
        return;
    nodes_disown(nodes, place);
    dbus_message_iter_init(answer, &at);
    dbus_message_iter_recurse(&at, &each);
    for (; dbus_message_iter_get_arg_type(&each) == DBUS_TYPE_STRUCT;
         dbus_message_iter_next(&each)) {
        const char *bus, *path;
        int child;

        dbus_message_iter_recurse(&each, &inside);
        dbus_message_iter_get_basic(&inside, &bus);
        dbus_message_iter_next(&inside);
        dbus_message_iter_get_basic(&inside, &path);
        child = nodes_add(nodes, bus, path);
        if (child >= 0 && nodes_adopt(nodes, place, child))
            nodes->items[child].index = count;
        else if (child >= 0)
            nodes->items[place].elsewhere++;
        count++;
    }
    nodes->items[place].count = count;
}

/* --- a round ------------------------------------------------------------------------------ */

/* What is missing of a node. */
struct lack {
    int place;
    bool children; /* else all the rest */
};

struct round {
    struct lack *items;
    size_t count, room, calls, seen;
};

static void want(struct round *round, int place, bool children)
{
    if (round->count == round->room) {
        round->room = round->room ? round->room * 2 : 64;
        round->items = mem_resize(round->items, round->room * sizeof *round->items);
    }
    round->items[round->count++] = (struct lack){ place, children };
    round->calls += children ? 1 : NODE_CALLS;
}

/* Windows of the application are looked into as they are: GTK says of a covered one that it is not
 * shown. */
bool walk_wants(const struct walk *walk, int place, int depth)
{
    const struct node *node = &walk->nodes.items[place];

    return !node->dead && (walk->query->hidden || !walk->trusted || depth <= 1 ||
                           HAS_STATE(node->states, STATE_SHOWING));
}

static void look_for_lacks(struct walk *walk, struct round *round, int place, int depth)
{
    const struct node *node = &walk->nodes.items[place];
    int most = walk->query->children;

    if (round->seen >= walk->query->nodes || round->calls >= ROUND_MAX) {
        walk->cut = walk->cut || round->seen >= walk->query->nodes;
        return;
    }
    round->seen++;
    if (!node->known) {
        want(round, place, false);
        return;
    }
    if (!walk_wants(walk, place, depth) || depth == walk->query->depth)
        return;
    if (!node->asked && node->count > 0 && node->count <= most &&
        (node->listed < node->count || node->unordered))
        want(round, place, true);
    for (int i = 0; i < node->listed && i < most; i++)
        look_for_lacks(walk, round, walk->nodes.items[place].children[i], depth + 1);
}

static bool ask(struct walk *walk, const struct round *round, struct error *err)
{
    DBusMessage **calls = mem_zero((round->calls + 1) * sizeof *calls);
    DBusMessage **answers = mem_zero((round->calls + 1) * sizeof *answers);
    size_t at = 0;
    bool ok;

    for (size_t i = 0; i < round->count; i++) {
        const struct node *node = &walk->nodes.items[round->items[i].place];

        if (round->items[i].children)
            calls[at++] =
                talk_call(node->bus, node->path, ATSPI_IFACE("Accessible"), "GetChildren");
        else
            walk_calls_for(node, calls + at);
        at += round->items[i].children ? 0 : NODE_CALLS;
    }
    ok = talk_ask(walk->atspi, walk->deadline, calls, round->calls, answers, err);
    at = 0;
    for (size_t i = 0; i < round->count; i++) {
        int place = round->items[i].place;

        if (round->items[i].children) {
            walk->nodes.items[place].asked = true;
            take_children(&walk->nodes, place, answers[at++]);
        } else {
            walk_take_answers(&walk->nodes.items[place], answers + at);
            at += NODE_CALLS;
        }
    }
    talk_unref(answers, round->calls);
    free(answers);
    free(calls);
    return ok;
}

bool walk_on(struct walk *walk, struct error *err)
{
    for (;;) {
        struct round round = { 0 };
        bool ok = true;

        look_for_lacks(walk, &round, walk->root, 0);
        if (round.count)
            ok = ask(walk, &round, err);
        free(round.items);
        if (!ok || !round.count)
            return ok;
    }
}
