#include "platform/atspi/walk/walk.h"

#include <stdlib.h>

#include "platform/atspi/bus/extents.h"
#include "platform/atspi/bus/roles.h"
#include "platform/atspi/walk/menu.h"
#include "platform/atspi/walk/visible_children.h"

enum {
    ROUND_MAX = 1000, /* calls of one round */
    CROWDS_MAX = 4,   /* lists and sheets of which only the visible part is read */
    SAMPLE = 16,      /* elements by which the size of a tree is judged */
    CUT_MS = 450,     /* time after which a tree is cut that is too large anyway */
};

/* --- one object -------------------------------------------------------------------------- */

/* Reads properties one by one, because Properties.GetAll() crashes every Qt 5 application. */
void walk_calls_for(const struct node *node, DBusMessage **calls)
{
    const char *accessible = ATSPI_IFACE("Accessible");

    calls[0] = talk_get(node->bus, node->path, accessible, "Name");
    calls[1] = talk_get(node->bus, node->path, accessible, "ChildCount");
    calls[2] = talk_call(node->bus, node->path, accessible, "GetRole");
    calls[3] = talk_call(node->bus, node->path, accessible, "GetState");
    calls[4] = talk_call(node->bus, node->path, accessible, "GetInterfaces");
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
    talk_states(answers[3], &node->states);
    take_interfaces(node, answers[4]);
    node->dead = !answers[2] || HAS_STATE(node->states, STATE_DEFUNCT);
}

/* A menu button of GTK 3 lists the items of its menu, and these say that they are the menu's, which
 * no element lists. */
static void take_from_unlisted(struct nodes *nodes, int place, int child)
{
    int old = nodes->items[child].parent;

    if (old >= 0 && old != place && nodes->items[old].parent < 0 && !nodes->items[old].known &&
        strcmp(nodes->items[old].path, ATSPI_ROOT) != 0)
        nodes_take_away(nodes, old, child);
}

static void take_children(struct nodes *nodes, int place, DBusMessage *answer)
{
    DBusMessageIter at, each;
    struct talk_object object;
    int count = 0;

    if (!answer || !dbus_message_has_signature(answer, "a(so)"))
        return;
    dbus_message_iter_init(answer, &at);
    dbus_message_iter_recurse(&at, &each);
    while (talk_object(&each, &object)) {
        int child = nodes_add(nodes, object.bus, object.path);

        if (child >= 0)
            take_from_unlisted(nodes, place, child);
        if (child >= 0 && nodes_adopt(nodes, place, child))
            nodes->items[child].index = count;
        else if (child >= 0)
            nodes->items[place].elsewhere++;
        count++;
    }
    nodes->items[place].count = count;
    nodes->items[place].unordered = false;
}

/* --- a round ------------------------------------------------------------------------------ */

/* The missing facts of a node. */
enum lack_kind {
    LACK_ALL,
    LACK_AGAIN, /* the facts of a node that was read before, as far as they may change */
    LACK_INNER, /* ... when its children are asked for, which gives their number */
    LACK_STATE, /* ... when it was hidden */
    LACK_SIGNS, /* ... when it seems to be unchanged */
    LACK_PLACE, /* its bounds */
    LACK_DESCRIPTION,
    LACK_CHILDREN, /* the list of its children */
};

static const size_t lack_calls[] = { NODE_CALLS, 4, 3, 1, 3, 1, 1, 1 };

struct lack {
    int place;
    enum lack_kind kind;
};

struct round {
    struct lack *items;
    size_t count, room, calls, seen;
};

static void round_want(struct round *round, int place, enum lack_kind kind)
{
    if (round->count == round->room) {
        round->room = round->room ? round->room * 2 : 64;
        round->items = mem_resize(round->items, round->room * sizeof *round->items);
    }
    round->items[round->count++] = (struct lack){ place, kind };
    round->calls += lack_calls[kind];
}

bool walk_may_be_shown(const struct walk *walk, const struct node *node)
{
    return HAS_STATE(node->states, walk->trusted ? STATE_SHOWING : STATE_VISIBLE);
}

/* The application's windows are read in any case: GTK reports a covered one as not shown. */
bool walk_wants(const struct walk *walk, int place, int depth)
{
    const struct node *node = &walk->nodes.items[place];

    return !node->dead && (walk->query->hidden || depth <= 1 || walk_may_be_shown(walk, node));
}

