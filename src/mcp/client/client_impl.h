/* The structs that the files of the client share. */
#ifndef PERIGEE_MCP_CLIENT_CLIENT_IMPL_H
#define PERIGEE_MCP_CLIENT_CLIENT_IMPL_H

#include "base/buf.h"
#include "base/list.h"
#include "base/timer.h"
#include "json/document.h"
#include "mcp/client/client.h"
#include "mcp/client/wire.h"

enum { CLIENT_BUCKETS = 64 }; /* size of the table of pending calls; a power of two */

enum client_state {
    CLIENT_IDLE,         /* no connection yet */
    CLIENT_DISCOVERING,  /* server/discover is sent */
    CLIENT_RESTARTING,   /* a fresh connection is on its way */
    CLIENT_INITIALIZING, /* initialize is sent */
    CLIENT_READY,
    CLIENT_CLOSING, /* the wire is told to end */
    CLIENT_ENDED,
};

/* A request of ours that is not answered yet. */
struct client_call {
    struct link link; /* in a bucket of client->calls, by id */
    struct client *client;
    int64_t id;
    char *method;
    struct client_callbacks on;
    void *arg;
    uint64_t timeout_ms;
    uint64_t deadline; /* in the loop's time; CLIENT_NO_LIMIT: none */
    uint64_t last;     /* the same, and nothing moves this one */
    uint64_t max_ms;
    bool handshake; /* discover or initialize: not to be cancelled */

    /* For a modern server that wants input before it answers. */
    char *params;         /* as given; NULL: none, or the method is not one of those */
    size_t asking;        /* > 0: its questions are being answered; this many are open. Or 1: it
                             waits until it looks at its task again */
    struct buf responses; /* "key":answer, separated by commas */
    char *state;          /* requestState as JSON text, quotes included; NULL: none */
    unsigned rounds;
    bool sent_again; /* after the server refused its version though it lists it */

    struct remote_task *task; /* NULL: it may not be one */
};

struct client {
    uv_timer_t timer;                 /* for the nearest deadline; the last thing to be closed */
    void (*expire)(struct client *c); /* the timer's function: client_expire() */
    uint64_t timer_due;               /* CLIENT_NO_LIMIT: it is not running */
    struct client_wire wire;
    struct client_events events;
    void *arg;
    enum client_state state;
    enum client_era wanted;
    enum client_era era;
    const char *version;
    bool fallback;    /* the probe is over: this connection is for initialize */
    bool silent;      /* ... because nothing was heard, so the server may only be slow */
    bool asked_again; /* a second server/discover was sent */
    bool no_probe;
    bool freed;
    struct error why; /* the error of a session that failed; code "" otherwise */
    char *stray;      /* the last line before the session began that was no message; owned; NULL */

    uint64_t probe_ms, connect_ms, timeout_ms, max_ms;
    struct json_limits limits;
    unsigned abilities;
    char *info;               /* clientInfo, JSON text */
    char *capabilities;       /* clientCapabilities, JSON text */
    char *meta;               /* members of a modern request's _meta, JSON text */
    char *task_meta;          /* the same of a client that takes tasks */
    struct json_doc *session; /* the answer to initialize or discover */

    struct link calls[CLIENT_BUCKETS]; /* struct client_call, by id */
    size_t pending;
    int64_t last_id;
    struct link listings; /* struct client_listing */
    struct link asks;     /* struct client_ask, the oldest first */
    size_t ask_count;
    uint64_t last_ask;
    bool listen;                   /* changes of lists are wanted */
    struct client_call *listening; /* subscriptions/listen; NULL: none */
    struct timer *listen_timer;
    unsigned listen_fails; /* in a row */
    char **uris;           /* resources that are watched */
    size_t uri_count;
    struct link tools; /* struct client_tool: those with headers of their own */
    struct buf out;    /* scratch: the message being written */
};

#endif
