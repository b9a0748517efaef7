/* The answer to one POST (or GET): JSON, or a stream of events, as it turns out.
 *
 * Nothing is sent before the first message. If that is the reply, it is sent as JSON. If it is
 * anything else, or takes long, the answer becomes a stream of events. In a session events have
 * ids and are kept for a while, so that a client that lost its connection can have the rest told
 * to it (Last-Event-ID); there leaving is not cancelling. The answer to a stateless request has
 * only its one reader, and when that leaves the request is cancelled.
 *
 * A stream may end in the middle of what its session does, so it is freed by the reaper, a turn
 * of the loop later. */
#include "mcp/server/http/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/log.h"
#include "mcp/server/http/answer.h"
#include "mcp/server/http/sessions.h"

enum {
    KEEPALIVE_MS = 15000,
    OPEN_MS = 5000,      /* an answer that takes longer becomes a stream */
    SSE_RETRY_MS = 1000, /* told to clients: wait so long before coming back */
    KEPT_EVENTS = 256,   /* events of one stream, to be sent again */
    KEPT_BYTES = 1 << 20,
    BACKLOG_MAX = 16 << 20, /* unread bytes above which a stream is cut */
};

/* --- events ------------------------------------------------------------------------------ */

static void forget_event(struct http_stream *stream)
{
    struct http_event *event = container_of(list_pop(&stream->events), struct http_event, link);

    stream->event_count--;
    stream->event_bytes -= event->len;
    free(event);
}

/* Keeps the event; the newest is kept whatever its size. */
static void keep_event(struct http_stream *stream, const struct buf *text)
{
    struct http_event *event = mem_alloc(sizeof *event + text->len);

    event->number = stream->last;
    event->len = text->len;
    memcpy(event->text, text->data, text->len);
    list_push(&stream->events, &event->link);
    stream->event_count++;
    stream->event_bytes += text->len;
    while (stream->event_count > 1 &&
           (stream->event_count > KEPT_EVENTS || stream->event_bytes > KEPT_BYTES))
        forget_event(stream);
}

static void send_bytes(struct http_stream *stream, const char *text, size_t len)
{
    struct http_server *http = stream->http;

    if (!stream->x || stream->closed)
        return;
    stream->written = uv_now(http->loop);
    http->api->write(stream->x, text, len);
    if (http->api->unsent(stream->x) > BACKLOG_MAX) {
        log_info("http: disconnected a client that does not read its stream");
        http->api->drop(stream->x);
    }
}

static void send_event(struct http_stream *stream)
{
    struct buf text = { 0 };

    stream->last++;
    buf_lit(&text, "event: message\n");
    if (stream->session)
        buf_addf(&text, "id: %u-%llu\n", stream->number, (unsigned long long)stream->last);
    buf_lit(&text, "data: ");
    buf_add(&text, stream->message.data, stream->message.len);
    buf_lit(&text, "\n\n");
    if (stream->session)
        keep_event(stream, &text);
    send_bytes(stream, text.data, text.len);
    buf_free(&text);
}

/* Revisions before 2025-11-25 do not know an event without data. */
static void prime_stream(struct http_stream *stream)
{
    const char *version = stream->session ? session_version(stream->session->core) : NULL;
    char text[96];
    int len;

    if (!version || strcmp(version, "2025-11-25") < 0)
        return;
    len = snprintf(text, sizeof text, "id: %u-%llu\nretry: %d\ndata: \n\n", stream->number,
                   (unsigned long long)stream->last, SSE_RETRY_MS);
    send_bytes(stream, text, (size_t)len);
}

static void stream_open(struct http_stream *stream)
{
    struct answer_headers headers = { 0 };
    struct http_server *http = stream->http;

    if (stream->opened || !stream->x)
        return;
    stream->opened = true;
    answer_common(http, stream->x, &headers);
    answer_header(&headers, "Content-Type", "text/event-stream");
    answer_header(&headers, "X-Accel-Buffering", "no");
    if (stream->general) /* nobody asks more on it: it would be kept until it has idled for long */
        answer_header(&headers, "Connection", "close");
    if (stream->session)
        answer_header(&headers, "Mcp-Session-Id", stream->session->id);
    http->answered[2]++;
    log_debug("http: %s %.200s 200, a stream", stream->x->method, stream->x->path);
    http->api->stream(stream->x, 200, &(struct http_headers){ headers.items, headers.count });
    prime_stream(stream);
}

