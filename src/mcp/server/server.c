/* The server as a whole: what all sessions share, and hear of. */
#include "mcp/server/server.h"

#include <stdlib.h>

#include "base/crypto.h"
#include "base/log.h"
#include "json/writer.h"
#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/pending.h"
#include "mcp/server/call/used_states.h"
#include "mcp/server/listen.h"
#include "mcp/server/notices.h"
#include "mcp/server/request/logging.h"
#include "mcp/server/request/reply.h"
#include "mcp/server/resource_subscriptions.h"
#include "mcp/server/watched_resource.h"
#include "registry/call/gate.h"

enum { LIST_PAGE = 250 };

static void make_key(struct server *server, const char *given)
{
    struct error err;

    crypto_random(server->key, sizeof server->key);
    if (given && *given && !crypto_sha256(str_from(given), server->key, &err))
        log_error("PERIGEE_STATE_KEY is ignored: %s", err.text);
}

struct server *server_new(const struct server_options *options)
{
    struct server *server = mem_zero(sizeof *server);

    server->registry = options->registry;
    server->lean = options->lean;
    server->whole = options->whole;
    server->mounted = options->mounted;
    server->kept = options->kept;
    server->console = options->console;
    server->page = options->page ? options->page : LIST_PAGE;
    server->timeout_ms = options->timeout_ms;
    server->cap = options->cap;
    make_key(server, options->state_key);
    server->used = used_states_new(options->state_key && *options->state_key);
    list_init(&server->sessions);
    list_init(&server->parked);
    list_init(&server->watched);
    list_init(&server->tasks);
    server->task_ttl_ms = options->task_ttl_ms;
    server->resource_updated = server_updated;
    server->task_changed = listens_task;
    return server;
}

void server_end_tasks(struct server *server)
{
    mcp_tasks_end(server, NULL);
}

void server_free(struct server *server)
{
    while (server && !list_empty(&server->parked))
        pending_cancel(container_of(server->parked.next, struct pending, link));
    if (server)
        server_end_tasks(server);
    if (server)
        used_states_free(server->used);
    free(server);
}

struct registry *server_registry(const struct server *server)
{
    return server->registry;
}

/* --- what every session hears of --------------------------------------------------------- */

void server_changed(struct server *server, unsigned what)
{
    list_each (link, &server->sessions) {
        struct session *session = container_of(link, struct session, link);

        listens_changed(session, what);
        if (!session->version)
            continue;
        if (what & REGISTRY_TOOLS)
            notify_end(session->sink,
                       notify_begin(session->sink, "notifications/tools/list_changed"));
        if (what & REGISTRY_PROMPTS)
            notify_end(session->sink,
                       notify_begin(session->sink, "notifications/prompts/list_changed"));
        if (what & REGISTRY_RESOURCES)
            notify_end(session->sink,
                       notify_begin(session->sink, "notifications/resources/list_changed"));
    }
    if (what & REGISTRY_FILES)
        watched_resources_reload(server);
}

/* {"file":..., "line":..., "message":..., "kept":...}, as engine_status has it. */
static void write_problem(struct buf *out, const struct problem *problem)
{
    buf_lit(out, "{\"file\":");
    json_write_string(out, problem->path, strlen(problem->path));
    if (problem->line)
        buf_addf(out, ",\"line\":%d", problem->line);
    buf_lit(out, ",\"message\":");
    json_write_string(out, problem->text, strlen(problem->text));
    buf_addf(out, ",\"kept\":%s}", problem->kept ? "true" : "false");
}

/* To who can hear it: clients of the modern era get log messages only with answers. */
void server_failed(struct server *server, const struct problem *problem)
{
    static const char level[] = "error";
    struct buf data = { 0 };

    write_problem(&data, problem);
    if (problem->foreign)
        gate_note_foreign(problem->text);
    list_each (link, &server->sessions) {
        struct session *session = container_of(link, struct session, link);

        if (session->version && session->log_level <= log_level_index(level))
            send_log_json(session->sink, level, "perigee", buf_str(&data), NULL);
    }
    buf_free(&data);
}

void server_updated(struct server *server, const char *uri, const struct watched_resource *watch)
{
    list_each (link, &server->sessions) {
        struct session *session = container_of(link, struct session, link);

        subscriptions_updated(session, uri, watch);
        listens_updated(session, uri, watch);
    }
}

void server_notice(struct server *server, const struct notice *notice)
{
    notices_note(server, notice);
}
