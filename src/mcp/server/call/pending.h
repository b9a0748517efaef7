/* Requests that run Lua: from when the call starts until its reply is out.
 *
 * One that asked its client for input is parked: it has no request then, belongs to the server, and
 * waits for the client to send the same request once more (input_required.h). One that goes on as a
 * task has no request either (mcp_task.h). */
#ifndef PERIGEE_MCP_SERVER_CALL_PENDING_H
#define PERIGEE_MCP_SERVER_CALL_PENDING_H

#include "base/buf.h"
#include "base/timer.h"
#include "mcp/server/call/input_round.h"
#include "mcp/server/request/session.h"
#include "registry/call/call.h"
#include "registry/call/elicitation.h"

/* Why the protocol refuses a request while its Lua code may still think about it. */
struct refusal {
    char *text; /* owned; NULL: none */
    const char *code;
    enum ask_kind kind;
};

/* A request that runs Lua code. */
struct pending {
    struct link link; /* in session->calls, or in server->parked */
    struct server *server;
    struct request request; /* id owned, sink held, method and params not kept */
    struct call *call;
    char *progress_token; /* JSON text, owned; NULL: not wanted */
    int log_level;        /* modern: as the request set it, or none */
    unsigned abilities;   /* the client's abilities */
    bool cancelled;       /* no reply is owed */
    bool parked;          /* `request` is none: the client was asked for input */

    struct elicitation *elicitation; /* the questions that are open; NULL: none */
    struct link sent;    /* struct sent_question: requests to the client that are on their way */
    struct timer *timer; /* until the questions, or the parked call, are given up */
    unsigned asked;      /* questions so far, for their names */
    unsigned rounds;     /* how often it was parked */
    struct input_round round;
    struct refusal refusal;
    struct buf answers; /* the answers so far: input_round_note() */
    char *subject;      /* resources/read: the URI; owned */
    char run[33];       /* names it in what the client brings back; empty until it is parked */

    struct mcp_task *as_task;  /* it was answered with this, and goes on; `request` is none */
    const struct entry *entry; /* borrowed from the call */
    bool may_be_task;          /* it becomes one when it takes long */
    struct timer *grace;       /* until then */
    bool quiet;                /* no notices ride on its result */
    char *from_text;           /* as struct start has it; owned */
    char *said;                /* with its progress last, for the task that it may become; owned */
};

enum { CALLS_OWNED = 1024, CALLS_ALL = 4096 }; /* in progress, of one session and of all */

/* In session->calls. Takes `round`. The call comes later. */
struct pending *pending_new(const struct request *request, struct input_round *round);
void pending_free(struct pending *pending);
void pending_cancel(struct pending *pending);                   /* usually frees it */
void pending_cancel_id(struct session *session, struct str id); /* that of its request */
void session_end_calls(struct session *session);                /* cancels all */

void pending_attach(struct pending *pending, const struct request *request);
void pending_detach(struct pending *pending); /* it is parked */
void pending_let_go(struct pending *pending); /* its request was answered */

/* Notes an answer, for the state of later rounds. */
void pending_note_answer(struct pending *pending, const struct question *question);

/* For call_spec.done: is no result wanted? Then an error was sent, or nothing has to be. */
bool pending_answer_refusal(struct pending *pending, const struct outcome *outcome);

/* Did the call end because the protocol refuses it? Then its JSON-RPC error is this. */
bool pending_refused(const struct pending *pending, const struct outcome *outcome);
void pending_write_refusal(const struct pending *pending, struct buf *error);

#endif
