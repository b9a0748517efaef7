/* What the server asks: roots, sampling, elicitation.
 *
 * Legacy servers send requests, answered one by one. Modern servers answer a
 * call with input_required; its questions become asks, too, and when the last
 * is answered the call is sent again with the answers. Asks are known outside
 * by number, so an answer that comes too late meets nothing. */
#include <stdlib.h>

#include "mcp/client/client_impl.h"
#include "mcp/message.h"
#include "json/writer.h"

/* --- the list ----------------------------------------------------------------- */

static struct client_ask *ask_new(struct client *c, struct client_call *call)
{
    struct client_ask *ask = mem_zero(sizeof *ask);

    ask->number = ++c->last_ask;
    ask->call = call;
    list_push(&c->asks, &ask->link);
    c->ask_count++;
    return ask;
}

static void ask_free(struct client *c, struct client_ask *ask)
{
    list_remove(&ask->link);
    c->ask_count--;
    if (ask->id && c->ask_count == 0 && !c->freed)
        client_restart_clocks(c);
    free(ask->id);
    free(ask->key);
    free(ask);
}

static struct client_ask *ask_find(struct client *c, uint64_t number)
{
    list_each (link, &c->asks) {
        struct client_ask *ask = container_of(link, struct client_ask, link);

        if (ask->number == number)
            return ask;
    }
    return NULL;
}

static void drop(struct client *c, struct client_ask *ask, bool tell)
{
    uint64_t number = ask->number;

    ask_free(c, ask);
    if (tell && c->events.ask_dropped)
        c->events.ask_dropped(c->arg, number);
}

/* call: NULL for all. They leave the list before anybody hears of it: the
 * event may end in client_free(). */
void client_drop_asks(struct client *c, const struct client_call *call, bool tell)
{
    struct link dropped, *gone;

    list_init(&dropped);
    list_each (link, &c->asks) {
        if (call && container_of(link, struct client_ask, link)->call != call)
            continue;
        list_remove(link);
        list_push(&dropped, link);
    }
    while ((gone = list_pop(&dropped)))
        drop(c, container_of(gone, struct client_ask, link), tell && !c->freed);
}

/* id: as JSON text. */
void client_ask_cancelled(struct client *c, struct str id)
{
    list_each (link, &c->asks) {
        struct client_ask *ask = container_of(link, struct client_ask, link);

        if (ask->id && str_same(str_from(ask->id), id)) {
            drop(c, ask, true);
            return;
        }
    }
}

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

/* A request of a legacy server; id as JSON text. */
void client_asked(struct client *c, struct str id, const char *method, const cJSON *params)
{
    struct client_ask *ask;

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
    if (c->ask_count >= CLIENT_ASKS_MAX) {
        reply_error(c, id, RPC_INTERNAL_ERROR, "Too many requests wait for an answer already");
        return;
    }
    ask = ask_new(c, NULL);
    ask->id = mem_strndup(id.ptr, id.len);
    c->events.ask(c->arg, ask->number, method, params);
}

/* --- input_required ----------------------------------------------------------- */

void client_send_again(struct client_call *call)
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
static const cJSON *unanswerable(const struct client *c, const cJSON *requests)
{
    const cJSON *request;

    cJSON_ArrayForEach (request, requests) {
        const char *method = cJSON_GetStringValue(json_get(request, "method"));

        if (!method || !can_answer(c, method))
            return request;
    }
    return NULL;
}

static void refuse_input(struct client_call *call, const cJSON *request)
{
    const char *method = cJSON_GetStringValue(json_get(request, "method"));

    client_finish_failed(call, "input_required",
                         "before it answers %s the server wants an answer to %.60s (\"%.60s\"), "
                         "which this client cannot give",
                         call->method, method ? method : "an unnamed request", request->string);
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
static bool ask_all(struct client_call *call, const cJSON *requests)
{
    struct client *c = call->client;
    int64_t id = call->id;
    const cJSON *request;

    cJSON_ArrayForEach (request, requests) {
        struct client_ask *ask;

        if (client_task_asked(call, request->string))
            continue;
        client_task_note(call, request->string);
        ask = ask_new(c, call);
        ask->key = mem_strdup(request->string);
        call->asking++;
        c->events.ask(c->arg, ask->number, json_get(request, "method")->valuestring,
                      json_get(request, "params"));
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
    return cJSON_GetArraySize(requests) <= CLIENT_ASKS_MAX && ++call->rounds <= CLIENT_ROUNDS_MAX;
}

void client_input_required(struct client_call *call, const cJSON *result)
{
    const cJSON *requests = json_get(result, "inputRequests");
    const cJSON *state = json_get(result, "requestState");
    const cJSON *unknown;

    if (!is_fair(call, requests, state)) {
        client_finish_failed(call, "protocol",
                             "the server asks for input to %s again and again, or for nothing",
                             call->method);
        return;
    }
    unknown = unanswerable(call->client, requests);
    if (unknown) {
        client_task_abandon(call);
        refuse_input(call, unknown);
        return;
    }
    keep_state(call, state);
    call->deadline = call->last; /* people may be slow */
    call->asking = 1;
    if (ask_all(call, requests) && --call->asking == 0)
        client_send_again(call);
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
    ask_free(c, ask);
    if (--call->asking == 0)
        client_send_again(call);
}

/* --- answers of the application ----------------------------------------------- */

void client_reply(struct client *c, uint64_t number, const char *result)
{
    struct client_ask *ask = ask_find(c, number);
    struct json_doc *doc;
    struct error err;

    if (!ask)
        return;
    doc = json_parse(result, strlen(result), NULL, &err);
    if (!doc) {
        client_problem(c, "the answer to a request of the server is not JSON: %s", err.text);
        client_reply_error(c, number, RPC_INTERNAL_ERROR, "Internal error");
        return;
    }
    if (ask->call) {
        take_input(c, ask, json_root(doc));
    } else {
        reply_result(c, str_from(ask->id), json_root(doc));
        ask_free(c, ask);
    }
    json_doc_free(doc);
}

/* There is no way to say no to a modern server: its call ends here. */
void client_reply_error(struct client *c, uint64_t number, int code, const char *message)
{
    struct client_ask *ask = ask_find(c, number);

    if (!ask)
        return;
    if (ask->call) {
        struct client_call *call = ask->call;

        ask_free(c, ask);
        client_task_abandon(call);
        client_finish_failed(call, "input_required", "the server's question was not answered: %s",
                             message);
        return;
    }
    reply_error(c, str_from(ask->id), code, message);
    ask_free(c, ask);
}
