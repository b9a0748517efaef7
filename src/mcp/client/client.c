/* The client's life: what it tells of itself, its beginning and its end.
 *
 * The timer handle is closed last and the memory goes in its close callback,
 * so a function further up the stack may still look at `freed` after it called
 * something that ended in client_free(). */
#include "mcp/client/client.h"

#include <stdlib.h>

#include "mcp/client/calls.h"
#include "mcp/client/client_session.h"
#include "mcp/client/era.h"
#include "mcp/client/listing.h"
#include "mcp/client/open_asks.h"
#include "mcp/client/subscriptions.h"
#include "mcp/client/tools.h"

#include "json/writer.h"
#include "mcp/versions.h"

enum {
    CLIENT_PROBE_MS = 2000,
    CLIENT_CONNECT_MS = 60 * 1000,
    CLIENT_TIMEOUT_MS = 60 * 1000,
    CLIENT_MAX_MS = 600 * 1000,
};

/* --- what it tells of itself -------------------------------------------------- */

static void add_text_member(struct buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    if (out->data[out->len - 1] != '{')
        buf_addc(out, ',');
    json_write_string(out, key, strlen(key));
    buf_addc(out, ':');
    json_write_string(out, text, strlen(text));
}

static char *info_text(const struct client_options *options)
{
    struct buf out = { 0 };

    buf_addc(&out, '{');
    add_text_member(&out, "name", options->name ? options->name : "perigee");
    add_text_member(&out, "title", options->title);
    add_text_member(&out, "version", options->version ? options->version : PERIGEE_VERSION);
    buf_addc(&out, '}');
    return buf_take(&out);
}

static char *capabilities_text(unsigned abilities, bool tasks)
{
    static const struct {
        unsigned bit;
        const char *name;
        const char *how;
    } all[] = { { CLIENT_ROOTS, "roots", "{}" },
                { CLIENT_SAMPLING, "sampling", "{}" },
                { CLIENT_ELICITATION, "elicitation", "{\"form\":{},\"url\":{}}" } };
    struct buf out = { 0 };
    const char *comma = "";

    buf_addc(&out, '{');
    for (size_t i = 0; i < countof(all); i++) {
        if (!(abilities & all[i].bit))
            continue;
        buf_addf(&out, "%s\"%s\":%s", comma, all[i].name, all[i].how);
        comma = ",";
    }
    if (tasks)
        buf_addf(&out, "%s\"extensions\":{\"" MCP_TASKS "\":{}}", comma);
    buf_addc(&out, '}');
    return buf_take(&out);
}

static char *meta_text(const struct client *c, const char *log_level, bool tasks)
{
    char *capabilities = capabilities_text(c->abilities, tasks);
    struct buf out = { 0 };

    buf_lit(&out, "\"" MCP_META_VERSION "\":\"" MCP_MODERN "\"");
    buf_addf(&out, ",\"" MCP_META_CLIENT "\":%s", c->info);
    buf_addf(&out, ",\"" MCP_META_CAPS "\":%s", capabilities);
    add_text_member(&out, MCP_META_LEVEL, log_level);
    free(capabilities);
    return buf_take(&out);
}

void client_set_log_level(struct client *c, const char *level)
{
    free(c->meta);
    free(c->task_meta);
    c->meta = meta_text(c, level, false);
    c->task_meta = meta_text(c, level, true);
}

/* --- making and freeing ------------------------------------------------------- */

static void set_client_options(struct client *c, const struct client_options *options)
{
    c->wanted = options->era;
    c->no_probe = options->no_probe;
    c->listen = options->listen;
    c->abilities = options->abilities;
    c->probe_ms = options->probe_ms ? options->probe_ms : CLIENT_PROBE_MS;
    c->connect_ms = options->connect_ms ? options->connect_ms : CLIENT_CONNECT_MS;
    c->timeout_ms = options->timeout_ms ? options->timeout_ms : CLIENT_TIMEOUT_MS;
    c->max_ms = options->max_ms ? options->max_ms : CLIENT_MAX_MS;
    c->limits = json_limits_default;
    if (options->max_message)
        c->limits.bytes = options->max_message;
    c->info = info_text(options);
    c->capabilities = capabilities_text(options->abilities, false);
    client_set_log_level(c, options->log_level);
}

struct client *client_new(uv_loop_t *loop, const struct client_wire *wire,
                          const struct client_options *options, const struct client_events *events,
                          void *arg)
{
    static const struct client_options none = { 0 };
    struct client *c = mem_zero(sizeof *c);

    c->wire = *wire;
    c->expire = client_expire;
    if (events)
        c->events = *events;
    c->arg = arg;
    set_client_options(c, options ? options : &none);
    for (size_t i = 0; i < countof(c->calls); i++)
        list_init(&c->calls[i]);
    list_init(&c->listings);
    list_init(&c->asks);
    list_init(&c->tools);
    uv_timer_init(loop, &c->timer);
    c->timer.data = c;
    c->timer_due = CLIENT_NO_LIMIT;
    return c;
}

static void on_client_closed(uv_handle_t *handle)
{
    struct client *c = handle->data;

    json_doc_free(c->session);
    client_forget_tools(c);
    free(c->info);
    free(c->capabilities);
    free(c->stray);
    free(c->meta);
    free(c->task_meta);
    buf_free(&c->out);
    free(c);
}

void client_free(struct client *c)
{
    if (!c || c->freed)
        return;
    c->freed = true;
    client_drop_listings(c);
    client_drop_subscriptions(c);
    client_drop_asks(c, NULL, false);
    client_drop_calls(c);
    uv_close((uv_handle_t *)&c->timer, on_client_closed);
}

/* --- states ------------------------------------------------------------------- */

void client_started(struct client *c)
{
    if (!c->freed && c->state < CLIENT_CLOSING)
        client_begin(c);
}

static void add_stray(const struct client *c, struct error *reason)
{
    struct error said = *reason;

    error_set(reason, said.code, "%.300s. It printed \"%s\", which is not an MCP message",
              said.text, c->stray);
}

void client_ended(struct client *c, const struct error *why)
{
    struct error reason;

    if (c->freed || c->state == CLIENT_ENDED)
        return;
    if (c->state == CLIENT_DISCOVERING && client_fall_back(c))
        return;
    reason = c->why.code[0] ? c->why : *why;
    if (c->stray && !c->session)
        add_stray(c, &reason);
    c->state = CLIENT_ENDED;
    client_drop_asks(c, NULL, true);
    if (!c->freed)
        client_finish_all(c, &reason);
    if (!c->freed && c->events.closed)
        c->events.closed(c->arg, &reason);
}
