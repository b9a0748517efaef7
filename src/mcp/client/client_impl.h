/* What the files of the client share. Nothing else includes this. */
#ifndef PERIGEE_MCP_CLIENT_CLIENT_IMPL_H
#define PERIGEE_MCP_CLIENT_CLIENT_IMPL_H

#include "base/buf.h"
#include "base/list.h"
#include "base/timer.h"
#include "mcp/client/client.h"
#include "json/document.h"

enum {
    CLIENT_BUCKETS = 64,       /* of the table of pending calls; a power of two */
    CLIENT_PENDING_MAX = 4096, /* calls */
    CLIENT_ASKS_MAX = 64,      /* questions of the server not answered yet */
    CLIENT_ROUNDS_MAX = 16,    /* times one call may come back with input_required */
    CLIENT_QUOTE_MAX = 200,    /* bytes of the server's output shown in a message */
};

enum client_state {
    CLIENT_IDLE,         /* no connection yet */
    CLIENT_DISCOVERING,  /* server/discover is sent */
    CLIENT_RESTARTING,   /* a fresh connection is on its way */
    CLIENT_INITIALIZING, /* initialize is sent */
    CLIENT_READY,
    CLIENT_CLOSING, /* the wire is told to end */
    CLIENT_ENDED,
};

/* A tools/call that may be a task. The call goes from request to request until it is over. */
struct client_task {
    char *id;            /* NULL: it was not made yet, or never will be */
    uint64_t ttl_ms;     /* that is asked for; 0: none */
    uint64_t poll_ms;    /* between two looks at it */
    struct timer *timer; /* until the next one; the call is `asking` then */
    int64_t token;       /* the first request's id: progress of the task names that */
    bool bounded;        /* the caller has set the time that it may take */
    char *status;        /* as it was told last; "STATUS MESSAGE"; NULL: never */
    struct buf answered; /* "\nNAME\n" of each question that was asked */
};

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

    struct client_task *task; /* NULL: it may not be one */
};

/* A question of the server, to be answered through events.ask. */
struct client_ask {
    struct link link; /* in client->asks, oldest first */
    uint64_t number;
    char *id;                 /* legacy: the request's, as JSON text */
    struct client_call *call; /* modern: whose input it is; ... */
    char *key;                /* ... and its name there */
};

struct client_listing {
    struct link link; /* in client->listings */
    struct client *client;
    struct client_call *call; /* the page that is on its way */
    struct client_list_callbacks on;
    void *arg;
    struct client_limits limits;
    char *method, *key;
    char **cursors; /* all seen so far: one that comes back would never end */
    size_t pages;
    bool telling; /* `page` is running; */
    bool freed;   /* ... and who runs it has to free this */
};

struct client {
    uv_timer_t timer;   /* for the nearest deadline; the last thing to be closed */
    uint64_t timer_due; /* CLIENT_NO_LIMIT: it is not running */
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
    struct error why; /* of a session that failed; code "" otherwise */
    char *stray;      /* the last line before the session began that was no message; owned; NULL */

    uint64_t probe_ms, connect_ms, timeout_ms, max_ms;
    struct json_limits limits;
    unsigned abilities;
    char *info;               /* clientInfo, JSON text */
    char *capabilities;       /* clientCapabilities, JSON text */
    char *meta;               /* members of a modern request's _meta, JSON text */
    char *task_meta;          /* the same of a client that takes tasks */
    struct json_doc *session; /* the answer to initialize or discover */

