/* One request and its answer, between libmicrohttpd and the caller.
 *
 * libmicrohttpd asks for the answer when the request is in, and for the next piece of a stream
 * when the client took the last one. Who has nothing to give yet suspends the connection, and
 * resumes it later: that only sets a mark and wakes the loop, so all functions here may be called
 * from anywhere, the caller's events included. */
#include "http/server/microhttpd/exchange.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "http/server/microhttpd/connection.h"
#include "http/server/microhttpd/hangup_watch.h"
#include "http/server/microhttpd/head_check.h"
#include "http/server/microhttpd/poller.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* the program ignores SIGPIPE */
#endif

enum {
    ANSWER_PIECE = 32 * 1024,
    STREAM_PIECE = 1024, /* libmicrohttpd keeps that much for each, and uses its own for chunks */
    SMALL_ANSWER = 64 * 1024, /* the kernel takes it; larger ones are watched for slow readers */
    OUT_KEPT = 64 * 1024,
    SHORT_BODY = 64 * 1024,
};

static struct exchange *exchange_of(struct httpd_exchange *x)
{
    return container_of(x, struct exchange, x);
}

static void tell_exchange_over(struct exchange *e, bool sent)
{
    if (!e->started || e->over)
        return;
    e->over = true;
    list_remove(&e->link);
    e->connection->httpd->options.events.over(&e->x, sent);
}

static void suspend_connection(struct exchange *e)
{
    e->suspended = true;
    MHD_suspend_connection(e->connection->mhd);
    list_remove(&e->unwatched);
    list_push(&e->connection->httpd->unwatched, &e->unwatched);
}

static void exchange_resume(struct exchange *e)
{
    if (!e->suspended)
        return;
    e->suspended = false;
    list_remove(&e->unwatched);
    hangup_watch_stop(e->connection);
    MHD_resume_connection(e->connection->mhd);
    poller_soon(e->connection->httpd->poller);
}

void exchange_abort(struct exchange *e)
{
    e->dead = true;
    connection_cut(e->connection);
    exchange_resume(e);
    tell_exchange_over(e, false);
}

/* --- libmicrohttpd's side ----------------------------------------------------------------- */

static struct connection *connection_of(struct MHD_Connection *mhd)
{
    return MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static struct exchange *exchange_new(struct MHD_Connection *mhd, const char *url,
                                     const char *method)
{
    struct exchange *e = mem_zero(sizeof *e);
    struct connection *connection = connection_of(mhd);

    e->connection = connection;
    e->x.method = method;
    e->x.path = url;
    e->x.arg = connection->httpd->options.arg;
    e->x.head_bytes =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
    connection->exchange = e;
    list_init(&e->unwatched);
    list_push(&connection->httpd->exchanges, &e->link);
    return e;
}

static enum MHD_Result queue_response(struct exchange *e)
{
    enum MHD_Result result;

    e->queued = true;
    result = MHD_queue_response(e->connection->mhd, (unsigned)e->status, e->response);
    MHD_destroy_response(e->response);
    e->response = NULL;
    return result;
}

/* Ends a connection on which nobody knows any more where a request begins. Its client is told, if
 * that needs no encryption. */
static enum MHD_Result refuse_chunk(struct exchange *e)
{
    struct httpd *httpd = e->connection->httpd;
    struct request_fault fault = { 400, "A line of a chunk does not end with CR LF" };

