/* input_required (2026-07-28): a result that asks, and the same request once more with the answers.
 *
 * The call waits where it is, and the client gets a text (requestState) that names it. When the
 * text comes back and the call is still there, it goes on. When it is not, because it was given up,
 * or because this is another process, it is started again: the text carries the answers of earlier
 * rounds, so each question finds its answer by its name. The text is signed, ends some time after
 * it was made, and belongs to one request: method, name and arguments. */
#include <stdlib.h>
#include <time.h>

#include "base/base64.h"
#include "base/crypto.h"
#include "mcp/server/mcp_task.h"
#include "mcp/server/session.h"
#include "script/vm.h"
#include "json/writer.h"

enum {
    CALLS_PARKED_MAX = 256,
    STATE_MAX = 512 * 1024, /* bytes of a requestState that are looked at */
    ANSWERS_MAX =
        128 * 1024, /* more are not sent along: the call can then only go on where it is */
};

static void add_hex(struct buf *out, const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buf_addf(out, "%02x", bytes[i]);
}

/* --- which request it is ------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

static void write_sorted(struct buf *out, const cJSON *node);

static void write_members(struct buf *out, const cJSON *object)
{
    size_t count = (size_t)cJSON_GetArraySize(object), i = 0;
    const cJSON **members = mem_alloc((count + 1) * sizeof *members);
    const cJSON *member;

    cJSON_ArrayForEach (member, object)
        members[i++] = member;
    qsort(members, count, sizeof *members, by_name);
    for (i = 0; i < count; i++) {
        buf_addc(out, i ? ',' : '{');
        json_write_string(out, members[i]->string, strlen(members[i]->string));
        buf_addc(out, ':');
        write_sorted(out, members[i]);
    }
    buf_adds(out, count ? "}" : "{}");
    free(members);
}

/* The same text for the same value, in whatever order a client writes its members. */
static void write_sorted(struct buf *out, const cJSON *node)
{
    const cJSON *item;

    if (cJSON_IsObject(node)) {
        write_members(out, node);
    } else if (cJSON_IsArray(node)) {
        buf_addc(out, '[');
        cJSON_ArrayForEach (item, node) {
            if (item != node->child)
                buf_addc(out, ',');
            write_sorted(out, item);
        }
        buf_addc(out, ']');
    } else {
        json_write(out, node);
    }
}

/* Of method, name (or URI), arguments and who asks, as hex. */
static bool digest_of(const char *method, const cJSON *params, const char *who, char digest[65],
                      struct error *err)
{
    static const char *const bound[] = { "name", "uri", "arguments" };
    unsigned char bytes[CRYPTO_SHA256];
    struct buf text = { 0 }, hex = { 0 };
    bool ok;

    buf_adds(&text, method);
    for (size_t i = 0; i < countof(bound); i++) {
        const cJSON *value = json_get(params, bound[i]);

        buf_addc(&text, '\n');
        if (value)
            write_sorted(&text, value);
    }
    if (who)
        buf_addf(&text, "\n%s", who);
    ok = crypto_sha256(buf_str(&text), bytes, err);
    if (ok) {
        add_hex(&hex, bytes, sizeof bytes);
        memcpy(digest, buf_text(&hex), 65);
    }
    buf_free(&text);
    buf_free(&hex);
    return ok;
}

/* The digest of the request that started this call, from its text. */
static bool digest_request(struct input_round *round, struct error *err)
{
    struct json_doc *doc;
    const cJSON *method;
    char digest[65];
    bool ok;

    if (round->digest)
        return true;
    doc = json_parse(round->source, round->source_len, NULL, err);
    method = json_get(json_root(doc), "method");
    ok =
        cJSON_IsString(method) &&
        digest_of(method->valuestring, json_get(json_root(doc), "params"), round->who, digest, err);
    if (ok)
        round->digest = mem_strdup(digest);
    json_doc_free(doc);
    return ok;
}

/* --- the text ------------------------------------------------------------------------------- */

static bool sign(const struct server *server, struct str payload, unsigned char mac[CRYPTO_SHA256],
                 struct error *err)
{
    return crypto_hmac_sha256((struct str){ (const char *)server->key, sizeof server->key },
                              payload, mac, err);
}

