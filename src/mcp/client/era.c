/* Finding the era the server speaks.
 *
 * CLIENT_AUTO asks with server/discover. A result means modern. Whatever else
 * happens (an error of any code or status, silence, death) proves nothing: some
 * old servers exit at a request before initialize, some never answer it, some
 * refuse everything after it. So initialize goes to a fresh connection. A server
 * that was silent may only have been slow to start: when it then refuses
 * initialize, it is asked with server/discover once more, with more time. */
#include "mcp/client/era.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/client/calls.h"
#include "mcp/client/client_session.h"
#include "mcp/client/report.h"
#include "mcp/client/subscriptions.h"
#include "mcp/message.h"
#include "mcp/versions.h"

static const char *legacy_version(const char *name)
{
    return name ? version_legacy(name) : NULL;
}

static bool lists_modern(const cJSON *versions)
{
    const cJSON *version;

    cJSON_ArrayForEach (version, versions) {
        if (cJSON_IsString(version) && strcmp(version->valuestring, MCP_MODERN) == 0)
            return true;
    }
    return false;
}

static void agree_on_version(struct client *c, const char *version, const cJSON *session)
{
    struct error err;

    c->session = json_copy(session, &err);
    if (!c->session) {
        client_fail(c, "protocol", "the server's answer cannot be used: %s", err.text);
        return;
    }
    c->version = version;
    c->state = CLIENT_READY;
    client_listen(c);
    if (c->events.ready)
        c->events.ready(c->arg);
}

/* --- initialize --------------------------------------------------------------- */

static void send_discover(struct client *c, uint64_t limit_ms);

