/* The session as the files of the client see it. */
#include "mcp/client/client_session.h"

#include "mcp/client/mirror_headers.h"
#include "mcp/versions.h"

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
        return error_set(err, "closed", "the connection to the server is closed. Connect again");
    return error_set(err, "not_ready",
                     "the session with the server has not started yet. Wait until it has");
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
    return c->session ? json_given(json_root(c->session), key) : NULL;
}

const cJSON *client_server(const struct client *c)
{
    const cJSON *meta = session_member(c, "_meta");
    const cJSON *info = json_given(meta, MCP_META_SERVER);

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
