/* sys.window -- windows as tables, and what can be done to them. */
#include <lauxlib.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

#include "platform/watch.h"
#include "platform/window_news.h"
#include "platform/window_over.h"
#include "script/bind.h"
#include "script/packed.h"
#include "sys/shared/desktop_things.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { WINDOW_WAIT_MAX_S = 60 };

static const char *const plain_options[] = { "timeout", NULL };

/* --- list and get ----------------------------------------------------------------- */

struct windows_call {
    struct thread_call call;
    struct window_query query;
    char *app; /* a name, id or class; NULL: of all applications */
    struct window_list list;
};

static bool is_of_app(const struct window_info *window, const struct app_list *apps,
                      const char *name)
{
    if (strcasecmp(window->app, name) == 0 || strcasecmp(window->instance, name) == 0)
        return true;
    for (size_t i = 0; i < apps->count; i++) {
        const struct app_info *app = &apps->items[i];

        if (app->pid && app->pid == window->ref.pid &&
            (strcasecmp(app->name, name) == 0 || strcasecmp(app->id, name) == 0))
            return true;
    }
    return false;
}

static void keep_windows_of(struct window_list *list, const struct app_list *apps, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (is_of_app(&list->items[i], apps, name))
            list->items[kept++] = list->items[i];
        else
            window_info_free(&list->items[i]);
    }
    list->count = kept;
}

static bool windows_run(struct thread_call *call, struct error *err)
{
    struct windows_call *self = container_of(call, struct windows_call, call);
    struct app_list apps = { 0 };

    if (self->app && !call->ops->apps->list(call->desktop, call->deadline, &apps, err))
        return false;
    if (!call->ops->windows->list(call->desktop, call->deadline, &self->query, &self->list, err)) {
        app_list_free(&apps);
        return false;
    }
    if (self->app)
        keep_windows_of(&self->list, &apps, self->app);
    app_list_free(&apps);
    return true;
}

