/* GET: a session's own stream, or one that was lost and is to be told on. DELETE: its end. */
#include "mcp/server/http/get.h"

#include <stdlib.h>

#include "mcp/server/http/answer.h"
#include "mcp/server/http/sessions.h"
#include "mcp/server/http/stream.h"

/* "3-17" */
static bool read_event_id(const char *text, unsigned *stream, uint64_t *event)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    *stream = (unsigned)strtoul(text, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9')
        return false;
    *event = strtoull(end + 1, &end, 10);
    return *end == '\0';
}

static struct http_stream *find_stream(struct http_session *session, unsigned number)
{
    if (number == session->general->number)
        return session->general;
    list_each (link, &session->streams) {
        struct http_stream *stream = container_of(link, struct http_stream, place);

        if (stream->number == number && !stream->buried)
            return stream;
    }
    return NULL;
}

void http_get(struct http_server *http, struct httpd_exchange *x)
{
    const char *last = http->api->header(x, "Last-Event-ID", NULL);
    struct http_session *session;
    struct http_stream *stream;
    uint64_t after = 0;
    unsigned number;

    if (!stream_accepted(http, x)) {
        answer_refusal(http, x, 406, RPC_INVALID_REQUEST, NULL,
                       "GET is answered with a stream. Send \"Accept: text/event-stream\"");
        return;
    }
    session = http_session_of(http, x);
    if (!session)
        return;
    stream = session->general;
    if (last) {
        if (!read_event_id(last, &number, &after)) {
            answer_refusal(
                http, x, 400, RPC_INVALID_REQUEST, NULL,
                "Last-Event-ID '%.64s' is not from this server. Send one that it sent, or none",
                last);
            return;
        }
        stream = find_stream(session, number);
        if (!stream) { /* it was told to its end, and is forgotten */
            stream = session->general;
            after = stream->last;
        }
    }
    stream_attach(stream, x, after);
}

void http_delete(struct http_server *http, struct httpd_exchange *x)
{
    struct http_session *session = http_session_of(http, x);

    if (!session)
        return;
    http_session_end(session);
    answer(http, x, 200, NULL, NULL, NULL);
}
