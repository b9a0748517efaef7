/* The life of a session. Its messages are taken in receive.c. */
#include "mcp/server/request/session.h"

#include <stdlib.h>

#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/mcp_tasks.h"
#include "mcp/server/call/pending.h"
#include "mcp/server/listen.h"
#include "mcp/server/notices.h"
#include "mcp/server/request/logging.h"
#include "mcp/server/request/reply.h"
#include "mcp/server/resource_subscriptions.h"
#include "mcp/server/server.h"
#include "process/launcher.h"
#include "registry/call/caller.h"

struct session *session_new(struct server *server, struct sink *sink,
                            const struct session_events *events)
{
    static unsigned last;
    struct session *session = mem_zero(sizeof *session);

    session->number = ++last;
    session->server = server;
    session->sink = sink;
    session->on_exit = events->exit;
    session->arg = events->arg;
    session->log_level = LOG_LEVEL_INFO;
    list_init(&session->calls);
    list_init(&session->listens);
    list_init(&session->subscriptions);
    list_push(&server->sessions, &session->link);
    return session;
}

void session_stateless(struct session *session)
{
    session->stateless = true;
    session->modern = true;
}

/* Whatever is known of it changed. Calls under way stay who they are. */
static void forget_caller(struct session *session)
{
    caller_unref(session->caller);
    session->caller = NULL;
}

void session_identify(struct session *session, const char *who)
{
    forget_caller(session);
    free(session->who);
    session->who = who ? mem_strdup(who) : NULL;
}

void session_launched(struct session *session)
{
    session->launched = true;
}

void session_named(struct session *session, const cJSON *info)
{
    const cJSON *name = json_get(info, "name");

    if (!cJSON_IsString(name) || (session->name && strcmp(session->name, name->valuestring) == 0))
        return;
    forget_caller(session);
    free(session->name);
    session->name = mem_strdup(name->valuestring);
    if (session->launched && strcmp(launcher_name(), name->valuestring) != 0)
        launcher_set(name->valuestring);
}

static enum caller_kind caller_kind_of(const struct session *session)
{
    if (session->launched)
        return session->name && strcmp(session->name, CALLER_AGENT_NAME) == 0 ? CALLER_AGENT
                                                                              : CALLER_CLIENT;
    if (session->who)
        return CALLER_OAUTH;
    return session->server->kept || session->server->console ? CALLER_TERMINAL : CALLER_HTTP;
}

/* The owner of the session's things, as of its tasks (mcp_task_belongs()). A person at the terminal
 * starts a session for each command. */
static char *owner_of(const struct session *session, enum caller_kind kind)
{
    if (kind == CALLER_TERMINAL)
        return NULL;
    if (session->stateless)
        return mem_printf("who:%s", session->who ? session->who : "");
    return mem_printf("session:%u", session->number);
}

struct caller *session_caller(struct session *session)
{
    enum caller_kind kind = caller_kind_of(session);

    if (!session->caller) {
        session->caller =
            caller_new(registry_vm(session->server->registry), kind, session->name, session->who);
        caller_own(session->caller, owner_of(session, kind));
    }
    return session->caller;
}

void session_stop_calls(struct session *session, const char *why)
{
    while (!list_empty(&session->calls)) {
        struct pending *pending = container_of(session->calls.next, struct pending, link);

        if (!pending->cancelled)
            reply_error(&pending->request, RPC_SERVER_ERROR, NULL, "%s", why);
        pending_cancel(pending);
    }
}

void session_free(struct session *session)
{
    if (!session)
        return;
    session->closing = true;
    session_end_calls(session);
    mcp_tasks_end(session->server, session);
    listens_free(session);
    subscriptions_free(session);
    notices_end(session);
    list_remove(&session->link);
    caller_unref(session->caller);
    free(session->name);
    free(session->who);
    free(session);
}

bool session_has_tasks(const struct session *session)
{
    return mcp_tasks_running(session);
}

bool session_greeted(const struct session *session)
{
    return session->greeted;
}

const char *session_version(const struct session *session)
{
    return session->version;
}
