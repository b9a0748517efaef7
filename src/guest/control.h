/* The records that the engine and the fork server exchange: all of one size, over a stream
 * socket.
 *
 *   FORK  engine  make a guest with this id; its socket comes along (SCM_RIGHTS)
 *   KILL  engine  SIGKILL for the guest with this id
 *   END   server  the guest with this id ended; status as waitpid(2) returns it
 *   READY server  first: the layers of its guests' jail (id: enum jail_layer)
 *
 * Servers of guests that are not Lua (guest/python) also have these:
 *
 *   CHILD server  after FORK: a pidfd of the guest with this id, by which the engine kills it
 *   FILES engine  hand over the files of the guest with this id, which may run on
 *   FILES server  the answer, and before each END: how many files there are (status; or -errno),
 * and unless there is nothing at all a memory file with frames: OUTPUT and FILE
 *
 * Both are our own program, so that a record that makes no sense is the end of the connection. */
#ifndef PERIGEE_GUEST_CONTROL_H
#define PERIGEE_GUEST_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum control_verb {
    CONTROL_FORK = 1,
    CONTROL_KILL,
    CONTROL_END,
    CONTROL_READY,
    CONTROL_CHILD,
    CONTROL_FILES
};

struct control_record {
    uint32_t verb; /* enum control_verb */
    uint32_t id;
    int32_t status; /* END: as waitpid(2) returns it; FILES: their number, or -errno */
};

enum { CONTROL_FD = 3 }; /* the server's end; a guest's own socket, too */

/* Sends one record, with a descriptor when fd is 0 or more. False: the other end is gone, or (only
 * on a descriptor that does not block) the socket is full. */
bool control_send(int socket, const struct control_record *record, int fd);

enum control_read { CONTROL_READ, CONTROL_NOTHING, CONTROL_OVER };

/* Receives one record; *fd is a descriptor that came along, or -1. NOTHING: the socket does not
 * block, and there is no record. */
enum control_read control_receive(int socket, struct control_record *record, int *fd);

#endif
