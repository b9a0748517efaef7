#include "guest/control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for one descriptor, aligned as cmsg(3) wants it. */
union control_room {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* a Mac has none; SIGPIPE is ignored by the program */
#endif

bool control_send(int socket, const struct control_record *record, int fd)
{
    union control_room room;
    struct control_record copy = *record;
    struct iovec part = { &copy, sizeof copy };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t sent;

    if (fd >= 0) {
        memset(&room, 0, sizeof room);
        message.msg_control = room.bytes;
        message.msg_controllen = sizeof room.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(head), &fd, sizeof fd);
    }
    while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return sent == (ssize_t)sizeof copy; /* twelve bytes go whole or not at all */
}

static int received_fd(struct msghdr *message)
{
    int fd = -1;

    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head)) {
        if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
            memcpy(&fd, CMSG_DATA(head), sizeof fd);
    }
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

enum control_read control_receive(int socket, struct control_record *record, int *fd)
{
    union control_room room;
    struct iovec part = { record, sizeof *record };
    struct msghdr message = { .msg_iov = &part,
                              .msg_iovlen = 1,
                              .msg_control = room.bytes,
                              .msg_controllen = sizeof room.bytes };
    ssize_t got = recvmsg(socket, &message, 0);

    *fd = -1;
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? CONTROL_NOTHING
                                                                         : CONTROL_OVER;
    *fd = received_fd(&message);
    return got == (ssize_t)sizeof *record ? CONTROL_READ : CONTROL_OVER;
}
