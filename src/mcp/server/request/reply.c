/* Messages written straight into the transport's buffer: no tree in between. */
#include "mcp/server/request/reply.h"

#include <stdio.h>

#include "json/shown.h"
#include "json/writer.h"
#include "mcp/server/request/batch.h"
#include "mcp/versions.h"

static struct buf *output_begin(const struct request *request)
{
    return request->batch ? batch_begin(request->batch) : request->sink->begin(request->sink);
}

static void output_end(const struct request *request, int refused)
{
    if (request->batch)
        batch_end(request->batch);
    else
        request->sink->end(request->sink, (struct sink_mark){ SINK_REPLY, refused });
}

/* The code, if the request itself was not acceptable. */
static int refusal_code(const struct request *request, int code)
{
    bool own = request->taken && code != RPC_METHOD_NOT_FOUND &&
               !(code <= RPC_HEADER_MISMATCH && code >= RPC_UNSUPPORTED_VERSION);

    return own ? 0 : code;
}

void write_server_info(struct buf *out)
{
    buf_lit(out,
            "{\"name\":\"perigee\",\"title\":\"Perigee\",\"version\":\"" PERIGEE_VERSION "\"}");
}

struct buf *reply_begin(const struct request *request)
{
    struct buf *out = output_begin(request);

    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_add(out, request->id.ptr, request->id.len);
    buf_lit(out, ",\"result\":{");
    return out;
}

void reply_end(const struct request *request, struct buf *out, bool empty, const struct buf *meta)
{
    reply_end_as(request, out, "complete", empty, meta);
}

void reply_end_as(const struct request *request, struct buf *out, const char *type, bool empty,
                  const struct buf *meta)
{
    bool own = meta && meta->len;

    if (request->modern) {
        buf_adds(out, empty ? "\"resultType\":\"" : ",\"resultType\":\"");
        buf_adds(out, type);
        buf_addc(out, '"');
    }
    if (request->modern || own) {
        buf_adds(out, empty && !request->modern ? "\"_meta\":{" : ",\"_meta\":{");
        if (own)
            buf_add(out, meta->data, meta->len);
        if (request->modern) {
            buf_adds(out, own ? ",\"" MCP_META_SERVER "\":" : "\"" MCP_META_SERVER "\":");
            write_server_info(out);
        }
        buf_addc(out, '}');
    }
    buf_lit(out, "}}");
    output_end(request, 0);
}

void write_shown(struct buf *out, const char *text)
{
    size_t from = out->len;

    json_write_string(out, text, strlen(text));
    json_show_from(out, from);
}

void reply_error(const struct request *request, int code, const char *data, const char *fmt, ...)
{
    struct buf *out = output_begin(request);
    struct error text;
    va_list args;

    va_start(args, fmt);
    error_vset(&text, "", fmt, args);
    va_end(args);
    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_add(out, request->id.ptr, request->id.len);
    buf_addf(out, ",\"error\":{\"code\":%d,\"message\":", code);
    write_shown(out, text.text);
    if (data)
        buf_addf(out, ",\"data\":%s", data);
    buf_lit(out, "}}");
    output_end(request, refusal_code(request, code));
}

/* JSON-RPC wants null where the id is not known. Since 2025-11-25 it is left out instead, and null
 * is not an id. */
static bool has_null_ids(const struct session *session)
{
    if (session->modern || session->stateless)
        return false;
    return !session->version || strcmp(session->version, "2025-11-25") < 0;
}

void reply_orphan(const struct session *session, struct sink *sink, struct batch *batch, int code,
                  const char *text)
{
    struct request request = { .sink = sink, .batch = batch };
    struct buf *out = output_begin(&request);

    buf_addf(out, "{\"jsonrpc\":\"2.0\",%s\"error\":{\"code\":%d,\"message\":",
             has_null_ids(session) ? "\"id\":null," : "", code);
    json_write_string(out, text, strlen(text));
    buf_lit(out, "}}");
    output_end(&request, code);
}

struct buf *notify_begin(struct sink *sink, const char *method)
{
    struct buf *out = sink->begin(sink);

    buf_addf(out, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{", method);
    return out;
}

void notify_end(struct sink *sink, struct buf *out)
{
    buf_lit(out, "}}");
    sink->end(sink, (struct sink_mark){ .kind = SINK_NOTICE });
}

struct buf *ask_begin(struct sink *sink, const char *id, const char *method)
{
    struct buf *out = sink->begin(sink);

    buf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":", id, method);
    return out;
}

void ask_end(struct sink *sink, struct buf *out)
{
    buf_addc(out, '}');
    sink->end(sink, (struct sink_mark){ .kind = SINK_REQUEST });
}

void write_related_task_member(struct buf *meta, const char *id)
{
    buf_addf(meta, "%s\"" MCP_META_RELATED "\":{\"taskId\":\"%s\"}", meta->len ? "," : "", id);
}

void write_related_task(struct buf *out, const char *id)
{
    buf_addf(out, ",\"_meta\":{\"" MCP_META_RELATED "\":{\"taskId\":\"%s\"}}", id);
}

/* Behind the last block of "content":[...]; 0: there is none. */
static size_t content_end(const struct buf *out, size_t from)
{
    static const char begin[] = "\"content\":[";
    bool quoted = false;
    int depth = 1;

    if (out->len - from < sizeof begin - 1 ||
        memcmp(out->data + from, begin, sizeof begin - 1) != 0)
        return 0;
    for (size_t i = from + sizeof begin - 1; i < out->len; i++) {
        char c = out->data[i];

        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            depth++;
        else if (!quoted && (c == ']' || c == '}') && --depth == 0)
            return i;
    }
    return 0;
}

static void insert_text(struct buf *out, size_t at, const struct buf *what)
{
    buf_reserve(out, what->len);
    memmove(out->data + at + what->len, out->data + at, out->len - at);
    memcpy(out->data + at, what->data, what->len);
    out->len += what->len;
}

void reply_add_text(struct buf *out, size_t from, const char *text)
{
    size_t end = content_end(out, from);
    struct buf block = { 0 };

    if (!end)
        return;
    if (out->data[end - 1] != '[')
        buf_addc(&block, ',');
    buf_lit(&block, "{\"type\":\"text\",\"text\":");
    json_write_string(&block, text, strlen(text));
    buf_addc(&block, '}');
    insert_text(out, end, &block);
    buf_free(&block);
}
