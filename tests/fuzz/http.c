/* Requests to the HTTP transport, with any paths, headers and bodies. Each is
 *
 *     METHOD PATH
 *     Name: value
 *
 *     body
 *
 * and ends in a byte 1E. In a header's value "$S" stands for the session that was opened last. The
 * module that moves bytes is a double, so that a request costs microseconds. */
#include <strings.h>
#include <unistd.h>

#include "fuzz.h"
#include "httpd_double.h"
#include "mcp/server/http/endpoint.h"
#include "world.h"

enum { HEADERS_MAX = 32, EXCHANGES_MAX = 32 };

struct exchange {
    struct httpd_exchange x;
    struct http_header headers[HEADERS_MAX];
    size_t count;
    char *words[2 + 2 * HEADERS_MAX]; /* owned: the others point into it */
    size_t word_count;
    struct buf stream;
    bool streaming, over;
};

static struct httpd_options listening;
static struct exchange *exchanges[EXCHANGES_MAX];
static size_t exchange_count;
static char last_session[128];

/* --- the double ---------------------------------------------------------------------- */

static struct exchange *exchange_of(struct httpd_exchange *x)
{
    return container_of(x, struct exchange, x);
}

static void finish(struct exchange *exchange, bool sent)
{
    if (exchange->over)
        return;
    exchange->over = true;
    listening.events.over(&exchange->x, sent);
}

struct httpd *double_open(uv_loop_t *loop, const struct httpd_options *options, struct error *err)
{
    static int opened;

    (void)loop;
    (void)err;
    listening = *options;
    close(options->fd);
    return (struct httpd *)&opened;
}

void double_stop(struct httpd *httpd)
{
    (void)httpd;
}

void double_close(struct httpd *httpd)
{
    (void)httpd;
    for (size_t i = 0; i < exchange_count; i++)
        finish(exchanges[i], false);
}

struct httpd_counts double_counts(const struct httpd *httpd)
{
    (void)httpd;
    return (struct httpd_counts){ 0 };
}

const char *double_header(struct httpd_exchange *x, const char *name, bool *again)
{
    struct exchange *exchange = exchange_of(x);
    const char *value = NULL;

    if (again)
        *again = false;
    for (size_t i = 0; i < exchange->count; i++) {
        if (strcasecmp(exchange->headers[i].name, name) != 0)
            continue;
        if (value && again)
            *again = true;
        if (!value)
            value = exchange->headers[i].value;
    }
    return value;
}

/* The server under test calls neither this function nor the next. */
void double_headers(struct httpd_exchange *x, struct buf *out)
{
    (void)x;
    (void)out;
}

void double_query(struct httpd_exchange *x, struct buf *out)
{
    (void)x;
    (void)out;
}

/* No header of the server may end its line early. */
static void check_head(int status, const struct http_headers *headers)
{
    MUST(status >= 200 && status <= 599);
    for (size_t i = 0; headers && i < headers->count; i++) {
        MUST(!strpbrk(headers->items[i].name, "\r\n:"));
        MUST(!strpbrk(headers->items[i].value, "\r\n"));
        if (strcasecmp(headers->items[i].name, "Mcp-Session-Id") == 0)
            snprintf(last_session, sizeof last_session, "%s", headers->items[i].value);
    }
}

void double_answer(struct httpd_exchange *x, int status, const struct http_headers *headers,
                   struct buf *body)
{
    struct exchange *exchange = exchange_of(x);

    MUST(!exchange->over && !exchange->streaming);
    check_head(status, headers);
    if (body)
        buf_free(body);
    finish(exchange, true);
}

void double_stream(struct httpd_exchange *x, int status, const struct http_headers *headers)
{
    MUST(!exchange_of(x)->over && !exchange_of(x)->streaming);
    check_head(status, headers);
    exchange_of(x)->streaming = true;
}

void double_write(struct httpd_exchange *x, const char *ptr, size_t len)
{
    MUST(exchange_of(x)->streaming && !exchange_of(x)->over);
    buf_add(&exchange_of(x)->stream, ptr, len);
}