/* --- ends -------------------------------------------------------------------------------- */

static void bury_stream(struct http_stream *stream)
{
    list_remove(&stream->link);
    list_push(&stream->http->dead, &stream->link);
    stream->http->reap(stream->http);
}

/* It has no reader, and no writer any more. */
void stream_settle(struct http_stream *stream)
{
    if (stream->holds || stream->x || stream->general)
        return;
    if (stream->session && stream->opened && stream->event_count && !stream->buried)
        return; /* http_sessions_tick() sees to it */
    if (!stream->buried) {
        stream->buried = true;
        bury_stream(stream);
    }
}

void stream_close(struct http_stream *stream)
{
    if (!stream->x || stream->closed)
        return;
    stream->closed = true;
    if (stream->opened)
        stream->http->api->end(stream->x);
    else
        answer(stream->http, stream->x, 202, NULL, NULL, NULL);
}

void stream_finish(struct http_stream *stream)
{
    if (stream->done)
        return;
    stream->done = true;
    stream->finished = uv_now(stream->http->loop);
    if (stream->session && !stream->general)
        stream->session->open--;
    stream_close(stream);
}

void stream_drop(struct http_stream *stream)
{
    if (--stream->holds)
        return;
    stream_finish(stream);
    stream_settle(stream);
}

void stream_left(struct http_stream *stream)
{
    stream->x = NULL;
    stream->closed = false;
    list_remove(&stream->link);
    stream->http->stream_count--;
    if (stream->own && !stream->done) {
        stream->done = stream->buried = true;
        bury_stream(stream);
        return;
    }
    stream_settle(stream);
}

void stream_free(struct http_stream *stream)
{
    list_remove(&stream->link);
    list_remove(&stream->place);
    while (stream->event_count)
        forget_event(stream);
    buf_free(&stream->message);
    session_free(stream->own);
    free(stream);
}

/* --- the sink ---------------------------------------------------------------------------- */

static struct http_stream *stream_of(struct sink *sink)
{
    return container_of(sink, struct http_stream, sink);
}

static struct buf *stream_sink_begin(struct sink *sink)
{
    struct http_stream *stream = stream_of(sink);

    stream->message.len = 0;
    return &stream->message;
}

static int answer_status(const struct http_stream *stream, int refused)
{
    if (!refused)
        return 200;
    if (stream->own)
        return refused == RPC_METHOD_NOT_FOUND ? 404 : 400;
    return refused == RPC_PARSE_ERROR || refused == RPC_INVALID_REQUEST ? 400 : 200;
}

static void answer_reply(struct http_stream *stream, int refused)
{
    struct answer_headers headers = { 0 };

    stream->closed = true;
    if (stream->session && session_version(stream->session->core))
        answer_header(&headers, "Mcp-Session-Id", stream->session->id);
    answer(stream->http, stream->x, answer_status(stream, refused), "application/json",
           &stream->message, &headers);
}

/* Messages that a client without events cannot have here go to its session's own stream. */
static void send_elsewhere(struct http_stream *stream, struct sink_mark mark)
{
    struct sink *other = stream->session ? &stream->session->general->sink : NULL;
    struct buf *out;

    if (!other || other == &stream->sink)
        return;
    out = other->begin(other);
    buf_add(out, stream->message.data, stream->message.len);
    other->end(other, mark);
}

