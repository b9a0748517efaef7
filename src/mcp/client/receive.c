/* Lines from the server: what they are and whom they concern.
 *
 * Servers print what they should not. A line that is not a message is reported and
 * skipped; a message that breaks the rules ends the call it answers, if that can
 * be told, and nothing else. Bytes that are not UTF-8 and halves of surrogate pairs are
 * replaced, not refused: refusing would lose an answer that came. */
#include <math.h>
#include <stdlib.h>

#include "json/rewrite.h"
#include "json/utf8.h"
#include "json/writer.h"
#include "mcp/client/ask.h"
#include "mcp/client/calls.h"
#include "mcp/client/deadlines.h"
#include "mcp/client/era.h"
#include "mcp/client/open_asks.h"
#include "mcp/client/remote_task.h"
#include "mcp/client/report.h"
#include "mcp/client/subscriptions.h"
#include "mcp/client/task_poll.h"
#include "mcp/client/tools.h"
#include "mcp/peek.h"
#include "mcp/shape.h"

static bool is_listening(const struct client *c)
{
    return !c->freed && c->state != CLIENT_IDLE && c->state != CLIENT_RESTARTING &&
           c->state != CLIENT_ENDED;
}

/* An id that we gave a request, as the server returns it: a number, or the same as a string. */
static bool read_own_id(const cJSON *node, int64_t *id)
{
    struct buf text = { 0 };
    bool own;

    if (!cJSON_IsString(node))
        return json_integer(node, id);
    json_write(&text, node);
    own = message_own_id(buf_str(&text), id);
    buf_free(&text);
    return own;
}

/* --- answers ------------------------------------------------------------------ */

static void finish_refused_call(struct client_call *call, const cJSON *refusal, int status)
{
    struct client_answer answer = { .rpc_message = json_string(json_given(refusal, "message")),
                                    .rpc_data = json_given(refusal, "data") };
    struct error error;
    struct buf quoted = { 0 };

    if (!json_integer(json_given(refusal, "code"), &answer.rpc_code)) {
        client_finish_failed(call, "protocol",
                             "the server answered %s with an error that has no code", call->method);
        return;
    }
    client_add_quoted(&quoted, answer.rpc_message.ptr, answer.rpc_message.len, 400);
    error_set(&error, "rpc_error", "%s (%lld)", quoted.len ? buf_text(&quoted) : "no reason given",
              (long long)answer.rpc_code);
    buf_free(&quoted);
    answer.error = &error;
    answer.http_status = status;
    if (!client_try_version(call, &answer) && !client_task_needed(call, &answer))
        client_finish(call, &answer);
}

static void on_result_taken_out(void *arg, const char *text)
{
    struct client *c = arg;

    if (!c->freed)
        client_problem(c, "the server breaks the protocol: %s", text);
}

/* An answer without an id of ours. One to a request that was given up is expected. */
static void take_stray_answer(struct client *c, const cJSON *id, const cJSON *refusal)
{
    struct buf text = { 0 };
    int64_t number;

    if (read_own_id(id, &number) && number > 0 && number <= c->last_id)
        return;
    if (id) {
        json_write(&text, id);
        client_problem_quoting(c, "the server answered a request that was never sent, with the id",
                               text.data, text.len);
        buf_free(&text);
    } else if (cJSON_IsObject(refusal)) {
        struct str why = json_string(json_given(refusal, "message"));

        client_problem_quoting(c, "the server reported an error without naming its request",
                               why.ptr, why.len);
    }
}

/* Nobody sees a result that is not what the protocol says (mcp/shape.h). False: the call is over.
 */
static bool result_fits(struct client_call *call, cJSON *result)
{
    const struct shape *shape = shape_of_result(call->method, result);
    struct client *c = call->client;
    int64_t id = call->id;
    struct error err;
    bool ok = !shape || shape_fit(shape, result, "result", on_result_taken_out, c, &err);

    if (c->freed || client_find(c, id) != call)
        return false;
    if (!ok)
        client_finish_failed(call, "protocol", "the server's answer to %s breaks the protocol: %s",
                             call->method, err.text);
    return ok;
}

