/* The server's questions: roots, sampling, elicitation.
 *
 * Legacy servers send requests, answered one by one. Modern servers answer a call with
 * input_required; its questions also become asks, and when the last is answered the call is sent
 * again with the answers. */
#include "mcp/client/ask.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/client/calls.h"
#include "mcp/client/client_session.h"
#include "mcp/client/open_asks.h"
#include "mcp/client/remote_task.h"
#include "mcp/client/report.h"
#include "mcp/message.h"
#include "mcp/shape.h"

enum {
    ASKS_MAX = 64,   /* questions of the server not answered yet */
    ROUNDS_MAX = 16, /* times one call may come back with input_required */
};

/* --- replies to requests ------------------------------------------------------ */

static struct buf *begin_reply(struct client *c, struct str id)
{
    struct buf *out = &c->out;

    out->len = 0;
    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_add(out, id.ptr, id.len);
    return out;
}

static void reply_result(struct client *c, struct str id, const cJSON *result)
{
    struct buf *out = begin_reply(c, id);

    buf_lit(out, ",\"result\":");
    json_write(out, result);
    buf_addc(out, '}');
    client_send(c, NULL, 0, NULL);
}

static void reply_error(struct client *c, struct str id, int code, const char *message)
{
    struct buf *out = begin_reply(c, id);

    buf_addf(out, ",\"error\":{\"code\":%d,\"message\":", code);
    json_write_string(out, message, strlen(message));
    buf_lit(out, "}}");
    client_send(c, NULL, 0, NULL);
}

/* --- questions ---------------------------------------------------------------- */

static bool can_answer(const struct client *c, const char *method)
{
    static const struct {
        const char *method;
        unsigned bit;
    } all[] = { { "roots/list", CLIENT_ROOTS },
                { "sampling/createMessage", CLIENT_SAMPLING },
                { "elicitation/create", CLIENT_ELICITATION } };

    for (size_t i = 0; i < countof(all); i++) {
        if (strcmp(all[i].method, method) == 0)
            return c->events.ask && (c->abilities & all[i].bit);
    }
    return false;
}

static void on_param_taken_out(void *arg, const char *text)
{
    client_problem(arg, "the server breaks the protocol: %s", text);
}

/* The parameters of a request are of a document that is ours alone. */
static bool params_fit(struct client *c, const char *method, const cJSON *params, struct error *err)
{
    const struct shape *shape = shape_of_question(method);
    cJSON none = { .type = cJSON_Object };

    return !shape ||
           shape_fit(shape, params ? (cJSON *)params : &none, "params", on_param_taken_out, c, err);
}

void client_asked(struct client *c, struct str id, const char *method, const cJSON *params)
{
    struct client_ask *ask;
    struct error err;
    bool right;

    if (strcmp(method, "ping") == 0) {
        struct buf *out = begin_reply(c, id);

        buf_lit(out, ",\"result\":{}}");
        client_send(c, NULL, 0, NULL);
        return;
    }
    if (c->state != CLIENT_READY || !can_answer(c, method)) {
        reply_error(c, id, RPC_METHOD_NOT_FOUND, "Method not found");
        return;
    }
    right = params_fit(c, method, params, &err);
    if (c->freed)
        return;
    if (!right) {
        reply_error(c, id, RPC_INVALID_PARAMS, err.text);
        return;
    }
    if (c->ask_count >= ASKS_MAX) {
        reply_error(c, id, RPC_INTERNAL_ERROR,
                    "Too many requests are waiting for an answer. Try again later");
        return;
    }
    ask = client_ask_new(c, NULL);
    ask->id = mem_strndup(id.ptr, id.len);
    c->events.ask(c->arg, ask->number, method, params);
}

/* --- input_required ----------------------------------------------------------- */

static void send_call_again(struct client_call *call)
{
    struct error err;

    if (client_is_task(call))
        client_task_update(call);
    if (!client_post_again(call, &err))
        client_finish_failed(call, err.code, "%s", err.text);
    else
        call->responses.len = 0;
}

/* The first question of the call that we cannot answer; NULL if there is none. */
static const cJSON *unanswerable_question(const struct client *c, const cJSON *requests)
{
    const cJSON *request;

    cJSON_ArrayForEach (request, requests) {
        const char *method = cJSON_GetStringValue(json_given(request, "method"));

        if (!method || !can_answer(c, method))
            return request;
    }
    return NULL;
}

