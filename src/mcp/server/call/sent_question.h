/* A question that is on its way to the client. */
#ifndef PERIGEE_MCP_SERVER_CALL_SENT_QUESTION_H
#define PERIGEE_MCP_SERVER_CALL_SENT_QUESTION_H

#include "base/buf.h"
#include "base/list.h"
#include "mcp/sink.h"
#include "registry/call/elicitation.h"

struct pending;

struct sent_question {
    struct link link; /* in pending->sent */
    char *id; /* the request's id, without its quotes; or its name in inputRequests; owned */
    struct question *question;
    const void *through; /* for a task: the struct mcp_waiter it was sent to; NULL: not sent */
};

/* At the end of pending->sent, which owns it. Takes `id`; NULL: a fresh one. */
struct sent_question *sent_question_new(struct pending *pending, struct question *question,
                                        char *id);
void sent_question_free(struct sent_question *sent);

/* As a request of ours (before 2026-07-28). */
void sent_question_send(struct pending *pending, struct sent_question *sent, struct sink *sink);

/* "NAME":{...}, a member of inputRequests (2026-07-28). first: without a comma before it. */
void write_input_request(struct buf *out, const char *name, const struct question *question,
                         bool first);

#endif