static void stream_sink_end(struct sink *sink, struct sink_mark mark)
{
    struct http_stream *stream = stream_of(sink);
    bool reply = mark.kind == SINK_REPLY && !stream->general;

    if (stream->done) {
        /* the client was sent away */
    } else if (stream->general || stream->opened) {
        send_event(stream);
    } else if (!stream->x) {
        /* it left before it was told an id to come back with */
    } else if (reply) {
        answer_reply(stream, mark.refused);
    } else if (stream->wants_events) {
        stream_open(stream);
        send_event(stream);
    } else {
        send_elsewhere(stream, mark);
    }
    if (stream->message.cap > KEPT_BYTES)
        buf_free(&stream->message);
    if (reply)
        stream_finish(stream);
}

static void sink_hold_stream(struct sink *sink)
{
    stream_of(sink)->holds++;
}

static bool stream_sink_is_gone(const struct sink *sink)
{
    return !container_of(sink, const struct http_stream, sink)->x;
}

static void sink_drop_stream(struct sink *sink)
{
    stream_drop(stream_of(sink));
}

/* --- life -------------------------------------------------------------------------------- */

static void take_reader(struct http_stream *stream, struct httpd_exchange *x)
{
    stream->x = x;
    stream->begun = stream->written = uv_now(stream->http->loop);
    if (!x)
        return;
    x->user = stream;
    stream->http->stream_count++;
    list_push(&stream->http->streams, &stream->link);
}

/* Is this media type among those of an Accept header? Absent: everything is. */
static bool accepts_type(const char *accept, const char *type)
{
    const char *slash = strchr(type, '/');
    size_t major = (size_t)(slash - type) + 1;

    if (!accept)
        return true;
    while (*accept) {
        size_t len = strcspn(accept, ",");
        size_t name;

        while (len && (*accept == ' ' || *accept == '\t')) {
            accept++;
            len--;
        }
        name = strcspn(accept, ",; \t");
        if ((name == strlen(type) && strncasecmp(accept, type, name) == 0) ||
            (name == 3 && strncmp(accept, "*/*", 3) == 0) ||
            (name == major + 1 && strncasecmp(accept, type, major) == 0 && accept[major] == '*'))
            return true;
        accept += len + (accept[len] == ',');
    }
    return false;
}

bool stream_accepted(struct http_server *http, struct httpd_exchange *x)
{
    return accepts_type(http->api->header(x, "Accept", NULL), "text/event-stream");
}

struct http_stream *stream_new(struct http_server *http, struct http_session *session,
                               struct httpd_exchange *x)
{
    struct http_stream *stream = mem_zero(sizeof *stream);

    stream->sink = (struct sink){ .begin = stream_sink_begin,
                                  .end = stream_sink_end,
                                  .hold = sink_hold_stream,
                                  .drop = sink_drop_stream,
                                  .is_gone = stream_sink_is_gone };
    stream->http = http;
    stream->session = session;
    stream->holds = 1;
    list_init(&stream->link);
    list_init(&stream->place);
    list_init(&stream->events);
    if (session) {
        stream->number = session->next_stream++;
        list_push(&session->streams, &stream->place);
        session->open++;
    }
    take_reader(stream, x);
    return stream;
}

void stream_attach(struct http_stream *stream, struct httpd_exchange *x, uint64_t after)
{
    if (stream->x) {     /* a client that comes again has lost the connection before */
        stream->holds++; /* it stays without a reader for a moment */
        stream->http->api->drop(stream->x);
        stream->holds--;
    }
    take_reader(stream, x);
    stream->opened = stream->closed = false;
    stream_open(stream);
    list_each (link, &stream->events) {
        const struct http_event *event = container_of(link, struct http_event, link);

        if (event->number > after)
            send_bytes(stream, event->text, event->len);
    }
    if (stream->done)
        stream_close(stream);
}

void stream_tick(struct http_stream *stream, uint64_t now)
{
    static const char keepalive[] = ": keepalive\n\n";

    if (stream->done || stream->closed)
        return;
    if (!stream->opened && stream->wants_events && now - stream->begun >= OPEN_MS)
        stream_open(stream);
    else if (stream->opened && now - stream->written >= KEEPALIVE_MS)
        send_bytes(stream, keepalive, sizeof keepalive - 1);
}
