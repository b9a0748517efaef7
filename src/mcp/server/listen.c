/* subscriptions/listen (2026-07-28): a request that stays open and names the
 * changes a client wants to hear of. */
#include "mcp/server/listen.h"

#include <stdlib.h>

#include "base/log.h"
#include "json/writer.h"
#include "mcp/server/call/mcp_task_wire.h"
#include "mcp/server/call/mcp_tasks.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/abilities.h"
#include "mcp/server/request/reply.h"
#include "mcp/server/resources.h"
#include "mcp/server/server.h"
#include "mcp/server/watched_resource.h"
#include "mcp/versions.h"
#include "registry/call/gate.h"

enum { LISTEN_URIS_MAX = 1000, LISTEN_TASKS_MAX = MCP_TASKS_OWNED };

struct listen {
    struct link link;
    struct sink *sink; /* held */
    char *id;          /* JSON text */
    bool tools, prompts, resources;
    char **uris;                       /* resources whose content it wants to hear of; owned */
    struct watched_resource **watches; /* held, one for each */
    size_t uri_count;
    char (*tasks)[MCP_TASK_ID + 1]; /* ids; owned */
    size_t task_count;
};

static bool is_notification_wanted(const cJSON *notifications, const char *name)
{
    return cJSON_IsTrue(json_given(notifications, name));
}

static void subscription_meta(struct buf *out, const struct listen *listen)
{
    buf_addf(out, "\"_meta\":{\"" MCP_META_LISTEN "\":%s}", listen->id);
}

static bool may_listen(struct session *session, const char *uri)
{
    struct uri_values values;
    struct entry *entry = find_resource(session->server, uri, &values);
    struct error err;

    if (!entry || gate_lets_subscribe(entry, session_caller(session), uri, &err))
        return entry;
    log_warn("%s", err.text);
    return false;
}

/* Those that there are, and that the policy lets the client subscribe to. */
static void read_uris(struct session *session, struct listen *listen, const cJSON *uris)
{
    struct watched_resource *watch;
    const cJSON *uri;

    if (!cJSON_IsArray(uris))
        return;
    listen->uris = mem_zero(LISTEN_URIS_MAX * sizeof *listen->uris);
    listen->watches = mem_zero(LISTEN_URIS_MAX * sizeof *listen->watches);
    cJSON_ArrayForEach (uri, uris) {
        if (!cJSON_IsString(uri) || listen->uri_count == LISTEN_URIS_MAX ||
            !may_listen(session, uri->valuestring))
            continue;
        watch = watched_resource_hold(session->server, session_caller(session), uri->valuestring);
        if (!watch)
            continue;
        listen->watches[listen->uri_count] = watch;
        listen->uris[listen->uri_count++] = mem_strdup(uri->valuestring);
    }
}

/* Those that are the client's. */
static void read_listened_tasks(const struct session *session, struct listen *listen,
                                const cJSON *ids)
{
    const cJSON *id;

    if (!cJSON_IsArray(ids))
        return;
    listen->tasks = mem_zero(LISTEN_TASKS_MAX * sizeof *listen->tasks);
    cJSON_ArrayForEach (id, ids)
        if (listen->task_count < LISTEN_TASKS_MAX && mcp_task_find(session, true, json_string(id)))
            memcpy(listen->tasks[listen->task_count++], id->valuestring, MCP_TASK_ID + 1);
}

static void write_honoured(struct buf *out, const struct listen *listen)
{
    const struct {
        bool is;
        const char *name;
    } flags[] = { { listen->tools, "toolsListChanged" },
                  { listen->prompts, "promptsListChanged" },
                  { listen->resources, "resourcesListChanged" } };
    bool first = true;

    buf_lit(out, "\"notifications\":{");
    for (size_t i = 0; i < countof(flags); i++) {
        if (!flags[i].is)
            continue;
        buf_addf(out, "%s\"%s\":true", first ? "" : ",", flags[i].name);
        first = false;
    }
    for (size_t i = 0; i < listen->uri_count; i++) {
        buf_adds(out, i       ? ","
                      : first ? "\"resourceSubscriptions\":["
                              : ",\"resourceSubscriptions\":[");
        json_write_string(out, listen->uris[i], strlen(listen->uris[i]));
    }
    if (listen->uri_count) {
        buf_addc(out, ']');
        first = false;
    }
    for (size_t i = 0; i < listen->task_count; i++)
        buf_addf(out, "%s\"%s\"",
                 i       ? ","
                 : first ? "\"taskIds\":["
                         : ",\"taskIds\":[",
                 listen->tasks[i]);
    buf_adds(out, listen->task_count ? "]}," : "},");
}

static void write_task(const struct listen *listen, const struct mcp_task *task)
{
    struct buf *out = notify_begin(listen->sink, "notifications/tasks");

    mcp_task_write_detailed(out, task);
    buf_addc(out, ',');
    subscription_meta(out, listen);
    notify_end(listen->sink, out);
}

