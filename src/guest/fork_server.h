/* The process that makes guests, from the engine's side: it is started, sent records and read here,
 * and its group is killed with it (guest/child/server.h is the other side, guest/control.h the
 * language). */
#ifndef PERIGEE_GUEST_FORK_SERVER_H
#define PERIGEE_GUEST_FORK_SERVER_H

#include <uv.h>

#include "base/error.h"
#include "guest/control.h"

struct fork_server;

struct fork_server_events {
    /* Called for a record from the server, which only has to be noted. Owns the descriptor that
     * came along (-1: none). */
    void (*record)(void *arg, const struct control_record *record, int fd);
    /* Called when all records that have come are noted. It may lose the server. */
    void (*noted)(void *arg);
    /* Called last, after the records that the server sent before: the server is gone, and every
     * guest with it. It frees itself. */
    void (*lost)(void *arg);
};

/* Starts a server: our program with these words, the last NULL. `loop` and `events` are borrowed
 * until it is lost; it keeps no loop alive. NULL and err: it cannot be started. */
struct fork_server *fork_server_start(uv_loop_t *loop, const char *const *words,
                                      const struct fork_server_events *events, void *arg,
                                      struct error *err);

/* Sends a record, with a descriptor when fd is 0 or more. False: the server reads no more. */
bool fork_server_tell(struct fork_server *server, const struct control_record *record, int fd);

/* False once the server has closed its end, though its end may not have been read yet. */
bool fork_server_is_there(const struct fork_server *server);

/* Kills the server and all its guests, whose ends it cannot report then. */
void fork_server_kill(const struct fork_server *server);

/* Does the same, and handles its end now: `lost` is called after the records that it sent
 * before. */
void fork_server_lose(struct fork_server *server);

/* Does the same for an engine that ends: it does not wait until the process is reaped. */
void fork_server_leave(struct fork_server *server);

/* Does the same where the loop is turned until all has ended: its process keeps the loop alive. */
void fork_server_finish(struct fork_server *server);

#endif
