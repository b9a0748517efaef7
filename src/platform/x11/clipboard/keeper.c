/* Keeps our content of the clipboard after this process ends.
 *
 * X has no clipboard beside its owners, so a copy of this process stays behind with the connection
 * and serves the content until another application copies something. It is forked from a process
 * with threads: no lock that another thread may hold is touched in it (the caller sees to those of
 * Xlib; malloc's are the C library's own care), and it ends with _exit(). */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/wire/connection.h"

/* Closes the files of the process it was forked from, and leaves its signals and its terminal. */
static void become_nobody(int fd)
{
    static const int ends[] = { SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    sigset_t none;

    setsid();
    prctl(PR_SET_NAME, "perigee-clip");
    for (size_t i = 0; i < countof(ends); i++)
        signal(ends[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (fd > 3)
        syscall(SYS_close_range, 3u, (unsigned)fd - 1, 0);
    syscall(SYS_close_range, (unsigned)fd + 1, ~0u, 0);
    for (int i = 0; i < 3; i++) {
        if (i != fd) {
            close(i);
            open("/dev/null", O_RDWR); /* takes the number that is free */
        }
    }
    if (chdir("/") != 0)
        _exit(1);
}

static void serve_clipboard(struct x11_desktop *desktop)
{
    struct x11_clipboard *clipboard = desktop->clipboard;
    struct pollfd poller = { .fd = ConnectionNumber(desktop->display), .events = POLLIN };

    become_nobody(poller.fd);
    clipboard->history_entries = 0;
    while (x11_pump(desktop, NULL) && clipboard->owned[SELECTION_CLIPBOARD].offer) {
        XFlush(desktop->display);
        if (XEventsQueued(desktop->display, QueuedAfterReading) == 0)
            poll(&poller, 1, x11_clipboard_late_ms(desktop));
    }
    _exit(0);
}

/* Hands the connection to the other process: this process treats it as one that broke. */
static void give_away(struct x11_desktop *desktop)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    close(ends[1]);
    dup3(ends[0], ConnectionNumber(desktop->display), O_CLOEXEC);
    close(ends[0]);
    desktop->dead = true;
}

void x11_leave_clipboard(struct x11_desktop *desktop)
{
    pid_t child;

    if (!desktop->clipboard || desktop->dead)
        return;
    XSync(desktop->display, False); /* sends the buffer, so that the other process does not */
    if (!x11_pump(desktop, NULL) || !desktop->clipboard->owned[SELECTION_CLIPBOARD].offer)
        return;
    child = fork();
    if (child == 0) {
        if (fork() == 0)
            serve_clipboard(desktop);
        _exit(0);
    }
    if (child < 0)
        return;
    waitpid(child, NULL, 0);
    give_away(desktop);
}
