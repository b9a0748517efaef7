/* Tasks as JSON, in the shapes of either revision. */
#include "mcp/server/call/mcp_task_wire.h"

#include <stdio.h>
#include <time.h>

#include "json/writer.h"
#include "mcp/server/call/sent_question.h"
#include "mcp/server/request/reply.h"

/* ISO 8601, as both revisions want it. */
static void write_task_time(struct buf *out, const char *name, int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    char text[32];
    struct tm utc;

    gmtime_r(&seconds, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    buf_addf(out, ",\"%s\":\"%s.%03dZ\"", name, text, (int)(ms % 1000));
}

/* The longer it has run, the longer it may yet. */
static int poll_ms(const struct mcp_task *task)
{
    int64_t age = (int64_t)time(NULL) * 1000 - task->created;

    return age < 10000 ? 500 : age < 120000 ? 1000 : 5000;
}

void mcp_task_write(struct buf *out, const struct mcp_task *task)
{
    static const char *const names[] = { "working", "input_required", "completed", "failed",
                                         "cancelled" };
    const char *suffix = task->modern ? "Ms" : "";

    buf_addf(out, "\"taskId\":\"%s\",\"status\":\"%s\"", task->id, names[task->status]);
    if (task->message) {
        buf_lit(out, ",\"statusMessage\":");
        write_shown(out, task->message);
    }
    write_task_time(out, "createdAt", task->created);
    write_task_time(out, "lastUpdatedAt", task->changed);
    buf_addf(out, ",\"ttl%s\":%llu,\"pollInterval%s\":%d", suffix, (unsigned long long)task->ttl_ms,
             suffix, poll_ms(task));
}

static void write_task_questions(struct buf *out, const struct mcp_task *task)
{
    bool first = true;

    buf_lit(out, "\"inputRequests\":{");
    if (task->pending)
        list_each (link, &task->pending->sent) {
            const struct sent_question *sent = container_of(link, struct sent_question, link);

            write_input_request(out, sent->id, sent->question, first);
            first = false;
        }
    buf_addc(out, '}');
}

void mcp_task_write_detailed(struct buf *out, const struct mcp_task *task)
{
    mcp_task_write(out, task);
    if (task->status == MCP_TASK_INPUT_REQUIRED) {
        buf_addc(out, ',');
        write_task_questions(out, task);
    } else if (task->status == MCP_TASK_FAILED) {
        buf_lit(out, ",\"error\":");
        buf_add(out, task->error.data, task->error.len);
    } else if (task->status == MCP_TASK_COMPLETED) {
        buf_lit(out, ",\"result\":{");
        buf_add(out, task->result.data, task->result.len);
        buf_lit(out, ",\"resultType\":\"complete\"");
        if (task->meta.len) {
            buf_lit(out, ",\"_meta\":{");
            buf_add(out, task->meta.data, task->meta.len);
            buf_addc(out, '}');
        }
        buf_addc(out, '}');
    }
}

void mcp_task_reply_created(const struct mcp_task *task, const struct request *request)
{
    struct buf *out = reply_begin(request);

    if (!task->modern)
        buf_lit(out, "\"task\":{");
    mcp_task_write(out, task);
    if (!task->modern)
        buf_addc(out, '}');
    reply_end_as(request, out, "task", false, NULL);
}
