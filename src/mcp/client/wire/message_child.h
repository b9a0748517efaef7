/* A child process as a stream of messages: one a line on its stdin and stdout,
 * and lines of plain text on its stderr.
 *
 * Main thread only; events come from the loop, never from inside the function
 * that was called, and any of them may call message_child_free(). */
#ifndef PERIGEE_MCP_CLIENT_WIRE_MESSAGE_CHILD_H
#define PERIGEE_MCP_CLIENT_WIRE_MESSAGE_CHILD_H

#include <uv.h>

#include "base/error.h"
#include "base/util.h"

struct message_child;
struct oversized_line; /* mcp/line_reader.h */

/* Zero is the sensible default for every field but argv. All of it is borrowed
 * until message_child_start() returns. */
struct message_child_spec {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up on PATH */
    const char *cwd;         /* NULL: ours */
    const char *const *env;  /* NULL: ours; else the complete "K=V" list, NULL-terminated */
    size_t max_line;         /* bytes of one line of stdout; 0: 10 MiB */
    size_t max_unsent;       /* bytes waiting for its stdin; 0: 64 MiB */
    uint64_t term_ms;        /* message_child_stop(): from SIGTERM to SIGKILL; 0: 2000 */
};

struct message_child_end {
    int exit_code;          /* -1 when a signal ended it */
    int term_signal;        /* 0 when it exited by itself */
    bool mute;              /* it closed its stdout while it ran, and was stopped */
    const char *last_lines; /* its last lines on stderr, a few; maybe empty; borrowed */
};

/* Lines come without their end ("\n" or "\r\n"), blank ones not at all, and the
 * last one also when its end is missing. Borrowed for the call. */
struct message_child_events {
    void (*line)(void *arg, const char *line, size_t len);
    void (*oversized)(void *arg, const struct oversized_line *line);
    /* Gets a line of stderr, as the bytes came; a line over 4 KiB comes in pieces. */
    void (*error_line)(void *arg, const char *line, size_t len);
    /* Last event, exactly once. */
    void (*ended)(void *arg, const struct message_child_end *end);
};

/* NULL and err as process_start() has it. `events` is copied (all must be set),
 * `arg` is borrowed until message_child_free(). Owned by the caller. */
struct message_child *message_child_start(uv_loop_t *loop, const struct message_child_spec *spec,
                                          const struct message_child_events *events, void *arg,
                                          struct error *err);

/* Queues a copy of one message and its newline; it must hold none itself.
 * False: "closed" (its stdin is closed; `ended` is to come or came), "busy"
 * (more than max_unsent bytes wait for it). */
bool message_child_send(struct message_child *child, const char *line, size_t len,
                        struct error *err);

/* The end in the order of the MCP specification: close its stdin, wait that
 * long, SIGTERM to its group, wait term_ms, SIGKILL. `ended` follows; what it
 * still says is delivered until then. Again: only a shorter wait counts. */
void message_child_stop(struct message_child *child, uint64_t wait_ms);

int message_child_pid(const struct message_child *child);

/* Kills the group if it still runs. No event follows. Accepts NULL. */
void message_child_free(struct message_child *child);

#endif
