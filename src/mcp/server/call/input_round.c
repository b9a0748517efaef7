/* Identifies a request, and writes and reads the text that goes to the client and comes back. */
#include "mcp/server/call/input_round.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/base64.h"
#include "base/crypto.h"
#include "json/writer.h"
#include "mcp/server/call/used_states.h"

enum {
    STATE_MAX = 512 * 1024,   /* bytes of a requestState that are looked at */
    ANSWERS_MAX = 128 * 1024, /* bytes of answers that it carries */
};

void input_round_begin(struct input_round *round, const struct request *request)
{
    round->source = mem_strndup(request->source.ptr, request->source.len);
    round->source_len = request->source.len;
    round->who = request->session->who ? mem_strdup(request->session->who) : NULL;
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

/* --- which request it is ----------------------------------------------------------------- */

static int by_member_name(const void *a, const void *b)
{
    return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

static void write_sorted_value(struct buf *out, const cJSON *node);

static void write_sorted_members(struct buf *out, const cJSON *object)
{
    size_t count = (size_t)cJSON_GetArraySize(object), i = 0;
    const cJSON **members = mem_alloc((count + 1) * sizeof *members);
    const cJSON *member;

    cJSON_ArrayForEach (member, object)
        members[i++] = member;
    qsort(members, count, sizeof *members, by_member_name);
    for (i = 0; i < count; i++) {
        buf_addc(out, i ? ',' : '{');
        json_write_string(out, members[i]->string, strlen(members[i]->string));
        buf_addc(out, ':');
        write_sorted_value(out, members[i]);
    }
    buf_adds(out, count ? "}" : "{}");
    free(members);
}

/* The same text for the same value, in whatever order a client writes its members. */
static void write_sorted_value(struct buf *out, const cJSON *node)
{
    const cJSON *item;

    if (cJSON_IsObject(node)) {
        write_sorted_members(out, node);
    } else if (cJSON_IsArray(node)) {
        buf_addc(out, '[');
        cJSON_ArrayForEach (item, node) {
            if (item != node->child)
                buf_addc(out, ',');
            write_sorted_value(out, item);
        }
        buf_addc(out, ']');
    } else {
        json_write(out, node);
    }
}

/* As hex. */
static bool digest_text(const struct buf *text, char digest[65], struct error *err)
{
    unsigned char bytes[CRYPTO_SHA256];
    struct buf hex = { 0 };
    bool ok = crypto_sha256(buf_str(text), bytes, err);

    if (ok) {
        buf_hex(&hex, bytes, sizeof bytes);
        memcpy(digest, buf_text(&hex), 65);
    }
    buf_free(&hex);
    return ok;
}

/* Makes a digest of the method, the name (or URI), the arguments and the caller. */
static bool request_digest(const char *method, const cJSON *params, const char *who,
                           char digest[65], struct error *err)
{
    static const char *const bound[] = { "name", "uri", "arguments" };
    struct buf text = { 0 };
    bool ok;

    buf_adds(&text, method);
    for (size_t i = 0; i < countof(bound); i++) {
        const cJSON *value = json_given(params, bound[i]);

        buf_addc(&text, '\n');
        if (value)
            write_sorted_value(&text, value);
    }
    if (who)
        buf_addf(&text, "\n%s", who);
    ok = digest_text(&text, digest, err);
    buf_free(&text);
    return ok;
}

bool input_round_digest(struct input_round *round, struct error *err)
{
    struct json_doc *doc;
    const cJSON *method;
    char digest[65];
    bool ok;

    if (round->digest)
        return true;
    doc = json_parse(round->source, round->source_len, NULL, err);
    method = json_given(json_root(doc), "method");
    ok = cJSON_IsString(method) &&
         request_digest(method->valuestring, json_given(json_root(doc), "params"), round->who,
                        digest, err);
    if (ok)
        round->digest = mem_strdup(digest);
    json_doc_free(doc);
    return ok;
}

/* --- the text ---------------------------------------------------------------------------- */

static bool sign_payload(const struct server *server, struct str payload,
                         unsigned char mac[CRYPTO_SHA256], struct error *err)
{
    return crypto_hmac_sha256((struct str){ (const char *)server->key, sizeof server->key },
                              payload, mac, err);
}

bool input_round_sign(const struct server *server, const struct input_round *round,
                      const struct round_state *state, struct buf *out, struct error *err)
{
    long long life = (long long)(state->limit_ms / 1000);
    unsigned char mac[CRYPTO_SHA256];
    struct buf payload = { 0 };
    bool ok;

    buf_addf(&payload, "{\"run\":\"%s\",\"number\":%u,\"end\":%lld,\"life\":%lld,\"for\":\"%s\"",
             state->run, state->number, (long long)time(NULL) + life, life, round->digest);
    if (!state->acted && state->answers->len <= ANSWERS_MAX) {
        buf_lit(&payload, ",\"answers\":[");
        buf_add(&payload, state->answers->data, state->answers->len);
        buf_lit(&payload, "],\"asked\":[");
        buf_add(&payload, state->asked->data, state->asked->len);
        buf_addc(&payload, ']');
    }
    buf_addc(&payload, '}');
    ok = sign_payload(server, buf_str(&payload), mac, err);
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
        sign_payload(server, buf_str(&payload), want, err) &&
        crypto_same(buf_str(&mac), (struct str){ (const char *)want, sizeof want }))
        doc = json_parse(payload.data, payload.len, NULL, err);
    else
        error_set(err, "bad_state",
                  "requestState was changed, or is from another server. Make the call again from "
                  "the start");
    buf_free(&payload);
    buf_free(&mac);
    return doc;
}

static bool state_fits(const struct json_doc *state, const char *digest, struct error *err)
{
    const cJSON *end = json_given(json_root(state), "end");
    const cJSON *bound = json_given(json_root(state), "for");

    if (!cJSON_IsString(bound) || strcmp(bound->valuestring, digest) != 0)
        return error_set(
            err, "bad_state",
            "requestState belongs to another request. Send the same name and arguments again");
    if (!cJSON_IsNumber(end) || end->valuedouble < (double)time(NULL))
        return error_set(err, "bad_state",
                         "requestState is too old. Make the call again from the start");
    return true;
}

bool input_round_open(const struct server *server, const cJSON *text, struct input_round *round,
                      struct error *err)
{
    if (!cJSON_IsString(text))
        return error_set(err, "bad_state",
                         "requestState must be the string that the server returned");
    round->state = open_state(server, json_string(text), err);
    return round->state && input_round_digest(round, err) &&
           state_fits(round->state, round->digest, err);
}

bool input_round_is(const struct input_round *round, unsigned number)
{
    const cJSON *signed_number = json_given(json_root(round->state), "number");

    return cJSON_IsNumber(signed_number) && signed_number->valuedouble == number;
}

bool input_round_answers(const struct input_round *round, const cJSON *inputs)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, json_given(json_root(round->state), "asked")) {
        const cJSON *key = json_get(item, "key");

        if (cJSON_IsString(key) && json_given(inputs, key->valuestring))
            return true;
    }
    return false;
}