static int windows_push(lua_State *L, struct thread_call *call)
{
    struct windows_call *self = container_of(call, struct windows_call, call);

    lua_createtable(L, (int)self->list.count, 0); /* windows */
    for (size_t i = 0; i < self->list.count; i++) {
        desktop_push_window(L, &self->list.items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void windows_clear(struct thread_call *call)
{
    struct windows_call *self = container_of(call, struct windows_call, call);

    window_list_free(&self->list);
    free(self->app);
}

static int window_list(lua_State *L)
{
    static const char *const options[] = { "app", "pid", "all_kinds", "timeout", NULL };
    struct window_query query;
    struct windows_call *self;
    const char *app;

    desktop_check_options(L, 1, options);
    query.pid = (int)bind_number(L, 1, "pid", 0, 0, INT_MAX);
    query.all_kinds = bind_flag(L, 1, "all_kinds");
    app = bind_text(L, 1, "app", NULL);
    self = thread_call_new(L, sizeof *self, windows_clear);
    self->query = query;
    self->app = app ? mem_strdup(app) : NULL;
    self->call.queue = QUEUE_QUERY;
    self->call.run = windows_run;
    self->call.push = windows_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

struct window_call {
    struct thread_call call;
    struct window_ref ref;
    struct window_info info;
};

static bool window_get_run(struct thread_call *call, struct error *err)
{
    struct window_call *self = container_of(call, struct window_call, call);

    return call->ops->windows->get(call->desktop, call->deadline, &self->ref, &self->info, err);
}

static int window_get_push(lua_State *L, struct thread_call *call)
{
    desktop_push_window(L, &container_of(call, struct window_call, call)->info);
    return 1;
}

static void window_get_clear(struct thread_call *call)
{
    window_info_free(&container_of(call, struct window_call, call)->info);
}

static int window_get(lua_State *L)
{
    struct window_ref ref = desktop_check_window(L, 1);
    struct window_call *self;

    desktop_check_options(L, 2, plain_options);
    self = thread_call_new(L, sizeof *self, window_get_clear);
    self->ref = ref;
    self->call.queue = QUEUE_QUERY;
    self->call.run = window_get_run;
    self->call.push = window_get_push;
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

struct over_call {
    struct thread_call call;
    struct window_ref ref;
    struct point at;
    struct window_over over;
};

static bool window_over_run(struct thread_call *call, struct error *err)
{
    struct over_call *self = container_of(call, struct over_call, call);

    return window_over(call->ops, call->desktop, call->deadline, &self->ref, self->at, &self->over,
                       err);
}

static int window_over_push(lua_State *L, struct thread_call *call)
{
    const struct window_over *over = &container_of(call, struct over_call, call)->over;

    if (!over->found) {
        lua_pushboolean(L, false);
        return 1;
    }
    desktop_push_window(L, &over->info);
    desktop_set_flag(L, "own", over->own);
    return 1;
}

static void window_over_clear(struct thread_call *call)
{
    window_info_free(&container_of(call, struct over_call, call)->over.info);
}

/* sys.window.over(ref, x, y, options) */
static int find_window_over(lua_State *L)
{
    struct window_ref ref = desktop_check_window(L, 1);
    struct point at = { desktop_check_coordinate(L, 2), desktop_check_coordinate(L, 3) };
    struct over_call *self;

    desktop_check_options(L, 4, plain_options);
    self = thread_call_new(L, sizeof *self, window_over_clear);
    self->ref = ref;
    self->at = at;
    self->call.queue = QUEUE_QUERY;
    self->call.run = window_over_run;
    self->call.push = window_over_push;
    return thread_call_on_desktop(L, &self->call, 4, DESKTOP_TIMEOUT_S);
}

struct exports_call {
    struct thread_call call;
    struct buf exports;
};

static bool window_exports_run(struct thread_call *call, struct error *err)
{
    struct exports_call *self = container_of(call, struct exports_call, call);

    return !call->ops->windows->exports ||
           call->ops->windows->exports(call->desktop, call->deadline, &self->exports, err);
}

static int window_exports_push(lua_State *L, struct thread_call *call)
{
    return packed_push_list(L, buf_str(&container_of(call, struct exports_call, call)->exports));
}

static void window_exports_clear(struct thread_call *call)
{
    buf_free(&container_of(call, struct exports_call, call)->exports);
}

/* sys.window.exports(options) */
static int list_window_exports(lua_State *L)
{
    struct exports_call *self;

    desktop_check_options(L, 1, plain_options);
    self = thread_call_new(L, sizeof *self, window_exports_clear);
    self->call.queue = QUEUE_QUERY;
    self->call.run = window_exports_run;
    self->call.push = window_exports_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

/* --- acting ----------------------------------------------------------------------- */

struct act_call {
    struct thread_call call;
    struct window_ref ref;
    struct window_change change;
    struct window_outcome outcome;
};

static bool window_act_run(struct thread_call *call, struct error *err)
{
    struct act_call *self = container_of(call, struct act_call, call);

    return call->ops->windows->act(call->desktop, call->deadline, &self->ref, &self->change,
                                   &self->outcome, err);
}

static int window_act_push(lua_State *L, struct thread_call *call)
{
    const struct window_outcome *outcome = &container_of(call, struct act_call, call)->outcome;

    lua_createtable(L, 0, 16); /* outcome */
    desktop_set_rect(L, "before", outcome->before);
    if (!outcome->gone)
        desktop_set_rect(L, "after", outcome->after);
    desktop_set_states(L, outcome->state);
    desktop_set_flag(L, "done", outcome->done);
    desktop_set_flag(L, "silent", outcome->silent);
    desktop_set_flag(L, "focused", outcome->focused);
    desktop_set_flag(L, "gone", outcome->gone);
    if (*outcome->note)
        desktop_set_said(L, "note", outcome->note);
    return 1;
}

/* Starts an action. `options` is the argument behind those of the verb. */
static int act_on_window(lua_State *L, enum window_verb verb, struct rect to, int options)
{
    static const char *const names[] = { "wait", "timeout", NULL };
    struct window_ref ref = desktop_check_window(L, 1);
    struct act_call *self;
    double wait;

    desktop_check_options(L, options, names);
    wait = bind_number(L, options, "wait", 0, 0, WINDOW_WAIT_MAX_S);
    self = thread_call_new(L, sizeof *self, NULL);
    self->ref = ref;
    self->change = (struct window_change){ verb, to, (uint64_t)(wait * 1000) };
    self->call.queue = QUEUE_WAIT;
    self->call.acts = true;
    self->call.run = window_act_run;
    self->call.push = window_act_push;
    return thread_call_on_desktop(L, &self->call, options, wait + DESKTOP_TIMEOUT_S);
}

static int act_plain(lua_State *L, enum window_verb verb)
{
    return act_on_window(L, verb, (struct rect){ 0 }, 2);
}

static int window_focus(lua_State *L)
{
    return act_plain(L, WINDOW_FOCUS);
}

static int window_minimize(lua_State *L)
{
    return act_plain(L, WINDOW_MINIMIZE);
}

static int window_restore(lua_State *L)
{
    return act_plain(L, WINDOW_RESTORE);
}

static int window_maximize(lua_State *L)
{
    return act_plain(L, WINDOW_MAXIMIZE);
}

static int window_fullscreen(lua_State *L)
{
    return act_plain(L, WINDOW_SET_FULLSCREEN);
}

static int window_close(lua_State *L)
{
    return act_plain(L, WINDOW_CLOSE);
}

static int window_move(lua_State *L)
{
    struct rect to = { .x = desktop_check_coordinate(L, 2), .y = desktop_check_coordinate(L, 3) };

    return act_on_window(L, WINDOW_MOVE, to, 4);
}

static int window_resize(lua_State *L)
{
    struct rect to = { .width = desktop_check_coordinate(L, 2),
                       .height = desktop_check_coordinate(L, 3) };

    luaL_argcheck(L, to.width >= 1, 2, "expected at least 1 point");
    luaL_argcheck(L, to.height >= 1, 3, "expected at least 1 point");
    return act_on_window(L, WINDOW_RESIZE, to, 4);
}

static int window_place(lua_State *L)
{
    return act_on_window(L, WINDOW_PLACE, desktop_check_rect(L, 2), 3);
}

/* --- changes ---------------------------------------------------------------------- */

#define MARK "sys.window.Mark"

/* The content of a mark, a userdata, is the list of the windows that it stands for. */

static int mark_gc(lua_State *L)
{
    window_list_free(luaL_checkudata(L, 1, MARK));
    return 0;
}

/* Raises. NULL: the argument is nil, if it may be. */
static const struct window_list *check_mark(lua_State *L, int arg, bool or_nil)
{
    const struct window_list *mark = luaL_testudata(L, arg, MARK);

    luaL_argcheck(L, mark || (or_nil && lua_isnoneornil(L, arg)), arg,
                  "a mark that sys.window.changed() returned expected");
    return mark;
}

static struct window_list list_copy(const struct window_list *list)
{
    struct window_list copy = { mem_alloc((list->count + 1) * sizeof *copy.items), list->count };

    for (size_t i = 0; i < list->count; i++)
        copy.items[i] = window_info_copy(&list->items[i]);
    return copy;
}

struct changed_call {
    struct thread_call call;
    struct window_list known, now; /* known.items NULL: there is no mark */
    bool changed;
    uint64_t wait_ms;
};

static bool window_changed_run(struct thread_call *call, struct error *err)
{
    struct changed_call *self = container_of(call, struct changed_call, call);

    return window_news_wait(call->ops, call->desktop, call->deadline,
                            deadline_now() + self->wait_ms, self->known.items ? &self->known : NULL,
                            &self->now, &self->changed, err);
}

static int window_changed_push(lua_State *L, struct thread_call *call)
{
    struct changed_call *self = container_of(call, struct changed_call, call);
    struct window_list *mark;

    if (!self->changed) { /* the same one, which is the first argument */
        lua_pushvalue(L, 1);
        return 1;
    }
    mark = lua_newuserdatauv(L, sizeof *mark, 0);
    *mark = self->now;
    self->now = (struct window_list){ 0 };
    luaL_setmetatable(L, MARK);
    return 1;
}

static void window_changed_clear(struct thread_call *call)
{
    struct changed_call *self = container_of(call, struct changed_call, call);

    window_list_free(&self->known);
    window_list_free(&self->now);
}

/* sys.window.changed(mark, options) */
static int window_changed(lua_State *L)
{
    static const char *const names[] = { "wait", "timeout", NULL };
    const struct window_list *mark = check_mark(L, 1, true);
    struct changed_call *self;
    double wait;

    desktop_check_options(L, 2, names);
    wait = bind_number(L, 2, "wait", DESKTOP_TIMEOUT_S, 0, WINDOW_WAIT_MAX_S);
    self = thread_call_new(L, sizeof *self, window_changed_clear);
    if (mark)
        self->known = list_copy(mark);
    self->wait_ms = (uint64_t)(wait * 1000);
    self->call.queue = QUEUE_WAIT;
    self->call.run = window_changed_run;
    self->call.push = window_changed_push;
    return thread_call_on_desktop(L, &self->call, 2, wait + DESKTOP_TIMEOUT_S);
}

/* Adds an event to the list on top of the stack. */
static void push_news(void *arg, const struct window_news *news)
{
    lua_State *L = arg;
    const struct window_info *window = news->what == WINDOW_CLOSED ? news->was : news->now;

    if (news->what == WINDOW_SHIFTED)
        return;
    lua_createtable(L, 0, 3); /* list, event */
    desktop_set_text(L, "what", window_event_name(news->what));
    if (window) {
        desktop_push_window(L, window);
        lua_setfield(L, -2, "window");
    }
    if (news->what == WINDOW_TITLED)
        desktop_set_text(L, "was", news->was->title);
    if (news->what == WINDOW_MOVED)
        desktop_set_rect(L, "before", news->was->frame);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* sys.window.differences(before, after) */
static int window_differences(lua_State *L)
{
    static const struct window_list none;
    const struct window_list *before = check_mark(L, 1, true), *after = check_mark(L, 2, false);

    lua_newtable(L); /* list */
    windows_compare(before ? before : &none, after, push_news, L);
    return 1;
}

static const luaL_Reg window_funcs[] = { { "changed", window_changed },
                                         { "close", window_close },
                                         { "differences", window_differences },
                                         { "exports", list_window_exports },
                                         { "focus", window_focus },
                                         { "fullscreen", window_fullscreen },
                                         { "get", window_get },
                                         { "list", window_list },
                                         { "maximize", window_maximize },
                                         { "minimize", window_minimize },
                                         { "move", window_move },
                                         { "over", find_window_over },
                                         { "place", window_place },
                                         { "resize", window_resize },
                                         { "restore", window_restore },
                                         { NULL, NULL } };

int luaopen_sys_window(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", mark_gc }, { NULL, NULL } };

    bind_metatable(L, MARK, meta, NULL);
    luaL_newlib(L, window_funcs);
    return 1;
}
