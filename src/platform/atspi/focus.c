#include "platform/atspi/focus.h"

#include <stdlib.h>

#include "platform/atspi/bus/roles.h"
#include "platform/atspi/walk/walk.h"

enum {
    NODES_MAX = 600, /* objects that are looked at if an application has to be searched */
    DEPTH_MAX = 40,
    OTHERS_MAX = 4, /* objects with the focus, of an application */
    MATCH_ALL = 1,  /* AtspiCollectionMatchType */
    SORT_CANONICAL = 1,
};

#define STATE_BIT(state) ((uint64_t)1 << (state))

bool focus_is_field(uint64_t states)
{
    return HAS_STATE(states, STATE_EDITABLE) && HAS_STATE(states, STATE_FOCUSED);
}

struct object {
    char *bus, *path; /* owned */
};

static void object_free(struct object *object)
{
    free(object->bus);
    free(object->path);
}

struct search {
    struct atspi *atspi;
    struct deadline *deadline;
    const char *app;
    struct focus *out;
    struct object others[OTHERS_MAX]; /* they have the focus, and cannot be edited */
    size_t count;
    bool told; /* the application searched itself, so the others are all that have the focus */
};

/* Takes the object if it is the field, or notes that it has the focus. True: it is the field. */
static bool consider(struct search *search, const char *bus, const char *path, uint64_t states)
{
    if (focus_is_field(states)) {
        search->out->finding = FIELD_FOUND;
        search->out->bus = mem_strdup(bus);
        search->out->path = mem_strdup(path);
        return true;
    }
    if (HAS_STATE(states, STATE_FOCUSED) && search->count < OTHERS_MAX)
        search->others[search->count++] = (struct object){ mem_strdup(bus), mem_strdup(path) };
    return false;
}

static bool is_found(const struct search *search)
{
    return search->out->finding == FIELD_FOUND;
}

/* --- an application that searches itself --------------------------------------------------- */

static void add_ints(DBusMessageIter *rule, const dbus_int32_t *numbers, int count)
{
    DBusMessageIter list;

    dbus_message_iter_open_container(rule, DBUS_TYPE_ARRAY, "i", &list);
    for (int i = 0; i < count; i++)
        dbus_message_iter_append_basic(&list, DBUS_TYPE_INT32, &numbers[i]);
    dbus_message_iter_close_container(rule, &list);
}

static void add_empty(DBusMessageIter *rule, const char *contents)
{
    DBusMessageIter list;

    dbus_message_iter_open_container(rule, DBUS_TYPE_ARRAY, contents, &list);
    dbus_message_iter_close_container(rule, &list);
}

/* Asks for the objects with all of these states, at most `most`. Each kind of fact of the rule has
 * a number that says how its list matches. */
static DBusMessage *match_call(const char *app, uint64_t states, dbus_int32_t most)
{
    DBusMessage *call = talk_call(app, ATSPI_ROOT, ATSPI_IFACE("Collection"), "GetMatches");
    const dbus_int32_t words[2] = { (dbus_int32_t)(uint32_t)states,
                                    (dbus_int32_t)(uint32_t)(states >> 32) };
    dbus_int32_t all = MATCH_ALL;
    dbus_uint32_t order = SORT_CANONICAL;
    dbus_bool_t no = FALSE, yes = TRUE;
    DBusMessageIter at, rule;

    dbus_message_iter_init_append(call, &at);
    dbus_message_iter_open_container(&at, DBUS_TYPE_STRUCT, NULL, &rule);
    add_ints(&rule, words, 2);
    dbus_message_iter_append_basic(&rule, DBUS_TYPE_INT32, &all);
    add_empty(&rule, "{ss}"); /* attributes */
    dbus_message_iter_append_basic(&rule, DBUS_TYPE_INT32, &all);
    add_ints(&rule, NULL, 0); /* roles */
    dbus_message_iter_append_basic(&rule, DBUS_TYPE_INT32, &all);
    add_empty(&rule, "s"); /* interfaces */
    dbus_message_iter_append_basic(&rule, DBUS_TYPE_INT32, &all);
    dbus_message_iter_append_basic(&rule, DBUS_TYPE_BOOLEAN, &no); /* inverted */
    dbus_message_iter_close_container(&at, &rule);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_UINT32, &order);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_INT32, &most);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_BOOLEAN, &yes); /* in all of the tree */
    return call;
}

/* GTK 3, Firefox, LibreOffice and others can search themselves. */
static bool match(struct search *search, struct error *err)
{
    const uint64_t focused = STATE_BIT(STATE_FOCUSED), field = focused | STATE_BIT(STATE_EDITABLE);
    DBusMessage *calls[2] = { match_call(search->app, field, 1),
                              match_call(search->app, focused, OTHERS_MAX) };
    DBusMessage *answers[2] = { NULL };
    bool ok = talk_ask(search->atspi, search->deadline, calls, 2, answers, err);
    struct talk_object objects[OTHERS_MAX];
    size_t count;

    if (ok && talk_objects(answers[0], objects, 1, &count) && count)
        consider(search, objects[0].bus, objects[0].path, field);
    search->told = ok && talk_objects(answers[1], objects, OTHERS_MAX, &count);
    for (size_t i = 0; search->told && !is_found(search) && i < count; i++)
        consider(search, objects[i].bus, objects[i].path, focused);
    talk_unref(answers, 2);
    return ok;
}

/* --- one that does not ----------------------------------------------------------------------- */

/* Looks among the objects that GTK 4 has shown so far. */
static bool look_in_cache(struct search *search, struct error *err)
{
    struct walk walk = { .atspi = search->atspi, .deadline = search->deadline };
    bool ok = cache_glance(&walk, search->app, err);

    for (size_t i = 0; ok && i < walk.nodes.count; i++) {
        const struct node *node = &walk.nodes.items[i];

        if (consider(search, node->bus, node->path, node->states))
            break;
    }
    nodes_free(&walk.nodes);
    return ok;
}

