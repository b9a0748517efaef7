/* From the body of a POST to the session it is for. */
#include "mcp/server/http/post.h"

#include <stdlib.h>
#include <strings.h>

#include "mcp/peek.h"
#include "mcp/server/http/answer.h"
#include "mcp/server/http/header_check.h"
#include "mcp/server/http/sessions.h"
#include "mcp/server/http/stream.h"
#include "mcp/versions.h"

static const char *request_header(struct http_server *http, struct httpd_exchange *x,
                                  const char *name)
{
    return http->api->header(x, name, NULL);
}

static bool json_body(const char *type)
{
    size_t len = type ? strcspn(type, "; \t") : 0;

    return len == 16 && strncasecmp(type, "application/json", len) == 0;
}

void http_check_post(struct http_server *http, struct httpd_exchange *x)
{
    const char *length = http->api->header(x, "Content-Length", NULL);
    const char *coding = http->api->header(x, "Content-Encoding", NULL);

    if (length && http->api->header(x, "Transfer-Encoding", NULL))
        answer_refusal(
            http, x, 400, RPC_INVALID_REQUEST, NULL,
            "Content-Length and Transfer-Encoding contradict each other. Send one of them");
    else if (!json_body(http->api->header(x, "Content-Type", NULL)))
        answer_refusal(http, x, 415, RPC_INVALID_REQUEST, NULL,
                       "Content-Type must be application/json");
    else if (coding && strcasecmp(coding, "identity") != 0)
        answer_refusal(http, x, 415, RPC_INVALID_REQUEST, NULL,
                       "Content-Encoding %.64s is not supported. Send the body uncompressed",
                       coding);
    else if (length && strtoull(length, NULL, 10) > http->options.body_bytes)
        answer_too_large(http, x);
}

static void take_posted_message(struct http_stream *stream, struct session *session,
                                struct httpd_exchange *x, const struct json_doc *doc)
{
    stream->wants_events = stream_accepted(stream->http, x);
    session_take(session, &stream->sink, doc, x->body.ptr, x->body.len);
    stream_drop(stream);
}

/* --- 2026-07-28: every request stands alone ---------------------------------------------- */

static bool refuse_headers(struct http_server *http, struct httpd_exchange *x,
                           const struct message *message)
{
    struct buf body = { 0 };
    char why[256];

    if (headers_agree(http, x, message, why))
        return false;
    write_rpc_error(&body, message->id, RPC_HEADER_MISMATCH, why);
    answer(http, x, 400, "application/json", &body, NULL);
    return true;
}

static void post_stateless(struct http_server *http, struct httpd_exchange *x,
                           const struct message *message, const struct json_doc *doc)
{
    struct session_events none = { 0 };
    struct http_stream *stream;

    if (message->kind == MESSAGE_BATCH || message->kind == MESSAGE_RESPONSE) {
        answer_refusal(
            http, x, 400, RPC_INVALID_REQUEST, NULL,
            "Invalid Request: the body must be one request or notification in " MCP_MODERN);
        return;
    }
    if (message->kind == MESSAGE_REQUEST && refuse_headers(http, x, message))
        return;
    stream = stream_new(http, NULL, x);
    stream->own = session_new(http->options.server, &stream->sink, &none);
    session_stateless(stream->own);
    session_identify(stream->own, http->who);
    take_posted_message(stream, stream->own, x, doc);
}

/* --- sessions ---------------------------------------------------------------------------- */

static void initialize_session(struct http_server *http, struct httpd_exchange *x,
                               const struct json_doc *doc)
{
    struct http_session *session = http_session_new(http);
    struct answer_headers headers = { 0 };

    if (!session) {
        answer_header(&headers, "Retry-After", "5");
        answer_refusal(http, x, 503, RPC_SERVER_ERROR, &headers,
                       "All %zu sessions of this server are in use. Try again later",
                       http->options.sessions);
        return;
    }
    take_posted_message(stream_new(http, session, x), session->core, x, doc);
    if (!session_version(session->core))
        http_session_end(session);
}

static void post_to_session(struct http_server *http, struct httpd_exchange *x,
                            const struct message *message, const struct json_doc *doc)
{
    struct answer_headers headers = { 0 };
    struct http_session *session;

    if (message->kind == MESSAGE_REQUEST && strcmp(message->method, "initialize") == 0) {
        initialize_session(http, x, doc);
        return;
    }
    session = http_session_of(http, x);
    if (!session)
        return;
    if (session->open >= http->options.streams && message->kind != MESSAGE_NOTIFICATION &&
        message->kind != MESSAGE_RESPONSE) {
        answer_header(&headers, "Retry-After", "1");
        answer_refusal(http, x, 429, RPC_INVALID_REQUEST, &headers,
                       "This session already has %zu requests running. Wait until one is answered",
                       session->open);
        return;
    }
    take_posted_message(stream_new(http, session, x), session->core, x, doc);
}

/* --- which era --------------------------------------------------------------------------- */

static bool is_stateless_message(struct http_server *http, struct httpd_exchange *x,
                                 const struct message *message)
{
    const char *version = request_header(http, x, "MCP-Protocol-Version");

    if (json_given(json_given(message->params, "_meta"), MCP_META_VERSION))
        return true;
    /* a client that falls back to `initialize` may still send the header of the try before */
    return version && strcmp(version, MCP_MODERN) == 0 &&
           !(message->method && strcmp(message->method, "initialize") == 0);
}

/* With the id of the request where the text is only beyond a limit, and it can be seen. */
static void refuse_posted_text(struct http_server *http, struct httpd_exchange *x,
                               const struct error *err)
{
    char *text = mem_printf("Parse error: %s", err->text);
    struct buf body = { 0 };
    struct str id;

    if (!json_is_limit(err) || !message_peek_id_text(x->body, x->body, &id))
        id = (struct str){ 0 };
    write_rpc_error(&body, id, RPC_PARSE_ERROR, text);
    answer(http, x, 400, "application/json", &body, NULL);
    free(text);
}

void http_post(struct http_server *http, struct httpd_exchange *x)
{
    struct message message;
    struct json_doc *doc;
    struct error err;

    doc = json_parse(x->body.ptr, x->body.len, NULL, &err);
    if (!doc) {
        refuse_posted_text(http, x, &err);
        return;
    }
    message_read(&message, doc, x->body);
    if (is_stateless_message(http, x, &message))
        post_stateless(http, x, &message, doc);
    else
        post_to_session(http, x, &message, doc);
    json_doc_free(doc);
}
