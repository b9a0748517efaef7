/* From calls to the members of lines (docs/audit.md has them all). */
#include "registry/call/record.h"

#include <stdlib.h>
#include <uv.h>

#include "audit/arguments.h"
#include "audit/audit.h"
#include "base/dry_run.h"
#include "base/log.h"
#include "base/timer.h"
#include "json/writer.h"
#include "registry/call/call_struct.h"
#include "registry/call/caller.h"
#include "script/vm.h"

enum { VIA_MAX = 16, SAY_AGAIN_S = 60, HELD_MOST = 64 };

static struct audit *the_audit;
static uv_loop_t *the_loop;
static struct timer *later; /* writes what waits then */
static uint64_t lost, said, last_id;
static struct error last;

/* A call that waits until its line is written; on its task's stack. */
struct held {
    struct op op;
    struct link link;
    bool failed;
};

static bool holding, held_failed;
static struct link held = { &held, &held };
static size_t held_count;

uint64_t record_lost(const char **why)
{
    *why = last.text;
    return lost;
}

/* Said once, and then at most once a minute: a full disk stays full. */
static void say_lost(const struct error *err, size_t count)
{
    uint64_t now = uv_hrtime() / 1000000000 + 1;

    lost += count;
    error_set(&last, err->code, "%s", err->text);
    if (said && now - said < SAY_AGAIN_S)
        return;
    said = now;
    log_error("the audit log lacks %llu line%s: %s", (unsigned long long)lost, lost == 1 ? "" : "s",
              err->text);
}

/* --- writing ------------------------------------------------------------------------------- */

/* False: err, and they count as lost. */
static bool write_lines(struct error *err)
{
    size_t count = the_audit ? audit_queued(the_audit) : 0;

    if (!count || audit_commit(the_audit, err))
        return true;
    say_lost(err, count);
    held_failed = true;
    return false;
}

static bool queue_line(const char *kind, struct str members, struct error *err)
{
    if (!the_audit || audit_queue(the_audit, kind, members, err))
        return true;
    say_lost(err, 1);
    return false;
}

bool record_line(const char *kind, struct str members, struct error *err)
{
    return queue_line(kind, members, err) && write_lines(err);
}

void record_write(void)
{
    struct error err;

    write_lines(&err);
}

static void on_later(void *arg)
{
    (void)arg;
    later = NULL;
    record_write();
}

static void write_later(void)
{
    if (!the_loop)
        record_write();
    else if (!later)
        later = timer_after(the_loop, RECORD_WAIT_MS, on_later, NULL);
}

void record_to(struct audit *audit, uv_loop_t *loop)
{
    record_write();
    timer_forget(later);
    later = NULL;
    the_audit = audit;
    the_loop = loop;
}

/* --- calls that wait for their lines ------------------------------------------------------- */

static void held_cancel(struct op *op)
{
    list_remove(&container_of(op, struct held, op)->link);
    held_count--;
}

static int after_hold(lua_State *L, int status, lua_KContext context)
{
    const struct held *one = (const struct held *)context;

    (void)status;
    if (one->failed)
        return bind_error(L, &last);
    lua_pushboolean(L, 1);
    return 1;
}

bool record_waits(void)
{
    return holding && the_audit && audit_queued(the_audit);
}

int record_park(lua_State *L)
{
    struct task *task = task_here(L);
    struct held *one = lua_newuserdatauv(L, sizeof *one, 0);

    *one = (struct held){ .op = { task, held_cancel, "the audit log", NULL } };
    list_push(&held, &one->link);
    held_count++;
    return task_park_then(L, &one->op, (lua_KContext)one, after_hold);
}

uint64_t record_last(void)
{
    return last_id;
}

void record_hold(void)
{
    if (held_count >= HELD_MOST)
        record_release();
    if (!holding)
        held_failed = false;
    holding = true;
}

void record_release(void)
{
    struct link *link;
    struct vm *vm = NULL;

    if (!holding)
        return;
    holding = false;
    if (held_count)
        record_write();
    while ((link = list_pop(&held))) {
        struct held *one = container_of(link, struct held, link);

        vm = vm_of(task_lua(one->op.task));
        one->failed = held_failed;
        held_count--;
        task_wake(&one->op, 0);
    }
    if (vm)
        vm_turn(vm);
}

/* --- what a line says ---------------------------------------------------------------------- */

static void add_record_string(struct buf *out, const char *key, const char *text)
{
    buf_lit(out, ",\"");
    buf_adds(out, key);
    buf_lit(out, "\":");
    audit_string(out, text, strlen(text));
}

static void add_number(struct buf *out, const char *key, uint64_t number)
{
    buf_lit(out, ",\"");
    buf_adds(out, key);
    buf_lit(out, "\":");
    buf_addu(out, number);
}

static void add_id(struct buf *out, uint64_t id)
{
    buf_lit(out, "\"id\":");
    buf_addu(out, id);
}

