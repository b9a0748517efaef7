/* sys.events -- what happens on the desktop, as it happens. lua/lib/events turns it into what
 * scripts use (sys.window.events and others). */
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "script/anchor.h"
#include "script/bind.h"
#include "script/wait_line.h"
#include "sys/element/values.h"
#include "sys/events/files.h"
#include "sys/events/hub.h"
#include "sys/events/idle.h"
#include "sys/shared/desktop_things.h"
#include "sys/shared/desktop_values.h"
#include "sys/sys.h"

#define STREAM "sys.events.Stream"

enum { CAPACITY = 1000, CAPACITY_MAX = 100000, OPEN_MS = 10000, OWNER_BYTES = 64 };

/* The content of the userdata. */
struct listener {
    struct stream stream;
    struct wait_line line;
    char owner[OWNER_BYTES];      /* a hotkey's owner, for messages */
    char service[OWNER_BYTES];    /* the script or service that it belongs to; "": none */
    struct shared_event *current; /* given, but nobody has begun with it; or NULL */
    bool again;                   /* `current` is to be given once more */
    struct task_hook hook;        /* a recording ends with its task */
};

static struct listener *check_listener(lua_State *L)
{
    return luaL_checkudata(L, 1, STREAM);
}

static void on_stream_woken(struct stream *stream)
{
    wait_line_wake(&container_of(stream, struct listener, stream)->line);
}

static void drop_current(struct listener *listener)
{
    shared_event_unref(listener->current);
    listener->current = NULL;
    listener->again = false;
}

static void end_listener(struct task_hook *hook)
{
    struct listener *listener = container_of(hook, struct listener, hook);

    list_remove(&hook->link);
    drop_current(listener);
    hub_leave(&listener->stream);
    wait_line_wake_all(&listener->line);
}

/* stream:close(), its __close and __gc. A task that waits for the stream gets "closed". */
static int listener_close(lua_State *L)
{
    end_listener(&check_listener(L)->hook);
    return 0;
}

/* --- events as tables ------------------------------------------------------------------------ */

static void set_element(lua_State *L, const struct element_event *event)
{
    desktop_set_text(L, "what", element_kind_name(event->kind));
    if (event->id)
        desktop_set_integer(L, "id", event->id);
    desktop_set_integer(L, "pid", (uint64_t)event->pid);
    desktop_set_text(L, "detail", event->detail);
}

static void set_input(lua_State *L, const struct input_event *input)
{
    desktop_set_integer(L, "type", input->type);
    desktop_set_number(L, "code", input->code);
    desktop_set_integer(L, "state", input->state);
    desktop_set_text(L, "symbol", input->symbol);
    desktop_set_integer(L, "plain", input->plain);
    desktop_set_integer(L, "typed", input->typed);
    desktop_set_number(L, "x", input->at.x);
    desktop_set_number(L, "y", input->at.y);
}

static void push_watch_event(lua_State *L, const struct watch_event *event)
{
    lua_createtable(L, 0, 6);
    desktop_set_text(L, "what", watch_name(event->what));
    desktop_set_text(L, "about", watch_about(event->what));
    desktop_set_number(L, "at", (double)event->at / 1e9);
    if (event->window.ref.id) {
        desktop_push_window(L, &event->window);
        lua_setfield(L, -2, "window");
    }
    if (event->what == WATCH_WINDOW_MOVED)
        desktop_set_rect(L, "before", event->before);
    if (event->app.pid) {
        desktop_push_app(L, &event->app);
        lua_setfield(L, -2, "app");
    }
    if (event->what == WATCH_ELEMENT_CHANGED)
        set_element(L, &event->element);
    else if (watch_kind_of(event->what) == WATCH_INPUT)
        set_input(L, &event->input);
}

/* Pushes the next event. It stays the current one until somebody begins with it: a task that ends
 * before that leaves it to the next task. */
static int give_event(lua_State *L, struct listener *listener)
{
    if (!listener->again) {
        drop_current(listener);
        listener->current = stream_take(&listener->stream);
    }
    listener->again = false;
    push_watch_event(L, &listener->current->event);
    return 1;
}

/* --- waiting --------------------------------------------------------------------------------- */

static int next_event(lua_State *L, enum wait_turn turn)
{
    struct listener *listener = check_listener(L);

    if (turn == WAIT_BUSY)
        return bind_fail(L, "busy", "another task is waiting for these events");
    if (listener->stream.state == STREAM_CLOSED)
        return bind_fail(L, "closed", "it was closed");
    if (listener->stream.count || listener->again)
        return give_event(L, listener);
    return turn == WAIT_LATE ? bind_fail(L, "timeout", "nothing happened in time") : 0;
}

