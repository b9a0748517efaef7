/* Answers that are whole, and the headers that all of them have. */
#include "mcp/server/http/answer.h"

#include "base/log.h"
#include "json/writer.h"
#include "mcp/server/http/origin.h"

void answer_header(struct answer_headers *headers, const char *name, const char *value)
{
    if (headers->count < ANSWER_HEADERS_MAX)
        headers->items[headers->count++] = (struct http_header){ name, value };
}

void answer_common(struct http_server *http, struct httpd_exchange *x,
                   struct answer_headers *headers)
{
    const char *origin = origin_allowed(http, x);

    answer_header(headers, "Cache-Control", "no-store");
    answer_header(headers, "X-Content-Type-Options", "nosniff");
    if (!origin)
        return;
    answer_header(headers, "Access-Control-Allow-Origin", origin);
    answer_header(headers, "Access-Control-Expose-Headers",
                  "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate");
    answer_header(headers, "Vary", "Origin");
}

void answer(struct http_server *http, struct httpd_exchange *x, int status, const char *type,
            struct buf *body, const struct answer_headers *more)
{
    struct answer_headers headers = { 0 };

    answer_common(http, x, &headers);
    if (type)
        answer_header(&headers, "Content-Type", type);
    for (size_t i = 0; more && i < more->count; i++)
        answer_header(&headers, more->items[i].name, more->items[i].value);
    if (status >= 100 && status < 600)
        http->answered[status / 100]++;
    log_debug("http: %s %.200s %d", x->method, x->path, status);
    http->api->answer(x, status, &(struct http_headers){ headers.items, headers.count }, body);
}

void write_rpc_error(struct buf *out, struct str id, int code, const char *text)
{
    buf_lit(out, "{\"jsonrpc\":\"2.0\",");
    if (id.len) {
        buf_lit(out, "\"id\":");
        buf_add(out, id.ptr, id.len);
        buf_addc(out, ',');
    }
    buf_addf(out, "\"error\":{\"code\":%d,\"message\":", code);
    json_write_string(out, text, strlen(text));
    buf_lit(out, "}}");
}

void answer_refusal(struct http_server *http, struct httpd_exchange *x, int status, int code,
                    const struct answer_headers *more, const char *fmt, ...)
{
    struct buf body = { 0 };
    struct error text;
    va_list args;

    va_start(args, fmt);
    error_vset(&text, "", fmt, args);
    va_end(args);
    write_rpc_error(&body, (struct str){ 0 }, code, text.text);
    answer(http, x, status, "application/json", &body, more);
}

void answer_too_large(struct http_server *http, struct httpd_exchange *x)
{
    answer_refusal(http, x, 413, RPC_INVALID_REQUEST, NULL,
                   "The message is longer than %zu bytes. Send less at a time",
                   http->options.body_bytes);
}
