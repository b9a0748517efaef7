/* The client's life: what it tells of itself, its states, its one timer.
 *
 * The timer handle is closed last and the memory goes in its close callback,
 * so a function further up the stack may still look at `freed` after it called
 * something that ended in client_free(). */
#include "mcp/client/client_impl.h"

#include <stdlib.h>

#include "mcp/versions.h"
#include "json/writer.h"

enum {
    PROBE_MS = 2000,
    CONNECT_MS = 60 * 1000,
    TIMEOUT_MS = 60 * 1000,
    MAX_MS = 600 * 1000,
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

static void set_options(struct client *c, const struct client_options *options)
{
    c->wanted = options->era;
    c->no_probe = options->no_probe;
    c->listen = options->listen;
    c->abilities = options->abilities;
    c->probe_ms = options->probe_ms ? options->probe_ms : PROBE_MS;
    c->connect_ms = options->connect_ms ? options->connect_ms : CONNECT_MS;
    c->timeout_ms = options->timeout_ms ? options->timeout_ms : TIMEOUT_MS;
    c->max_ms = options->max_ms ? options->max_ms : MAX_MS;
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
    if (events)
        c->events = *events;
    c->arg = arg;
    set_options(c, options ? options : &none);
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

static void on_closed(uv_handle_t *handle)
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
    uv_close((uv_handle_t *)&c->timer, on_closed);
}

/* --- time --------------------------------------------------------------------- */

uint64_t client_now(struct client *c)
{
    uv_update_time(c->timer.loop);
    return uv_now(c->timer.loop);
}

static void on_timer(uv_timer_t *timer)
{
    struct client *c = timer->data;

    c->timer_due = CLIENT_NO_LIMIT;
    client_expire(c);
}

/* Deadlines that move later do not touch the timer: it fires, finds nothing to
 * do and is set for the next one. */
void client_watch(struct client *c, uint64_t deadline)
{
    uint64_t now;

    if (c->freed || deadline >= c->timer_due)
        return;
    now = client_now(c);
    c->timer_due = deadline;
    uv_timer_start(&c->timer, on_timer, deadline > now ? deadline - now : 0, 0);
}

/* --- states ------------------------------------------------------------------- */

bool client_send(struct client *c, const char *method, int64_t id, struct error *err)
{
    struct header_list headers = { 0 };
    bool ok;

    if (!c->wire.post)
        return c->wire.send(c->wire.arg, c->out.data, c->out.len, err);
    client_mirror_headers(c, method, &headers);
    ok = c->wire.post(c->wire.arg,
                      &(struct client_message){ .line = buf_str(&c->out),
                                                .method = method,
                                                .id = id,
                                                .modern = c->era == CLIENT_MODERN,
                                                .headers = header_list_view(&headers) },
                      err);
    header_list_free(&headers);
    return ok;
}

bool client_open(const struct client *c, struct error *err)
{
    if (c->state == CLIENT_READY)
        return true;
    if (c->state >= CLIENT_CLOSING)
        return error_set(err, "closed", "the connection to the server is closed");
    return error_set(err, "not_ready", "the session with the server has not begun yet");
}

void client_fail(struct client *c, const char *code, const char *fmt, ...)
{
    va_list args;

    if (c->freed || c->state >= CLIENT_CLOSING)
        return;
    va_start(args, fmt);
    error_vset(&c->why, code, fmt, args);
    va_end(args);
    client_close(c);
}

void client_close(struct client *c)
{
    if (c->state >= CLIENT_CLOSING)
        return;
    c->state = CLIENT_CLOSING;
    c->wire.close(c->wire.arg);
}

void client_started(struct client *c)
{
    if (!c->freed && c->state < CLIENT_CLOSING)
        client_begin(c);
}

static void add_stray(const struct client *c, struct error *reason)
{
    struct error said = *reason;

    error_set(reason, said.code, "%.300s; it printed \"%s\", which is no message of MCP", said.text,
              c->stray);
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

/* --- what is known of the server ---------------------------------------------- */

bool client_ready(const struct client *c)
{
    return c->state == CLIENT_READY;
}

enum client_era client_era(const struct client *c)
{
    return c->era;
}

const char *client_version(const struct client *c)
{
    return c->version;
}

static const cJSON *session_member(const struct client *c, const char *key)
{
    return c->session ? json_get(json_root(c->session), key) : NULL;
}

const cJSON *client_server(const struct client *c)
{
    const cJSON *meta = session_member(c, "_meta");
    const cJSON *info = json_get(meta, MCP_META_SERVER);

    return info && c->era == CLIENT_MODERN ? info : session_member(c, "serverInfo");
}

const cJSON *client_capabilities(const struct client *c)
{
    return session_member(c, "capabilities");
}

const char *client_instructions(const struct client *c)
{
    return cJSON_GetStringValue(session_member(c, "instructions"));
}
