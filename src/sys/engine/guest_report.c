#include "sys/engine/guest_report.h"

#include <stdlib.h>

#include "base/log.h"
#include "script/packed.h"

static void report_log(const struct guest_report *report, struct frame *frame)
{
    int level = bytes_get_u8(&frame->payload);
    struct str text = bytes_get_str(&frame->payload);

    if (level <= LOG_ERROR)
        log_line((enum log_level)level, "%s: %.*s", report->name,
                 (int)(text.len < 4000 ? text.len : 4000), text.ptr ? text.ptr : "");
}

static void report_progress(const struct guest_report *report, struct frame *frame)
{
    double done = bytes_get_double(&frame->payload), total = bytes_get_double(&frame->payload);
    bool has_message = bytes_get_u8(&frame->payload);
    struct str message = bytes_get_str(&frame->payload);
    char *text = has_message && message.ptr ? mem_strndup(message.ptr, message.len) : NULL;

    if (report->handle.call)
        call_report_progress(handle_call(&report->handle), done, total, text);
    free(text);
}

struct note {
    const char *name; /* where it names no logger: there is no task here that would */
    struct call *call;
    struct str level, logger, data;
};

/* (note) */
static int report_note(lua_State *L)
{
    struct note *note = lua_touserdata(L, 1);
    struct error err;

    lua_pushlstring(L, note->level.ptr ? note->level.ptr : "", note->level.len);
    if (!packed_push(L, &note->data, &err))
        return luaL_error(L, "%s", err.text);
    if (note->logger.len)
        lua_pushlstring(L, note->logger.ptr, note->logger.len);
    else
        lua_pushstring(L, note->name);
    call_report_log(note->call, L, 2);
    return 0;
}

void guest_report(struct guest_report *report, struct vm *vm, struct frame *frame)
{
    struct note note;
    struct error err;

    if (++report->said > GUEST_REPORTS) {
        if (report->said == GUEST_REPORTS + 1)
            log_warn("%s: its further lines and reports are dropped (limit: %d of one run)",
                     report->name, GUEST_REPORTS);
        return;
    }
    if (frame->kind == FRAME_LOG) {
        report_log(report, frame);
    } else if (frame->kind == FRAME_PROGRESS) {
        report_progress(report, frame);
    } else {
        note.name = report->name;
        note.call = report->handle.call ? handle_call(&report->handle) : NULL;
        note.level = bytes_get_str(&frame->payload);
        note.logger = bytes_get_str(&frame->payload);
        note.data = frame->payload.left;
        if (note.call && !vm_run(vm, report_note, &note, &err))
            log_warn("%s: call:log(): %s", report->name, err.text);
    }
}
