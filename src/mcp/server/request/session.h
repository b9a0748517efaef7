/* A server, a session and a request: the structs that all of the server side shares. */
#ifndef PERIGEE_MCP_SERVER_REQUEST_SESSION_H
#define PERIGEE_MCP_SERVER_REQUEST_SESSION_H

#include "base/list.h"
#include "mcp/message.h"
#include "mcp/sink.h"
#include "registry/registry.h"

struct batch;
struct caller;
struct mcp_task;
struct notices;

struct watched_resource;

struct server {
    struct registry *registry;
    bool lean, whole, mounted, kept, console;
    size_t page;
    uint64_t timeout_ms;
    size_t cap; /* bytes of a result's text; 0: OUTCOME_BYTES */
    struct link sessions;
    struct link parked; /* struct pending that wait for their client's answers; the oldest first */
    size_t parked_count;
    size_t call_count; /* in the sessions' lists of calls */
    struct link
        watched; /* struct watched_resource: subscribed resources that look out for changes */
    unsigned char key[32];    /* signs what clients bring back */
    struct used_states *used; /* the states that were answered; owned */
    uint64_t questions;       /* requests sent to clients */
    struct link tasks;        /* struct mcp_task: calls that go on by themselves */
    uint64_t task_serial;
    uint64_t task_ttl_ms; /* 0: mcp/server/call/mcp_task.h has the numbers */

    /* Events that every session may want to hear; server.c has the functions. */
    void (*resource_updated)(struct server *server, const char *uri,
                             const struct watched_resource *watch);
    void (*task_changed)(const struct mcp_task *task);
};

struct session {
    struct link link; /* in server->sessions */
    struct server *server;
    struct sink *sink;          /* for what belongs to no request */
    void (*on_exit)(void *arg); /* the client sent `exit`; or NULL */
    void *arg;
    const char *version;   /* agreed on by `initialize`; NULL: not yet */
    char *who;             /* session_identify(); owned; or NULL */
    char *name;            /* the client's, as it says; owned; or NULL */
    struct caller *caller; /* session_caller(); a reference, or NULL */
    unsigned number;       /* in this process, never used twice */
    bool modern;           /* opened by a stateless request */
    bool stateless;        /* made for one: every request in it has to have its envelope */
    bool launched;         /* session_launched() */
    bool greeted;
    bool shut;                 /* `shutdown` was answered */
    bool closing;              /* nothing is sent any more */
    int log_level;             /* index into the levels of logging.c */
    unsigned abilities;        /* the client's, before 2026-07-28: see abilities_read() */
    struct link calls;         /* struct pending */
    size_t call_count;         /* in it */
    struct link listens;       /* struct listen */
    struct link subscriptions; /* struct subscription, before 2026-07-28 */
    size_t subscription_count;
    struct notices *notices; /* mcp/server/notices.h; NULL: it has no use for them yet */
};

/* A request being answered. Lives on the stack, or inside a pending call. */
struct request {
    struct session *session;
    struct sink *sink;   /* where its reply goes, and what is said while it is worked on */
    struct batch *batch; /* its reply goes into this array; NULL: on its own */
    struct str id;
    const char *method;
    const cJSON *params;
    struct str source; /* the message's text */
    bool modern;
    bool taken; /* a method has it: an error is its own, and no refusal of the request */
};

/* The client says what it is: a clientInfo, or NULL. */
void session_named(struct session *session, const cJSON *info);

/* The caller that makes the calls of its requests. Borrowed. */
struct caller *session_caller(struct session *session);

#endif
