/* Between the client and what carries its messages.
 *
 * The owner of a wire hands a struct client_wire to client_new(), calls client_started() when the
 * connection is up, client_receive() for each line and client_ended() when it is over
 * (mcp/client/wire/stdio_wire.h does that for a child process). Main thread only. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_H
#define PERIGEE_MCP_CLIENT_WIRE_H

#include "base/error.h"
#include "base/util.h"
#include "http/header_list.h"

struct client;

enum { WIRE_CLOSE_MS = 2000 }; /* how long an orderly end may take, by default */

/* One message to be sent, and what a wire that is HTTP has to know of it. */
struct client_message {
    struct str line;
    const char *method; /* NULL: an answer of ours */
    int64_t id;         /* the request's id; 0: no answer is expected */
    bool modern;
    struct http_headers headers; /* MCP-Protocol-Version, Mcp-Method, ..., for this message */
};

/* How the client reaches its server. */
struct client_wire {
    void *arg;
    /* Queues a copy of one message, without a newline in or after it. */
    bool (*send)(void *arg, const char *line, size_t len, struct error *err);
    /* The same where each request is an exchange of its own; instead of send, if not NULL. */
    bool (*post)(void *arg, const struct client_message *message, struct error *err);
    /* The answer to this request is no longer waited for. NULL where that ends nothing. */
    void (*forget)(void *arg, int64_t id);
    /* Ends this connection and makes a fresh one to the same server, then calls
     * client_started() or client_ended(). No line of the old one comes any
     * more. NULL: one connection has to serve for both eras. */
    void (*restart)(void *arg);
    /* Ends the connection in the orderly way, then calls client_ended(). */
    void (*close)(void *arg);
};

/* --- what the owner of the wire tells the client ------------------------------- */

/* Each of these may call events and callbacks, and one of those client_free(). */

void client_started(struct client *client);
/* One message without its newline. Borrowed for the call. */
void client_receive(struct client *client, const char *line, size_t len);
/* A line too long to be kept: its two ends, and its length. */
void client_receive_oversized(struct client *client, struct str head, struct str tail,
                              uint64_t len);
/* The connection is over, ended by either side. */
void client_ended(struct client *client, const struct error *why);
/* A request will get no answer. status: of the HTTP answer that was none, else 0. An
 * id that is not waited for is ignored. */
void client_lost(struct client *client, int64_t id, int status, const struct error *why);
/* The body of an HTTP answer whose status is not 2xx: the JSON-RPC error in it, with or without
 * an id, else as client_lost(). */
void client_refused(struct client *client, int64_t id, int status, struct str body,
                    const struct error *why);
/* While it is held, its time stands still: a person is asked for a token. */
void client_hold(struct client *client, int64_t id, bool held);
/* Is the answer to this request still waited for? */
bool client_waits(struct client *client, int64_t id);
/* The server forgot the session (2025-11-25 and older): begins another. What is
 * sent next is to wait until `notifications/initialized` was taken. */
void client_renew(struct client *client);
/* A line of the server's stderr, as it came: goes to events.log. */
void client_receive_stderr(struct client *client, const char *line, size_t len);
/* Reports a fault of the wire that did not end anything, to events.log. */
void client_report(struct client *client, const char *text);

#endif
