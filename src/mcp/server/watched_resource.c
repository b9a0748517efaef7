/* Watched resources: one watch(uri, params, call) of its file for each. */
#include "mcp/server/watched_resource.h"

#include <lua.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "mcp/server/resources.h"
#include "registry/call/call.h"
#include "registry/call/caller.h"
#include "script/vm.h"

struct watched_resource {
    struct link link; /* in server->watched */
    struct server *server;
    char *uri;
    size_t holders;
    struct caller *caller; /* the first holder's, for whom it watches */
    struct entry *entry;   /* counted: the file that serves the URI; NULL: none does now */
    struct call *call;     /* its watch(); NULL: it has none, or it ended */
    bool watches;          /* that file has watch() */
    bool missing;          /* watch() found nothing under this URI */
    bool gone;             /* freed when the call has ended */
};

static void watched_resource_free(struct watched_resource *watch)
{
    caller_unref(watch->caller);
    free(watch->uri);
    free(watch);
}

static void on_watch_updated(void *arg)
{
    struct watched_resource *watch = arg;

    if (!watch->gone)
        watch->server->resource_updated(watch->server, watch->uri, watch);
}

static void on_watch_done(void *arg, const struct outcome *outcome)
{
    struct watched_resource *watch = arg;

    watch->call = NULL;
    watch->missing = outcome->failed && strcmp(outcome->err.code, "not_found") == 0;
    if (watch->gone)
        watched_resource_free(watch);
    else if (watch->missing)
        log_debug("%s: watch(%s): %s", outcome->entry->label, watch->uri, outcome->err.text);
    else if (outcome->failed && outcome->end != TASK_CANCELLED)
        log_warn("%s: watch(%s): %s", outcome->entry->label, watch->uri, outcome->err.text);
}

/* (watch): does its file have the function? */
static int look_up_watch(lua_State *L)
{
    struct watched_resource *watch = lua_touserdata(L, 1);

    entry_push_table(watch->entry, L);
    watch->watches = lua_getfield(L, -1, "watch") == LUA_TFUNCTION;
    return 0;
}

/* A call_spec.push: watch, uri, params. */
static int push_watch(lua_State *L, const void *address)
{
    const struct entry_address *a = address;

    entry_push_table(a->entry, L);
    lua_getfield(L, -1, "watch");
    lua_pushstring(L, a->uri);
    entry_push_values(a->entry, L, a->values);
    return 3;
}

static void start_watch_call(struct watched_resource *watch, const struct uri_values *values)
{
    struct call *call = call_start(
        watch->entry->vm,
        &(struct call_spec){ .entry = watch->entry,
                             .push = push_watch,
                             .pushed = &(struct entry_address){ watch->entry, watch->uri, values },
                             .with_call = true,
                             .unlimited = true,
                             .caller = watch->caller,
                             .own = true, /* it says that something changed, and not what */
                             .updated = on_watch_updated,
                             .done = on_watch_done,
                             .arg = watch });

    if (call)
        watch->call = call;
}

static void start_watch(struct watched_resource *watch)
{
    struct server *server = watch->server;
    struct uri_values values;
    struct error err;

    watch->entry = find_resource(server, watch->uri, &values);
    if (!watch->entry)
        return;
    entry_ref(watch->entry);
    if (!vm_run(watch->entry->vm, look_up_watch, watch, &err))
        log_warn("%s: watch(%s): %s", watch->entry->label, watch->uri, err.text);
    else if (watch->watches)
        start_watch_call(watch, &values);
}
static void stop_watch(struct watched_resource *watch)
{
    if (watch->call)
        call_cancel(watch->call);
    entry_unref(watch->entry);
    watch->entry = NULL;
}

static const char *owner_of(const struct caller *caller)
{
    return caller ? caller_owner(caller) : "";
}

static struct watched_resource *find_watched(struct server *server, struct caller *caller,
                                             const char *uri)
{
    list_each (link, &server->watched) {
        struct watched_resource *watch = container_of(link, struct watched_resource, link);

        if (strcmp(watch->uri, uri) == 0 && strcmp(owner_of(watch->caller), owner_of(caller)) == 0)
            return watch;
    }
    return NULL;
}

struct watched_resource *watched_resource_hold(struct server *server, struct caller *caller,
                                               const char *uri)
{
    struct watched_resource *watch = find_watched(server, caller, uri);

    if (!watch) {
        watch = mem_zero(sizeof *watch);
        watch->server = server;
        watch->uri = mem_strdup(uri);
        watch->caller = caller ? caller_ref(caller) : NULL;
        list_push(&server->watched, &watch->link);
        start_watch(watch);
    }
    watch->holders++;
    if (!watch->missing)
        return watch;
    watched_resource_drop(watch);
    return NULL;
}

void watched_resource_drop(struct watched_resource *watch)
{
    if (--watch->holders)
        return;
    list_remove(&watch->link);
    watch->gone = true;
    if (watch->call) {
        entry_unref(watch->entry);
        call_cancel(watch->call); /* ends in on_watch_done(), now or soon */
        return;
    }
    entry_unref(watch->entry);
    watched_resource_free(watch);
}

void watched_resources_reload(struct server *server)
{
    list_each (link, &server->watched) {
        struct watched_resource *watch = container_of(link, struct watched_resource, link);
        struct uri_values values;

        if (find_resource(server, watch->uri, &values) == watch->entry)
            continue;
        stop_watch(watch);
        start_watch(watch);
        server->resource_updated(server, watch->uri, watch);
    }
}
