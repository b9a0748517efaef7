/* sys.app -- applications: what runs, what could, starting and ending them. */
#include <lauxlib.h>
#include <stdlib.h>

#include "files/file.h"
#include "script/bind.h"
#include "sys/shared/desktop_things.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { APP_WAIT_S = 10, APP_WAIT_MAX_S = 300 };

static const char *const plain_options[] = { "timeout", NULL };

/* --- values ----------------------------------------------------------------------- */

/* table.window = {pid=, started=, id=}, if there is one. */
static void set_window(lua_State *L, const struct window_ref *ref)
{
    if (!ref->id)
        return;
    lua_createtable(L, 0, 3); /* window */
    desktop_set_integer(L, "pid", (uint64_t)ref->pid);
    desktop_set_integer(L, "started", ref->started);
    desktop_set_integer(L, "id", ref->id);
    lua_setfield(L, -2, "window");
}

static void set_note(lua_State *L, const char *note)
{
    if (*note)
        desktop_set_said(L, "note", note);
}

/* --- lists ------------------------------------------------------------------------ */

struct apps_call {
    struct thread_call call;
    enum { APPS_RUNNING, APPS_INSTALLED, APPS_ENTRIES } which;
    struct app_list list;
};

static bool apps_run(struct thread_call *call, struct error *err)
{
    struct apps_call *self = container_of(call, struct apps_call, call);
    const struct app_ops *ops = call->ops->apps;

    if (self->which == APPS_RUNNING)
        return ops->list(call->desktop, call->deadline, &self->list, err);
    if (self->which == APPS_INSTALLED)
        return ops->installed(call->desktop, call->deadline, &self->list, err);
    return !ops->entries || ops->entries(call->desktop, call->deadline, &self->list, err);
}

static void push_entry(lua_State *L, const struct app_info *app)
{
    lua_createtable(L, 0, 3); /* entry */
    desktop_set_text(L, "id", app->id);
    desktop_set_text(L, "path", app->path);
    desktop_set_text(L, "text", app->text);
}

