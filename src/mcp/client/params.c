/* The params of a request: what the caller gave, and what the era adds to it.
 *
 * The caller's text is checked but not rewritten: its numbers and the order of its
 * members stay as they are. Only params that have a `_meta` of their own
 * are taken apart, to merge the two. */
#include "mcp/client/params.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/client/remote_task.h"
#include "mcp/versions.h"

static void add_comma(struct buf *out)
{
    char last = out->data[out->len - 1];

    if (last != '{' && last != ',')
        buf_addc(out, ',');
}

static void add_member(struct buf *out, const cJSON *member)
{
    struct str name = json_name(member);

    add_comma(out);
    json_write_string(out, name.ptr, name.len);
    buf_addc(out, ':');
    json_write(out, member);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The text between the braces; it was found to be an object. */
static struct str text_in_braces(const char *text)
{
    const char *start = strchr(text, '{') + 1;
    const char *end = strrchr(text, '}');

    while (start < end && is_space(*start))
        start++;
    while (end > start && is_space(end[-1]))
        end--;
    return (struct str){ start, (size_t)(end - start) };
}

/* A raw line end in valid JSON is white space between tokens. */
static void add_inside(struct buf *out, const char *text)
{
    struct str members = text_in_braces(text);
    size_t start;

    if (members.len == 0)
        return;
    add_comma(out);
    start = out->len;
    buf_add(out, members.ptr, members.len);
    for (size_t i = start; i < out->len; i++) {
        if (out->data[i] == '\n' || out->data[i] == '\r')
            out->data[i] = ' ';
    }
}

/* Ours win: a caller cannot speak for the session. */
static bool names_ours(const struct client *c, const char *name, bool modern, bool progress)
{
    static const char *const ours[] = { MCP_META_VERSION, MCP_META_CLIENT, MCP_META_CAPS,
                                        MCP_META_LEVEL };

    if (progress && strcmp(name, "progressToken") == 0)
        return true;
    for (size_t i = 0; modern && i < countof(ours); i++) {
        if (strcmp(name, ours[i]) == 0)
            return strstr(c->meta, ours[i]);
    }
    return false;
}

static void add_request_meta(const struct client *c, struct buf *out,
                             const struct client_call *call, const cJSON *given)
{
    bool modern = call && c->era == CLIENT_MODERN;
    bool progress = call && call->on.progress && !client_is_task(call);
    const cJSON *member;

    if (!modern && !progress && !given)
        return;
    add_comma(out);
    buf_lit(out, "\"_meta\":{");
    if (modern)
        buf_adds(out, call->task ? c->task_meta : c->meta);
    if (progress) {
        add_comma(out);
        buf_addf(out, "\"progressToken\":%lld", (long long)call->id);
    }
    cJSON_ArrayForEach (member, given) {
        if (!names_ours(c, member->string, modern, progress))
            add_member(out, member);
    }
    buf_addc(out, '}');
}

/* Answers to what the server asked when it was sent before. */
static void add_input(struct buf *out, const struct client_call *call)
{
    if (call && call->responses.len > 0) {
        add_comma(out);
        buf_lit(out, "\"inputResponses\":{");
        buf_add(out, call->responses.data, call->responses.len);
        buf_addc(out, '}');
    }
    if (call && call->state) {
        add_comma(out);
        buf_addf(out, "\"requestState\":%s", call->state);
    }
}

/* tools/call of 2025-11-25: as a task. */
static void add_task(struct buf *out, const struct client_call *call)
{
    if (!call || !client_wants_task(call))
        return;
    add_comma(out);
    buf_lit(out, "\"task\":{");
    if (call->task->ttl_ms)
        buf_addf(out, "\"ttl\":%llu", (unsigned long long)call->task->ttl_ms);
    buf_addc(out, '}');
}

static void add_params(const struct client *c, struct buf *out, const struct client_call *call,
                       const char *text, const cJSON *root)
{
    const cJSON *meta = json_given(root, "_meta");
    const cJSON *member;
    size_t start;

    buf_lit(out, ",\"params\":{");
    start = out->len;
    add_request_meta(c, out, call, meta);
    add_input(out, call);
    add_task(out, call);
    if (text && !meta)
        add_inside(out, text);
    else
        cJSON_ArrayForEach (member, root) {
            if (strcmp(member->string, "_meta") != 0)
                add_member(out, member);
        }
    if (out->len == start && !text)
        out->len -= strlen(",\"params\":{");
    else
        buf_addc(out, '}');
}

bool client_write_params(struct client *c, struct buf *out, const struct client_call *call,
                         const char *params, struct error *err)
{
    struct json_doc *doc = NULL;
    struct error why;

    if (params && !(doc = json_parse(params, strlen(params), NULL, &why)))
        return error_set(err, "bad_params", "the params are not JSON: %s. Pass a JSON object",
                         why.text);
    if (doc && !cJSON_IsObject(json_root(doc))) {
        json_doc_free(doc);
        return error_set(err, "bad_params", "the params are not a JSON object. Pass one");
    }
    add_params(c, out, call, params, doc ? json_root(doc) : NULL);
    json_doc_free(doc);
    return true;
}