/* Wants the facts of a node that was read before. The rest is guessed by its earlier facts, so that
 * all can be asked at once. */
static void want_again(const struct walk *walk, struct round *round, int place, bool inner)
{
    const struct node *node = &walk->nodes.items[place];

    if (node->age == NODE_CHECK)
        round_want(round, place, LACK_SIGNS);
    if (node->age == NODE_OLD)
        round_want(round, place, inner ? LACK_INNER : LACK_AGAIN);
    if (node->age == NODE_OLD && node->description)
        round_want(round, place, LACK_DESCRIPTION);
    if (node->age != NODE_NEW && !node->located && walk->query->bounds &&
        (node->abilities & ELEMENT_CAN_FOCUS))
        round_want(round, place, LACK_PLACE);
}

static bool lacks_children(const struct walk *walk, const struct node *node)
{
    return !node->asked && node->count > 0 && node->count <= walk->query->children &&
           (node->listed < node->count || node->unordered || node->guessed);
}

/* True if the node is beside those that are named at a point, and not there as well. */
static bool is_elsewhere(const struct walk *walk, struct round *round, int place)
{
    const struct node *node = &walk->nodes.items[place];

    if (node->known || node->parent < 0 || !walk->nodes.items[node->parent].named || node->named)
        return false;
    if (!node->located)
        round_want(round, place, LACK_PLACE);
    return !node->placed || !rect_has(&node->bounds, walk->aim);
}

static void look_for_lacks(struct walk *walk, struct round *round, int place, int depth)
{
    const struct node *node = &walk->nodes.items[place];
    bool wanted = walk_wants(walk, place, depth), inner;
    int count;

    if (round->seen >= walk->query->nodes || round->calls >= ROUND_MAX) {
        walk->cut = walk->cut || round->seen >= walk->query->nodes;
        return;
    }
    round->seen++;
    if (is_elsewhere(walk, round, place))
        return;
    if (!node->known) {
        round_want(round, place, LACK_ALL);
        for (int i = 0; i < node->listed; i++) /* those that are named already */
            look_for_lacks(walk, round, node->children[i], depth + 1);
        return;
    }
    if (!wanted && node->age == NODE_OLD)
        round_want(round, place, LACK_STATE);
    if (!wanted)
        return;
    inner = depth != walk->query->depth && lacks_children(walk, node);
    want_again(walk, round, place, inner);
    if (depth == walk->query->depth)
        return;
    if (inner)
        round_want(round, place, LACK_CHILDREN);
    count = menu_count_asked(walk, node);
    for (int i = 0; i < count; i++)
        look_for_lacks(walk, round, walk->nodes.items[place].children[i], depth + 1);
}

static void calls_for(const struct node *node, enum lack_kind kind, DBusMessage **calls)
{
    const char *accessible = ATSPI_IFACE("Accessible");

    switch (kind) {
    case LACK_ALL:
        walk_calls_for(node, calls);
        break;
    case LACK_AGAIN:
        calls[3] = talk_call(node->bus, node->path, accessible, "GetRole");
        /* fall through */
    case LACK_SIGNS:
        calls[2] = talk_get(node->bus, node->path, accessible, "Name");
        calls[1] = talk_get(node->bus, node->path, accessible, "ChildCount");
        /* fall through */
    case LACK_STATE:
        calls[0] = talk_call(node->bus, node->path, accessible, "GetState");
        break;
    case LACK_INNER:
        calls[0] = talk_call(node->bus, node->path, accessible, "GetState");
        calls[1] = talk_get(node->bus, node->path, accessible, "Name");
        calls[2] = talk_call(node->bus, node->path, accessible, "GetRole");
        break;
    case LACK_PLACE:
        calls[0] = extents_call(node->bus, node->path);
        break;
    case LACK_DESCRIPTION:
        calls[0] = talk_get(node->bus, node->path, accessible, "Description");
        break;
    case LACK_CHILDREN:
        calls[0] = talk_call(node->bus, node->path, accessible, "GetChildren");
        break;
    }
}

