#include "sys/engine/guest_report.h"

#include "base/log.h"
#include "json/utf8.h"
#include "script/bind.h"
#include "script/packed.h"

enum { LOG_BYTES = 4000, LOGGER_BYTES = 200 };

/* Appends the text, or its beginning and the number of bytes that are missing. */
static void add_cut_text(struct buf *out, struct str text, size_t most)
{
    size_t kept = text.ptr ? utf8_cut(text.ptr, text.len, most) : 0;

    buf_add(out, text.ptr, kept);
    if (kept < text.len)
        buf_addf(out, " [truncated: %zu more bytes]", text.len - kept);
}

static void report_log(const struct guest_report *report, struct frame *frame)
{
    int level = bytes_get_u8(&frame->payload);
    struct str text = bytes_get_str(&frame->payload);

    struct buf line = { 0 };

    if (level > LOG_ERROR)
        return;
    buf_addf(&line, "%s: ", report->name);
    add_cut_text(&line, text, LOG_BYTES);
    log_bytes((enum log_level)level, line.data, line.len);
    buf_free(&line);
}

static void report_progress(const struct guest_report *report, struct frame *frame)
{
    double done = bytes_get_double(&frame->payload), total = bytes_get_double(&frame->payload);
    bool has_message = bytes_get_u8(&frame->payload);
    struct str message = bytes_get_str(&frame->payload);
    struct buf text = { 0 };

    if (has_message)
        add_cut_text(&text, message, GUEST_REPORT_BYTES);
    if (report->handle.call)
        call_report_progress(handle_call(&report->handle), done, total,
                             has_message ? buf_text(&text) : NULL);
    buf_free(&text);
}

struct note {
    const char *name; /* the name of a note without a logger, since no task here could give one */
    struct call *call;
    struct str level, logger, data;
};

/* Replaces the value by a text that is cut. Values are not made of all of it, only to be thrown
 * away. */
static void push_cut(lua_State *L, struct str data)
{
    struct buf *text = bind_buffer(L);
    struct str whole;

    if (packed_text(data, &whole))
        add_cut_text(text, whole, GUEST_REPORT_BYTES);
    else
        buf_addf(text, "[left out: %zu kB of data (limit: %d)]", data.len / 1024,
                 GUEST_REPORT_BYTES / 1024);
    lua_pushlstring(L, text->data, text->len);
    lua_remove(L, -2);
}

/* Called with (note). */
static int report_note(lua_State *L)
{
    struct note *note = lua_touserdata(L, 1);
    struct error err;

    lua_pushlstring(L, note->level.ptr ? note->level.ptr : "",
                    note->level.len < LOGGER_BYTES ? note->level.len : LOGGER_BYTES);
    if (note->data.len > GUEST_REPORT_BYTES + 16)
        push_cut(L, note->data);
    else if (!packed_push(L, &note->data, &err))
        return luaL_error(L, "%s", err.text);
    if (note->logger.len)
        lua_pushlstring(L, note->logger.ptr,
                        utf8_cut(note->logger.ptr, note->logger.len, LOGGER_BYTES));
    else
        lua_pushstring(L, note->name);
    call_report_log(note->call, L, 2);
    return 0;
}

void guest_report(struct guest_report *report, struct vm *vm, struct frame *frame)
{
    struct note note;
    struct error err;

    size_t len = frame->payload.left.len;

    if (report->full)
        return;
    report->bytes += len < GUEST_REPORT_BYTES ? len : GUEST_REPORT_BYTES;
    if (++report->said > GUEST_REPORTS || report->bytes > GUEST_REPORTS_BYTES) {
        report->full = true;
        log_warn("%s: its further lines and reports are dropped (limit: %d and %d MB of one run)",
                 report->name, GUEST_REPORTS, GUEST_REPORTS_BYTES >> 20);
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
