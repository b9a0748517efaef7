#include "sys/engine/guest_job.h"

#include <stdlib.h>

#include "script/bind.h"
#include "script/packed.h"

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