static bool write_state(struct pending *pending, struct buf *out, struct error *err)
{
    unsigned char mac[CRYPTO_SHA256];
    struct buf payload = { 0 };
    bool whole = pending->answers.len <= ANSWERS_MAX;
    bool ok;

    buf_addf(&payload, "{\"run\":\"%s\",\"end\":%lld,\"for\":\"%s\"", pending->run,
             (long long)time(NULL) + (long long)(pending->asking->timeout_ms / 1000),
             pending->round.digest);
    if (whole) {
        buf_lit(&payload, ",\"answers\":{");
        buf_add(&payload, pending->answers.data, pending->answers.len);
        buf_addc(&payload, '}');
    }
    buf_addc(&payload, '}');
    ok = sign(pending->server, buf_str(&payload), mac, err);
    if (ok) {
        base64_encode_url(out, payload.data, payload.len);
        buf_addc(out, '.');
        base64_encode_url(out, (const char *)mac, sizeof mac);
    }
    buf_free(&payload);
    return ok;
}

/* The signed document; NULL: err. */
static struct json_doc *open_state(const struct server *server, struct str text, struct error *err)
{
    const char *dot = text.len <= STATE_MAX ? memchr(text.ptr, '.', text.len) : NULL;
    struct buf payload = { 0 }, mac = { 0 };
    unsigned char want[CRYPTO_SHA256];
    struct json_doc *doc = NULL;

    if (dot && base64_decode_url(&payload, (struct str){ text.ptr, (size_t)(dot - text.ptr) }) &&
        base64_decode_url(&mac, (struct str){ dot + 1, text.len - 1 - (size_t)(dot - text.ptr) }) &&
        sign(server, buf_str(&payload), want, err) &&
        crypto_same(buf_str(&mac), (struct str){ (const char *)want, sizeof want }))
        doc = json_parse(payload.data, payload.len, NULL, err);
    else
        error_set(err, "bad_state", "requestState was changed, or is not of this server");
    buf_free(&payload);
    buf_free(&mac);
    return doc;
}

static bool state_fits(const struct json_doc *state, const char *digest, struct error *err)
{
    const cJSON *end = json_get(json_root(state), "end");
    const cJSON *bound = json_get(json_root(state), "for");

    if (!cJSON_IsString(bound) || strcmp(bound->valuestring, digest) != 0)
        return error_set(err, "bad_state",
                         "requestState belongs to another request: send the same "
                         "name and arguments again");
    if (!cJSON_IsNumber(end) || end->valuedouble < (double)time(NULL))
        return error_set(err, "bad_state",
                         "requestState is too old: make the call again from the start");
    return true;
}

/* --- going on -------------------------------------------------------------------------------- */

static struct pending *find_parked(struct server *server, const struct json_doc *state)
{
    const cJSON *run = json_get(json_root(state), "run");

    if (!cJSON_IsString(run))
        return NULL;
    list_each (link, &server->parked) {
        struct pending *pending = container_of(link, struct pending, link);

        if (strcmp(pending->run, run->valuestring) == 0)
            return pending;
    }
    return NULL;
}

/* Gives the open questions their answers. False: one does not fit, and nothing was taken. */
static bool deliver(struct pending *pending, const cJSON *inputs, struct error *err)
{
    struct asking *asking = pending->asking;

    for (size_t i = 0; i < asking->count; i++) {
        struct question *question = &asking->items[i];
        const cJSON *given = json_get(inputs, question->key);

        if (!given || question->answer)
            continue;
        if (!question_take(question, given, err))
            return false;
        pending_note_answer(pending, question);
    }
    return true;
}

static void unpark(struct pending *pending)
{
    pending->server->parked_count--;
    timer_forget(pending->timer);
    pending->timer = NULL;
}

static void resume(struct pending *pending, const struct request *request, const cJSON *inputs)
{
    struct asking *asking = pending->asking;
    struct error err;

    if (!deliver(pending, inputs, &err)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
        return;
    }
    unpark(pending);
    list_remove(&pending->link);
    pending_attach(pending, request);
    if (!asking_answered(asking) && pending_park(pending, &asking->err))
        return; /* what is missing is asked for again */
    pending->asking = NULL;
    mcp_task_expect(pending);
    asking_done(asking);
}

static void on_expired(void *arg)
{
    struct pending *pending = arg;

    pending->timer = NULL;
    pending_cancel(pending);
}

void write_input_request(struct buf *out, const char *name, const struct question *question,
                         bool first)
{
    if (!first)
        buf_addc(out, ',');
    json_write_string(out, name, strlen(name));
    buf_addf(out, ":{\"method\":\"%s\",\"params\":", question_method(question));
    if (question->kind == ASK_FORM)
        buf_lit(out, "{\"mode\":\"form\",");
    else if (question->kind == ASK_URL)
        buf_lit(out, "{\"mode\":\"url\",");
    else
        buf_addc(out, '{');
    buf_add(out, question->params.data + 1, question->params.len - 1);
    buf_addc(out, '}');
}

