/* Gets the declaration of a foreign file: its statements run in a guest, and plain values come
 * back.
 *
 * A reload in turns waits for the guest as for any file. Where all files are loaded at once,
 * nothing else may run meanwhile: then the guest is one of a loop of its own, which is turned for a
 * bounded time. There the file may compute, and require lib files. */
#include <lauxlib.h>
#include <stdlib.h>

#include "registry/foreign.h"
#include "script/bind.h"
#include "script/packed.h"
#include "sys/engine/guest_job.h"
#include "sys/engine/guest_report.h"
#include "sys/engine/pieces.h"
#include "sys/shared/guest_calls.h"
#include "sys/sys.h"

enum {
    ALL_MS = 2000,               /* ms for all too slow files that are loaded at once */
    LEAST_MS = 100,              /* ms for each file after that */
    DECLARED_BYTES = 512 * 1024, /* more than any definition needs, since lists carry it */
    ASKED_MAX = 1000,            /* the requests of a file while it is loaded */
};

struct declaring {
    struct op op;
    struct libs *libs; /* a reference */
    struct guest *guest;
    uv_loop_t *loop; /* a loop of its own; NULL: a task waits */
    struct buf job, result;
    bool failed, over;
    struct error why; /* why it failed; without a code if the guest said so itself */
    unsigned asked;
    struct guest_report report;
};

/* --- a loop of its own --------------------------------------------------------------------- */

static struct {
    uv_loop_t loop;
    uv_timer_t timer;
    struct guests *guests;
    uint64_t spent_ms;
} alone;

static bool begin_alone(struct error *err)
{
    if (alone.guests)
        return true;
    if (uv_loop_init(&alone.loop) < 0)
        return error_set(err, "guest_lost", "there is no loop for the file's process");
    uv_timer_init(&alone.loop, &alone.timer);
    alone.guests = guests_new(&alone.loop, &guest_lua);
    return true;
}

void sys_declare_end(void)
{
    if (!alone.guests)
        return;
    uv_close((uv_handle_t *)&alone.timer, NULL);
    guests_finish(alone.guests);
    uv_loop_close(&alone.loop);
    alone.guests = NULL;
}

static void on_file_late(uv_timer_t *timer)
{
    struct declaring *file = timer->data;

    error_set(&file->why, "timeout", "took longer than %d ms", (int)uv_timer_get_repeat(timer));
    file->over = true;
    uv_stop(timer->loop);
}

/* --- messages of the guest ------------------------------------------------------------------ */

static void file_is_over(struct declaring *file)
{
    file->over = true;
    guest_free(file->guest);
    file->guest = NULL;
    if (file->loop)
        uv_stop(file->loop);
    else
        task_wake(&file->op, 0);
}

static void end_declaring(struct declaring *file, const char *code, const char *text)
{
    error_set(&file->why, code, "%s", text);
    file_is_over(file);
}

static void on_question(struct declaring *file, struct frame *frame)
{
    struct error err;

    if (++file->asked > ASKED_MAX) {
        end_declaring(file, "bad_frame", "asked for too much while it was loaded");
    } else if (frame->kind == FRAME_FIND) {
        guest_answer_find(file->guest, frame, libs_find, file->libs);
    } else if (frame->kind == FRAME_CALL) {
        error_set(&err, "loading",
                  "no tool can be called while a file is loaded. Call it from run()");
        guest_answer_failure(file->guest, frame->id, &err);
    } else {
        end_declaring(file, "loading", "the tools cannot be listed while a file is loaded");
    }
}

static void on_file_done(struct declaring *file, struct frame *frame)
{
    file->failed = bytes_get_u8(&frame->payload);
    if (frame->payload.left.len > DECLARED_BYTES)
        error_set(&file->why, "too_large", "declares %zu kB (limit: %d). Say less",
                  frame->payload.left.len / 1024, DECLARED_BYTES / 1024);
    else
        buf_add(&file->result, frame->payload.left.ptr, frame->payload.left.len);
    file_is_over(file);
}

static void on_declaring_frame(void *arg, struct frame *frame)
{
    struct declaring *file = arg;

    switch (frame->kind) {
    case FRAME_FIND:
    case FRAME_CALL:
    case FRAME_TOOLS:
        on_question(file, frame);
        break;
    case FRAME_CANCEL:
    case FRAME_PRINT:
        break;
    case FRAME_LOG:
    case FRAME_PROGRESS:
    case FRAME_NOTE:
        guest_report(&file->report, libs_vm(file->libs), frame);
        break;
    case FRAME_DONE:
        on_file_done(file, frame);
        break;
    default:
        end_declaring(file, "bad_frame", "its process said what only the engine says");
    }
}

static void on_declaring_guest_ended(void *arg, const struct error *err)
{
    struct declaring *file = arg;

    file->guest = NULL;
    file->why = *err;
    file_is_over(file);
}

