#include "sys/shared/guest_calls.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "registry/call/outcome.h"
#include "script/bind.h"

enum {
    GUEST_CALLS_AT_ONCE = 64, /* as in task.map; with more the guest is not heard */
    GUEST_REFUSED = 1000,     /* calls that were not made, audited; with more it ends */
};

/* A tool call of the guest. */
struct guest_call {
    struct link link;
    struct guest_calls *calls; /* NULL: nobody waits for it */
    struct call *call;
    uint32_t id;
};

void guest_calls_init(struct guest_calls *calls, struct registry *registry,
                      struct tool_caller *caller, guest_write *write)
{
    *calls = (struct guest_calls){ .registry = registry, .caller = caller, .write = write };
    list_init(&calls->pending);
}

void guest_calls_end(struct guest_calls *calls)
{
    struct link *link;

    calls->guest = NULL;
    while ((link = list_pop(&calls->pending))) {
        struct guest_call *call = container_of(link, struct guest_call, link);

        call->calls = NULL;
        call_cancel(call->call); /* and on_guest_call_done() frees it */
    }
}

/* --- answers ---------------------------------------------------------------------- */

void guest_answer_failure(struct guest *guest, uint32_t id, const struct error *err)
{
    struct buf out = { 0 };
    size_t begun = frame_begin(&out, FRAME_ANSWER, id);

    buf_addc(&out, 1);
    bytes_str(&out, str_from(err->text));
    bytes_str(&out, str_from(err->code));
    frame_end(&out, begun);
    guest_send(guest, &out);
}

struct answer {
    const struct outcome *outcome;
    guest_write *write;
    struct buf out;
};

/* Called through vm_call() with (answer). */
static int pack_answer(lua_State *L)
{
    struct answer *answer = lua_touserdata(L, 1);
    int n = tool_push_value(L, answer->outcome); /* value | nil, text, code */
    struct str text;
    struct error err;

    if (n == 1) {
        buf_addc(&answer->out, 0);
        if (answer->write(L, -1, &answer->out, &err))
            return 0;
        answer->out.len = 0;
        bind_error(L, &err);
    }
    buf_addc(&answer->out, 1);
    for (int i = -2; i < 0; i++) {
        text.ptr = luaL_tolstring(L, i < -1 ? -2 : -1, &text.len);
        bytes_str(&answer->out, text);
        lua_pop(L, 1);
    }
    return 0;
}

/* Sends an ANSWER frame with the outcome of a call. */
static void send_answer(struct guest_calls *calls, uint32_t id, const struct outcome *outcome)
{
    struct answer answer = { .outcome = outcome, .write = calls->write };
    struct buf out = { 0 };
    struct error err;
    size_t begun;

    if (!vm_run(registry_vm(calls->registry), pack_answer, &answer, &err)) {
        guest_answer_failure(calls->guest, id, &err);
    } else if (answer.out.len > FRAME_MAX) {
        error_set(&err, "too_large", "the answer takes %zu MB (limit: %d). Ask for less",
                  answer.out.len >> 20, FRAME_MAX >> 20);
        guest_answer_failure(calls->guest, id, &err);
    } else {
        begun = frame_begin(&out, FRAME_ANSWER, id);
        buf_add(&out, answer.out.data, answer.out.len);
        frame_end(&out, begun);
        guest_send(calls->guest, &out);
    }
    buf_free(&answer.out);
}

/* --- calls ------------------------------------------------------------------------ */

static void on_guest_call_done(void *arg, const struct outcome *outcome)
{
    struct guest_call *call = arg;
    struct guest_calls *calls = call->calls;

    if (calls) {
        list_remove(&call->link);
        calls->in_flight--;
        send_answer(calls, call->id, outcome);
        guest_pause(calls->guest, calls->in_flight > GUEST_CALLS_AT_ONCE);
    }
    free(call);
}

static void start_guest_call(struct guest_calls *calls, uint32_t id, struct entry *entry,
                             const struct json_doc *args, double seconds)
{
    struct guest_call *made = mem_zero(sizeof *made);
    struct call *call;

    made->calls = calls;
    made->id = id;
    list_push(&calls->pending, &made->link);
    calls->in_flight++;
    call = call_start(registry_vm(calls->registry),
                      &(struct call_spec){ .entry = entry,
                                           .args = json_root(args),
                                           .timeout_ms = (uint64_t)ceil(seconds * 1000),
                                           .parent = calls->task,
                                           .done = on_guest_call_done,
                                           .arg = made });
    if (call)
        made->call = call; /* otherwise the call has ended, and `made` is freed */
}

static bool refuse_guest_call(struct guest_calls *calls, uint32_t id, const struct error *why,
                              struct error *err)
{
    if (++calls->refused > GUEST_REFUSED)
        return error_set(err, "too_many_calls",
                         "%d of its tool calls could not be made, and it went on calling. The "
                         "last: %s",
                         GUEST_REFUSED, why->text);
    guest_answer_failure(calls->guest, id, why);
    return true;
}

/* Calls that the guest gave up have some time to close, and no answer ends them. Their limit is
 * that of calls under way. */
static bool may_begin(const struct guest_calls *calls, struct error *err)
{
    if (task_closings(calls->task) < GUEST_CALLS_AT_ONCE)
        return true;
    return error_set(err, "too_many_calls",
                     "%d calls that were given up are still closing. Wait for 2 seconds",
                     GUEST_CALLS_AT_ONCE);
}

/* Copies the name, with a ? for each NUL: no tool has one in its name, and the part before it must
 * not find a tool. */
static char *copy_tool_name(struct str name)
{
    char *copy = mem_strndup(name.ptr ? name.ptr : "", name.len);

    for (size_t i = 0; i < name.len; i++)
        if (!copy[i])
            copy[i] = '?';
    return copy;
}

bool guest_calls_make(struct guest_calls *calls, struct frame *frame, struct error *err)
{
    struct str name = bytes_get_str(&frame->payload), json = bytes_get_str(&frame->payload);
    double seconds = bytes_get_double(&frame->payload);
    char *wanted = copy_tool_name(name);
    struct json_doc *args = NULL;
    struct entry *entry = NULL;
    struct error why;

    if (may_begin(calls, &why))
        entry = tool_take(calls->registry, wanted, calls->caller, &why);
    if (entry)
        args = tool_arguments(entry, json, &why);
    if (!args)
        tool_note_refused(calls->registry, wanted, calls->task, &why);
    free(wanted);
    if (!args)
        return refuse_guest_call(calls, frame->id, &why, err);
    start_guest_call(calls, frame->id, entry, args, seconds > 0 && seconds <= 86400 ? seconds : 0);
    json_doc_free(args);
    if (calls->guest && calls->in_flight > GUEST_CALLS_AT_ONCE)
        guest_pause(calls->guest, true);
    return true;
}

void guest_calls_cancel(struct guest_calls *calls, uint32_t id)
{
    list_each (link, &calls->pending) {
        struct guest_call *call = container_of(link, struct guest_call, link);

        if (call->id == id && call->call) {
            list_remove(&call->link);
            calls->in_flight--;
            call->calls = NULL;
            call_cancel(call->call);
            return;
        }
    }
}
