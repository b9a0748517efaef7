/* Questions on their way to the client, and as JSON. */
#include "mcp/server/call/sent_question.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/pending.h"
#include "mcp/server/request/reply.h"
#include "mcp/versions.h"

struct sent_question *sent_question_new(struct pending *pending, struct question *question,
                                        char *id)
{
    struct sent_question *sent = mem_zero(sizeof *sent);

    sent->id = id ? id : mem_printf("ask-%llu", (unsigned long long)++pending->server->questions);
    sent->question = question;
    list_push(&pending->sent, &sent->link);
    return sent;
}

void sent_question_free(struct sent_question *sent)
{
    list_remove(&sent->link);
    free(sent->id);
    free(sent);
}

/* The mode of elicitations and the id of addresses came with 2025-11-25. */
static void write_params(struct buf *out, const struct sent_question *sent, const char *version,
                         const struct mcp_task *task)
{
    const struct question *question = sent->question;
    bool modes = version && strcmp(version, "2025-11-25") >= 0;

    buf_addc(out, '{');
    if (question->kind == ASK_FORM && modes)
        buf_lit(out, "\"mode\":\"form\",");
    else if (question->kind == ASK_URL && modes)
        buf_addf(out, "\"mode\":\"url\",\"elicitationId\":\"%s\",", sent->id);
    buf_add(out, question->params.data + 1, question->params.len - 2);
    if (task && out->data[out->len - 1] == '{')
        buf_addf(out, "\"_meta\":{\"" MCP_META_RELATED "\":{\"taskId\":\"%s\"}}", task->id);
    else if (task)
        write_related_task(out, task->id);
    buf_addc(out, '}');
}

void sent_question_send(struct pending *pending, struct sent_question *sent, struct sink *sink)
{
    struct buf *out = ask_begin(sink, sent->id, question_method(sent->question));

    write_params(out, sent, pending->request.session->version, pending->as_task);
    ask_end(sink, out);
}

void write_input_request(struct buf *out, const char *name, const struct question *question,
                         bool first)
{
    if (!first)
        buf_addc(out, ',');
    json_write_string(out, name, strlen(name));
    buf_addf(out, ":{\"method\":\"%s\",\"params\":", question_method(question));
    if (question->kind == ASK_FORM)
        buf_lit(out, "{\"mode\":\"form\",");
    else if (question->kind == ASK_URL)
        buf_lit(out, "{\"mode\":\"url\",");
    else
        buf_addc(out, '{');
    buf_add(out, question->params.data + 1, question->params.len - 1);
    buf_addc(out, '}');
}