/* True if it still has the same name, states and number of children. */
static bool take_signs(struct node *node, DBusMessage **answers)
{
    uint64_t states = node->states;
    dbus_int32_t count;
    const char *name;

    talk_states(answers[0], &node->states);
    return answers[0] && talk_value(answers[1], DBUS_TYPE_INT32, &count) &&
           talk_value(answers[2], DBUS_TYPE_STRING, &name) && states == node->states &&
           count == node->count && strcmp(name, node->name ? node->name : "") == 0;
}

/* Takes the facts anew. Another role makes it another element, which can do other things. */
static void take_again(struct nodes *nodes, int place, DBusMessage *state, DBusMessage *told_count,
                       DBusMessage *name, DBusMessage *told_role)
{
    struct node *node = &nodes->items[place];
    DBusMessage *all[NODE_CALLS] = { name, told_count, told_role, state, NULL };
    uint32_t role = node->role;
    int count = node->count;

    node->states = 0;
    walk_take_answers(node, all);
    node->known = node->dead || node->role == role;
    node->behind = false;
    if (node->count == 0) {
        if (count != 0) /* else its children are known by their own word, as a popover of GTK 3 */
            nodes_disown(nodes, place);
        node->guessed = false;
    }
}

static void walk_take(struct walk *walk, const struct lack *lack, DBusMessage **answers)
{
    struct node *node = &walk->nodes.items[lack->place];
    const char *text;

    switch (lack->kind) {
    case LACK_ALL:
        walk_take_answers(node, answers);
        node->age = NODE_NEW;
        node->behind = false;
        break;
    case LACK_AGAIN:
        take_again(&walk->nodes, lack->place, answers[0], answers[1], answers[2], answers[3]);
        node->age = NODE_NEW;
        break;
    case LACK_INNER:
        take_again(&walk->nodes, lack->place, answers[0], NULL, answers[1], answers[2]);
        node->age = NODE_NEW;
        break;
    case LACK_STATE: /* a node that is shown now will be read whole */
        talk_states(answers[0], &node->states);
        node->dead = !answers[0];
        node->known = !walk_may_be_shown(walk, node);
        node->age = NODE_NEW;
        break;
    case LACK_SIGNS:
        node->age = take_signs(node, answers) ? NODE_NEW : NODE_OLD;
        if (node->age == NODE_OLD) {
            node->guessed = node->behind = true;
            node->asked = false;
        }
        break;
    case LACK_PLACE:
        node->located = true;
        node->placed = extents_read(answers[0], &node->bounds);
        break;
    case LACK_DESCRIPTION:
        free(node->description);
        node->description =
            talk_value(answers[0], DBUS_TYPE_STRING, &text) && *text ? mem_strdup(text) : NULL;
        break;
    case LACK_CHILDREN:
        node->asked = true;
        node->guessed = false;
        take_children(&walk->nodes, lack->place, answers[0]);
        break;
    }
}

/* Takes the children from all nodes whose lists came, before any gets them: some may have moved
 * from one to another. */
static void disown(struct walk *walk, const struct round *round, DBusMessage **answers)
{
    for (size_t i = 0; i < round->count; i++) {
        const struct lack *lack = &round->items[i];

        if (lack->kind == LACK_CHILDREN &&
            (walk->nodes.aged || (*answers && dbus_message_has_signature(*answers, "a(so)"))))
            nodes_disown(&walk->nodes, lack->place);
        answers += lack_calls[lack->kind];
    }
}

/* Cuts a round that was given up to the answers that came: an application answers in the order of
 * the questions. A missing answer there only means that it did not come in time, so the next look
 * asks once more. */
static void shorten(struct round *round, DBusMessage **answers)
{
    size_t came = 0, whole = 0, at = 0;

    for (size_t i = 0; i < round->calls; i++) {
        if (answers[i])
            came = i + 1;
    }
    while (whole < round->count && at + lack_calls[round->items[whole].kind] <= came)
        at += lack_calls[round->items[whole++].kind];
    round->count = whole;
}

