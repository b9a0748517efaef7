#include "sys/engine/guest_job.h"

#include <stdlib.h>

#include "script/bind.h"
#include "script/packed.h"
#include "sys/shared/tool_call.h"

bool guest_job_write(lua_State *L, const struct guest_job *job, int argument, struct buf *out,
                     struct error *err)
{
    size_t begun = frame_begin(out, FRAME_JOB, 0);
    bool ok;

    bytes_u64(out, job->memory);
    bytes_u64(out, job->output);
    bytes_double(out, job->seconds);
    buf_addc(out, job->as_text);
    bytes_u32(out, (uint32_t)job->root);
    bytes_str(out, str_from(job->name));
    bytes_str(out, str_from(job->tool));
    bytes_str(out, str_from(job->toolset));
    bytes_str(out, job->code);
    ok = packed_write(L, argument, out, err);
    frame_end(out, begun);
    if (ok && out->len - begun > FRAME_MAX)
        return error_set(err, "too_large",
                         "the code and its arguments take %zu MB (limit: %d). Hand over less",
                         (out->len - begun) >> 20, FRAME_MAX >> 20);
    return ok;
}

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
        if (packed_write(L, -1, &answer->out, &err))
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

void guest_answer(struct guest *guest, struct vm *vm, uint32_t id, const struct outcome *outcome)
{
    struct answer answer = { .outcome = outcome };
    struct buf out = { 0 };
    struct error err;
    size_t begun;

    if (!vm_run(vm, pack_answer, &answer, &err)) {
        guest_answer_failure(guest, id, &err);
    } else if (answer.out.len > FRAME_MAX) {
        error_set(&err, "too_large", "the answer takes %zu MB (limit: %d). Ask for less",
                  answer.out.len >> 20, FRAME_MAX >> 20);
        guest_answer_failure(guest, id, &err);
    } else {
        begun = frame_begin(&out, FRAME_ANSWER, id);
        buf_add(&out, answer.out.data, answer.out.len);
        frame_end(&out, begun);
        guest_send(guest, &out);
    }
    buf_free(&answer.out);
}

void guest_answer_find(struct guest *guest, struct frame *frame,
                       bool (*find)(void *arg, int *home, const char *name, struct buf *path,
                                    struct buf *source, struct error *err),
                       void *arg)
{
    int home = (int)bytes_get_u32(&frame->payload);
    struct str name = bytes_get_str(&frame->payload);
    char *wanted = mem_strndup(name.ptr ? name.ptr : "", name.len);
    struct buf path = { 0 }, source = { 0 }, out = { 0 };
    size_t begun = frame_begin(&out, FRAME_SOURCE, frame->id);
    struct error err;
    bool found = find(arg, &home, wanted, &path, &source, &err);

    buf_addc(&out, found);
    bytes_u32(&out, (uint32_t)home);
    bytes_str(&out, found ? str_from(buf_text(&path)) : str_from(err.text));
    bytes_str(&out, found ? buf_str(&source) : str_from(err.code));
    frame_end(&out, begun);
    guest_send(guest, &out);
    buf_free(&path);
    buf_free(&source);
    free(wanted);
}