size_t double_unsent(const struct httpd_exchange *x)
{
    (void)x;
    return 0;
}

void double_end(struct httpd_exchange *x)
{
    MUST(exchange_of(x)->streaming);
    finish(exchange_of(x), true);
}

void double_drop(struct httpd_exchange *x)
{
    finish(exchange_of(x), false);
}

/* --- requests ------------------------------------------------------------------------- */

static char *keep(struct exchange *exchange, char *word)
{
    exchange->words[exchange->word_count++] = word;
    return word;
}

static char *value_of(struct str text)
{
    if (text.len == 2 && memcmp(text.ptr, "$S", 2) == 0)
        return mem_strdup(last_session);
    return mem_strndup(text.ptr, text.len);
}

static void add_header(struct exchange *exchange, struct str line)
{
    struct str rest = line, name;

    if (exchange->count == HEADERS_MAX || !fuzz_piece(&rest, ':', &name) || !rest.ptr)
        return;
    while (rest.len && *rest.ptr == ' ') {
        rest.ptr++;
        rest.len--;
    }
    exchange->headers[exchange->count++] =
        (struct http_header){ keep(exchange, mem_strndup(name.ptr, name.len)),
                              keep(exchange, value_of(rest)) };
}

static struct exchange *read_exchange(struct str text)
{
    struct exchange *exchange = mem_zero(sizeof *exchange);
    struct str line, method;

    fuzz_piece(&text, '\n', &line);
    fuzz_piece(&line, ' ', &method);
    exchange->x.method = keep(exchange, mem_strndup(method.ptr, method.len));
    exchange->x.path = keep(exchange, mem_strndup(line.ptr ? line.ptr : "", line.len));
    while (fuzz_piece(&text, '\n', &line) && line.len)
        add_header(exchange, line);
    exchange->x.arg = listening.arg;
    exchange->x.body = text.ptr ? text : STR("");
    return exchange;
}

static void ask(struct str text)
{
    struct exchange *exchange;

    if (exchange_count == EXCHANGES_MAX)
        return;
    exchange = exchanges[exchange_count++] = read_exchange(text);
    listening.events.head(&exchange->x);
    if (!exchange->over)
        listening.events.ready(&exchange->x, HTTPD_BODY_WHOLE);
}

/* Events of a stream hold the server's messages, each whole. */
static void check_stream(struct str text)
{
    struct str line;

    while (fuzz_piece(&text, '\n', &line))
        if (line.len > 6 && memcmp(line.ptr, "data: ", 6) == 0)
            world_check_message((struct str){ line.ptr + 6, line.len - 6 });
}

static void free_exchanges(void)
{
    for (size_t i = 0; i < exchange_count; i++) {
        MUST(exchanges[i]->over);
        check_stream(buf_str(&exchanges[i]->stream));
        buf_free(&exchanges[i]->stream);
        while (exchanges[i]->word_count)
            free(exchanges[i]->words[--exchanges[i]->word_count]);
        free(exchanges[i]);
    }
    exchange_count = 0;
}

static struct http_server *serve(void)
{
    struct http_address address;
    const struct http_server_options options = {
        .server = world_server(), .addresses = &address, .address_count = 1, .token = "t0ken"
    };
    struct http_server *http;
    struct error err;

    MUST(http_address_parse(&address, "127.0.0.1:0", &err));
    http = http_server_new(engine_loop(world_engine()), &options, &err);
    if (!http)
        fprintf(stderr, "no server: %s\n", err.text);
    MUST(http != NULL);
    http_address_free(&address);
    return http;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_server *http = serve();
    char *copy = fuzz_copy(data, size);
    struct str rest = { copy, size }, text;

    last_session[0] = '\0';
    while (fuzz_piece(&rest, 0x1e, &text)) {
        ask(text);
        uv_run(engine_loop(world_engine()), UV_RUN_NOWAIT);
    }
    world_turn();
    http_server_free(http);
    world_turn();
    free_exchanges();
    free(copy);
    return 0;
}