static void write_questions(struct buf *out, const struct asking *asking)
{
    bool first = true;

    buf_lit(out, "\"inputRequests\":{");
    for (size_t i = 0; i < asking->count; i++) {
        const struct question *question = &asking->items[i];

        if (question->answer)
            continue;
        write_input_request(out, question->key, question, first);
        first = false;
    }
    buf_addc(out, '}');
}

bool pending_park(struct pending *pending, struct error *err)
{
    struct server *server = pending->server;
    struct buf state = { 0 };
    unsigned char name[16];
    struct buf *out;

    if (!pending->run[0]) {
        struct buf hex = { 0 };

        crypto_random(name, sizeof name);
        add_hex(&hex, name, sizeof name);
        memcpy(pending->run, buf_text(&hex), sizeof pending->run);
        buf_free(&hex);
    }
    if (!digest_request(&pending->round, err) || !write_state(pending, &state, err)) {
        buf_free(&state);
        return false;
    }
    out = reply_begin(&pending->request);
    write_questions(out, pending->asking);
    buf_lit(out, ",\"requestState\":\"");
    buf_add(out, state.data, state.len);
    buf_addc(out, '"');
    reply_end_as(&pending->request, out, "input_required", false, NULL);
    buf_free(&state);
    pending_detach(pending);
    list_push(&server->parked, &pending->link);
    pending->timer = timer_after(vm_loop(registry_vm(server->registry)),
                                 pending->asking->timeout_ms, on_expired, pending);
    if (++server->parked_count > CALLS_PARKED_MAX) /* the oldest can still be started again */
        pending_cancel(container_of(server->parked.next, struct pending, link));
    return true;
}

/* --- what came with a request ----------------------------------------------------------------- */

static bool inputs_ok(const cJSON *inputs)
{
    const cJSON *input;

    if (!cJSON_IsObject(inputs))
        return false;
    cJSON_ArrayForEach (input, inputs)
        if (!cJSON_IsObject(input))
            return false;
    return true;
}

static bool read_state(const struct request *request, const cJSON *text, struct input_round *round,
                       struct error *err)
{
    if (!cJSON_IsString(text))
        return error_set(err, "bad_state", "requestState must be the string that the server gave");
    round->state = open_state(request->session->server, json_string(text), err);
    return round->state && digest_request(round, err) &&
           state_fits(round->state, round->digest, err);
}

/* True: the request is to be started, from the beginning. */
static bool take_state(const struct request *request, const cJSON *text, const cJSON *inputs,
                       struct input_round *round)
{
    struct pending *parked;
    struct error err;

    if (!read_state(request, text, round, &err)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
        return false;
    }
    parked = find_parked(request->session->server, round->state);
    if (parked) {
        resume(parked, request, inputs);
        return false;
    }
    if (json_get(json_root(round->state), "answers"))
        return true;
    reply_error(request, RPC_INVALID_PARAMS, NULL,
                "The call that asked is gone: make it again from the start");
    return false;
}

bool input_round_read(const struct request *request, struct input_round *round)
{
    const cJSON *inputs = json_get(request->params, "inputResponses");
    const cJSON *state = json_get(request->params, "requestState");
    struct error err;

    *round = (struct input_round){ 0 };
    if (!request->modern)
        return true;
    if (inputs && !inputs_ok(inputs)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "inputResponses must be an object of answers, each an object");
        return false;
    }
    round->source = mem_strndup(request->source.ptr, request->source.len);
    round->source_len = request->source.len;
    round->who = request->session->who ? mem_strdup(request->session->who) : NULL;
    if (state && !take_state(request, state, inputs, round)) {
        input_round_free(round);
        return false;
    }
    round->inputs = inputs ? json_copy(inputs, &err) : NULL;
    return true;
}

void input_round_free(struct input_round *round)
{
    free(round->source);
    free(round->who);
    free(round->digest);
    json_doc_free(round->state);
    json_doc_free(round->inputs);
    *round = (struct input_round){ 0 };
}

void pending_note_answer(struct pending *pending, const struct question *question)
{
    struct buf *out = &pending->answers;

    if (!pending->request.modern)
        return;
    if (out->len)
        buf_addc(out, ',');
    json_write_string(out, question->key, strlen(question->key));
    buf_addc(out, ':');
    json_write(out, json_root(question->answer));
}
