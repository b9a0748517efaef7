/* The credentials of a socket. */
#include "process/peer.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

bool peer_is_ours(int fd)
{
#ifdef __linux__
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
#else
    uid_t user;
    gid_t group;

    return getpeereid(fd, &user, &group) == 0 && (user == geteuid() || user == 0);
#endif
}