/* Modern results say what they are; a missing word means a complete one. */
static void finish_result(struct client_call *call, cJSON *result)
{
    const char *type = cJSON_GetStringValue(json_given(result, "resultType"));
    struct client *c = call->client;
    const cJSON *refusal;

    if (!result_fits(call, result))
        return;
    if (c->wire.post && c->era == CLIENT_MODERN && strcmp(call->method, "tools/list") == 0) {
        int64_t id = call->id;

        client_learn_tools(c, result);
        if (c->freed || client_find(c, id) != call)
            return;
    }

    if (call->task && client_task_result(call, result, &refusal)) {
        if (refusal)
            finish_refused_call(call, refusal, 0);
        return;
    }
    if (call->client->era != CLIENT_MODERN || !type || strcmp(type, "complete") == 0)
        client_finish(call, &(struct client_answer){ .result = result });
    else if (strcmp(type, "input_required") == 0)
        client_input_required(call, result);
    else
        client_finish_failed(call, "protocol",
                             "the server answered %s with a result of type \"%.60s\", which this "
                             "client does not support",
                             call->method, type);
}

static void take_call_answer(struct client *c, const cJSON *message)
{
    const cJSON *result = json_get(message, "result");
    const cJSON *refusal = json_given(message, "error");
    const cJSON *id = json_given(message, "id");
    struct client_call *call;
    int64_t number;

    call = read_own_id(id, &number) ? client_find(c, number) : NULL;
    if (!call)
        take_stray_answer(c, id, refusal);
    else if (call->asking)
        return;
    else if (cJSON_IsObject(refusal))
        finish_refused_call(call, refusal, 0);
    else if (result)
        finish_result(call, (cJSON *)result);
    else
        client_finish_failed(call, "protocol",
                             "the server answered %s with neither a result nor an error",
                             call->method);
}

/* --- notifications ------------------------------------------------------------ */

/* A modern server ends a subscription with `cancelled` for our own request. */
static void take_cancelled(struct client *c, const cJSON *params)
{
    const cJSON *id = json_given(params, "requestId");
    struct client_call *call;
    struct buf text = { 0 };
    int64_t number;

    if (c->era == CLIENT_MODERN) {
        if (read_own_id(id, &number) && (call = client_find(c, number)) && !call->handshake)
            client_finish_failed(call, "closed", "the server ended %s", call->method);
        return;
    }
    json_write(&text, id);
    client_ask_cancelled(c, buf_str(&text));
    buf_free(&text);
}

/* The call that this progress is of. A task keeps the name that its first request gave. */
static struct client_call *find_call_by_token(struct client *c, int64_t id)
{
    struct client_call *call = client_find(c, id);

    if (call && !client_is_task(call))
        return call->asking ? NULL : call;
    for (size_t i = 0; i < countof(c->calls); i++) {
        list_each (link, &c->calls[i]) {
            call = container_of(link, struct client_call, link);
            if (client_is_task(call) && call->task->token == id)
                return call;
        }
    }
    return NULL;
}

static void take_progress(struct client *c, const cJSON *params)
{
    const cJSON *progress = json_given(params, "progress");
    const cJSON *total = json_given(params, "total");
    struct client_call *call;
    int64_t id;

    if (!read_own_id(json_given(params, "progressToken"), &id) ||
        !(call = find_call_by_token(c, id)) || !call->on.progress || !cJSON_IsNumber(progress))
        return;
    if (!client_is_task(call))
        client_restart_clock(call);
    call->on.progress(call->arg, progress->valuedouble,
                      cJSON_IsNumber(total) ? total->valuedouble : (double)NAN,
                      cJSON_GetStringValue(json_given(params, "message")));
}