static int apps_push(lua_State *L, struct thread_call *call)
{
    struct apps_call *self = container_of(call, struct apps_call, call);

    lua_createtable(L, (int)self->list.count, 0); /* apps */
    for (size_t i = 0; i < self->list.count; i++) {
        (self->which == APPS_ENTRIES ? push_entry : desktop_push_app)(L, &self->list.items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void apps_clear(struct thread_call *call)
{
    app_list_free(&container_of(call, struct apps_call, call)->list);
}

static int list_apps(lua_State *L, int which)
{
    struct apps_call *self;

    desktop_check_options(L, 1, plain_options);
    self = thread_call_new(L, sizeof *self, apps_clear);
    self->which = which;
    self->call.queue = QUEUE_QUERY;
    self->call.run = apps_run;
    self->call.push = apps_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

static int app_list(lua_State *L)
{
    return list_apps(L, APPS_RUNNING);
}

static int app_installed(lua_State *L)
{
    return list_apps(L, APPS_INSTALLED);
}

static int app_entries(lua_State *L)
{
    return list_apps(L, APPS_ENTRIES);
}

/* --- a single application --------------------------------------------------------- */

struct app_call {
    struct thread_call call;
    struct window_ref app;
    struct app_info info;
};

static bool app_get_run(struct thread_call *call, struct error *err)
{
    struct app_call *self = container_of(call, struct app_call, call);

    return call->ops->apps->get(call->desktop, call->deadline, self->app.pid, self->app.started,
                                &self->info, err);
}

static int app_get_push(lua_State *L, struct thread_call *call)
{
    desktop_push_app(L, &container_of(call, struct app_call, call)->info);
    return 1;
}

static void app_get_clear(struct thread_call *call)
{
    app_info_free(&container_of(call, struct app_call, call)->info);
}

static int app_get(lua_State *L)
{
    struct window_ref app = desktop_check_app(L, 1);
    struct app_call *self;

    desktop_check_options(L, 2, plain_options);
    self = thread_call_new(L, sizeof *self, app_get_clear);
    self->app = app;
    self->call.queue = QUEUE_QUERY;
    self->call.run = app_get_run;
    self->call.push = app_get_push;
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

/* --- open ------------------------------------------------------------------------- */

/* Texts that the thread may read while Lua goes on. */
struct words {
    struct buf text;
    const char **list; /* into text; ends in NULL */
};

struct open_call {
    struct thread_call call;
    struct words name, files, arguments;
    struct app_open what;
    struct app_opened opened;
};

static bool app_open_run(struct thread_call *call, struct error *err)
{
    struct open_call *self = container_of(call, struct open_call, call);

    return call->ops->apps->open(call->desktop, call->deadline, &self->what, &self->opened, err);
}

static int app_open_push(lua_State *L, struct thread_call *call)
{
    const struct app_opened *opened = &container_of(call, struct open_call, call)->opened;

    lua_createtable(L, 0, 5); /* opened */
    desktop_push_app(L, &opened->app);
    lua_setfield(L, -2, "app");
    set_window(L, &opened->window);
    desktop_set_flag(L, "already", opened->already);
    desktop_set_flag(L, "ended", opened->ended);
    set_note(L, opened->note);
    return 1;
}

static void words_free(struct words *words)
{
    buf_free(&words->text);
    free(words->list);
}

static void app_open_clear(struct thread_call *call)
{
    struct open_call *self = container_of(call, struct open_call, call);

    words_free(&self->name);
    words_free(&self->files);
    words_free(&self->arguments);
    app_opened_free(&self->opened);
}

/* Replaces "~" at the beginning of the words, which are paths, by the home directory. */
static void words_expand(struct words *words, size_t count)
{
    const char *at = words->text.data;
    struct buf text = { 0 };

    for (size_t i = 0; i < count; i++, at += strlen(at) + 1) {
        char *path = path_expand_home(at);

        buf_add(&text, path, strlen(path) + 1);
        free(path);
    }
    buf_free(&words->text);
    words->text = text;
}

static void words_split(struct words *words, size_t count)
{
    const char *at = words->text.data;

    words->list = mem_zero((count + 1) * sizeof *words->list);
    for (size_t i = 0; i < count; i++) {
        words->list[i] = at;
        at += strlen(at) + 1;
    }
}

/* Returns NULL if the field is absent. */
static const char *const *take_field_words(lua_State *L, int arg, const char *field,
                                           struct words *words, bool paths)
{
    size_t count;

    lua_pushstring(L, field);
    if (lua_rawget(L, arg) == LUA_TNIL) { /* value */
        lua_pop(L, 1);                    /* - */
        return NULL;
    }
    if (!lua_istable(L, -1))
        bind_field_error(L, arg, field, "list of strings expected");
    count = bind_words(L, arg, -1, field, &words->text);
    if (paths)
        words_expand(words, count);
    words_split(words, count);
    lua_pop(L, 1); /* - */
    return words->list;
}

static int app_open(lua_State *L)
{
    static const char *const options[] = { "name",       "files", "arguments", "new",
                                           "background", "wait",  "timeout",   NULL };
    struct open_call *self;
    const char *name;
    double wait;

    bind_check_fields(L, 1, options);
    name = bind_text(L, 1, "name", NULL);
    if (!name || !*name)
        return bind_field_error(L, 1, "name", "string expected");
    wait = bind_number(L, 1, "wait", APP_WAIT_S, 0.001, APP_WAIT_MAX_S);
    self = thread_call_new(L, sizeof *self, app_open_clear); /* options, call */
    self->call.queue = QUEUE_WAIT;
    self->call.elements = ELEMENTS_WELCOME;
    self->call.acts = true;
    self->call.run = app_open_run;
    self->call.push = app_open_push;
    buf_add(&self->name.text, name, strlen(name) + 1);
    words_expand(&self->name, 1);
    self->what = (struct app_open){ .name = self->name.text.data,
                                    .files = take_field_words(L, 1, "files", &self->files, true),
                                    .arguments = take_field_words(L, 1, "arguments",
                                                                  &self->arguments, false),
                                    .fresh = bind_flag(L, 1, "new"),
                                    .background = bind_flag(L, 1, "background"),
                                    .wait_ms = (uint64_t)(wait * 1000) };
    return thread_call_on_desktop(L, &self->call, 1, wait + DESKTOP_TIMEOUT_S);
}

/* --- activate and quit ------------------------------------------------------------ */

struct end_call {
    struct thread_call call;
    struct window_ref app;
    enum { END_ACTIVATE, END_HIDE, END_SHOW, END_QUIT } what;
    bool force;
    struct app_outcome outcome;
};

static bool app_end_run(struct thread_call *call, struct error *err)
{
    struct end_call *self = container_of(call, struct end_call, call);

    if (self->what == END_HIDE || self->what == END_SHOW)
        return call->ops->apps->hide(call->desktop, call->deadline, self->app.pid,
                                     self->app.started, self->what == END_SHOW, &self->outcome,
                                     err);
    if (self->what == END_QUIT)
        return call->ops->apps->quit(call->desktop, call->deadline, self->app.pid,
                                     self->app.started, self->force, &self->outcome, err);
    return call->ops->apps->activate(call->desktop, call->deadline, self->app.pid,
                                     self->app.started, &self->outcome, err);
}

static int app_end_push(lua_State *L, struct thread_call *call)
{
    const struct app_outcome *outcome = &container_of(call, struct end_call, call)->outcome;

    lua_createtable(L, 0, 4); /* outcome */
    desktop_set_flag(L, "done", outcome->done);
    desktop_set_flag(L, "forced", outcome->forced);
    set_window(L, &outcome->window);
    set_note(L, outcome->note);
    return 1;
}

static int app_end(lua_State *L, int what, const char *const *options)
{
    struct window_ref app = desktop_check_app(L, 1);
    struct end_call *self;
    bool force;

    desktop_check_options(L, 2, options);
    force = what == END_QUIT && bind_flag(L, 2, "force");
    self = thread_call_new(L, sizeof *self, NULL);
    self->app = app;
    self->what = what;
    self->force = force;
    self->call.queue = QUEUE_WAIT;
    self->call.acts = true;
    self->call.run = app_end_run;
    self->call.push = app_end_push;
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

static int app_activate(lua_State *L)
{
    return app_end(L, END_ACTIVATE, plain_options);
}

static int app_hide(lua_State *L)
{
    return app_end(L, END_HIDE, plain_options);
}

static int app_show(lua_State *L)
{
    return app_end(L, END_SHOW, plain_options);
}

static int app_quit(lua_State *L)
{
    static const char *const options[] = { "force", "timeout", NULL };

    return app_end(L, END_QUIT, options);
}

static const luaL_Reg app_funcs[] = { { "activate", app_activate },
                                      { "entries", app_entries },
                                      { "get", app_get },
                                      { "hide", app_hide },
                                      { "installed", app_installed },
                                      { "list", app_list },
                                      { "open", app_open },
                                      { "quit", app_quit },
                                      { "show", app_show },
                                      { NULL, NULL } };

int luaopen_sys_app(lua_State *L)
{
    luaL_newlib(L, app_funcs);
    return 1;
}
