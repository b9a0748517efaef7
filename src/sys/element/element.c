/* sys.element -- what the interface of an application is made of, and what can be done to it. */
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "script/bind.h"
#include "sys/element/values.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum {
    NODES_MAX = 100000,
    DEPTH_MAX = 1000,
    IDS_MAX = 500,         /* most elements that one call reads again */
    ACTION_NAME_MAX = 256, /* bytes */
    PARAGRAPHS_MAX = 4000, /* that are read above a field */
    EVENTS_WAIT_MAX_S = 60,
};

static const char *const plain_options[] = { "timeout", NULL };

/* --- shared by the functions ------------------------------------------------------- */

static const struct element_ops *ops_of(const struct platform_ops *ops, struct error *err)
{
    if (!ops->elements)
        error_set(err, "not_supported",
                  "Perigee cannot read the elements of applications on this desktop (%s). Take a "
                  "screenshot instead",
                  ops->name);
    return ops->elements;
}

static uint64_t check_element_id(lua_State *L, int arg)
{
    lua_Integer id = luaL_checkinteger(L, arg);

    luaL_argcheck(L, id != 0, arg, "it is not the id of an element");
    return (uint64_t)id;
}

/* Reads an id or another whole number of 64 bits; 0 if it is absent. */
static uint64_t whole_field(lua_State *L, int arg, const char *name)
{
    lua_Integer value;
    int ok;

    lua_pushstring(L, name);
    if (lua_rawget(L, arg) == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    value = lua_tointegerx(L, -1, &ok);
    if (!ok || lua_type(L, -1) != LUA_TNUMBER)
        bind_field_error(L, arg, name,
                         lua_pushfstring(L, "whole number expected, got %s", luaL_typename(L, -1)));
    lua_pop(L, 1);
    return (uint64_t)value;
}

static int count_field(lua_State *L, int arg, const char *name, int absent, int max)
{
    return (int)bind_number(L, arg, name, absent, 0, max);
}

/* --- reading a tree ---------------------------------------------------------------- */

struct tree_call {
    struct thread_call call;
    struct element_query query;
    uint64_t ids[IDS_MAX]; /* for get */
    size_t count;
    struct element_tree tree;
};

static void tree_clear(struct thread_call *call)
{
    element_tree_free(&container_of(call, struct tree_call, call)->tree);
}

static bool tree_run(struct thread_call *call, struct error *err)
{
    struct tree_call *self = container_of(call, struct tree_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements &&
           elements->tree(call->desktop, call->deadline, &self->query, &self->tree, err);
}

static int tree_push(lua_State *L, struct thread_call *call)
{
    const struct element_tree *tree = &container_of(call, struct tree_call, call)->tree;

    lua_createtable(L, 0, 4); /* result */
    element_push_nodes(L, tree);
    lua_setfield(L, -2, "nodes");
    desktop_set_flag(L, "cut", tree->cut);
    if (tree->late)
        desktop_set_flag(L, "late", true);
    desktop_set_text(L, "route", tree->route);
    if (*tree->note)
        desktop_set_text(L, "note", tree->note);
    return 1;
}

static struct element_query read_element_query(lua_State *L)
{
    struct element_query query = {
        .pid = count_field(L, 1, "pid", 0, INT_MAX),
        .started = whole_field(L, 1, "started"),
        .window = whole_field(L, 1, "window"),
        .root = whole_field(L, 1, "root"),
        .aim = { bind_number(L, 1, "x", 0, 0, 1), bind_number(L, 1, "y", 0, 0, 1) },
        .nodes = (size_t)count_field(L, 1, "nodes", 0, NODES_MAX),
        .depth = count_field(L, 1, "depth", 0, DEPTH_MAX),
        .children = count_field(L, 1, "children", 0, NODES_MAX),
        .hidden = bind_flag(L, 1, "hidden"),
        .bounds = bind_flag(L, 1, "bounds"),
        .values = bind_flag(L, 1, "values"),
        .actions = bind_flag(L, 1, "actions"),
    };

    if (!query.pid && !query.root)
        bind_field_error(L, 1, "pid", "pass pid, or root");
    return query;
}

static int element_tree(lua_State *L)
{
    static const char *const options[] = { "pid",     "started",  "window", "root",    "nodes",
                                           "depth",   "children", "hidden", "bounds",  "values",
                                           "actions", "x",        "y",      "timeout", NULL };
    struct element_query query;
    struct tree_call *self;

    bind_check_fields(L, 1, options);
    query = read_element_query(L);
    self = thread_call_new(L, sizeof *self, tree_clear);
    self->query = query;
    self->call.queue = QUEUE_ELEMENTS;
    self->call.pid = query.pid;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.run = tree_run;
    self->call.push = tree_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

/* --- reading some again ------------------------------------------------------------ */

static bool element_get_run(struct thread_call *call, struct error *err)
{
    struct tree_call *self = container_of(call, struct tree_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements &&
           elements->get(call->desktop, call->deadline, self->ids, self->count, &self->tree, err);
}

static int element_get_push(lua_State *L, struct thread_call *call)
{
    element_push_nodes(L, &container_of(call, struct tree_call, call)->tree);
    return 1;
}

static void read_element_ids(lua_State *L, struct tree_call *self)
{
    for (size_t i = 0; i < self->count; i++) {
        int ok;

        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        self->ids[i] = (uint64_t)lua_tointegerx(L, -1, &ok);
        if (!ok || lua_type(L, -1) != LUA_TNUMBER || !self->ids[i])
            luaL_argerror(L, 1, "list of ids of elements expected");
        lua_pop(L, 1);
    }
}

static int element_get(lua_State *L)
{
    struct tree_call *self;
    size_t count;

    luaL_checktype(L, 1, LUA_TTABLE);
    count = lua_rawlen(L, 1);
    luaL_argcheck(L, count <= IDS_MAX, 1, "at most 500 ids");
    desktop_check_options(L, 2, plain_options);
    self = thread_call_new(L, sizeof *self, tree_clear);
    self->count = count;
    read_element_ids(L, self);
    self->call.queue = QUEUE_ELEMENTS;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.run = element_get_run;
    self->call.push = element_get_push;
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

/* --- acting ------------------------------------------------------------------------ */

struct act_call {
    struct thread_call call;
    uint64_t id;
    struct element_change change;
    char *name, *text; /* memory that `change` points into */
    struct element_outcome outcome;
};

#define FIELDS(...)                                                                                \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
static const struct change_kind {
    const char *name;
    enum element_verb verb;
    const char *const *fields;
} changes[] = {
    { "do", ELEMENT_DO, FIELDS("verb", "name") },
    { "set_text", ELEMENT_SET_TEXT, FIELDS("verb", "text") },
    { "set_number", ELEMENT_SET_NUMBER, FIELDS("verb", "number") },
    { "focus", ELEMENT_FOCUS, FIELDS("verb") },
    { "select", ELEMENT_SELECT, FIELDS("verb") },
    { "expand", ELEMENT_EXPAND, FIELDS("verb") },
    { "collapse", ELEMENT_COLLAPSE, FIELDS("verb") },
    { "show", ELEMENT_SHOW, FIELDS("verb") },
    { "caret", ELEMENT_CARET, FIELDS("verb", "from", "to") },
};
#undef FIELDS

/* Reads the verb of argument 2, and checks its other fields: each change takes fields of its own.
 * Raises. */
static enum element_verb read_verb(lua_State *L)
{
    const char *name = bind_text(L, 2, "verb", NULL);

    for (size_t i = 0; name && i < countof(changes); i++) {
        if (strcmp(changes[i].name, name) != 0)
            continue;
        bind_check_fields(L, 2, changes[i].fields);
        return changes[i].verb;
    }
    bind_field_error(
        L, 2, "verb",
        "expected do, set_text, set_number, focus, select, expand, collapse, show or caret");
}

static void need_field(lua_State *L, bool there, const char *field)
{
    if (!there)
        bind_field_error(L, 2, field, "it is missing");
}

static void read_change(lua_State *L, struct act_call *self)
{
    struct element_change *change = &self->change;
    const char *name = bind_text(L, 2, "name", NULL), *text;
    size_t len;

    text = bind_text(L, 2, "text", &len);
    change->number = bind_number(L, 2, "number", NAN, -HUGE_VAL, HUGE_VAL);
    change->from = (int)bind_number(L, 2, "from", -1, -1, INT_MAX);
    change->to = (int)bind_number(L, 2, "to", -1, -1, INT_MAX);
    need_field(L, change->verb != ELEMENT_DO || name, "name");
    need_field(L, change->verb != ELEMENT_SET_TEXT || text, "text");
    need_field(L, change->verb != ELEMENT_SET_NUMBER || isfinite(change->number), "number");
    need_field(L, change->verb != ELEMENT_CARET || change->from >= 0, "from");
    if (name && strlen(name) > ACTION_NAME_MAX)
        bind_field_error(L, 2, "name", "it is too long for the name of an action");
    if (text && len > ELEMENT_TEXT_MAX)
        bind_field_error(L, 2, "text", "at most 1 MB");
    if (name)
        change->name = self->name = mem_strdup(name);
    if (text) {
        self->text = mem_strndup(text, len);
        change->text = (struct str){ self->text, len };
    }
}

static void element_act_clear(struct thread_call *call)
{
    struct act_call *self = container_of(call, struct act_call, call);

    free(self->name);
    free(self->text);
}

static bool element_act_run(struct thread_call *call, struct error *err)
{
    struct act_call *self = container_of(call, struct act_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements && elements->act(call->desktop, call->deadline, self->id, &self->change,
                                     &self->outcome, err);
}

static int element_act_push(lua_State *L, struct thread_call *call)
{
    const struct element_outcome *outcome = &container_of(call, struct act_call, call)->outcome;

    lua_createtable(L, 0, 2); /* outcome */
    desktop_set_flag(L, "agreed", outcome->agreed);
    desktop_set_text(L, "route", outcome->route);
    return 1;
}

static int element_act(lua_State *L)
{
    uint64_t id = check_element_id(L, 1);
    struct act_call *self;
    enum element_verb verb;

    luaL_checktype(L, 2, LUA_TTABLE);
    verb = read_verb(L);
    desktop_check_options(L, 3, plain_options);
    self = thread_call_new(L, sizeof *self, element_act_clear);
    self->id = id;
    self->change.verb = verb;
    read_change(L, self);
    self->call.queue = QUEUE_ELEMENTS;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.acts = true;
    self->call.run = element_act_run;
    self->call.push = element_act_push;
    return thread_call_on_desktop(L, &self->call, 3, DESKTOP_TIMEOUT_S);
}

/* --- a text --------------------------------------------------------------------------------- */

struct text_call {
    struct thread_call call;
    uint64_t id;
    int from, to;
    struct element_text text;
};

static bool text_run(struct thread_call *call, struct error *err)
{
    struct text_call *self = container_of(call, struct text_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements && elements->text(call->desktop, call->deadline, self->id, self->from, self->to,
                                      &self->text, err);
}

static int text_push(lua_State *L, struct thread_call *call)
{
    element_push_text(L, &container_of(call, struct text_call, call)->text);
    return 1;
}

static void text_clear(struct thread_call *call)
{
    element_text_free(&container_of(call, struct text_call, call)->text);
}

static int element_text(lua_State *L)
{
    static const char *const options[] = { "from", "to", "timeout", NULL };
    uint64_t id = check_element_id(L, 1);
    struct text_call *self;
    int from, to;

    desktop_check_options(L, 2, options);
    from = count_field(L, 2, "from", 0, INT_MAX);
    to = (int)bind_number(L, 2, "to", -1, -1, INT_MAX);
    self = thread_call_new(L, sizeof *self, text_clear);
    self->id = id;
    self->from = from;
    self->to = to;
    self->call.queue = QUEUE_ELEMENTS;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.run = text_run;
    self->call.push = text_push;
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

/* --- the field that has the keyboard -------------------------------------------------------- */

struct field_call {
    struct thread_call call;
    struct element_field_query query;
    struct element_field field;
};

static bool field_run(struct thread_call *call, struct error *err)
{
    struct field_call *self = container_of(call, struct field_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements &&
           elements->field(call->desktop, call->deadline, &self->query, &self->field, err);
}

static int field_push(lua_State *L, struct thread_call *call)
{
    element_push_field(L, &container_of(call, struct field_call, call)->field);
    return 1;
}

static void field_clear(struct thread_call *call)
{
    element_field_free(&container_of(call, struct field_call, call)->field);
}

static struct element_field_query read_field_query(lua_State *L)
{
    return (struct element_field_query){
        .id = whole_field(L, 1, "id"),
        .again = bind_flag(L, 1, "again"),
        .from = count_field(L, 1, "from", 0, INT_MAX),
        .rest = count_field(L, 1, "rest", 0, INT_MAX),
        .length = count_field(L, 1, "length", 0, INT_MAX),
        .before = count_field(L, 1, "before", 0, ELEMENT_TEXT_MAX),
        .behind = count_field(L, 1, "behind", 0, ELEMENT_TEXT_MAX),
        .above = count_field(L, 1, "above", 0, PARAGRAPHS_MAX),
        .present = bind_flag(L, 1, "present"),
    };
}

static int element_field(lua_State *L)
{
    static const char *const options[] = { "id",      "again",   "from",   "rest",
                                           "length",  "before",  "behind", "above",
                                           "present", "timeout", NULL };
    struct element_field_query query;
    struct field_call *self;

    desktop_check_options(L, 1, options);
    query = read_field_query(L);
    self = thread_call_new(L, sizeof *self, field_clear);
    self->query = query;
    self->call.queue = QUEUE_ELEMENTS;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.run = field_run;
    self->call.push = field_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

/* --- the element at a point ----------------------------------------------------------------- */

struct at_call {
    struct thread_call call;
    int pid;
    struct point point;
    uint64_t id;
};

static bool element_at_run(struct thread_call *call, struct error *err)
{
    struct at_call *self = container_of(call, struct at_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements &&
           elements->at(call->desktop, call->deadline, self->pid, self->point, &self->id, err);
}

static int element_at_push(lua_State *L, struct thread_call *call)
{
    uint64_t id = container_of(call, struct at_call, call)->id;

    if (id)
        lua_pushinteger(L, (lua_Integer)id);
    else
        lua_pushnil(L);
    return 1;
}

static int element_at(lua_State *L)
{
    lua_Integer pid = luaL_checkinteger(L, 1);
    struct point point = { desktop_check_coordinate(L, 2), desktop_check_coordinate(L, 3) };
    struct at_call *self;

    luaL_argcheck(L, pid > 0 && pid <= INT_MAX, 1, "it is not a process ID");
    desktop_check_options(L, 4, plain_options);
    self = thread_call_new(L, sizeof *self, NULL);
    self->pid = (int)pid;
    self->point = point;
    self->call.queue = QUEUE_ELEMENTS;
    self->call.pid = self->pid;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.run = element_at_run;
    self->call.push = element_at_push;
    return thread_call_on_desktop(L, &self->call, 4, DESKTOP_TIMEOUT_S);
}

/* --- events ------------------------------------------------------------------------ */

struct events_call {
    struct thread_call call;
    int pid;
    uint64_t since, wait_ms;
    struct element_events events;
};

static bool events_run(struct thread_call *call, struct error *err)
{
    struct events_call *self = container_of(call, struct events_call, call);
    const struct element_ops *elements = ops_of(call->ops, err);

    return elements && elements->events(call->desktop, call->deadline, self->pid, self->since,
                                        deadline_now() + self->wait_ms, &self->events, err);
}

static int events_push(lua_State *L, struct thread_call *call)
{
    element_push_events(L, &container_of(call, struct events_call, call)->events);
    return 1;
}

static void events_clear(struct thread_call *call)
{
    element_events_free(&container_of(call, struct events_call, call)->events);
}

/* A call that waits has a queue of its own, so that it keeps no thread from calls that read. */
static int element_changes(lua_State *L)
{
    static const char *const options[] = { "pid", "since", "wait", "timeout", NULL };
    struct events_call *self;
    uint64_t since;
    double wait;
    int pid;

    desktop_check_options(L, 1, options);
    pid = count_field(L, 1, "pid", 0, INT_MAX);
    since = whole_field(L, 1, "since");
    wait = bind_number(L, 1, "wait", 0, 0, EVENTS_WAIT_MAX_S);
    self = thread_call_new(L, sizeof *self, events_clear);
    self->pid = pid;
    self->since = since;
    self->wait_ms = (uint64_t)ceil(wait * 1000);
    self->call.queue = wait > 0 ? QUEUE_WAIT : QUEUE_ELEMENTS;
    self->call.elements = ELEMENTS_NEEDED;
    self->call.run = events_run;
    self->call.push = events_push;
    return thread_call_on_desktop(L, &self->call, 1, wait + DESKTOP_TIMEOUT_S);
}

static const luaL_Reg element_funcs[] = {
    { "act", element_act },     { "at", element_at },   { "changes", element_changes },
    { "field", element_field }, { "get", element_get }, { "text", element_text },
    { "tree", element_tree },   { NULL, NULL }
};

int luaopen_sys_element(lua_State *L)
{
    luaL_newlib(L, element_funcs);
    element_push_roles(L);
    lua_setfield(L, -2, "roles");
    element_push_states(L);
    lua_setfield(L, -2, "states");
    return 1;
}