/* stream:next([seconds]) -> event | nil, text, code */
static int stream_next(lua_State *L)
{
    static const struct wait_kind kind = { "an event", next_event, false };

    return wait_in_line(L, &check_listener(L)->line, &kind, 0, wait_argument(L, 2));
}

/* stream:take() */
static int stream_taken(lua_State *L)
{
    drop_current(check_listener(L));
    return 0;
}

static int after_event_call(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    return lua_gettop(L) - 1;
}

/* stream:call(fn, ...): takes the event and begins with it, and nothing comes between. */
static int stream_call(lua_State *L)
{
    struct listener *listener = check_listener(L);

    luaL_checktype(L, 2, LUA_TFUNCTION);
    drop_current(listener);
    lua_callk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, after_event_call);
    return after_event_call(L, LUA_OK, 0);
}

/* stream:again() */
static int stream_again(lua_State *L)
{
    struct listener *listener = check_listener(L);

    listener->again = listener->current != NULL;
    return 0;
}

/* stream:dropped() -> number */
static int stream_dropped(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_listener(L)->stream.dropped);
    return 1;
}

/* --- opening --------------------------------------------------------------------------------- */

static int stream_opened(lua_State *L, enum wait_turn turn)
{
    struct listener *listener = lua_touserdata(L, 1);
    struct stream *stream = &listener->stream;
    struct error why = stream->why;

    if (stream->state == STREAM_OPEN) {
        lua_pushvalue(L, 1);
        return 1;
    }
    if (stream->state == STREAM_OPENING && turn == WAIT_TRY)
        return 0;
    if (stream->state == STREAM_OPENING)
        error_set(&why, "timeout", "the desktop did not respond in time");
    hub_leave(stream);
    return bind_error(L, &why);
}

static struct listener *new_listener(lua_State *L)
{
    struct listener *listener = lua_newuserdatauv(L, sizeof *listener, 0);

    *listener = (struct listener){ .stream = { .state = STREAM_CLOSED, .woken = on_stream_woken } };
    list_init(&listener->line.places);
    list_init(&listener->hook.link);
    listener->hook.fn = end_listener;
    luaL_setmetatable(L, STREAM);
    return listener;
}

/* Opens the listener on top of the stack, whose capacity and kinds are set. */
static int open_stream(lua_State *L, struct listener *listener)
{
    static const struct wait_kind kind = { "the desktop", stream_opened, false };
    struct error err;

    task_here(L);
    if (!hub_join(L, &listener->stream, &err))
        return bind_error(L, &err);
    lua_replace(L, 1);
    lua_settop(L, 1);
    return wait_in_line(L, &listener->line, &kind, 0, OPEN_MS);
}

/* Makes a listener for the names of the list at 1, which are set in *bits, with the capacity at
 * `arg`. Raises. */
static struct listener *listener_of(lua_State *L, const char *const *known, unsigned count,
                                    const char *expected, int arg, unsigned *bits)
{
    lua_Integer capacity = luaL_optinteger(L, arg, CAPACITY);
    struct listener *listener;

    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argcheck(L, capacity >= 1 && capacity <= CAPACITY_MAX, arg, "1 to 100000 expected");
    *bits = 0;
    for (lua_Integer n = 1; n <= (lua_Integer)lua_rawlen(L, 1); n++) {
        unsigned i = 0;

        lua_rawgeti(L, 1, n);
        while (i < count && strcmp(known[i], luaL_checkstring(L, -1)) != 0)
            i++;
        luaL_argcheck(L, i < count, 1, expected);
        *bits |= 1u << i;
        lua_pop(L, 1);
    }
    listener = new_listener(L);
    listener->stream.capacity = (size_t)capacity;
    return listener;
}

/* sys.events.watch(kinds[, capacity]) -> stream | nil, text, code */
static int events_watch(lua_State *L)
{
    static const char *const known[] = { "windows", "apps", "displays", "clipboard", "active" };
    unsigned bits; /* the first of enum watch_kind */
    struct listener *listener =
        listener_of(L, known, countof(known),
                    "expected windows, apps, displays, clipboard or active", 2, &bits);

    luaL_argcheck(L, bits != 0, 1, "nothing to watch");
    listener->stream.kinds = bits;
    return open_stream(L, listener);
}

