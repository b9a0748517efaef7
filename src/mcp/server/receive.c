/* From a message to what it is for: a method, a call that waits for its answer, or nothing. */
#include <stdlib.h>

#include "base/log.h"
#include "json/span.h"
#include "mcp/peek.h"
#include "mcp/server/call/questions.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/batch.h"
#include "mcp/server/request/reply.h"
#include "mcp/server/server.h"
#include "registry/call/record.h"

static void handle_message(struct session *session, struct sink *sink, struct batch *batch,
                           const struct message *message)
{
    struct request request = { .session = session,
                               .sink = sink,
                               .batch = batch,
                               .id = message->id,
                               .method = message->method,
                               .params = message->params,
                               .source = message->source };

    if (message->kind != MESSAGE_REQUEST || strcmp(message->method, "tools/call") != 0)
        record_release(); /* calls wait for one another only: what came before has begun */
    switch (message->kind) {
    case MESSAGE_REQUEST:
        if (batch && strcmp(message->method, "initialize") == 0)
            reply_error(&request, RPC_INVALID_REQUEST, NULL,
                        "initialize must not be part of a batch");
        else
            methods_answer(&request);
        break;
    case MESSAGE_NOTIFICATION:
        methods_hear(session, message);
        break;
    case MESSAGE_RESPONSE:
        if (!session_answer(session, message))
            log_debug("a response to a request that is not open: id %.*s", (int)message->id.len,
                      message->id.ptr);
        break;
    case MESSAGE_BATCH: /* inside a batch; the outer one is handled by receive_batch() */
        reply_orphan(session, sink, batch, RPC_INVALID_REQUEST,
                     "Invalid Request: a batch inside a batch");
        break;
    case MESSAGE_INVALID:
        if (message->id.len)
            reply_error(&request, RPC_INVALID_REQUEST, NULL, "%s", message->error.text);
        else
            reply_orphan(session, sink, batch, RPC_INVALID_REQUEST, message->error.text);
        break;
    }
}

/* Each member is parsed once more on its own, so that its id stays verbatim: batches
 * are rare, and belong to one old revision. */
static void receive_batch(struct session *session, struct sink *sink, struct str text)
{
    struct batch *batch;
    struct str item;

    if (!session->version || strcmp(session->version, "2025-03-26") != 0) {
        reply_orphan(session, sink, NULL, RPC_INVALID_REQUEST,
                     "Invalid Request: batches belong to protocol revision 2025-03-26 only");
        return;
    }
    if (!json_span_next(&text, &item)) {
        reply_orphan(session, sink, NULL, RPC_INVALID_REQUEST, "Invalid Request: an empty batch");
        return;
    }
    batch = batch_new(sink);
    do {
        struct json_doc *doc = json_parse(item.ptr, item.len, NULL, NULL);
        struct message message;

        message_read(&message, doc, item);
        handle_message(session, sink, batch, &message);
        json_doc_free(doc);
    } while (json_span_next(&text, &item));
    batch_drop(batch);
}

void session_take(struct session *session, struct sink *sink, const struct json_doc *doc,
                  const char *text, size_t len)
{
    struct message message;

    if (!sink)
        sink = session->sink;
    message_read(&message, doc, (struct str){ text, len });
    if (message.kind == MESSAGE_BATCH)
        receive_batch(session, sink, message.source);
    else
        handle_message(session, sink, NULL, &message);
}

/* To the request of this id if there is one, and it can be seen. */
static void refuse_unread(struct session *session, struct sink *sink, struct str head,
                          struct str tail, int code, const char *text)
{
    struct request request = { .session = session, .sink = sink };

    if (message_peek_id_text(head, tail, &request.id))
        reply_error(&request, code, NULL, "%s", text);
    else
        reply_orphan(session, sink, NULL, code, text);
}

/* JSON beyond a limit (json_is_limit) may be a request with an id; what is not JSON is nothing. */
static void refuse_received_text(struct session *session, struct sink *sink, struct str text,
                                 const struct error *err)
{
    char *what = mem_printf("Parse error: %s", err->text);

    if (!sink)
        sink = session->sink;
    if (json_is_limit(err))
        refuse_unread(session, sink, text, text, RPC_PARSE_ERROR, what);
    else
        reply_orphan(session, sink, NULL, RPC_PARSE_ERROR, what);
    free(what);
}

void session_receive(struct session *session, struct sink *sink, const char *text, size_t len)
{
    struct json_doc *doc;
    struct error err;

    doc = json_parse(text, len, NULL, &err);
    if (!doc) {
        refuse_received_text(session, sink, (struct str){ text, len }, &err);
        return;
    }
    session_take(session, sink, doc, text, len);
    json_doc_free(doc);
}

void session_oversize(struct session *session, size_t limit, struct str head, struct str tail)
{
    char *what =
        mem_printf("Invalid Request: the message is longer than %zu bytes and was skipped", limit);

    refuse_unread(session, session->sink, head, tail, RPC_INVALID_REQUEST, what);
    free(what);
}
