/* Watched resources: one watch(uri, params, call) of its file for each. */
#include "mcp/server/watched_resource.h"

#include <lua.h>
#include <stdlib.h>

#include "base/log.h"
#include "mcp/server/resources.h"
#include "registry/call/call.h"
#include "script/vm.h"

struct watched_resource {
    struct link link; /* in server->watched */
    struct server *server;
    char *uri;
    size_t holders;
    struct entry *entry; /* counted: the file that serves the URI; NULL: none does now */
    struct call *call;   /* its watch(); NULL: it has none, or it ended */
    bool gone;           /* freed when the call has ended */
};

static void watched_resource_free(struct watched_resource *watch)
{
    free(watch->uri);
    free(watch);
}

static void on_watch_updated(void *arg)
{
    struct watched_resource *watch = arg;

    if (!watch->gone)
        watch->server->resource_updated(watch->server, watch->uri);
}

static void on_watch_done(void *arg, const struct outcome *outcome)
{
    struct watched_resource *watch = arg;

    watch->call = NULL;
    if (watch->gone)
        watched_resource_free(watch);
    else if (outcome->failed && outcome->end != TASK_CANCELLED)
        log_warn("%s: watch(%s): %s", outcome->entry->label, watch->uri, outcome->err.text);
}

static void start(struct watched_resource *watch)
{
    struct server *server = watch->server;
    lua_State *L = vm_lua(registry_vm(server->registry));
    struct uri_values values;
    struct call *call;

    watch->entry = find_resource(server, watch->uri, &values);
    if (!watch->entry)
        return;
    entry_ref(watch->entry);
    entry_push_table(watch->entry, L);
    if (lua_getfield(L, -1, "watch") != LUA_TFUNCTION) {
        lua_pop(L, 2);
        return;
    }
    lua_remove(L, -2);
    lua_pushstring(L, watch->uri);
    entry_push_values(watch->entry, L, &values); /* watch, uri, params */
    call = call_start(L, &(struct call_spec){ .entry = watch->entry,
                                              .pushed = 3,
                                              .with_call = true,
                                              .unlimited = true,
                                              .updated = on_watch_updated,
                                              .done = on_watch_done,
                                              .arg = watch });
    if (call)
        watch->call = call;
}

static void stop(struct watched_resource *watch)
{
    if (watch->call)
        call_cancel(watch->call);
    entry_unref(watch->entry);
    watch->entry = NULL;
}

static struct watched_resource *find(struct server *server, const char *uri)
{
    list_each (link, &server->watched) {
        struct watched_resource *watch = container_of(link, struct watched_resource, link);

        if (strcmp(watch->uri, uri) == 0)
            return watch;
    }
    return NULL;
}

void watched_resource_hold(struct server *server, const char *uri)
{
    struct watched_resource *watch = find(server, uri);

    if (!watch) {
        watch = mem_zero(sizeof *watch);
        watch->server = server;
        watch->uri = mem_strdup(uri);
        list_push(&server->watched, &watch->link);
        start(watch);
    }
    watch->holders++;
}

void watched_resource_drop(struct server *server, const char *uri)
{
    struct watched_resource *watch = find(server, uri);

    if (!watch || --watch->holders)
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
        stop(watch);
        start(watch);
        server->resource_updated(server, watch->uri);
    }
}