static void send_initialized(struct client *c)
{
    struct error err;

    c->out.len = 0;
    buf_lit(&c->out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    if (!client_send(c, "notifications/initialized", 0, &err))
        client_fail(c, err.code, "cannot start the session: %s", err.text);
}

static void take_initialized(struct client *c, const cJSON *result)
{
    const char *offered = cJSON_GetStringValue(json_given(result, "protocolVersion"));
    const char *version = legacy_version(offered);
    struct buf quoted = { 0 };

    if (version) {
        send_initialized(c);
        if (c->state == CLIENT_INITIALIZING)
            agree_on_version(c, version, result);
        return;
    }
    client_add_quoted(&quoted, offered ? offered : "", offered ? strlen(offered) : 0, 40);
    client_fail(c, "protocol",
                "the server answered initialize with protocol version \"%s\", which this client "
                "does not support (it supports 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and "
                "2026-07-28). Update the older of the two",
                buf_text(&quoted));
    buf_free(&quoted);
}

static void fail_by_answer(struct client *c, const char *what, const struct client_answer *answer)
{
    const struct error *error = answer->error;

    if (answer->lost)
        client_fail(c, error->code, "%s", error->text);
    else
        client_fail(c, "protocol", "the server refused %s: %s", what, error->text);
}

static void on_initialized(void *arg, const struct client_answer *answer)
{
    struct client *c = arg;

    if (c->state != CLIENT_INITIALIZING)
        return;
    if (answer->result) {
        take_initialized(c, answer->result);
        return;
    }
    if (c->silent && !c->asked_again && strcmp(answer->error->code, "rpc_error") == 0) {
        c->asked_again = true;
        send_discover(c, c->connect_ms);
        return;
    }
    if (strcmp(answer->error->code, "timeout") == 0 && !answer->lost)
        client_fail(c, "timeout",
                    "the server did not answer initialize within %g s. Check that it is an MCP "
                    "server, or allow more time",
                    (double)c->connect_ms / 1000);
    else
        fail_by_answer(c, "initialize", answer);
}

static char *initialize_params(const struct client *c)
{
    return mem_printf("{\"protocolVersion\":\"" MCP_LEGACY
                      "\",\"capabilities\":%s,\"clientInfo\":%s}",
                      c->capabilities, c->info);
}

static void post_handshake(struct client *c, const char *method, const char *params,
                           uint64_t limit_ms, void (*done)(void *, const struct client_answer *))
{
    struct client_limits limits = { limit_ms, limit_ms };
    struct client_callbacks callbacks = { .done = done };
    struct error err;

    if (!client_post(c, method, params, &limits, &callbacks, c, true, &err))
        client_fail(c, err.code, "cannot send %s to the server: %s", method, err.text);
}

static void send_initialize(struct client *c)
{
    char *params = initialize_params(c);

    c->state = CLIENT_INITIALIZING;
    c->era = CLIENT_LEGACY;
    post_handshake(c, "initialize", params, c->connect_ms, on_initialized);
    free(params);
}

/* --- server/discover ---------------------------------------------------------- */

static bool may_fall_back(const struct client *c)
{
    return c->wanted == CLIENT_AUTO && !c->fallback;
}

static void fall_back_to_legacy(struct client *c)
{
    c->fallback = true;
    client_drop_calls(c);
    if (!c->wire.restart) {
        send_initialize(c);
        return;
    }
    c->state = CLIENT_RESTARTING;
    c->wire.restart(c->wire.arg);
}

bool client_fall_back(struct client *c)
{
    if (!may_fall_back(c) || !c->wire.restart)
        return false;
    fall_back_to_legacy(c);
    return true;
}

static bool lists_our_version(const struct client_answer *answer)
{
    return answer->rpc_code == RPC_UNSUPPORTED_VERSION &&
           lists_modern(json_given(answer->rpc_data, "supported"));
}

static bool speaks_modern(const struct client_answer *answer)
{
    if (answer->result)
        return lists_modern(json_given(answer->result, "supportedVersions"));
    return lists_our_version(answer);
}

bool client_try_version(struct client_call *call, const struct client_answer *answer)
{
    struct error err;

    if (call->handshake || call->sent_again || call->client->era != CLIENT_MODERN ||
        !lists_our_version(answer))
        return false;
    call->sent_again = true;
    if (!client_post_again(call, &err))
        client_finish_failed(call, err.code, "%s", err.text);
    return true;
}

/* Nothing came of the exchange because there was none: another request would end the same way. Old
 * servers and what is before them end others oddly at a method that they do not know. */
static bool was_unreachable(const struct client_answer *answer)
{
    static const char *const ends[] = { "closed", "cut_off", "bad_response" };

    for (size_t i = 0; i < countof(ends); i++)
        if (strcmp(answer->error->code, ends[i]) == 0)
            return false;
    return true;
}

/* Over HTTP some answers say that the server is modern, and some say nothing. 403 may be for the
 * method alone: what stands before a server may allow no others than it knows. */
static bool says_nothing_of_era(const struct client *c, const struct client_answer *answer)
{
    if (!answer->error || (!answer->http_status && !answer->lost))
        return false;
    if (answer->rpc_code == RPC_HEADER_MISMATCH || answer->rpc_code == RPC_MISSING_CAPABILITY ||
        answer->rpc_code == RPC_UNSUPPORTED_VERSION)
        return true; /* modern, and it will not have us: initialize would not help */
    if (answer->http_status)
        return answer->http_status == 401 || (answer->http_status == 403 && !may_fall_back(c));
    return was_unreachable(answer);
}

static void fail_discovery(struct client *c, const struct client_answer *answer)
{
    struct buf versions = { 0 };

    if (answer->error && strcmp(answer->error->code, "timeout") == 0) {
        client_fail(c, "timeout",
                    "the server did not answer server/discover within %g s. Check that it is an "
                    "MCP server, or allow more time",
                    (double)c->connect_ms / 1000);
        return;
    }
    if (answer->error && c->fallback) {
        client_fail(c, "protocol", "the server refused initialize and server/discover: %s",
                    answer->error->text);
        return;
    }
    if (answer->error) {
        client_fail(c, "protocol",
                    "the server does not support protocol version " MCP_MODERN
                    ": it answered server/discover with: %s. Use era \"auto\" or \"legacy\"",
                    answer->error->text);
        return;
    }
    json_write(&versions, json_given(answer->result, "supportedVersions"));
    client_fail(c, "protocol",
                "the server does not support protocol version " MCP_MODERN
                " but %.200s. Use era \"auto\" or \"legacy\"",
                buf_text(&versions));
    buf_free(&versions);
}

static void on_discovered(void *arg, const struct client_answer *answer)
{
    struct client *c = arg;

    if (c->state != CLIENT_DISCOVERING)
        return;
    if (answer->result && speaks_modern(answer)) {
        agree_on_version(c, MCP_MODERN, answer->result);
    } else if (!c->asked_again && speaks_modern(answer)) {
        c->asked_again = true; /* it refused the version and lists it: ask again */
        send_discover(c, c->connect_ms);
    } else if (says_nothing_of_era(c, answer)) {
        fail_by_answer(c, "server/discover", answer);
    } else if (may_fall_back(c)) {
        c->silent = answer->error && strcmp(answer->error->code, "timeout") == 0;
        fall_back_to_legacy(c);
    } else {
        fail_discovery(c, answer);
    }
}

static void send_discover(struct client *c, uint64_t limit_ms)
{
    c->state = CLIENT_DISCOVERING;
    c->era = CLIENT_MODERN;
    post_handshake(c, "server/discover", NULL, limit_ms, on_discovered);
}

/* --- a session that the server forgot ----------------------------------------- */

static void on_renewed(void *arg, const struct client_answer *answer)
{
    struct client *c = arg;
    const char *version =
        legacy_version(cJSON_GetStringValue(json_given(answer->result, "protocolVersion")));

    if (c->state != CLIENT_READY)
        return;
    if (!version) {
        client_fail(c, "closed", "the server ended the session and did not start another: %s",
                    answer->error ? answer->error->text
                                  : "it offers no version that this client supports");
        return;
    }
    c->version = version;
    send_initialized(c);
    client_subscribe_again(c);
}

void client_renew(struct client *c)
{
    char *params;

    if (c->freed || c->state != CLIENT_READY || c->era != CLIENT_LEGACY)
        return;
    params = initialize_params(c);
    post_handshake(c, "initialize", params, c->connect_ms, on_renewed);
    free(params);
}

/* --- the beginning ------------------------------------------------------------ */

/* Whatever it is asked first will show whether it speaks this. */
static void assume_modern(struct client *c)
{
    c->era = CLIENT_MODERN;
    c->version = MCP_MODERN;
    c->state = CLIENT_READY;
    if (c->events.ready)
        c->events.ready(c->arg);
}

void client_begin(struct client *c)
{
    if (c->wanted == CLIENT_MODERN && c->no_probe)
        assume_modern(c);
    else if (c->fallback || c->wanted == CLIENT_LEGACY)
        send_initialize(c);
    else
        send_discover(c, c->wanted == CLIENT_AUTO ? c->probe_ms : c->connect_ms);
}