/* The states of the call that were made before this one is used up end at the latest when one that
 * is made now does. */
bool input_round_use(const struct server *server, const struct input_round *round, bool all,
                     struct error *err)
{
    const cJSON *number = json_given(json_root(round->state), "number");
    const cJSON *run = json_given(json_root(round->state), "run");
    const cJSON *life = json_given(json_root(round->state), "life");

    if (!cJSON_IsString(run) || !cJSON_IsNumber(number) || !cJSON_IsNumber(life))
        return error_set(err, "bad_state",
                         "requestState is of another version. Make the call again from the start");
    return used_states_take(
        server->used,
        &(struct used_state){ .run = run->valuestring,
                              .number = (unsigned)number->valuedouble,
                              .last = all ? UINT_MAX : (unsigned)number->valuedouble,
                              .until = time(NULL) + (time_t)life->valuedouble },
        err);
}

/* --- which question an answer is for ----------------------------------------------------- */

/* Makes a digest of a question, so that the client cannot answer another question of the same
 * name. */
static bool digest_question(const struct question *question, char digest[65])
{
    struct buf text = { 0 };
    struct error err;
    struct json_doc *params = json_parse(question->params.data, question->params.len, NULL, &err);
    bool ok = params;

    if (ok) {
        buf_addf(&text, "%s\n", question_method(question));
        write_sorted_value(&text, json_root(params));
        ok = digest_text(&text, digest, &err);
    }
    json_doc_free(params);
    buf_free(&text);
    return ok;
}

void input_round_note(struct buf *list, const struct question *question)
{
    char digest[65];

    if (!digest_question(question, digest))
        return;
    buf_adds(list, list->len ? ",{\"key\":" : "{\"key\":");
    json_write_string(list, question->key, strlen(question->key));
    buf_addf(list, ",\"of\":\"%s\"", digest);
    if (question->answer) {
        buf_lit(list, ",\"answer\":");
        json_write(list, json_root(question->answer));
    }
    buf_addc(list, '}');
}

/* Takes the first item of this question out of the list; NULL: there is none. */
static const cJSON *take_noted(const struct json_doc *state, const char *list,
                               const struct question *question, const char *digest)
{
    const cJSON *items = json_given(json_root(state), list);
    cJSON *item;

    cJSON_ArrayForEach (item, items) {
        const cJSON *key = json_get(item, "key"), *of = json_get(item, "of");

        if (cJSON_IsString(key) && strcmp(key->valuestring, question->key) == 0 &&
            cJSON_IsString(of) && strcmp(of->valuestring, digest) == 0) {
            json_take_out((cJSON *)items, item);
            return item;
        }
    }
    return NULL;
}

const cJSON *input_round_answer(struct input_round *round, const struct question *question)
{
    const cJSON *earlier;
    char digest[65];

    if (!round->state || !digest_question(question, digest))
        return NULL;
    earlier = take_noted(round->state, "answers", question, digest);
    if (earlier)
        return json_get(earlier, "answer");
    if (!take_noted(round->state, "asked", question, digest))
        return NULL;
    return json_given(json_root(round->inputs), question->key);
}