    if (!httpd->options.certificate)
        exchange_refuse(httpd, &fault, e->connection->fd);
    exchange_abort(e);
    return MHD_NO;
}

static void exchange_take(struct exchange *e, const char *data, size_t size)
{
    connection_moved(e->connection, size);
    if (e->response)
        return;
    if (e->too_large || size > e->connection->httpd->options.body_bytes - e->body.len) {
        e->too_large = true;
        buf_free(&e->body);
        return;
    }
    buf_add(&e->body, data, size);
}

/* A refused body that is short is read and forgotten: then the connection can go on, and the
 * answer is not lost in the reset of a connection with unread bytes. Where a malformed head has its
 * body, nobody knows. */
static bool short_body(struct exchange *e)
{
    const char *length = exchange_header(&e->x, "Content-Length", NULL);

    if (exchange_header(&e->x, "Transfer-Encoding", NULL))
        return false;
    return !length ||
           (strtoull(length, NULL, 10) <= SHORT_BODY && !exchange_header(&e->x, "Expect", NULL));
}

static enum MHD_Result exchange_begin(struct exchange *e)
{
    connection_stage(e->connection, STAGE_BODY);
    e->started = true;
    e->connection->httpd->options.events.head(&e->x);
    if (e->dead)
        return MHD_NO;
    return e->response && (e->x.fault || !short_body(e)) ? queue_response(e) : MHD_YES;
}

/* Before that its slot is head_check_target()'s. */
static bool is_begun(struct MHD_Connection *mhd)
{
    return connection_of(mhd)->exchange != NULL;
}

enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *mhd, const char *url,
                                const char *method, const char *version, const char *data,
                                size_t *size, void **slot)
{
    struct exchange *e;
    const char *fault, *body;
    bool in_chunks;

    (void)arg;
    if (!is_begun(mhd)) {
        fault = head_fault(mhd, method, url, slot, &body);
        in_chunks = MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, "Transfer-Encoding");
        if (!fault && in_chunks && strcmp(version, MHD_HTTP_VERSION_1_0) == 0)
            fault = "HTTP/1.0 has no Transfer-Encoding. Use HTTP/1.1";
        *slot = e = exchange_new(mhd, url, method);
        e->chunks = in_chunks ? body : NULL;
        e->x.fault = fault;
        e->x.fault_status = 400;
        return exchange_begin(e);
    }
    e = *slot;
    if (e->dead)
        return MHD_NO;
    if (*size && !chunk_line_is_whole(e->chunks, data,
                                      e->connection->httpd->options.header_bytes + POOL_BYTES))
        return refuse_chunk(e);
    if (*size) {
        exchange_take(e, data, *size);
        *size = 0;
        /* a little more of a body that is too large is read, so that the answer is not lost in a
         * reset */
        return e->connection->moved > 2 * e->connection->httpd->options.body_bytes ? MHD_NO
                                                                                   : MHD_YES;
    }
    if (!e->complete) {
        e->complete = true;
        connection_stage(e->connection, STAGE_ANSWER);
        e->x.body = buf_str(&e->body);
        if (!e->response)
            e->connection->httpd->options.events.ready(&e->x, e->too_large ? HTTPD_BODY_TOO_LARGE
                                                                           : HTTPD_BODY_WHOLE);
    }
    if (e->dead)
        return MHD_NO;
    if (e->response)
        return queue_response(e);
    suspend_connection(e);
    return MHD_YES;
}

void exchange_completed(void *arg, struct MHD_Connection *mhd, void **slot,
                        enum MHD_RequestTerminationCode why)
{
    struct exchange *e = is_begun(mhd) ? *slot : NULL;

    (void)arg;
    *slot = NULL;
    if (!e)
        return;
    tell_exchange_over(e, why == MHD_REQUEST_TERMINATED_COMPLETED_OK && !e->dead);
    list_remove(&e->link);
    list_remove(&e->unwatched);
    e->connection->exchange = NULL;
    e->connection->served = true;
    if (!e->connection->cut)
        connection_stage(e->connection, STAGE_HEAD);
    if (e->response)
        MHD_destroy_response(e->response);
    buf_free(&e->body);
    buf_free(&e->out);
    free(e);
}

/* --- the caller's side ------------------------------------------------------------------- */

static void respond_exchange(struct exchange *e, int status, const struct http_headers *headers,
                             struct MHD_Response *response)
{
    for (size_t i = 0; i < headers->count; i++)
        MHD_add_response_header(response, headers->items[i].name, headers->items[i].value);
    if (e->chunks) /* not each of its lines was seen, so nothing may follow */
        MHD_add_response_header(response, "Connection", "close");
    e->status = status;
    e->response = response;
    exchange_resume(e);
}

