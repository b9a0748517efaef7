/* The fork server, and the life of a guest: the other side of guest/guest.h. */
#ifndef PERIGEE_GUEST_CHILD_SERVER_H
#define PERIGEE_GUEST_CHILD_SERVER_H

/* `perigee --guest-server`: serves the engine on descriptor CONTROL_FD until it closes it; then it
 * ends, and its guests with it. Gives the exit code. */
int guest_server_main(void);

#endif