static bool walk_ask(struct walk *walk, struct round *round, struct error *err)
{
    DBusMessage **calls = mem_zero((round->calls + 1) * sizeof *calls);
    DBusMessage **answers = mem_zero((round->calls + 1) * sizeof *answers);
    size_t at = 0;
    bool ok;

    for (size_t i = 0; i < round->count; i++) {
        const struct lack *lack = &round->items[i];

        calls_for(&walk->nodes.items[lack->place], lack->kind, calls + at);
        at += lack_calls[lack->kind];
    }
    ok = talk_ask(walk->atspi, walk->deadline, calls, round->calls, answers, err);
    if (!ok)
        shorten(round, answers);
    disown(walk, round, answers);
    at = 0;
    for (size_t i = 0; i < round->count; i++) {
        walk_take(walk, &round->items[i], answers + at);
        at += lack_calls[round->items[i].kind];
    }
    talk_unref(answers, round->calls);
    free(answers);
    free(calls);
    return ok;
}

/* The number of children that it claims and was not asked for yet. */
static size_t count_unasked(const struct walk *walk, const struct node *node)
{
    bool more = node->known && !node->dead && !node->asked && node->count > node->listed &&
                node->count <= walk->query->children;

    return more ? (size_t)(node->count - node->listed) : 0;
}

/* The number of nodes, with those that are known to exist within the limits and were not asked for
 * yet. */
static size_t estimate(const struct walk *walk)
{
    size_t count = walk->nodes.count;

    for (size_t i = 0; i < walk->nodes.count; i++)
        count += count_unasked(walk, &walk->nodes.items[i]);
    return count;
}

/* The same for the nodes of this look alone: the set also has hidden nodes, and nodes from an
 * earlier tree. */
static size_t estimate_wanted(const struct walk *walk, int place, int depth)
{
    const struct node *node = &walk->nodes.items[place];
    size_t count = 1;

    if (!walk_wants(walk, place, depth) || depth == walk->query->depth)
        return count;
    count += count_unasked(walk, node);
    for (int i = 0; i < node->listed && i < walk->query->children; i++)
        count += estimate_wanted(walk, node->children[i], depth + 1);
    return count;
}

static bool walk_step(struct walk *walk, bool *done, struct error *err)
{
    struct round round = { 0 };
    bool ok = true;

    look_for_lacks(walk, &round, walk->root, 0);
    *done = !round.count;
    if (round.count)
        ok = walk_ask(walk, &round, err);
    free(round.items);
    return ok;
}

static size_t count_known(const struct nodes *nodes)
{
    size_t known = 0;

    for (size_t i = 0; i < nodes->count; i++)
        known += nodes->items[i].known;
    return known;
}

bool walk_sample(struct walk *walk, size_t *size, struct error *err)
{
    bool ok = true, done = false;

    while (ok && !done && count_known(&walk->nodes) < SAMPLE)
        ok = walk_step(walk, &done, err);
    *size = estimate(walk);
    return ok;
}

/* Finds a shown node that has too many children to ask for; -1. */
static int find_crowd(const struct walk *walk, int place, int depth)
{
    const struct node *node = &walk->nodes.items[place];

    if (node->age != NODE_NEW || !node->known || !walk_wants(walk, place, depth) ||
        depth >= walk->query->depth)
        return -1;
    if (node->count > walk->query->children)
        return !node->visible_only && (node->abilities & ELEMENT_CAN_FOCUS) &&
                       walk_may_be_shown(walk, node)
                   ? place
                   : -1;
    for (int i = 0; i < node->listed; i++) {
        int found = find_crowd(walk, node->children[i], depth + 1);

        if (found >= 0)
            return found;
    }
    return -1;
}

/* Reads the visible part of the next such node. */
static bool look_at_crowd(struct walk *walk, int *crowds, bool *done, struct error *err)
{
    int place = *crowds < CROWDS_MAX ? find_crowd(walk, walk->root, 0) : -1;

    if (place < 0)
        return true;
    (*crowds)++;
    *done = false;
    walk->nodes.items[place].visible_only = true;
    return visible_children_read(walk, place, err);
}

bool walk_on(struct walk *walk, struct error *err)
{
    uint64_t began = deadline_now();
    bool ok = true, done = false;
    int crowds = 0;

    while (ok && !done) {
        if (deadline_now() - began > CUT_MS &&
            estimate_wanted(walk, walk->root, 0) > walk->query->nodes) {
            walk->cut = walk->late = true;
            return true;
        }
        ok = walk_step(walk, &done, err);
        if (ok && done)
            ok = look_at_crowd(walk, &crowds, &done, err);
    }
    return ok;
}
