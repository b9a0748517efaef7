/* From calls to the members of lines (docs/audit.md has them all). */
#include "registry/call/record.h"

#include <stdlib.h>
#include <uv.h>

#include "audit/arguments.h"
#include "audit/audit.h"
#include "base/dry_run.h"
#include "base/log.h"
#include "json/writer.h"
#include "registry/call/call_struct.h"
#include "registry/call/caller.h"

enum { VIA_MAX = 16, SAY_AGAIN_S = 60 };

static struct audit *the_audit;
static uint64_t lost, said, last_id;
static struct error last;

void record_to(struct audit *audit)
{
    the_audit = audit;
}

uint64_t record_lost(const char **why)
{
    *why = last.text;
    return lost;
}

/* Said once, and then at most once a minute: a full disk stays full. */
static void say_lost(const struct error *err)
{
    uint64_t now = uv_hrtime() / 1000000000 + 1;

    lost++;
    error_set(&last, err->code, "%s", err->text);
    if (said && now - said < SAY_AGAIN_S)
        return;
    said = now;
    log_error("the audit log lacks %llu line%s: %s", (unsigned long long)lost, lost == 1 ? "" : "s",
              err->text);
}

bool record_line(const char *kind, struct str members, struct error *err)
{
    if (!the_audit || audit_append(the_audit, kind, members, err))
        return true;
    say_lost(err);
    return false;
}

static void add_record_string(struct buf *out, const char *key, const char *text)
{
    buf_addf(out, ",\"%s\":", key);
    audit_string(out, text, strlen(text));
}

static void add_caller(struct buf *out, struct caller *caller, const struct call *call)
{
    enum caller_kind kind = caller ? caller_kind(caller) : caller_default();
    int via = 0;

    buf_addf(out, ",\"caller\":{\"kind\":\"%s\"", caller_kind_name(kind));
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

void record_begin(struct call *call)
{
    const struct call_spec *spec = &call->spec;
    bool tool = spec->entry->kind == ENTRY_TOOL;

    call->id = 0;
    call->record.len = 0;
    if (!the_audit || spec->own)
        return;
    call->id = ++last_id;
    buf_addf(&call->record, "\"id\":%llu", (unsigned long long)call->id);
    add_record_string(&call->record, entry_kind_word(spec->entry),
                      spec->uri ? spec->uri : spec->entry->name);
    if (spec->completes)
        buf_adds(&call->record, ",\"completion\":true");
    add_caller(&call->record, call_caller(call), call);
    if (spec->args) {
        buf_adds(&call->record, ",\"args\":");
        audit_arguments(spec->args,
                        tool ? json_get(entry_definition(spec->entry), "inputSchema") : NULL,
                        &call->record);
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
    buf_addf(&call->record, ",\"decision\":\"%s\"", decision);
    if (rule)
        buf_addf(&call->record, ",\"rule\":%d", rule);
    if (dry_run())
        buf_adds(&call->record, ",\"dry_run\":true");
    ok = record_line("call", buf_str(&call->record), err);
    call->record.len = 0;
    return ok;
}

void record_end(struct call *call, const struct outcome *outcome,
                const struct outcome_written *written)
{
    struct buf *out = &call->record;
    struct error err;

    if (!call->id)
        return;
    if (out->len) /* it never came to a decision, nor is it known where its texts are from */
        record_decided(call, "none", 0, true, &err);
    out->len = 0;
    buf_addf(out, "\"id\":%llu", (unsigned long long)call->id);
    add_record_string(out, "code",
                      outcome->failed  ? outcome->err.code
                      : written->error ? "failed"
                                       : "ok");
    buf_addf(out, ",\"ms\":%.1f", (double)(uv_hrtime() - call->started) / 1e6);
    if (written->bytes)
        buf_addf(out, ",\"bytes\":%zu", written->bytes);
    record_line("end", buf_str(out), &err);
    out->len = 0;
}

void record_refused(const char *what, struct caller *caller, const cJSON *args, const char *code)
{
    struct buf out = { 0 };
    struct error err;

    if (!the_audit)
        return;
    buf_addf(&out, "\"id\":%llu", (unsigned long long)++last_id);
    add_record_string(&out, "tool", what);
    add_caller(&out, caller, NULL);
    if (args) {
        buf_adds(&out, ",\"args\":");
        audit_arguments(args, NULL, &out);
    }
    add_record_string(&out, "code", code);
    record_line("refused", buf_str(&out), &err);
    buf_free(&out);
}