    struct link calls[CLIENT_BUCKETS];
    size_t pending;
    int64_t last_id;
    struct link listings;
    struct link asks;
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

/* client.c */
uint64_t client_now(struct client *c);
void client_watch(struct client *c, uint64_t deadline);
/* Sends c->out. method: NULL for an answer; id: 0 unless it is a request. */
bool client_send(struct client *c, const char *method, int64_t id, struct error *err);
bool client_open(const struct client *c, struct error *err);
void client_fail(struct client *c, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* report.c */
void client_add_quoted(struct buf *out, const char *text, size_t len, size_t max);
void client_problem(struct client *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
void client_problem_quoting(struct client *c, const char *what, const char *text, size_t len);
void client_log_message(struct client *c, const cJSON *params);

/* era.c */
void client_begin(struct client *c);     /* the connection is up */
bool client_fall_back(struct client *c); /* ended during the probe: true if there is another try */

bool client_try_version(struct client_call *call, const struct client_answer *answer);

/* receive.c */
void client_finish_refused(struct client_call *call, const cJSON *refusal, int status);

/* calls.c */
struct client_call *client_post(struct client *c, const char *method, const char *params,
                                const struct client_limits *limits,
                                const struct client_callbacks *callbacks, void *arg, bool handshake,
                                struct error *err);
struct client_call *client_find(struct client *c, int64_t id);
void client_finish(struct client_call *call, const struct client_answer *answer);
void client_finish_failed(struct client_call *call, const char *code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void client_finish_all(struct client *c, const struct error *why);
bool client_post_again(struct client_call *call, struct error *err);
/* Tells the server that nobody waits any more; the call itself stays. */
void client_give_up(struct client_call *call, const char *reason);
void client_drop_call(struct client_call *call);
void client_drop_calls(struct client *c);
void client_send_cancelled(struct client *c, int64_t id, const char *reason);

/* deadlines.c */
void client_set_limits(struct client_call *call, const struct client_limits *limits);
/* That is the only limit from now on. */
void client_wait_until(struct client_call *call, uint64_t last);
void client_progress(struct client *c, const cJSON *params);
void client_restart_clock(struct client_call *call);
void client_restart_clocks(struct client *c);
void client_expire(struct client *c); /* ends calls whose time is up; sets the timer anew */

/* params.c */
bool client_write_params(struct client *c, struct buf *out, const struct client_call *call,
                         const char *params, struct error *err);

/* ask.c */
void client_asked(struct client *c, struct str id, const char *method, const cJSON *params);
void client_input_required(struct client_call *call, const cJSON *result);
void client_ask_cancelled(struct client *c, struct str id);
void client_drop_asks(struct client *c, const struct client_call *call, bool tell);

void client_send_again(struct client_call *call); /* with the answers */

/* remote_task.c */
bool client_is_task(const struct client_call *call); /* the server has made it one */
bool client_wants_task(const struct client_call *call);
bool client_task_waits(const struct client_call *call); /* for its end, not for an answer */
/* True: the result is that of a step, and was dealt with. */
bool client_task_result(struct client_call *call, const cJSON *result);
/* A server that cannot answer without a task: sends the call again as one. */
bool client_task_needed(struct client_call *call, const struct client_answer *answer);
bool client_task_asked(const struct client_call *call, const char *name);
void client_task_note(struct client_call *call, const char *name); /* it was asked */
void client_task_update(struct client_call *call);  /* the next request brings answers */
void client_task_abandon(struct client_call *call); /* tells the server to cancel it */
void client_task_free(struct client_task *task);

/* subscriptions.c */
void client_listen(struct client *c); /* to what is wanted now */
void client_listen_acknowledged(struct client *c);
void client_subscribe_again(struct client *c);
void client_drop_subscriptions(struct client *c);

/* mirror_headers.c */
/* Appends those of the message in c->out. method: NULL for an answer of ours. */
void client_mirror_headers(struct client *c, const char *method, struct header_list *headers);

/* tools.c */
struct client_parameter {
    char **path; /* names of properties, outermost first; NULL-terminated */
    char *header;
};
struct client_tool {
    struct link link;
    char *name;
    struct client_parameter *parameters;
    size_t count;
};
void client_learn_tools(struct client *c, cJSON *result); /* drops those that may not be used */
const struct client_tool *client_known_tool(const struct client *c, const char *name);
void client_forget_tools(struct client *c);

/* listing.c */
void client_drop_listings(struct client *c);

#endif
