/* The MCP client: one session with one server, over any wire that carries lines.
 *
 * It finds the era the server speaks (2026-07-28 without a handshake, or
 * `initialize` with 2025-11-25 and older), matches answers to requests, keeps
 * their time limits and answers what the server asks. It does not know what the
 * wire is: wire.h beside this is for those who make one.
 *
 * Main thread only. Events and callbacks come from the loop or from inside
 * client_started(), client_receive() and client_ended(), never from inside a
 * function that makes a request; each of them may call client_free(). JSON
 * nodes and strings handed to them are borrowed for the call. */
#ifndef PERIGEE_MCP_CLIENT_CLIENT_H
#define PERIGEE_MCP_CLIENT_CLIENT_H

#include <cjson/cJSON.h>
#include <uv.h>

#include "base/error.h"
#include "base/util.h"

struct client;
struct client_wire; /* wire.h */
struct client_call; /* a request of ours that is not answered yet */

enum client_era {
    CLIENT_AUTO,   /* ask with server/discover; fall back to initialize on a fresh connection */
    CLIENT_LEGACY, /* initialize, 2024-11-05 to 2025-11-25 */
    CLIENT_MODERN, /* 2026-07-28 and no other */
};

/* The questions of a server that this client can answer. The client declares them. */
enum client_ability {
    CLIENT_ROOTS = 1,       /* roots/list */
    CLIENT_SAMPLING = 2,    /* sampling/createMessage */
    CLIENT_ELICITATION = 4, /* elicitation/create */
};

#define CLIENT_NO_LIMIT UINT64_MAX /* as a time: never */

/* Zero is the sensible default for every field. Strings are copied. */
struct client_options {
    const char *name, *version, *title; /* clientInfo; "perigee", its version, none */
    enum client_era era;
    bool no_probe;         /* CLIENT_MODERN: believed, without server/discover */
    unsigned abilities;    /* enum client_ability, or-ed; those asks go to events.ask */
    bool listen;           /* to changes of lists: modern servers want to be asked */
    const char *log_level; /* modern servers: least level of log messages wanted; NULL: none */
    uint64_t probe_ms;     /* CLIENT_AUTO: for the answer to server/discover; 2000, by HTTP 10000 */
    uint64_t connect_ms;   /* for the answer to initialize, or to discover when pinned; 60000 */
    uint64_t timeout_ms;   /* for each answer; progress restarts it; 60000 */
    uint64_t max_ms;       /* for each answer, progress or not; 600000 */
    size_t max_message;    /* bytes of a message from the server; 10 MiB */
};

enum client_source {
    CLIENT_STDERR,  /* a line of the server's stderr */
    CLIENT_MESSAGE, /* notifications/message */
    CLIENT_PROBLEM, /* something wrong that did not end the session */
};

/* Any may be NULL. */
struct client_events {
    /* The era is known, requests can be made. */
    void (*ready)(void *arg);
    /* Last event: the connection is over and every call got its answer. Codes:
     * "closed" (by us, or by the server: the text says how it ended), "timeout"
     * and "protocol" (no agreement at the start), or why no connection could
     * be made. */
    void (*closed)(void *arg, const struct error *why);
    /* One line of clean UTF-8 without control characters. level is the server's
     * word for a MESSAGE ("debug" to "emergency"), "warning" for a PROBLEM, else NULL. */
    void (*log)(void *arg, enum client_source source, const char *level, const char *text,
                size_t len);
    /* notifications/WHAT/list_changed: "tools", "prompts" or "resources". */
    void (*changed)(void *arg, const char *what);
    /* Every other notification the client does not deal with itself. params may be NULL. */
    void (*notification)(void *arg, const char *method, const cJSON *params);
    /* The server asks something (see `abilities`). Answer now or later with
     * client_reply() or client_reply_error(). */
    void (*ask)(void *arg, uint64_t ask, const char *method, const cJSON *params);
    /* The answer to that is not wanted any more. */
    void (*ask_dropped)(void *arg, uint64_t ask);
};

/* How a call ended: `result`, or `error`. */
struct client_answer {
    const cJSON *result; /* NULL: it failed; any JSON value, an object by the specification */
    /* "rpc_error" (the server said no), "timeout", "closed", "protocol" (an answer that
     * breaks the protocol), "too_large", "input_required" (it asks what we cannot answer);
     * over HTTP also what client_lost() was told. */
    const struct error *error;
    bool lost;        /* client_lost() told it; an answer that is none, or no exchange at all */
    int http_status;  /* the answer's, if it was no 2xx; 0: none */
    int64_t rpc_code; /* the code of an "rpc_error" */
    struct str rpc_message; /* the message of an "rpc_error", whole (error->text may be cut) */
    const cJSON *rpc_data;  /* the data of an "rpc_error"; NULL: none */
};