struct level {
    struct object items[NODES_MAX];
    size_t count;
};

static void level_clear(struct level *level)
{
    for (size_t i = 0; i < level->count; i++)
        object_free(&level->items[i]);
    level->count = 0;
}

/* True if the field may be below the object: in a window that is not active, nothing has the
 * keyboard. */
static bool goes_below(uint64_t states, int depth)
{
    return depth == 0 || HAS_STATE(states, depth == 1 ? STATE_ACTIVE : STATE_SHOWING);
}

static void add_below(DBusMessage *answer, struct level *below)
{
    struct talk_object children[NODES_MAX];
    size_t count;

    talk_objects(answer, children, NODES_MAX - below->count, &count);
    for (size_t i = 0; i < count; i++)
        below->items[below->count++] =
            (struct object){ mem_strdup(children[i].bus), mem_strdup(children[i].path) };
}

/* Reads the objects of a level, all at once, and gathers those below them. */
static bool look_at_level(struct search *search, const struct level *level, int depth,
                          struct level *below, struct error *err)
{
    const char *accessible = ATSPI_IFACE("Accessible");
    DBusMessage *calls[2 * NODES_MAX], *answers[2 * NODES_MAX] = { NULL };
    bool ok;

    for (size_t i = 0; i < level->count; i++) {
        const struct object *object = &level->items[i];

        calls[2 * i] = talk_call(object->bus, object->path, accessible, "GetState");
        calls[2 * i + 1] = talk_call(object->bus, object->path, accessible, "GetChildren");
    }
    ok = talk_ask(search->atspi, search->deadline, calls, 2 * level->count, answers, err);
    for (size_t i = 0; ok && !is_found(search) && i < level->count; i++) {
        uint64_t states = 0;

        talk_states(answers[2 * i], &states);
        if (!consider(search, level->items[i].bus, level->items[i].path, states) &&
            goes_below(states, depth))
            add_below(answers[2 * i + 1], below);
    }
    talk_unref(answers, 2 * level->count);
    return ok;
}

/* Walks through an application of Qt, level by level. */
static bool walk_levels(struct search *search, struct error *err)
{
    struct level *level = mem_zero(sizeof *level), *below = mem_zero(sizeof *below), *next;
    size_t seen = 0;
    bool ok = true;

    level->items[level->count++] =
        (struct object){ mem_strdup(search->app), mem_strdup(ATSPI_ROOT) };
    for (int depth = 0; ok && depth <= DEPTH_MAX && level->count && seen <= NODES_MAX; depth++) {
        ok = look_at_level(search, level, depth, below, err);
        level_clear(level);
        next = below;
        below = level;
        level = next;
        seen += level->count;
        if (is_found(search))
            break;
    }
    level_clear(level);
    level_clear(below);
    free(level);
    free(below);
    return ok;
}

/* --- no field -------------------------------------------------------------------------------- */

static bool is_text_field(enum element_role role)
{
    return role == ELEMENT_PASSWORD || role == ELEMENT_SPIN || role == ELEMENT_TEXT ||
           role == ELEMENT_ENTRY || role == ELEMENT_PARAGRAPH;
}

/* True for containers, which take no keys themselves. LibreOffice drops keys while its panel has
 * the focus, before its document gets it. */
static bool is_holder(const char *native)
{
    static const char *const names[] = { "filler",    "frame",       "panel",
                                         "root pane", "scroll pane", "window" };

    for (size_t i = 0; i < countof(names); i++) {
        if (strcmp(native, names[i]) == 0)
            return true;
    }
    return false;
}

/* Decides by the roles of the objects that have the focus and cannot be edited. */
static bool judge_others(struct search *search, struct error *err)
{
    DBusMessage *calls[OTHERS_MAX], *answers[OTHERS_MAX] = { NULL };
    bool nowhere = search->told, ok;

    for (size_t i = 0; i < search->count; i++)
        calls[i] = talk_call(search->others[i].bus, search->others[i].path,
                             ATSPI_IFACE("Accessible"), "GetRole");
    ok = talk_ask(search->atspi, search->deadline, calls, search->count, answers, err);
    for (size_t i = 0; ok && i < search->count; i++) {
        dbus_uint32_t role = 0;
        const char *native;

        talk_value(answers[i], DBUS_TYPE_UINT32, &role);
        if (is_text_field(roles_of(role, 0, &native)))
            search->out->finding = FIELD_READ_ONLY;
        nowhere = nowhere && is_holder(native);
    }
    if (nowhere && search->out->finding == FIELD_UNKNOWN)
        search->out->finding = FIELD_NOWHERE;
    talk_unref(answers, search->count);
    return ok;
}

bool focus_find(struct atspi *atspi, struct deadline *deadline, const char *app, struct focus *out,
                struct error *err)
{
    struct search search = { .atspi = atspi, .deadline = deadline, .app = app, .out = out };
    bool ok;

    *out = (struct focus){ FIELD_UNKNOWN, NULL, NULL };
    ok = match(&search, err) && (is_found(&search) || look_in_cache(&search, err)) &&
         (is_found(&search) || walk_levels(&search, err)) &&
         (is_found(&search) || judge_others(&search, err));
    for (size_t i = 0; i < search.count; i++)
        object_free(&search.others[i]);
    if (!ok)
        focus_free(out);
    return ok;
}

void focus_free(struct focus *focus)
{
    free(focus->bus);
    free(focus->path);
    *focus = (struct focus){ FIELD_UNKNOWN, NULL, NULL };
}
