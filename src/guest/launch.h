/* Starting the fork server. */
#ifndef PERIGEE_GUEST_LAUNCH_H
#define PERIGEE_GUEST_LAUNCH_H

#include <uv.h>

/* Starts our program with these words (the last NULL) and this socket as its CONTROL_FD, in a
 * session of its own. Returns the result of uv_spawn(). */
int launch_server(uv_loop_t *loop, uv_process_t *process, const char *const *words, int socket,
                  uv_exit_cb ended);

#endif