/* --- the function ---------------------------------------------------------------------------- */

static int declaring_gc(lua_State *L)
{
    struct declaring *file = lua_touserdata(L, 1);

    guest_free(file->guest);
    buf_free(&file->job);
    buf_free(&file->result);
    free(file->report.name);
    libs_unref(file->libs);
    *file = (struct declaring){ 0 };
    return 0;
}

static void file_cancel(struct op *op)
{
    struct declaring *file = container_of(op, struct declaring, op);

    guest_free(file->guest);
    file->guest = NULL;
}

/* Raises the text without its traceback, which names files of perigee. */
static int raise_text(lua_State *L, struct str text)
{
    const char *whole, *traceback;

    lua_pushlstring(L, text.ptr ? text.ptr : "", text.len);
    whole = lua_tostring(L, -1);
    traceback = strstr(whole, "\nstack traceback:");
    if (traceback)
        lua_pushlstring(L, whole, (size_t)(traceback - whole));
    return lua_error(L);
}

static int file_finish(lua_State *L, int status, lua_KContext context)
{
    struct declaring *file = (struct declaring *)context;
    struct str value = buf_str(&file->result);
    struct bytes from = { .left = value };

    (void)status;
    if (file->why.code[0])
        return luaL_error(L, "%s", file->why.text);
    if (file->failed)
        return raise_text(L, bytes_get_str(&from));
    if (!packed_push(L, &value, &file->why))
        return luaL_error(L, "%s", file->why.text);
    return 1;
}

/* Pushes the userdata of a file that is loaded. */
static struct declaring *push_declaring(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", declaring_gc }, { NULL, NULL } };
    struct declaring *file = lua_newuserdatauv(L, sizeof *file, 0);

    *file = (struct declaring){ .op = { task_current(L), file_cancel,
                                        "what a foreign tool declares", NULL } };
    bind_metatable(L, "sys.engine.declaring", meta, NULL);
    luaL_setmetatable(L, "sys.engine.declaring");
    file->libs = libs_ref(lua_touserdata(L, lua_upvalueindex(FOREIGN_LIBS)));
    file->report.name = mem_strdup(lua_tostring(L, lua_upvalueindex(FOREIGN_LABEL)));
    return file;
}

/* Writes the JOB frame, without an argument: its answer is what the file declares. */
static bool write_declare_job(lua_State *L, struct declaring *file, struct error *err)
{
    struct guest_job job = { .memory = GUEST_MEMORY,
                             .output = 1,
                             .root = (int)lua_tointeger(L, lua_upvalueindex(FOREIGN_ROOT)),
                             .name = lua_tostring(L, lua_upvalueindex(FOREIGN_LABEL)),
                             .tool = "?",
                             .toolset = "" };
    bool ok;

    job.code.ptr = lua_tolstring(L, lua_upvalueindex(FOREIGN_TEXT), &job.code.len);
    lua_pushnil(L);
    ok = guest_job_write(L, &job, -1, &file->job, err);
    lua_pop(L, 1);
    return ok;
}

static bool file_start(struct declaring *file, struct guests *guests)
{
    static const struct guest_events events = { on_declaring_frame, on_declaring_guest_ended,
                                                NULL };

    file->guest = guest_new(guests, &events, file, &file->why);
    if (file->guest)
        guest_send(file->guest, &file->job);
    return file->guest;
}

static int declare_now(lua_State *L, struct declaring *file)
{
    uint64_t left = alone.spent_ms < ALL_MS ? ALL_MS - alone.spent_ms : 0;
    uint64_t limit = left > LEAST_MS ? left : LEAST_MS, began;

    if (!begin_alone(&file->why))
        return luaL_error(L, "%s", file->why.text);
    file->loop = &alone.loop;
    alone.timer.data = file;
    uv_update_time(&alone.loop);
    began = uv_now(&alone.loop);
    uv_timer_start(&alone.timer, on_file_late, limit, limit);
    if (file_start(file, alone.guests))
        while (!file->over)
            uv_run(&alone.loop, UV_RUN_ONCE);
    uv_timer_stop(&alone.timer);
    guest_free(file->guest);
    file->guest = NULL;
    if (file->why.code[0])
        alone.spent_ms += uv_now(&alone.loop) - began;
    return file_finish(L, LUA_OK, (lua_KContext)file);
}

int sys_declare(lua_State *L)
{
    struct declaring *file = push_declaring(L);
    struct guests *guests = vm_service(L, &sys_guests_key);
    struct error err;

    if (!guests)
        return luaL_error(L, "this program runs no foreign files");
    if (!write_declare_job(L, file, &err))
        return luaL_error(L, "%s", err.text);
    if (!file->op.task)
        return declare_now(L, file);
    if (!file_start(file, guests))
        return luaL_error(L, "%s", file->why.text);
    return task_park_then(L, &file->op, (lua_KContext)file, file_finish);
}