struct client_callbacks {
    /* Once, unless the call is cancelled or the client freed. Not NULL. */
    void (*done)(void *arg, const struct client_answer *answer);
    /* NULL: progress is not asked for. total is NaN and message NULL when not told. */
    void (*progress)(void *arg, double progress, double total, const char *message);
    /* Reports a task's status each time that it changes: "working", "input_required", ...; NULL is
     * fine. message: NULL if there is none. */
    void (*status)(void *arg, const char *status, const char *message);
};

/* That a call may run as a task: answered with a handle, polled until it has ended, and cancelled
 * when the call is. */
struct client_task_options {
    uint64_t ttl_ms; /* how long the server is asked to keep it (2025-11-25); 0: it decides */
};

/* 0: the client's own. CLIENT_NO_LIMIT is allowed. */
struct client_limits {
    uint64_t timeout_ms;
    uint64_t max_ms;
};

/* --- making one --------------------------------------------------------------- */

/* `wire`, `events` and `options` are copied, their args borrowed until
 * client_free(). Owned by the caller. Nothing is sent before client_started(). */
struct client *client_new(uv_loop_t *loop, const struct client_wire *wire,
                          const struct client_options *options, const struct client_events *events,
                          void *arg);

/* Accepts NULL. Nothing is sent and no event or callback follows; pending calls
 * are forgotten. The loop has to turn once more before it can be closed. */
void client_free(struct client *client);

/* --- the session -------------------------------------------------------------- */

/* Requests can be made. */
bool client_ready(const struct client *client);

/* Begins the orderly end; events.closed follows. Calls that are pending may still be
 * answered until then. Twice is harmless. */
void client_close(struct client *client);

/* Known from `ready` on. All borrowed for the life of the client. */
enum client_era client_era(const struct client *client);       /* never CLIENT_AUTO */
const char *client_version(const struct client *client);       /* "2025-11-25", ... */
const cJSON *client_server(const struct client *client);       /* serverInfo, or NULL */
const cJSON *client_capabilities(const struct client *client); /* the server's, or NULL */
const char *client_instructions(const struct client *client);  /* or NULL */

/* --- requests ----------------------------------------------------------------- */

/* Sends a request. `params` is the JSON text of an object, or NULL; the client
 * adds what the era wants in `_meta` to it. limits: NULL for the client's own.
 * The call belongs to the client and is valid until `done` is called.
 * NULL: "not_ready", "closed", "busy" (too much is pending), "bad_params". */
struct client_call *client_request(struct client *client, const char *method, const char *params,
                                   const struct client_limits *limits,
                                   const struct client_callbacks *callbacks, void *arg,
                                   struct error *err);

/* The same for tools/call, where the server has tasks (2025-11-25: it is asked for one; 2026-07-28:
 * it may make one). `done` gets the result of the call, as ever, and then the code "cancelled" is
 * possible: the task was cancelled elsewhere. Its time is the task's own, with progress or not,
 * unless limits have a max_ms; timeout_ms is for each answer. */
struct client_call *client_request_task(struct client *client, const char *params,
                                        const struct client_task_options *task,
                                        const struct client_limits *limits,
                                        const struct client_callbacks *callbacks, void *arg,
                                        struct error *err);

/* Tells the server, forgets the call and drops its late answer; `done` is not
 * called. reason: for the server's log; NULL: none. */
void client_cancel(struct client_call *call, const char *reason);

/* Sends a notification. False: as client_request(). */
bool client_notify(struct client *client, const char *method, const char *params,
                   struct error *err);

/* From now on, or no longer: notifications when this resource changes. A legacy
 * server is to be asked by requests as well. False: as client_request(). */
bool client_subscribe(struct client *client, const char *uri, bool on, struct error *err);

/* The least level of log messages wanted from a modern server from now on; NULL: none. */
void client_set_log_level(struct client *client, const char *level);

/* Calls not answered yet. */
size_t client_pending(const struct client *client);

/* tools/call. `arguments`: the JSON text of an object, or NULL. */
struct client_call *client_call_tool(struct client *client, const char *name, const char *arguments,
                                     const struct client_limits *limits,
                                     const struct client_callbacks *callbacks, void *arg,
                                     struct error *err);

/* --- lists that come in pages ------------------------------------------------- */

struct client_listing;

struct client_list_callbacks {
    /* An array; NULL is allowed as callback. */
    void (*page)(void *arg, const cJSON *items);
    /* After the last page; answer->result is the last page's result, else the list
     * is not whole. "protocol" also when it would never end. */
    void (*done)(void *arg, const struct client_answer *answer);
};

/* All pages of a list, one after the other: ("tools/list", "tools"),
 * ("prompts/list", "prompts"), ... Errors and lifetime as client_request(). */
struct client_listing *client_list(struct client *client, const char *method, const char *key,
                                   const struct client_limits *limits,
                                   const struct client_list_callbacks *callbacks, void *arg,
                                   struct error *err);
void client_list_cancel(struct client_listing *listing);

/* --- answers to what the server asked ----------------------------------------- */

/* `result` is JSON text, one line or not. Unknown and dropped asks are ignored. */
void client_reply(struct client *client, uint64_t ask, const char *result);
void client_reply_error(struct client *client, uint64_t ask, int code, const char *message);

#endif
