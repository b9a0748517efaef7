/* input_required (2026-07-28): a result that asks, and the same request once more with the answers.
 *
 * The call waits where it is, and the client gets a string (requestState) that names it. When the
 * string comes back and the call is still there, it goes on. When it is not, because it was given
 * up, or because this is another process, it is started again: the string carries the answers of
 * earlier rounds and says what was asked, so each question finds its answer. An answer is good for
 * the very question that it was given to, once: it uses up the string (used_states.h). While the
 * call waits for its next answer, a string from before gets that question once more. */
#include "mcp/server/call/input_required.h"

#include "base/crypto.h"
#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/sent_question.h"
#include "mcp/server/request/reply.h"
#include "script/vm.h"

enum { CALLS_PARKED_MAX = 256 };

/* --- going on ---------------------------------------------------------------------------- */

static struct pending *find_parked(struct server *server, const struct json_doc *state)
{
    const cJSON *run = json_given(json_root(state), "run");

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
static bool pending_deliver(struct pending *pending, const cJSON *inputs, struct error *err)
{
    struct elicitation *elicitation = pending->elicitation;

    for (size_t i = 0; i < elicitation->count; i++) {
        struct question *question = &elicitation->items[i];
        const cJSON *given = json_given(inputs, question->key);

        if (!given || question->answer)
            continue;
        if (!question_take(question, given, err))
            return false;
        pending_note_answer(pending, question);
    }
    return true;
}

static void unpark_pending(struct pending *pending)
{
    pending->server->parked_count--;
    timer_forget(pending->timer);
    pending->timer = NULL;
}

/* Answers to an earlier question of the call, sent once more, are none to the one that is open. */
static void pending_resume(struct pending *pending, const struct request *request,
                           const struct input_round *round, const cJSON *inputs)
{
    struct elicitation *elicitation = pending->elicitation;
    struct error err;

    if (input_round_is(round, pending->rounds) && !pending_deliver(pending, inputs, &err)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
        return;
    }
    if (elicitation_answered(elicitation) &&
        !input_round_use(pending->server, round, false, &err)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
        if (strcmp(err.code, "used_state") == 0)
            pending_cancel(pending); /* another engine went on with it */
        return;
    }
    unpark_pending(pending);
    list_remove(&pending->link);
    pending_attach(pending, request);
    if (!elicitation_answered(elicitation) && pending_park(pending, &elicitation->err))
        return; /* missing answers are asked for again */
    pending->elicitation = NULL;
    mcp_task_expect(pending);
    elicitation_done(elicitation);
}

static void on_pending_expired(void *arg)
{
    struct pending *pending = arg;

    pending->timer = NULL;
    pending_cancel(pending);
}

static void write_questions(struct buf *out, const struct elicitation *elicitation)
{
    bool first = true;

    buf_lit(out, "\"inputRequests\":{");
    for (size_t i = 0; i < elicitation->count; i++) {
        const struct question *question = &elicitation->items[i];

        if (question->answer)
            continue;
        write_input_request(out, question->key, question, first);
        first = false;
    }
    buf_addc(out, '}');
}

static bool write_state(struct pending *pending, struct buf *out, struct error *err)
{
    const struct elicitation *elicitation = pending->elicitation;
    struct buf asked = { 0 };
    bool ok;

    if (!pending->run[0])
        crypto_random_name(pending->run, sizeof pending->run - 1);
    for (size_t i = 0; i < elicitation->count; i++)
        if (!elicitation->items[i].answer)
            input_round_note(&asked, &elicitation->items[i]);
    ok = input_round_digest(&pending->round, err) &&
         input_round_sign(pending->server, &pending->round,
                          &(struct round_state){ .run = pending->run,
                                                 .number = ++pending->rounds,
                                                 .limit_ms = elicitation->timeout_ms,
                                                 .answers = &pending->answers,
                                                 .asked = &asked,
                                                 .acted = elicitation->acted },
                          out, err);
    buf_free(&asked);
    return ok;
}

bool pending_park(struct pending *pending, struct error *err)
{
    struct server *server = pending->server;
    struct buf state = { 0 };
    struct buf *out;

    if (!write_state(pending, &state, err)) {
        buf_free(&state);
        return false;
    }
    out = reply_begin(&pending->request);
    write_questions(out, pending->elicitation);
    buf_lit(out, ",\"requestState\":\"");
    buf_add(out, state.data, state.len);
    buf_addc(out, '"');
    reply_end_as(&pending->request, out, "input_required", false, NULL);
    buf_free(&state);
    pending_detach(pending);
    list_push(&server->parked, &pending->link);
    pending->timer = timer_after(vm_loop(registry_vm(server->registry)),
                                 pending->elicitation->timeout_ms, on_pending_expired, pending);
    if (++server->parked_count > CALLS_PARKED_MAX) /* the oldest can still be started again */
        pending_cancel(container_of(server->parked.next, struct pending, link));
    return true;
}

/* --- what came with a request ------------------------------------------------------------ */

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

/* True: the request is to be started, from the beginning. */
static bool take_state(const struct request *request, const cJSON *text, const cJSON *inputs,
                       struct input_round *round)
{
    struct pending *parked;
    struct error err;

    if (!input_round_open(request->session->server, text, round, &err)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
        return false;
    }
    parked = find_parked(request->session->server, round->state);
    if (parked) {
        pending_resume(parked, request, round, inputs);
        return false;
    }
    if (!json_given(json_root(round->state), "answers"))
        error_set(&err, "bad_state",
                  "The call that requested input no longer exists, and it may have done a part of "
                  "its work. Look what is done before you make it again");
    else if (!input_round_answers(round, inputs))
        error_set(&err, "bad_state",
                  "The call that requested input no longer waits, and inputResponses has no answer "
                  "to its questions. Send the answers, or make the call again from the start");
    else if (input_round_use(request->session->server, round, true, &err))
        return true; /* under another name, so nothing of the old call counts any more */
    reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
    return false;
}

bool input_round_read(const struct request *request, struct input_round *round)
{
    const cJSON *inputs = json_given(request->params, "inputResponses");
    const cJSON *state = json_given(request->params, "requestState");
    struct error err;

    *round = (struct input_round){ 0 };
    if (request->modern && inputs && !inputs_ok(inputs)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "inputResponses must be an object of answers, each an object");
        return false;
    }
    input_round_begin(round, request);
    if (!request->modern)
        return true;
    if (state && !take_state(request, state, inputs, round)) {
        input_round_free(round);
        return false;
    }
    round->inputs = inputs ? json_copy(inputs, &err) : NULL;
    return true;
}
