/* How the fork server is started. */
#ifndef PERIGEE_GUEST_LAUNCH_H
#define PERIGEE_GUEST_LAUNCH_H

#include <uv.h>

/* Starts it with this socket as its CONTROL_FD, in a session of its own. Gives what uv_spawn()
 * does. */
int launch_server(uv_loop_t *loop, uv_process_t *process, int socket, uv_exit_cb ended);

#endif