static ssize_t read_whole_body(void *arg, uint64_t at, char *into, size_t max)
{
    struct exchange *e = arg;
    size_t left = e->out.len - (size_t)at;
    size_t n = left < max ? left : max;

    if (e->dead)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    memcpy(into, e->out.data + at, n);
    e->out_at = (size_t)at + n;
    connection_moved(e->connection, n);
    return (ssize_t)n;
}

static void write_raw_answer(struct exchange *e, int status, const struct http_headers *headers,
                             struct buf *body)
{
    time_t now = time(NULL);
    struct tm utc;
    char date[40];

    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
    e->status = status;
    buf_addf(&e->out, "HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Length: %zu\r\n", status,
             MHD_get_reason_phrase_for((unsigned)status), date, body->len);
    for (size_t i = 0; i < headers->count; i++)
        buf_addf(&e->out, "%s: %s\r\n", headers->items[i].name, headers->items[i].value);
    buf_lit(&e->out, "\r\n");
    buf_add(&e->out, body->data, body->len);
    buf_free(body);
}

void exchange_refuse(struct httpd *httpd, const struct request_fault *fault, int fd)
{
    struct exchange e = { .x = { .method = "-",
                                 .path = "-",
                                 .fault = fault->text,
                                 .fault_status = fault->status,
                                 .arg = httpd->options.arg } };

    httpd->options.events.head(&e.x);
    httpd->options.events.over(&e.x, true);
    send(fd, e.out.data, e.out.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    buf_free(&e.out);
}

void exchange_answer(struct httpd_exchange *x, int status, const struct http_headers *headers,
                     struct buf *body)
{
    struct exchange *e = exchange_of(x);
    struct MHD_Response *response;
    struct buf none = { 0 };

    if (!body)
        body = &none;
    if (e->over || e->status) {
        buf_free(body);
        return;
    }
    if (!e->connection) {
        write_raw_answer(e, status, headers, body);
        return;
    }
    if (body->len > SMALL_ANSWER) {
        e->out = *body;
        *body = (struct buf){ 0 };
        response =
            MHD_create_response_from_callback(e->out.len, ANSWER_PIECE, read_whole_body, e, NULL);
    } else {
        size_t len = body->len;
        char *text = len ? buf_take(body) : NULL;

        buf_free(body);
        response = MHD_create_response_from_buffer(
            len, text, text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    }
    respond_exchange(e, status, headers, response);
}

static ssize_t read_stream(void *arg, uint64_t at, char *into, size_t max)
{
    struct exchange *e = arg;
    size_t left = e->out.len - e->out_at;
    size_t n = left < max ? left : max;

    (void)at;
    if (e->dead)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (n == 0) {
        if (e->ended)
            return MHD_CONTENT_READER_END_OF_STREAM;
        suspend_connection(e);
        return 0;
    }
    memcpy(into, e->out.data + e->out_at, n);
    e->out_at += n;
    connection_moved(e->connection, n);
    if (e->out_at == e->out.len) {
        e->out.len = e->out_at = 0;
        if (e->out.cap > OUT_KEPT)
            buf_free(&e->out);
    }
    return (ssize_t)n;
}

void exchange_stream(struct httpd_exchange *x, int status, const struct http_headers *headers)
{
    struct exchange *e = exchange_of(x);

    if (e->over || e->status)
        return;
    e->streaming = true;
    respond_exchange(
        e, status, headers,
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_PIECE, read_stream, e, NULL));
}

void exchange_write(struct httpd_exchange *x, const char *ptr, size_t len)
{
    struct exchange *e = exchange_of(x);

    if (e->over || !e->streaming || e->ended)
        return;
    if (e->out_at == e->out.len)
        connection_rest(e->connection); /* the reader's time starts now */
    buf_add(&e->out, ptr, len);
    if (e->queued)
        exchange_resume(e);
}

size_t exchange_unsent(const struct httpd_exchange *x)
{
    const struct exchange *e = container_of(x, struct exchange, x);

    return e->out.len - e->out_at;
}

void exchange_end(struct httpd_exchange *x)
{
    struct exchange *e = exchange_of(x);

    e->ended = true;
    if (e->queued)
        exchange_resume(e);
}

void exchange_drop(struct httpd_exchange *x)
{
    exchange_abort(exchange_of(x));
}
