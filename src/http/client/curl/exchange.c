/* One easy handle: options in, answer out. */
#include <stdlib.h>
#include <strings.h>

#include "http/client/curl/multi.h"

/* --- the answer ------------------------------------------------------------------- */

static void forget_headers(struct net_exchange *x)
{
    header_list_free(&x->got);
    x->got_size = 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void add_answer_header(struct net_exchange *x, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    const char *value = colon ? colon + 1 : NULL;
    const char *end = line + len;

    if (!colon)
        return;
    while (value < end && is_blank(*value))
        value++;
    while (end > value && is_blank(end[-1]))
        end--;
    header_list_add_str(&x->got, (struct str){ line, (size_t)(colon - line) },
                        (struct str){ value, (size_t)(end - value) });
}

/* The blank line: this head is whole. 1xx heads are not the answer. */
static bool end_of_head(struct net_exchange *x)
{
    struct http_headers headers = header_list_view(&x->got);
    long status = 0;

    curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200)
        return true;
    x->answered = true;
    x->stopped = !x->events.headers(x->arg, (int)status, &headers);
    return !x->stopped;
}

static bool take_header_line(struct net_exchange *x, const char *line, size_t len)
{
    if (x->answered) /* trailers */
        return true;
    x->got_size += len;
    if (x->got_size > NET_HEAD_MAX)
        return false;
    if (len >= 5 && memcmp(line, "HTTP/", 5) == 0)
        forget_headers(x);
    else if (len > 0 && (*line == '\r' || *line == '\n'))
        return end_of_head(x);
    else
        add_answer_header(x, line, len);
    return true;
}

static size_t on_header_line(char *line, size_t size, size_t count, void *arg)
{
    struct net_exchange *x = arg;

    if (x->cancelled)
        return 0;
    x->events.active(x->arg);
    return take_header_line(x, line, size * count) ? size * count : 0;
}

static size_t on_answer_body(char *ptr, size_t size, size_t count, void *arg)
{
    struct net_exchange *x = arg;

    if (x->paused && !x->cancelled) {
        x->held = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (!x->cancelled && x->events.data(x->arg, ptr, size * count))
        return size * count;
    x->stopped = true;
    return 0;
}

static int on_exchange_progress(void *arg, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                                curl_off_t up)
{
    struct net_exchange *x = arg;

    (void)down_all;
    (void)up_all;
    if (x->cancelled)
        return 1;
    if (down + up != x->moved)
        x->events.active(x->arg);
    x->moved = down + up;
    return 0;
}

/* --- the request ------------------------------------------------------------------ */

static bool has_header(const struct http_headers *headers, const char *name)
{
    return http_header_value(headers, name) != NULL;
}

static void add_line(struct net_exchange *x, const char *line)
{
    struct curl_slist *list = curl_slist_append(x->headers, line);

    if (list)
        x->headers = list;
}

/* In libcurl's lists "Name:" takes a header of its own away and "Name;" sends
 * one without a value. */
static void add_lines(struct net_exchange *x)
{
    const struct http_headers *headers = &x->request.headers;

    for (size_t i = 0; i < headers->count; i++) {
        const struct http_header *header = &headers->items[i];
        char *line = *header->value ? mem_printf("%s: %s", header->name, header->value)
                                    : mem_printf("%s;", header->name);

        add_line(x, line);
        free(line);
    }
    if (!has_header(headers, "Expect"))
        add_line(x, "Expect:"); /* a second of waiting before each larger body */
    if (!has_header(headers, "Content-Type"))
        add_line(x, "Content-Type:"); /* it would say that the body is a form */
}

static void set_method(struct net_exchange *x)
{
    const struct net_request *request = &x->request;
    bool head = strcmp(request->method, "HEAD") == 0;
    bool takes_body = strcmp(request->method, "POST") == 0 || strcmp(request->method, "PUT") == 0 ||
                      strcmp(request->method, "PATCH") == 0;

    if (head) {
        curl_easy_setopt(x->easy, CURLOPT_NOBODY, 1L);
        return;
    }
    if (request->has_body || takes_body) {
        curl_easy_setopt(x->easy, CURLOPT_POST, 1L);
        curl_easy_setopt(x->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len);
        curl_easy_setopt(x->easy, CURLOPT_POSTFIELDS, request->body.len ? request->body.ptr : "");
    }
    curl_easy_setopt(x->easy, CURLOPT_CUSTOMREQUEST, request->method);
}

/* Where libcurl itself looks at no environment, OpenSSL, Go and curl's own program do. NULL: the
 * certificates that libcurl was built for. */
static const char *trusted_file(const struct net_request *request)
{
    const char *named = getenv("SSL_CERT_FILE");

    if (request->ca_file)
        return request->ca_file;
    return named && *named ? named : NULL;
}

static void set_exchange_options(struct net_exchange *x)
{
    CURL *easy = x->easy;
    const struct net_request *request = &x->request;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, x);
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set_method(x);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, x->headers);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "perigee/" PERIGEE_VERSION);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, ""); /* all that libcurl can undo */
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_timeout_ms);
    /* libcurl repeats a request by itself when a kept connection dies under it. */
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, request->once ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, x->reason);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header_line);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, x);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_answer_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, x);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_exchange_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, x);
    if (trusted_file(request))
        curl_easy_setopt(easy, CURLOPT_CAINFO, trusted_file(request));
    if (request->socket) {
        curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, request->socket);
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    }
#if LIBCURL_VERSION_NUM >= 0x075700
    /* Else cancelling would wait for a name server that does not answer. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}

struct net_exchange *exchange_new(struct net *net, const struct net_request *request,
                                  const struct net_events *events, void *arg, struct error *err)
{
    struct net_exchange *x = mem_zero(sizeof *x);

    x->net = net;
    x->request = *request;
    x->events = *events;
    x->arg = arg;
    list_init(&x->link);
    x->easy = curl_easy_init();
    if (!x->easy) {
        free(x);
        error_set(err, "module_broken",
                  "libcurl cannot create a request. Free some memory and try again");
        return NULL;
    }
    add_lines(x);
    set_exchange_options(x);
    return x;
}

void exchange_free(struct net_exchange *x)
{
    list_remove(&x->link);
    curl_easy_cleanup(x->easy);
    curl_slist_free_all(x->headers);
    forget_headers(x);
    free(x);
}
