/* subscriptions/listen (2026-07-28): a request that stays open and names the
 * changes a client wants to hear of. */
#include <stdlib.h>

#include "protocol/session.h"

struct listen {
    struct link link;
    struct sink *sink; /* held */
    char *id;          /* JSON text */
    bool tools, prompts;
};

static bool wanted(const cJSON *notifications, const char *name)
{
    return cJSON_IsTrue(json_get(notifications, name));
}

static void subscription_meta(struct buf *out, const struct listen *listen)
{
    buf_addf(out, "\"_meta\":{\"" MCP_META_LISTEN "\":%s}", listen->id);
}

void method_listen(struct request *request)
{
    const cJSON *notifications = json_get(request->params, "notifications");
    struct session *session = request->session;
    struct listen *listen;
    struct buf *out;

    if (!cJSON_IsObject(notifications)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "subscriptions/listen needs params.notifications, an object");
        return;
    }
    listen = mem_zero(sizeof *listen);
    listen->id = mem_strndup(request->id.ptr, request->id.len);
    listen->tools = wanted(notifications, "toolsListChanged");
    listen->prompts = wanted(notifications, "promptsListChanged");
    listen->sink = request->sink;
    sink_hold(listen->sink);
    list_push(&session->listens, &listen->link);
    out = notify_begin(listen->sink, "notifications/subscriptions/acknowledged");
    buf_addf(out, "\"notifications\":{%s%s%s},", listen->tools ? "\"toolsListChanged\":true" : "",
             listen->tools && listen->prompts ? "," : "",
             listen->prompts ? "\"promptsListChanged\":true" : "");
    subscription_meta(out, listen);
    notify_end(listen->sink, out);
}

static void tell(const struct listen *listen, const char *method)
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
            tell(listen, "notifications/tools/list_changed");
        if (listen->prompts && (what & REGISTRY_PROMPTS))
            tell(listen, "notifications/prompts/list_changed");
    }
}

static void listen_free(struct listen *listen)
{
    struct sink *sink = listen->sink;

    list_remove(&listen->link);
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