static void add_caller(struct buf *out, struct caller *caller, const struct call *call)
{
    enum caller_kind kind = caller ? caller_kind(caller) : caller_default();
    int via = 0;

    buf_lit(out, ",\"caller\":{\"kind\":\"");
    buf_adds(out, caller_kind_name(kind));
    buf_addc(out, '"');
    if (caller && caller_name(caller))
        add_record_string(out, "name", caller_name(caller));
    if (caller && caller_subject(caller))
        add_record_string(out, "subject", caller_subject(caller));
    while (call && via < VIA_MAX && (call = call_parent(call))) {
        buf_adds(out, via++ ? "," : ",\"via\":[");
        audit_string(out, call->spec.entry->name, strlen(call->spec.entry->name));
    }
    buf_adds(out, via ? "]}" : "}");
}

static const char *entry_kind_word(const struct entry *entry)
{
    return entry->kind == ENTRY_PROMPT     ? "prompt"
           : entry->kind == ENTRY_RESOURCE ? "resource"
                                           : "tool";
}

/* call_tool is given the arguments of another tool, and its schema does not know which of them are
 * secrets. That tool's call has a line of its own. */
static void add_arguments(struct buf *out, const struct entry *entry, const cJSON *args)
{
    const cJSON *schema = json_get(entry_definition((struct entry *)entry), "inputSchema");
    cJSON *hidden = NULL;

    if (strcmp(entry->name, "call_tool") == 0) {
        hidden = cJSON_CreateObject();
        cJSON_AddTrueToObject(
            cJSON_AddObjectToObject(cJSON_AddObjectToObject(hidden, "properties"), "arguments"),
            "writeOnly");
    }
    audit_arguments(args, hidden ? hidden : schema, out);
    cJSON_Delete(hidden);
}

void record_begin(struct call *call)
{
    const struct call_spec *spec = &call->spec;
    bool tool = spec->entry->kind == ENTRY_TOOL;

    call->id = 0;
    call->record.len = 0;
    if (!the_audit || spec->own)
        return;
    call->id = ++last_id;
    add_id(&call->record, call->id);
    add_record_string(&call->record, entry_kind_word(spec->entry),
                      spec->uri ? spec->uri : spec->entry->name);
    if (spec->completes)
        buf_adds(&call->record, ",\"completion\":true");
    add_caller(&call->record, call_caller(call), call);
    if (spec->args) {
        buf_adds(&call->record, ",\"args\":");
        if (tool)
            add_arguments(&call->record, spec->entry, spec->args);
        else
            audit_arguments(spec->args, NULL, &call->record);
    }
}

bool record_decided(struct call *call, const char *decision, int rule, bool marked,
                    struct error *err)
{
    bool ok;

    if (!call->id)
        return true;
    if (marked)
        audit_hide_texts(&call->record);
    buf_lit(&call->record, ",\"decision\":\"");
    buf_adds(&call->record, decision);
    buf_addc(&call->record, '"');
    if (rule)
        add_number(&call->record, "rule", (uint64_t)rule);
    if (dry_run())
        buf_adds(&call->record, ",\"dry_run\":true");
    ok = queue_line("call", buf_str(&call->record), err) && (holding || write_lines(err));
    call->record.len = 0;
    return ok;
}

void record_end(struct call *call, const struct outcome *outcome,
                const struct outcome_written *written)
{
    struct buf *out = &call->record;
    uint64_t tenths = (uv_hrtime() - call->started + 50000) / 100000;
    struct error err;

    if (!call->id)
        return;
    if (out->len) /* it never came to a decision, nor is it known where its texts are from */
        record_decided(call, "none", 0, true, &err);
    out->len = 0;
    add_id(out, call->id);
    add_record_string(out, "code",
                      outcome->failed || outcome->err.code[0] ? outcome->err.code
                      : written->error                        ? "failed"
                                                              : "ok");
    add_number(out, "ms", tenths / 10);
    buf_addc(out, '.');
    buf_addu(out, tenths % 10);
    if (written->bytes)
        add_number(out, "bytes", written->bytes);
    if (queue_line("end", buf_str(out), &err))
        write_later();
    out->len = 0;
}

void record_refused(const char *what, struct caller *caller, const cJSON *args, const char *code)
{
    struct buf out = { 0 };
    struct error err;

    if (!the_audit)
        return;
    add_id(&out, ++last_id);
    add_record_string(&out, "tool", what);
    add_caller(&out, caller, NULL);
    if (args) {
        buf_adds(&out, ",\"args\":");
        audit_arguments(args, NULL, &out);
        audit_hide_texts(
            &out); /* no schema says which are secrets, nor is it known where they are from */
    }
    add_record_string(&out, "code", code);
    record_line("refused", buf_str(&out), &err);
    buf_free(&out);
}
