/* The status of an answer, and the body if it is a short text for people. */
#include "mcp/client/wire/http_refusal.h"

#include "json/utf8.h"

enum { BODY_QUOTE_MAX = 160 };

/* Quotes the body if it is a short text for people. */
static void add_quote(const struct post *post, struct buf *out)
{
    const char *text = post->body.data;
    size_t len = post->body.len;
    size_t start;

    while (len > 0 && (unsigned char)text[len - 1] <= ' ')
        len--;
    if (len == 0 || *text == '<' || len > 4096)
        return;
    buf_lit(out, ": ");
    start = out->len;
    utf8_clean(out, text, len > BODY_QUOTE_MAX ? utf8_cut(text, len, BODY_QUOTE_MAX) : len);
    for (size_t i = start; i < out->len; i++) {
        if ((unsigned char)out->data[i] < 0x20 || out->data[i] == 0x7F)
            out->data[i] = ' ';
    }
}

const char *post_name(const struct post *post)
{
    return post->method ? post->method : "the answer";
}

void post_explain(const struct post *post, struct error *err)
{
    const struct mcp_http *mcp = post->mcp;
    struct buf quote = { 0 };
    const char *said;

    add_quote(post, &quote);
    said = buf_text(&quote);
    switch (post->status) {
    case 401:
        error_set(
            err, "unauthorized",
            "%s requires authentication (401)%s. Provide a token%s, or run `perigee login URL`",
            mcp->host, said, mcp->token ? " that it accepts" : "");
        break;
    case 403:
        error_set(err, "forbidden",
                  "%s does not allow %s (403)%s. Check what the token is allowed to do", mcp->host,
                  post_name(post), said);
        break;
    case 404:
    case 405:
    case 501:
        error_set(err, "http_status",
                  "%s does not accept MCP messages at this URL (%d)%s. Check the path: many "
                  "servers use /mcp. Servers of 2024-11-05 (HTTP with SSE) are not supported",
                  mcp->host, post->status, said);
        break;
    case 429:
        error_set(err, "http_status", "%s received too many requests (429)%s. Try again later",
                  mcp->host, said);
        break;
    default:
        error_set(err, "http_status", "%s answered %s with status %d%s%s", mcp->host,
                  post_name(post), post->status, said,
                  post->status >= 500 ? ". Try again later" : "");
    }
    buf_free(&quote);
}
