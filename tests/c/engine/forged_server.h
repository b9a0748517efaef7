/* The fork server of forged guests (forged_guest.h): for a test program that serves as its own fork
 * server, when it is started with --guest-server. */
#ifndef PERIGEE_TESTS_FORGED_SERVER_H
#define PERIGEE_TESTS_FORGED_SERVER_H

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forged_guest.h"
#include "guest/control.h"
#include "guest/jail/jail.h"

struct made {
    pid_t pid;
    uint32_t id;
};

static struct made made[256];

static void reap(void)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (size_t i = 0; i < countof(made); i++) {
            if (made[i].pid == pid) {
                struct control_record record = { CONTROL_END, made[i].id, status };

                made[i].pid = 0;
                control_send(CONTROL_FD, &record, -1);
            }
        }
    }
}

static void make(uint32_t id, int socket)
{
    for (size_t i = 0; i < countof(made); i++) {
        if (made[i].pid)
            continue;
        made[i] = (struct made){ fork(), id };
        if (made[i].pid == 0) {
            close(CONTROL_FD);
            be_guest(socket);
        }
        break;
    }
    close(socket);
}

static int forged_server(void)
{
    struct control_record record = { .verb = CONTROL_READY, .id = JAIL_CALLS | JAIL_LIMITS };
    enum control_read got = CONTROL_READ;
    int fd;

    control_send(CONTROL_FD, &record, -1);
    while (got != CONTROL_OVER) {
        reap();
        if (poll(&(struct pollfd){ CONTROL_FD, POLLIN, 0 }, 1, 10) <= 0)
            continue;
        got = control_receive(CONTROL_FD, &record, &fd);
        if (got == CONTROL_READ && record.verb == CONTROL_FORK)
            make(record.id, fd);
        for (size_t i = 0; got == CONTROL_READ && record.verb == CONTROL_KILL && i < countof(made);
             i++)
            if (made[i].pid && made[i].id == record.id)
                kill(made[i].pid, SIGKILL);
    }
    kill(0, SIGKILL);
    return EXIT_FAILURE;
}

#endif