/* "tools" of "notifications/tools/list_changed"; else NULL. */
static const char *changed_list(const char *method)
{
    static const char *const lists[] = { "tools", "prompts", "resources" };
    const char *name = method + strlen("notifications/");

    for (size_t i = 0; i < countof(lists); i++) {
        size_t len = strlen(lists[i]);

        if (strncmp(name, lists[i], len) == 0 && strcmp(name + len, "/list_changed") == 0)
            return lists[i];
    }
    return NULL;
}

static void take_notification(struct client *c, const char *method, const cJSON *params)
{
    const char *changed = NULL;

    if (strcmp(method, "notifications/progress") == 0)
        take_progress(c, params);
    else if (strcmp(method, "notifications/message") == 0)
        client_log_message(c, params);
    else if (strcmp(method, "notifications/cancelled") == 0)
        take_cancelled(c, params);
    else if (strcmp(method, "notifications/subscriptions/acknowledged") == 0)
        client_listen_acknowledged(c);
    else if (c->state == CLIENT_READY && strncmp(method, "notifications/", 14) == 0 &&
             (changed = changed_list(method))) {
        if (c->events.changed)
            c->events.changed(c->arg, changed);
    } else if (c->state == CLIENT_READY && c->events.notification)
        c->events.notification(c->arg, method, params);
}

/* --- requests ----------------------------------------------------------------- */

/* id_text: as the server wrote it; empty: write the node. */
static void take_request(struct client *c, struct str id_text, const cJSON *message,
                         const char *method)
{
    const cJSON *id = json_given(message, "id");
    struct buf written = { 0 };

    if (c->era == CLIENT_MODERN || !(cJSON_IsString(id) || cJSON_IsNumber(id))) {
        client_problem_quoting(c, "the server sent a request that it must not send", method,
                               strlen(method));
        return;
    }
    if (id_text.len == 0) {
        json_write(&written, id);
        id_text = buf_str(&written);
    }
    client_asked(c, id_text, method, json_given(message, "params"));
    buf_free(&written);
}

/* --- lines -------------------------------------------------------------------- */

static bool take_server_message(struct client *c, struct str id_text, const cJSON *message)
{
    const char *method = cJSON_GetStringValue(json_given(message, "method"));

    if (method && json_given(message, "id"))
        take_request(c, id_text, message, method);
    else if (method)
        take_notification(c, method, json_given(message, "params"));
    else if (json_get(message, "result") || json_given(message, "error"))
        take_call_answer(c, message);
    else
        return false;
    return true;
}

/* Batches are of 2025-03-26; one from another server does no harm. */
static bool take_batch(struct client *c, const cJSON *batch)
{
    const cJSON *message;
    bool all = cJSON_GetArraySize(batch) > 0;

    cJSON_ArrayForEach (message, batch) {
        if (!is_listening(c))
            break;
        all = take_server_message(c, (struct str){ 0 }, message) && all;
    }
    return all;
}

enum { STRAY_MAX = 80 };

static const char NO_MESSAGE[] = "server printed something that is not a message";

static void take_document(struct client *c, const struct json_doc *doc, struct str line)
{
    const cJSON *root = json_root(doc);
    bool known =
        cJSON_IsArray(root) ? take_batch(c, root) : take_server_message(c, json_id_text(doc), root);

    if (!known)
        client_problem_quoting(c, NO_MESSAGE, line.ptr, line.len);
}

/* Looks like a message and cannot be read as one. */
static void take_broken(struct client *c, struct str line, const struct error *why)
{
    struct client_call *call = NULL;
    char *what = mem_printf("%s (%s)", NO_MESSAGE, why->text);
    int64_t id;

    client_problem_quoting(c, what, line.ptr, line.len);
    free(what);
    if (!c->freed && message_peek_id(line, line, &id))
        call = client_find(c, id);
    if (call && !call->asking)
        client_finish_failed(call, "protocol", "the server's answer to %s cannot be read: %s",
                             call->method, why->text);
}

static struct json_doc *parse_line(struct client *c, struct str line, struct error *why)
{
    struct json_doc *doc = json_parse(line.ptr, line.len, &c->limits, why);
    struct buf utf8 = { 0 }, whole = { 0 };

