/* Makes a process for each guest, ends it when it is told to, and reports how each ended.
 *
 * It has no loop: it waits for records and for SIGCHLD, which is let through only while it waits,
 * so that none is missed between checking and waiting. */
#include "guest/child/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "guest/child/child.h"
#include "guest/control.h"
#include "guest/guest.h"
#include "guest/jail/jail.h"
#include "guest/jail/limits.h"

struct made {
    pid_t pid; /* 0: free */
    uint32_t id;
};

static struct made made[2 * GUESTS_MAX]; /* more may be dying than live */

static void on_child(int signo)
{
    (void)signo; /* the signal interrupts pselect(), which is all */
}

static void wait_for_signals(sigset_t *while_waiting)
{
    struct sigaction action = { .sa_handler = on_child };
    sigset_t child;

    sigaction(SIGCHLD, &action, NULL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, while_waiting);
    sigdelset(while_waiting, SIGCHLD);
}

static void report_end(uint32_t id, int status)
{
    struct control_record record = { CONTROL_END, id, status };

    control_send(CONTROL_FD, &record, -1);
}

static void reap_guests(void)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (size_t i = 0; i < countof(made); i++) {
            if (made[i].pid == pid) {
                made[i].pid = 0;
                report_end(made[i].id, status);
            }
        }
    }
}

/* Runs a guest in the new process, which ends with the server, on Linux at once. */
static void become_guest(int socket, const sigset_t *signals, pid_t server)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != server) /* the server ended before prctl() was called */
        _exit(EXIT_FAILURE);
    for (int signo = 1; signo < NSIG; signo++)
        signal(signo, SIG_DFL); /* the program's own handlers make forbidden calls */
    sigprocmask(SIG_SETMASK, signals, NULL);
    dup2(socket, CONTROL_FD);
    close(socket);
    guest_main(CONTROL_FD);
}

static void make_guest(uint32_t id, int socket, const sigset_t *signals)
{
    struct made *place = NULL;
    pid_t pid = -1, server = getpid();

    for (size_t i = 0; i < countof(made) && !place; i++) {
        if (!made[i].pid)
            place = &made[i];
    }
    if (place && socket >= 0)
        pid = fork();
    if (pid == 0)
        become_guest(socket, signals, server); /* does not return */
    if (socket >= 0)
        close(socket);
    if (pid < 0)
        report_end(id, 0);
    else
        *place = (struct made){ pid, id };
}

static void end_guest(uint32_t id)
{
    for (size_t i = 0; i < countof(made); i++) {
        if (made[i].pid && made[i].id == id)
            kill(made[i].pid, SIGKILL); /* still its number: it is not reaped */
    }
}

/* Prepares the server. False: no guest may run here. */
static bool get_ready(void)
{
    struct control_record ready = { .verb = CONTROL_READY };

    limits_close_above(CONTROL_FD);
    jail_enter();
    guest_prepare();
    ready.id = jail_close(CONTROL_FD);
    control_send(CONTROL_FD, &ready, -1);
    return jail_is_enough(ready.id);
}

int guest_server_main(void)
{
    struct control_record record = { 0 };
    sigset_t while_waiting;
    int fd;

    if (!get_ready())
        return EXIT_FAILURE;
    wait_for_signals(&while_waiting);
    for (;;) {
        fd_set ready;
        int count;

        FD_ZERO(&ready);
        FD_SET(CONTROL_FD, &ready);
        count = pselect(CONTROL_FD + 1, &ready, NULL, NULL, NULL, &while_waiting);
        if (count < 0 && errno != EINTR)
            break;
        reap_guests();
        if (count <= 0)
            continue; /* `ready` is not valid then */
        if (control_receive(CONTROL_FD, &record, &fd) != CONTROL_READ)
            break;
        if (record.verb == CONTROL_FORK)
            make_guest(record.id, fd, &while_waiting);
        else if (record.verb == CONTROL_KILL)
            end_guest(record.id);
    }
    kill(0, SIGKILL); /* ends our group: the guests, and this process */
    return EXIT_FAILURE;
}