/* A task that asked or ended between its creation and this request would never be told again. */
static void tell_changed_tasks(const struct session *session, const struct listen *listen)
{
    for (size_t i = 0; i < listen->task_count; i++) {
        const struct mcp_task *task = mcp_task_find(session, true, str_from(listen->tasks[i]));

        if (task->status != MCP_TASK_WORKING)
            write_task(listen, task);
    }
}

void method_listen(struct request *request)
{
    const cJSON *notifications = json_given(request->params, "notifications");
    struct session *session = request->session;
    struct listen *listen;
    struct buf *out;

    if (!cJSON_IsObject(notifications)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "subscriptions/listen needs params.notifications, an object");
        return;
    }
    if (json_given(notifications, "taskIds") && !(abilities_of(request) & ABILITY_TASKS)) {
        abilities_refuse_tasks(request);
        return;
    }
    listen = mem_zero(sizeof *listen);
    listen->id = mem_strndup(request->id.ptr, request->id.len);
    listen->tools = is_notification_wanted(notifications, "toolsListChanged");
    listen->prompts = is_notification_wanted(notifications, "promptsListChanged");
    listen->resources = is_notification_wanted(notifications, "resourcesListChanged");
    read_uris(session, listen, json_given(notifications, "resourceSubscriptions"));
    read_listened_tasks(session, listen, json_given(notifications, "taskIds"));
    listen->sink = request->sink;
    sink_hold(listen->sink);
    list_push(&session->listens, &listen->link);
    out = notify_begin(listen->sink, "notifications/subscriptions/acknowledged");
    write_honoured(out, listen);
    subscription_meta(out, listen);
    notify_end(listen->sink, out);
    tell_changed_tasks(session, listen);
}

static void listen_tell(const struct listen *listen, const char *method)
{
    struct buf *out = notify_begin(listen->sink, method);

    subscription_meta(out, listen);
    notify_end(listen->sink, out);
}

void listens_changed(struct session *session, unsigned what)
{
    list_each (link, &session->listens) {
        const struct listen *listen = container_of(link, struct listen, link);

        if (listen->tools && (what & REGISTRY_TOOLS))
            listen_tell(listen, "notifications/tools/list_changed");
        if (listen->prompts && (what & REGISTRY_PROMPTS))
            listen_tell(listen, "notifications/prompts/list_changed");
        if (listen->resources && (what & REGISTRY_RESOURCES))
            listen_tell(listen, "notifications/resources/list_changed");
    }
}

static bool listens_to(const struct listen *listen, const char *uri,
                       const struct watched_resource *watch)
{
    for (size_t i = 0; i < listen->uri_count; i++)
        if (strcmp(listen->uris[i], uri) == 0 && (!watch || listen->watches[i] == watch))
            return true;
    return false;
}

void listens_updated(struct session *session, const char *uri, const struct watched_resource *watch)
{
    list_each (link, &session->listens) {
        const struct listen *listen = container_of(link, struct listen, link);
        struct buf *out;

        if (!listens_to(listen, uri, watch) || !resource_may_be_told(session, uri))
            continue;
        out = notify_begin(listen->sink, "notifications/resources/updated");
        buf_lit(out, "\"uri\":");
        json_write_string(out, uri, strlen(uri));
        buf_addc(out, ',');
        subscription_meta(out, listen);
        notify_end(listen->sink, out);
    }
}

static void tell_task(const struct listen *listen, const struct mcp_task *task)
{
    for (size_t i = 0; i < listen->task_count; i++)
        if (strcmp(listen->tasks[i], task->id) == 0) {
            write_task(listen, task);
            return;
        }
}

void listens_task(const struct mcp_task *task)
{
    list_each (link, &task->server->sessions) {
        struct session *session = container_of(link, struct session, link);

        list_each (item, &session->listens)
            tell_task(container_of(item, struct listen, link), task);
    }
}

static void listen_free(struct listen *listen)
{
    struct sink *sink = listen->sink;

    list_remove(&listen->link);
    for (size_t i = 0; i < listen->uri_count; i++) {
        watched_resource_drop(listen->watches[i]);
        free(listen->uris[i]);
    }
    free(listen->uris);
    free(listen->watches);
    free(listen->tasks);
    free(listen->id);
    free(listen);
    sink_drop(sink);
}

bool listen_cancel(struct session *session, struct str id)
{
    list_each (link, &session->listens) {
        struct listen *listen = container_of(link, struct listen, link);

        if (str_same(str_from(listen->id), id)) {
            listen_free(listen);
            return true;
        }
    }
    return false;
}

void listens_free(struct session *session)
{
    while (!list_empty(&session->listens))
        listen_free(container_of(session->listens.next, struct listen, link));
}

void session_end_listens(struct session *session)
{
    while (!list_empty(&session->listens)) {
        struct listen *listen = container_of(session->listens.next, struct listen, link);
        struct request request = { .session = session,
                                   .sink = listen->sink,
                                   .id = str_from(listen->id),
                                   .modern = true,
                                   .taken = true };
        struct buf meta = { 0 };

        buf_addf(&meta, "\"" MCP_META_LISTEN "\":%s", listen->id);
        reply_end(&request, reply_begin(&request), true, &meta);
        buf_free(&meta);
        listen_free(listen);
    }
}
