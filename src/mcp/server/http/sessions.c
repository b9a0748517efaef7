/* Sessions of the revisions that have them, by id. */
#include "mcp/server/http/sessions.h"

#include <stdlib.h>

#include "base/crypto.h"
#include "base/log.h"
#include "mcp/server/http/answer.h"
#include "mcp/server/http/stream.h"
#include "mcp/versions.h"

enum {
    KEPT_STREAMS = 32, /* ended streams of one session */
    KEPT_MS = 60000,
};

static unsigned hex_digit_value(char c)
{
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10) & 15;
}

static struct link *session_bucket(struct http_server *http, const char *id)
{
    return &http->buckets[hex_digit_value(id[0]) * 16 + hex_digit_value(id[1])];
}

static bool is_busy_session(const struct http_session *session)
{
    return session->open || session->general->x;
}

/* Makes room by ending the session that was used longest ago, if it is idle. */
static bool make_session_room(struct http_server *http)
{
    if (http->session_count < http->options.sessions)
        return true;
    list_each (link, &http->sessions) {
        struct http_session *session = container_of(link, struct http_session, link);

        if (is_busy_session(session))
            continue;
        log_info("http: ended session %.8s... to make room for another", session->id);
        http->sessions_expired++;
        http_session_end(session);
        return true;
    }
    return false;
}

struct http_session *http_session_new(struct http_server *http)
{
    struct http_session *session;

    if (!make_session_room(http))
        return NULL;
    session = mem_zero(sizeof *session);
    session->http = http;
    crypto_random_name(session->id, SESSION_ID);
    session->who = http->who ? mem_strdup(http->who) : NULL;
    list_init(&session->streams);
    session->general = stream_new(http, session, NULL);
    session->general->general = true;
    session->open = 0; /* the general one does not count */
    list_remove(&session->general->place);
    session->core =
        session_new(http->options.server, &session->general->sink, &(struct session_events){ 0 });
    session_identify(session->core, session->who);
    list_push(session_bucket(http, session->id), &session->bucket);
    list_push(&http->sessions, &session->link);
    session->used = uv_now(http->loop);
    http->session_count++;
    http->sessions_opened++;
    return session;
}

static struct http_session *find_session(struct http_server *http, const char *id)
{
    if (strlen(id) != SESSION_ID)
        return NULL;
    list_each (link, session_bucket(http, id)) {
        struct http_session *session = container_of(link, struct http_session, bucket);

        if (strcmp(session->id, id) == 0)
            return session;
    }
    return NULL;
}

static void use_session(struct http_session *session)
{
    session->used = uv_now(session->http->loop);
    list_remove(&session->link);
    list_push(&session->http->sessions, &session->link);
}

/* The session of another identity is not found, even by its id. */
static bool session_belongs(const struct http_session *session, const char *who)
{
    return session->who && who ? strcmp(session->who, who) == 0 : session->who == who;
}

struct http_session *http_session_of(struct http_server *http, struct httpd_exchange *x)
{
    const char *id = http->api->header(x, "Mcp-Session-Id", NULL);
    const char *version = http->api->header(x, "MCP-Protocol-Version", NULL);
    struct http_session *session = id ? find_session(http, id) : NULL;

    if (!id) {
        answer_refusal(http, x, 400, RPC_INVALID_REQUEST, NULL,
                       "Mcp-Session-Id is missing. Send initialize first, or the headers and _meta "
                       "of revision " MCP_MODERN);
    } else if (!session || !session_belongs(session, http->who)) {
        answer_refusal(http, x, 404, RPC_INVALID_REQUEST, NULL,
                       "Session not found: it has ended. Send initialize again");
    } else if (version && !version_legacy(version)) {
        answer_refusal(http, x, 400, RPC_INVALID_REQUEST, NULL,
                       "Unsupported protocol version in MCP-Protocol-Version: %.64s", version);
    } else {
        use_session(session);
        return session;
    }
    return NULL;
}

static void let_go_stream(struct http_stream *stream)
{
    stream_finish(stream);
    stream->session = NULL;
    stream->general = false;
    list_remove(&stream->place);
}

void http_session_end(struct http_session *session)
{
    struct http_server *http = session->http;

    list_remove(&session->link);
    list_remove(&session->bucket);
    http->session_count--;
    session_free(session->core); /* its calls let go of their streams */
    list_each (link, &session->streams) {
        struct http_stream *stream = container_of(link, struct http_stream, place);

        let_go_stream(stream);
        stream_settle(stream);
    }
    let_go_stream(session->general);
    stream_drop(session->general);
    free(session->who);
    free(session);
}

/* --- what is over ------------------------------------------------------------------------ */

static void forget_streams(struct http_session *session, uint64_t now)
{
    size_t kept = 0;

    list_each (link, &session->streams) {
        struct http_stream *stream = container_of(link, struct http_stream, place);

        kept += stream->done;
    }
    list_each (link, &session->streams) { /* the oldest first */
        struct http_stream *stream = container_of(link, struct http_stream, place);

        if (!stream->done || stream->x || stream->holds)
            continue;
        if (kept-- > KEPT_STREAMS || now - stream->finished > KEPT_MS) {
            stream->session = NULL;
            list_remove(&stream->place);
            stream_settle(stream);
        }
    }
}

void http_sessions_tick(struct http_server *http, uint64_t now)
{
    list_each (link, &http->sessions) {
        struct http_session *session = container_of(link, struct http_session, link);

        forget_streams(session, now);
        if (is_busy_session(session) || session_has_tasks(session->core) ||
            now - session->used < (uint64_t)http->options.session_seconds * 1000)
            continue;
        log_debug("http: session %.8s... ends, unused for %u s", session->id,
                  http->options.session_seconds);
        http->sessions_expired++;
        http_session_end(session);
    }
}
