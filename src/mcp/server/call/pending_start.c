/* The call of a request, and what is said while it runs. */
#include "mcp/server/call/pending_start.h"

#include <math.h>
#include <stdlib.h>

#include "json/writer.h"
#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/questions.h"
#include "mcp/server/request/logging.h"
#include "mcp/server/request/reply.h"
#include "script/vm.h"

/* Messages about a task belong to its session, not to one of its requests. */
static struct sink *sink_of(const struct pending *pending)
{
    return pending->as_task ? pending->request.session->sink : pending->request.sink;
}

static void keep_said(struct pending *pending, const char *message)
{
    if (pending->as_task) {
        mcp_task_say(pending->as_task, message);
    } else if (pending->may_be_task) {
        free(pending->said);
        pending->said = mem_strdup(message);
    }
}

static void pending_progress(void *arg, double done, double total, const char *message)
{
    struct pending *pending = arg;
    struct sink *sink;
    struct buf *out;

    if (message && !pending->cancelled)
        keep_said(pending, message);
    if (!pending->progress_token || pending->cancelled || pending->parked)
        return;
    sink = sink_of(pending);
    out = notify_begin(sink, "notifications/progress");
    buf_addf(out, "\"progressToken\":%s,\"progress\":", pending->progress_token);
    json_write_number(out, done);
    if (!isnan(total)) {
        buf_lit(out, ",\"total\":");
        json_write_number(out, total);
    }
    if (message) {
        buf_lit(out, ",\"message\":");
        write_shown(out, message);
    }
    if (pending->as_task)
        write_related_task(out, pending->as_task->id);
    notify_end(sink, out);
}

static void pending_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    struct pending *pending = arg;
    int threshold;

    if (pending->cancelled || pending->parked || (pending->as_task && pending->request.modern))
        return;
    threshold = pending->request.modern ? pending->log_level : pending->request.session->log_level;
    if (log_level_index(level) >= threshold)
        send_log(sink_of(pending), level, logger, L, data,
                 pending->as_task ? pending->as_task->id : NULL);
}

static bool pending_tell(void *arg, const char *name, struct str params, struct wakeup *wakeup)
{
    struct pending *pending = arg;
    struct sink *sink = sink_of(pending);
    struct buf *out;

    if (!sink_has_room(sink, wakeup))
        return false;
    out = sink->begin(sink);
    buf_addf(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/perigee/%s\",\"params\":", name);
    buf_add(out, params.ptr, params.len);
    buf_addc(out, '}');
    sink->end(sink, (struct sink_mark){ .kind = SINK_NOTICE });
    return true;
}

/* This one counts already. */
static bool has_call_room(const struct pending *pending, struct error *err)
{
    size_t own = pending->request.session ? pending->request.session->call_count : 0;

    if (own <= CALLS_OWNED && pending->server->call_count <= CALLS_ALL)
        return true;
    return error_set(
        err, "busy", "%d calls %sare already in progress. Wait for some to end, or cancel some",
        own > CALLS_OWNED ? CALLS_OWNED : CALLS_ALL, own > CALLS_OWNED ? "of this client " : "");
}

void pending_call(struct pending *pending, struct call_spec *spec)
{
    struct call *call;

    spec->progress = pending_progress;
    spec->log = pending_log;
    spec->ask = pending_ask;
    spec->unask = pending_unask;
    spec->can = pending_can;
    spec->source = (struct str){ pending->round.source, pending->round.source_len };
    spec->cap = pending->server->cap;
    if (pending->server->console)
        spec->tell = pending_tell;
    spec->arg = pending;
    call = call_start(registry_vm(pending->server->registry), spec);
    if (call)
        pending->call = call;
}

void pending_start(const struct request *request, const struct start *start, struct call_spec *spec)
{
    struct pending *pending = pending_new(request, start->round);
    struct vm *vm = registry_vm(pending->server->registry);
    struct outcome refused = {
        .entry = spec->entry, .end = TASK_FAILED, .failed = true, .L = vm_lua(vm)
    };

    pending->subject = start->subject ? mem_strdup(start->subject) : NULL;
    pending->entry = spec->entry;
    pending->may_be_task = start->may_be_task;
    pending->quiet = start->quiet;
    pending->from_text = start->from_text ? mem_strdup(start->from_text) : NULL;
    spec->caller = session_caller(request->session);
    if (start->task)
        mcp_task_take(start->task, pending);
    if (!has_call_room(pending, &refused.err)) {
        spec->done(pending, &refused);
        return;
    }
    mcp_task_expect(pending);
    pending_call(pending, spec);
}
