/* The process at the other end of a Unix socket. */
#ifndef PERIGEE_PROCESS_PEER_H
#define PERIGEE_PROCESS_PEER_H

#include <stdbool.h>

/* Whether that process runs as our user, or as root (unix(7), SO_PEERCRED; getpeereid(3) on a Mac).
 * False also when the system does not tell. */
bool peer_is_ours(int fd);

#endif