    if (!doc && (strcmp(why->code, "json_utf8") == 0 || strcmp(why->code, "json_surrogate") == 0)) {
        client_problem(c, "the server sent %s; they are replaced",
                       why->code[5] == 'u' ? "bytes that are not UTF-8"
                                           : "halves of surrogate pairs");
        utf8_clean(&utf8, line.ptr, line.len);
        json_replace_halves(&whole, utf8.data, utf8.len);
        doc = json_parse(whole.data, whole.len, &c->limits, why);
    }
    buf_free(&utf8);
    buf_free(&whole);
    return doc;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct str trimmed_line(const char *line, size_t len)
{
    if (len >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        len -= 3;
    }
    while (len > 0 && is_space(*line)) {
        line++;
        len--;
    }
    while (len > 0 && is_space(line[len - 1]))
        len--;
    return (struct str){ line, len };
}

/* A program that is not an MCP server over stdio shows by what it says instead. */
static void note_stray(struct client *c, struct str line)
{
    struct buf text = { 0 };

    if (c->session)
        return;
    client_add_quoted(&text, line.ptr, line.len, STRAY_MAX);
    free(c->stray);
    c->stray = mem_strdup(buf_text(&text));
    buf_free(&text);
}

void client_receive(struct client *c, const char *text, size_t len)
{
    struct str line = trimmed_line(text, len);
    struct json_doc *doc;
    struct error why;

    if (!is_listening(c) || line.len == 0)
        return;
    if (line.ptr[0] != '{' && line.ptr[0] != '[') {
        note_stray(c, line);
        client_problem_quoting(c, NO_MESSAGE, line.ptr, line.len);
        return;
    }
    doc = parse_line(c, line, &why);
    if (!doc)
        take_broken(c, line, &why);
    else if (!c->freed)
        take_document(c, doc, line);
    json_doc_free(doc);
}

void client_receive_oversized(struct client *c, struct str head, struct str tail, uint64_t len)
{
    struct client_call *call = NULL;
    int64_t id;

    if (!is_listening(c))
        return;
    client_problem(c, "a message of %llu bytes from the server was skipped (limit: %zu)",
                   (unsigned long long)len, c->limits.bytes);
    if (!c->freed && message_peek_id(head, tail, &id))
        call = client_find(c, id);
    if (call && !call->asking)
        client_finish_failed(
            call, "too_large",
            "the server's answer to %s has %llu bytes (limit: %zu). Request less at a time",
            call->method, (unsigned long long)len, c->limits.bytes);
}

/* --- what a wire of exchanges tells ---------------------------------------------- */

/* The call that waits for this answer. One whose questions are being answered has had it. */
static struct client_call *waiting_call(struct client *c, int64_t id)
{
    struct client_call *call = c->freed ? NULL : client_find(c, id);

    return call && !call->asking ? call : NULL;
}

bool client_waits(struct client *c, int64_t id)
{
    return waiting_call(c, id);
}

void client_hold(struct client *c, int64_t id, bool held)
{
    struct client_call *call = waiting_call(c, id);

    if (call)
        client_hold_clock(call, held);
}

void client_lost(struct client *c, int64_t id, int status, const struct error *why)
{
    struct client_call *call = waiting_call(c, id);

    if (call)
        client_finish(call,
                      &(struct client_answer){ .error = why, .lost = true, .http_status = status });
}

void client_refused(struct client *c, int64_t id, int status, struct str body,
                    const struct error *why)
{
    struct client_call *call = waiting_call(c, id);
    struct error bad;
    struct json_doc *doc = call ? parse_line(c, body, &bad) : NULL;
    const cJSON *refusal = doc ? json_given(json_root(doc), "error") : NULL;
    int64_t code;

    if (json_integer(json_given(refusal, "code"), &code))
        finish_refused_call(call, refusal, status);
    else
        client_lost(c, id, status, why);
    json_doc_free(doc);
}
