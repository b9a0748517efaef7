/* The notifications that the server is to send: changes of its lists and of resources.
 *
 * Legacy servers tell of their lists by themselves, and take a request for each resource. Modern
 * ones take one long request, subscriptions/listen, for all of it; when what is wanted changes, a
 * new one replaces it, and when it ends though it should not, it is sent again. */
#include "mcp/client/subscriptions.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/client/calls.h"
#include "mcp/client/client_session.h"
#include "mcp/client/report.h"
#include "mcp/message.h"

enum { LISTEN_AGAIN_MS = 1000, LISTEN_AGAIN_MAX_MS = 60000, URIS_MAX = 1000 };

/* --- modern ------------------------------------------------------------------- */

static bool has_changes(const struct client *c, const char *list)
{
    return c->listen &&
           cJSON_IsTrue(json_given(json_given(client_capabilities(c), list), "listChanged"));
}

static void add_flag(struct buf *out, const struct client *c, const char *list, const char *name)
{
    if (has_changes(c, list))
        buf_addf(out, "%s\"%s\":true", out->data[out->len - 1] == '{' ? "" : ",", name);
}

/* The params; empty when nothing is wanted. */
static void write_wanted(struct buf *out, const struct client *c)
{
    size_t start;

    buf_lit(out, "{\"notifications\":{");
    start = out->len;
    add_flag(out, c, "tools", "toolsListChanged");
    add_flag(out, c, "prompts", "promptsListChanged");
    add_flag(out, c, "resources", "resourcesListChanged");
    for (size_t i = 0; i < c->uri_count; i++) {
        if (i == 0)
            buf_addf(out, "%s\"resourceSubscriptions\":[", out->len > start ? "," : "");
        else
            buf_addc(out, ',');
        json_write_string(out, c->uris[i], strlen(c->uris[i]));
    }
    if (c->uri_count > 0)
        buf_addc(out, ']');
    if (out->len == start)
        out->len = 0;
    else
        buf_lit(out, "}}");
}

static void listen_again(void *arg)
{
    struct client *c = arg;

    c->listen_timer = NULL;
    client_listen(c);
}

static void on_subscription_ended(void *arg, const struct client_answer *answer)
{
    struct client *c = arg;
    uint64_t wait = LISTEN_AGAIN_MS;

    c->listening = NULL;
    if (c->state != CLIENT_READY)
        return;
    if (answer->error && strcmp(answer->error->code, "rpc_error") == 0) {
        if (answer->rpc_code != RPC_METHOD_NOT_FOUND)
            client_problem(c, "the server does not report changes: %s", answer->error->text);
        return;
    }
    for (unsigned i = 0; i < c->listen_fails && wait < LISTEN_AGAIN_MAX_MS; i++)
        wait *= 2;
    c->listen_fails++;
    c->listen_timer = timer_after(
        c->timer.loop, wait < LISTEN_AGAIN_MAX_MS ? wait : LISTEN_AGAIN_MAX_MS, listen_again, c);
}

void client_listen(struct client *c)
{
    static const struct client_limits limits = { CLIENT_NO_LIMIT, CLIENT_NO_LIMIT };
    static const struct client_callbacks callbacks = { .done = on_subscription_ended };
    struct client_call *old = c->listening;
    struct buf wanted = { 0 };

    if (c->state != CLIENT_READY || c->era != CLIENT_MODERN)
        return;
    timer_forget(c->listen_timer);
    c->listen_timer = NULL;
    c->listening = NULL;
    write_wanted(&wanted, c);
    if (wanted.len > 0)
        c->listening = client_post(c, "subscriptions/listen", buf_text(&wanted), &limits,
                                   &callbacks, c, false, NULL);
    buf_free(&wanted);
    if (old)
        client_cancel(old, NULL);
}

void client_listen_acknowledged(struct client *c)
{
    c->listen_fails = 0;
}

/* --- resources ---------------------------------------------------------------- */

static size_t find_subscription(const struct client *c, const char *uri)
{
    for (size_t i = 0; i < c->uri_count; i++) {
        if (strcmp(c->uris[i], uri) == 0)
            return i;
    }
    return c->uri_count;
}

bool client_subscribe(struct client *c, const char *uri, bool on, struct error *err)
{
    size_t at = find_subscription(c, uri);
    bool known = at < c->uri_count;

    if (!client_open(c, err))
        return false;
    if (on == known)
        return true;
    if (on && c->uri_count == URIS_MAX)
        return error_set(err, "busy",
                         "%d resources are already watched. Unsubscribe from one first", URIS_MAX);
    if (on) {
        c->uris = mem_resize(c->uris, (c->uri_count + 1) * sizeof *c->uris);
        c->uris[c->uri_count++] = mem_strdup(uri);
    } else {
        free(c->uris[at]);
        c->uris[at] = c->uris[--c->uri_count];
    }
    client_listen(c);
    return true;
}

static void on_subscribed(void *arg, const struct client_answer *answer)
{
    struct client *c = arg;

    if (answer->error)
        client_problem(c, "the new session does not watch a resource: %s", answer->error->text);
}

void client_subscribe_again(struct client *c)
{
    static const struct client_callbacks callbacks = { .done = on_subscribed };

    for (size_t i = 0; i < c->uri_count && c->state == CLIENT_READY; i++) {
        struct buf params = { 0 };

        buf_lit(&params, "{\"uri\":");
        json_write_string(&params, c->uris[i], strlen(c->uris[i]));
        buf_addc(&params, '}');
        client_post(c, "resources/subscribe", buf_text(&params), NULL, &callbacks, c, false, NULL);
        buf_free(&params);
    }
}

void client_drop_subscriptions(struct client *c)
{
    timer_forget(c->listen_timer);
    c->listen_timer = NULL;
    while (c->uri_count > 0)
        free(c->uris[--c->uri_count]);
    free(c->uris);
    c->uris = NULL;
}