static void refuse_input(struct client_call *call, const cJSON *request)
{
    const char *method = cJSON_GetStringValue(json_given(request, "method"));

    client_finish_failed(call, "input_required",
                         "before it answers %s the server requires an answer to %.60s (\"%.60s\"), "
                         "which this client cannot give",
                         call->method, method ? method : "a request without a method",
                         request->string);
}

static void keep_state(struct client_call *call, const cJSON *state)
{
    struct buf text = { 0 };

    free(call->state);
    call->state = NULL;
    if (!state)
        return;
    json_write(&text, state);
    call->state = buf_take(&text);
}

/* Asks each question. A callback may answer at once, cancel the call or free
 * the client: what is true of the call is looked up again after each, by its
 * id, and `asking` counts one more than is open, so that it is not sent again
 * while we are here. False when the call is gone. */
static bool ask_questions(struct client_call *call, const cJSON *requests)
{
    struct client *c = call->client;
    int64_t id = call->id;
    const cJSON *request;

    cJSON_ArrayForEach (request, requests) {
        struct client_ask *ask;

        if (client_task_asked(call, request->string))
            continue;
        client_task_note(call, request->string);
        ask = client_ask_new(c, call);
        ask->key = mem_strdup(request->string);
        call->asking++;
        c->events.ask(c->arg, ask->number, json_given(request, "method")->valuestring,
                      json_given(request, "params"));
        if (c->freed || client_find(c, id) != call)
            return false;
    }
    return true;
}

/* Questions or a state to come back with, not too many, not for ever. */
static bool is_fair(struct client_call *call, const cJSON *requests, const cJSON *state)
{
    if (requests ? !cJSON_IsObject(requests) : !state)
        return false;
    return cJSON_GetArraySize(requests) <= ASKS_MAX && ++call->rounds <= ROUNDS_MAX;
}

void client_input_required(struct client_call *call, const cJSON *result)
{
    const cJSON *requests = json_given(result, "inputRequests");
    const cJSON *state = json_given(result, "requestState");
    const cJSON *unknown;

    if (!is_fair(call, requests, state)) {
        client_finish_failed(call, "protocol",
                             "the server keeps requesting input for %s, or requests nothing",
                             call->method);
        return;
    }
    unknown = unanswerable_question(call->client, requests);
    if (unknown) {
        client_abandon_task(call);
        refuse_input(call, unknown);
        return;
    }
    keep_state(call, state);
    call->deadline = call->last; /* people may be slow */
    call->asking = 1;
    if (ask_questions(call, requests) && --call->asking == 0)
        send_call_again(call);
}

static void take_input(struct client *c, struct client_ask *ask, const cJSON *result)
{
    struct client_call *call = ask->call;
    struct buf *out = &call->responses;

    if (out->len > 0)
        buf_addc(out, ',');
    json_write_string(out, ask->key, strlen(ask->key));
    buf_addc(out, ':');
    json_write(out, result);
    client_ask_free(c, ask);
    if (--call->asking == 0)
        send_call_again(call);
}

/* --- answers of the application ----------------------------------------------- */

void client_reply(struct client *c, uint64_t number, const char *result)
{
    struct client_ask *ask = client_ask_find(c, number);
    struct json_doc *doc;
    struct error err;

    if (!ask)
        return;
    doc = json_parse(result, strlen(result), NULL, &err);
    if (!doc) {
        client_problem(c, "the answer to the server's request is not JSON: %s", err.text);
        client_reply_error(c, number, RPC_INTERNAL_ERROR, "Internal error");
        return;
    }
    if (ask->call) {
        take_input(c, ask, json_root(doc));
    } else {
        reply_result(c, str_from(ask->id), json_root(doc));
        client_ask_free(c, ask);
    }
    json_doc_free(doc);
}

/* A modern server cannot be told an error: its call ends here. */
void client_reply_error(struct client *c, uint64_t number, int code, const char *message)
{
    struct client_ask *ask = client_ask_find(c, number);

    if (!ask)
        return;
    if (ask->call) {
        struct client_call *call = ask->call;

        client_ask_free(c, ask);
        client_abandon_task(call);
        client_finish_failed(call, "input_required", "the server's question was not answered: %s",
                             message);
        return;
    }
    reply_error(c, str_from(ask->id), code, message);
    client_ask_free(c, ask);
}