/* sys.events.elements(kinds, pid[, capacity]) -> stream | nil, text, code */
static int events_elements(lua_State *L)
{
    const char *known[ELEMENT_EVENT_KINDS];
    lua_Integer pid = luaL_checkinteger(L, 2);
    struct listener *listener;
    unsigned bits;

    luaL_argcheck(L, pid >= 0 && pid <= INT_MAX, 2, "a process expected, or 0");
    for (unsigned i = 0; i < countof(known); i++)
        known[i] = element_kind_name((enum element_event_kind)i);
    listener =
        listener_of(L, known, countof(known), "expected kinds of sys.element.changes()", 3, &bits);
    listener->stream.kinds = WATCH_ELEMENTS;
    listener->stream.element_kinds = bits;
    listener->stream.pid = (int)pid;
    return open_stream(L, listener);
}

/* sys.events.presses(purpose) -> stream | nil, text, code */
static int events_presses(lua_State *L)
{
    struct listener *listener;

    luaL_checkstring(L, 1); /* for the policy */
    listener = new_listener(L);
    listener->stream.kinds = WATCH_INPUT;
    listener->stream.capacity = CAPACITY_MAX;
    task_at_end(task_here(L), &listener->hook);
    return open_stream(L, listener);
}

/* The script or service that bound a hotkey; of one without either, what listens. */
static const char *binder(const struct listener *listener)
{
    return *listener->service ? listener->service : listener->owner;
}

/* The one to stop for these keys: another script or service, or a hotkey of the caller's own. */
static const char *holder_of_keys(lua_State *L, const struct stream *stream)
{
    const struct listener *listener = container_of(stream, const struct listener, stream);
    const char *own = anchors_owner(L);

    return own && strcmp(own, listener->service) == 0 ? listener->owner : binder(listener);
}

/* sys.events.bind(keys, owner) -> stream | nil, text, code */
static int events_bind(lua_State *L)
{
    const char *keys = luaL_checkstring(L, 1), *owner = luaL_checkstring(L, 2), *service;
    const struct stream *other;
    struct listener *listener;
    struct chord chord;
    struct error err;

    if (!chord_parse(keys, &chord, &err))
        return bind_error(L, &err);
    if (chord.modifiers && chord.point >= 'A' && chord.point <= 'Z')
        chord.point += 'a' - 'A'; /* with modifiers a letter means its key */
    if (chord.key == KEY_NONE)
        return bind_fail(L, "unknown_key",
                         "\"%s\": modifiers alone cannot be bound. Add a key, for example \"%s+t\"",
                         keys, keys);
    other = hub_bound(&chord);
    if (other)
        return bind_fail(L, "hotkey_taken",
                         "\"%s\" is bound by %s already. Stop that one, or choose other keys", keys,
                         holder_of_keys(L, other));
    listener = new_listener(L);
    listener->stream.kinds = WATCH_HOTKEYS;
    listener->stream.capacity = CAPACITY;
    listener->stream.hotkey.chord = chord;
    snprintf(listener->owner, sizeof listener->owner, "%s", owner);
    service = anchors_owner(L);
    snprintf(listener->service, sizeof listener->service, "%s", service ? service : "");
    return open_stream(L, listener);
}

/* The list is on top. */
static void add_bound(void *arg, const struct stream *stream)
{
    const struct listener *listener = container_of(stream, const struct listener, stream);
    lua_State *L = arg;
    char keys[80];

    chord_print(&stream->hotkey.chord, keys, sizeof keys);
    lua_createtable(L, 0, 2);
    lua_pushstring(L, keys);
    lua_setfield(L, -2, "keys");
    lua_pushstring(L, binder(listener));
    lua_setfield(L, -2, "owner");
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* sys.events.bound() -> { { keys =, owner = }, ... } */
static int events_bound(lua_State *L)
{
    luaL_checkstack(L, 6, NULL);
    lua_newtable(L);
    hub_each_bound(add_bound, L);
    return 1;
}

/* --- the module ----------------------------------------------------------------------------- */

static const luaL_Reg events_funcs[] = {
    { "bind", events_bind },         { "bound", events_bound },
    { "elements", events_elements }, { "files", events_files },
    { "idle", events_idle },         { "presses", events_presses },
    { "watch", events_watch },       { NULL, NULL }
};

int luaopen_sys_events(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", listener_close },
                                     { "__gc", listener_close },
                                     { NULL, NULL } };
    static const luaL_Reg stream_methods[] = { { "again", stream_again },
                                               { "call", stream_call },
                                               { "close", listener_close },
                                               { "dropped", stream_dropped },
                                               { "next", stream_next },
                                               { "take", stream_taken },
                                               { NULL, NULL } };

    bind_metatable(L, STREAM, meta, stream_methods);
    events_files_init(L);
    luaL_newlib(L, events_funcs);
    return 1;
}
