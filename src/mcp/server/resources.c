/* resources/read, and the subscriptions of revisions before 2026-07-28. */
#include <lua.h>
#include <stdlib.h>

#include "mcp/server/session.h"
#include "registry/call/contents.h"
#include "script/vm.h"
#include "json/writer.h"

enum { SUBSCRIPTIONS_MAX = 1000 };

struct subscription {
    struct link link; /* in session->subscriptions */
    char *uri;
};

struct entry *find_resource(const struct server *server, const char *uri, struct uri_values *values)
{
    return generation_resource(registry_current(server->registry), str_from(uri), values);
}

static void reply_not_found(const struct request *request, const char *uri)
{
    struct buf data = { 0 };

    buf_lit(&data, "{\"uri\":");
    json_write_string(&data, uri, strlen(uri));
    buf_addc(&data, '}');
    reply_error(request, request->modern ? RPC_INVALID_PARAMS : RPC_RESOURCE_NOT_FOUND,
                buf_text(&data), "Resource not found: %.200s", uri);
    buf_free(&data);
}

static const char *uri_of(const struct request *request)
{
    const cJSON *uri = json_get(request->params, "uri");

    if (cJSON_IsString(uri))
        return uri->valuestring;
    reply_error(request, RPC_INVALID_PARAMS, NULL, "%s needs params.uri, a string",
                request->method);
    return NULL;
}

static void on_read(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    struct request *request = &pending->request;
    struct buf contents = { 0 };
    struct error err;
    struct buf *out;

    if (pending_answer_refusal(pending, outcome)) {
        /* it is answered, or no reply is owed */
    } else if (contents_write(outcome, str_from(pending->subject), &contents, &err)) {
        out = reply_begin(request);
        buf_add(out, contents.data, contents.len);
        if (request->modern)
            buf_lit(out, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
        reply_end(request, out, false, NULL);
    } else if (strcmp(err.code, "not_found") == 0) {
        reply_not_found(request, pending->subject);
    } else {
        reply_error(request, RPC_INTERNAL_ERROR, NULL, "Resource %s: %s", outcome->entry->name,
                    err.text);
    }
    buf_free(&contents);
    pending_free(pending);
}

void method_resources_read(struct request *request)
{
    struct server *server = request->session->server;
    lua_State *L = vm_lua(registry_vm(server->registry));
    struct uri_values values;
    struct entry *entry;
    struct input_round round;
    const char *uri = uri_of(request);

    if (!uri)
        return;
    entry = find_resource(server, uri, &values);
    if (!entry) {
        reply_not_found(request, uri);
        return;
    }
    if (!input_round_read(request, &round))
        return;
    entry_push_run(entry, L);
    lua_pushstring(L, uri);
    entry_push_values(entry, L, &values); /* read, uri, params */
    pending_start(request, &(struct start){ .round = &round, .subject = uri },
                  &(struct call_spec){ .entry = entry,
                                       .pushed = 3,
                                       .with_call = entry->takes_call,
                                       .timeout_ms = entry->timeout_ms ? 0 : server->timeout_ms,
                                       .done = on_read });
}

/* --- subscriptions ---------------------------------------------------------------------- */

static struct subscription *find_subscription(struct session *session, const char *uri)
{
    list_each (link, &session->subscriptions) {
        struct subscription *subscription = container_of(link, struct subscription, link);

        if (strcmp(subscription->uri, uri) == 0)
            return subscription;
    }
    return NULL;
}

static void subscription_free(struct session *session, struct subscription *subscription)
{
    watched_resource_drop(session->server, subscription->uri);
    list_remove(&subscription->link);
    session->subscription_count--;
    free(subscription->uri);
    free(subscription);
}

void method_subscribe(struct request *request)
{
    struct session *session = request->session;
    struct subscription *subscription;
    struct uri_values values;
    const char *uri = uri_of(request);

    if (!uri)
        return;
    if (!find_resource(session->server, uri, &values)) {
        reply_not_found(request, uri);
        return;
    }
    if (!find_subscription(session, uri)) {
        if (session->subscription_count == SUBSCRIPTIONS_MAX) {
            reply_error(request, RPC_INVALID_PARAMS, NULL,
                        "This session is subscribed to %d resources, no more are possible",
                        SUBSCRIPTIONS_MAX);
            return;
        }
        subscription = mem_zero(sizeof *subscription);
        subscription->uri = mem_strdup(uri);
        list_push(&session->subscriptions, &subscription->link);
        session->subscription_count++;
        watched_resource_hold(session->server, uri);
    }
    reply_end(request, reply_begin(request), true, NULL);
}

void method_unsubscribe(struct request *request)
{
    struct subscription *subscription;
    const char *uri = uri_of(request);

    if (!uri)
        return;
    subscription = find_subscription(request->session, uri);
    if (subscription)
        subscription_free(request->session, subscription);
    reply_end(request, reply_begin(request), true, NULL);
}

void subscriptions_updated(struct session *session, const char *uri)
{
    struct buf *out;

    if (!find_subscription(session, uri))
        return;
    out = notify_begin(session->sink, "notifications/resources/updated");
    buf_lit(out, "\"uri\":");
    json_write_string(out, uri, strlen(uri));
    notify_end(session->sink, out);
}

void subscriptions_free(struct session *session)
{
    while (!list_empty(&session->subscriptions))
        subscription_free(session,
                          container_of(session->subscriptions.next, struct subscription, link));
}
