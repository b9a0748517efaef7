/* The MCP server side, whatever the transport.
 *
 * One server for the engine, one session for each connection. Eras are told
 * apart by how a client opens (modelcontextprotocol.io, "Versioning"): a request
 * whose params._meta names a protocol version is served statelessly by the rules
 * of 2026-07-28; `initialize` opens a session of an older revision. */
#ifndef PERIGEE_MCP_SERVER_SERVER_H
#define PERIGEE_MCP_SERVER_SERVER_H

#include "json/document.h"
#include "mcp/sink.h"
#include "registry/registry.h"

struct server;
struct watched_resource;
struct session;

struct server_options {
    struct registry *registry; /* borrowed */
    bool lean;                 /* list only the tools of the toolset "engine" */
    bool whole;                /* also list tools that are not in the default list */
    bool mounted;              /* list only the tools of mounted servers */
    bool kept;                 /* by `perigee call` for its own calls: who comes by its socket is a
                                  command */
    bool console;          /* the console of an engine (engine/console.h): who comes is a command,
                              and has the tools of the toolset "console", too */
    size_t page;           /* items of a list's page; 0: 250 */
    size_t cap;            /* bytes of text in a result, the rest is cut; 0: 8 MB */
    const char *state_key; /* signs what clients bring back, also to another process that
                              has the same; NULL: a random one */
    uint64_t timeout_ms;   /* for a tool call that sets none; 0: CALL_TIMEOUT_MS */
    uint64_t task_ttl_ms;  /* how long a task lives, and the most that a client gets; 0: an
                              hour, and a day */
};

struct server *server_new(const struct server_options *options);
void server_end_tasks(struct server *server); /* cancels what runs; before the engine ends */
void server_free(struct server *server);      /* after its sessions */

/* Tells every session that asked; `what` as registry_options.changed. */
void server_changed(struct server *server, unsigned what);

/* A saved file does not load: tells every session that logs. */
void server_failed(struct server *server, const struct problem *problem);

/* The content of this resource changed. */
void server_updated(struct server *server, const char *uri, const struct watched_resource *watch);

/* This happened by itself: mcp/server/notices.h. */
void server_notice(struct server *server, const struct notice *notice);

struct session_events {
    void (*exit)(void *arg); /* the client sent `exit` */
    void *arg;
};

/* The sink is borrowed: it takes what belongs to no request. Owned by the caller. */
struct session *session_new(struct server *server, struct sink *sink,
                            const struct session_events *events);

/* It serves one request of 2026-07-28, and knows no other era. */
void session_stateless(struct session *session);

/* Its client started this process: what it calls itself is process/launcher.h's. */
void session_launched(struct session *session);

/* Names the user of these requests, if the transport knows it: a requestState that their client
 * brings back is valid for no other user. NULL: it does not know. Copied. */
void session_identify(struct session *session, const char *who);

/* Ends its subscriptions with their results, as a server does that goes away. */
void session_end_listens(struct session *session);

/* Answers its requests under way with an error that says why, and stops them. From the loop. */
void session_stop_calls(struct session *session, const char *why);

/* Cancels its calls; nothing is sent any more. */
void session_free(struct session *session);

/* One message, without its newline. Replies may be written at once or later, to `sink`; NULL:
 * the session's. */
void session_receive(struct session *session, struct sink *sink, const char *text, size_t len);

/* The same, read already: `doc` is the parsed text, borrowed for the call. */
void session_take(struct session *session, struct sink *sink, const struct json_doc *doc,
                  const char *text, size_t len);

/* A message of more than `limit` bytes was skipped: an error says so, with the message's id if it
 * is in one of the two ends that were kept (mcp/peek.h). */
void session_oversize(struct session *session, size_t limit, struct str head, struct str tail);

/* The version that `initialize` agreed on; NULL before. */
const char *session_version(const struct session *session);

/* Does it have tasks that have not ended? */
bool session_has_tasks(const struct session *session);

struct registry *server_registry(const struct server *server);

/* Has the first request been answered? (Then there is time to load files.) */
bool session_greeted(const struct session *session);

#endif
