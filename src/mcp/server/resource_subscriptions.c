/* resources/subscribe and resources/unsubscribe, of revisions before 2026-07-28. */
#include "mcp/server/resource_subscriptions.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/reply.h"
#include "mcp/server/resources.h"
#include "mcp/server/watched_resource.h"
#include "registry/call/gate.h"

enum { SUBSCRIPTIONS_MAX = 1000 };

struct subscription {
    struct link link; /* in session->subscriptions */
    char *uri;
    struct watched_resource *watch; /* held */
};

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
    watched_resource_drop(subscription->watch);
    list_remove(&subscription->link);
    session->subscription_count--;
    free(subscription->uri);
    free(subscription);
}

static void reply_not_let(const struct request *request, const char *uri, const struct error *err)
{
    struct buf data = { 0 };

    buf_lit(&data, "{\"uri\":");
    json_write_string(&data, uri, strlen(uri));
    buf_addf(&data, ",\"perigee/code\":\"%s\"}", err->code);
    reply_error(request, RPC_INVALID_PARAMS, buf_text(&data), "%s", err->text);
    buf_free(&data);
}

void method_subscribe(struct request *request)
{
    struct session *session = request->session;
    struct subscription *subscription;
    struct watched_resource *watch;
    struct uri_values values;
    const char *uri = resource_uri(request);
    struct entry *entry;
    struct error err;

    if (!uri)
        return;
    entry = find_resource(session->server, uri, &values);
    if (!entry) {
        resource_reply_missing(request, uri, "");
        return;
    }
    if (!gate_lets_subscribe(entry, session_caller(session), uri, &err)) {
        reply_not_let(request, uri, &err);
        return;
    }
    if (!find_subscription(session, uri)) {
        if (session->subscription_count == SUBSCRIPTIONS_MAX) {
            reply_error(
                request, RPC_INVALID_PARAMS, NULL,
                "This session is already subscribed to %d resources. Unsubscribe from one first",
                SUBSCRIPTIONS_MAX);
            return;
        }
        watch = watched_resource_hold(session->server, session_caller(session), uri);
        if (!watch) {
            resource_reply_missing(request, uri, "");
            return;
        }
        subscription = mem_zero(sizeof *subscription);
        subscription->watch = watch;
        subscription->uri = mem_strdup(uri);
        list_push(&session->subscriptions, &subscription->link);
        session->subscription_count++;
    }
    reply_end(request, reply_begin(request), true, NULL);
}

/* Is there something for this client under the URI? */
static bool is_there(struct session *session, const char *uri)
{
    struct uri_values values;
    struct watched_resource *watch = NULL;
    struct entry *entry = find_resource(session->server, uri, &values);
    struct error err;

    /* A mounted server is not asked for that. */
    if (!entry || !entry->libs)
        return entry != NULL;
    if (gate_lets_subscribe(entry, session_caller(session), uri, &err))
        watch = watched_resource_hold(session->server, session_caller(session), uri);
    if (watch)
        watched_resource_drop(watch);
    return watch != NULL;
}

void method_unsubscribe(struct request *request)
{
    struct subscription *subscription;
    const char *uri = resource_uri(request);

    if (!uri)
        return;
    subscription = find_subscription(request->session, uri);
    if (subscription) {
        subscription_free(request->session, subscription);
    } else if (!is_there(request->session, uri)) {
        resource_reply_missing(request, uri, "");
        return;
    }
    reply_end(request, reply_begin(request), true, NULL);
}

void subscriptions_updated(struct session *session, const char *uri,
                           const struct watched_resource *watch)
{
    const struct subscription *subscription = find_subscription(session, uri);
    struct buf *out;

    if (!subscription || (watch && subscription->watch != watch) ||
        !resource_may_be_told(session, uri))
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
