/* Letting go of keys when the process dies.
 *
 * XTEST keys stay down after their client is gone. Xlib must not be entered from a handler of
 * fatal signals, so a second connection is kept that nothing else uses, and the few bytes of
 * the requests are written to its socket directly.
 *
 * No handler runs on SIGKILL. A guardian (process/guardian.h) has the same socket and shares the
 * table of what is held. */
#include <X11/Xproto.h>
#include <X11/extensions/xtestproto.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/x11/input/input.h"
#include "platform/x11/wire/broken.h"
#include "platform/x11/wire/connection.h"
#include "process/guardian.h"

typedef _Atomic unsigned char held_table[2][256]; /* keys, buttons */

static _Atomic int emergency_fd = -1;
static unsigned char xtest_opcode;
static held_table own_table; /* until there is one to share */
static _Atomic(held_table *) held = &own_table;
static int guard_pipe = -1; /* the guardian waits for its end */

void emergency_note(bool button, unsigned code, bool down)
{
    atomic_store(&(*atomic_load(&held))[button][code & 255], down);
}

/* --- the guardian ------------------------------------------------------------------- */

static void start_guardian(void)
{
    if (guard_pipe >= 0)
        close(guard_pipe); /* the one of a display that is gone */
    guard_pipe = guardian_start(emergency_release, atomic_load(&emergency_fd));
}

static void share_table(void)
{
    void *shared;

    if (atomic_load(&held) != &own_table)
        return;
    shared =
        mmap(NULL, sizeof own_table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return;
    memcpy(shared, &own_table, sizeof own_table);
    atomic_store(&held, (held_table *)shared);
}

/* --- the connection ----------------------------------------------------------------- */

static void on_gone(Display *display, void *arg)
{
    (void)display;
    (void)arg;
}

/* Opens the connection, once in the life of the process. When its server goes away, writing fails
 * and does no harm; the next connection to a display opens a new one. */
void emergency_open(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static Display *display;
    int event, error, opcode;

    pthread_mutex_lock(&lock);
    if (display && xcb_connection_has_error(XGetXCBConnection(display))) {
        atomic_store(&emergency_fd, -1);
        x11_leave_behind(display);
        display = NULL;
    }
    if (!display) {
        display = x11_connect();
        if (display)
            XSetIOErrorExitHandler(display, on_gone, NULL);
    }
    if (display && atomic_load(&emergency_fd) < 0 &&
        XQueryExtension(display, "XTEST", &opcode, &event, &error)) {
        xtest_opcode = (unsigned char)opcode;
        fcntl(ConnectionNumber(display), F_SETFD, FD_CLOEXEC);
        atomic_store(&emergency_fd, ConnectionNumber(display));
        share_table();
        start_guardian();
    }
    pthread_mutex_unlock(&lock);
}

static void release_code(int fd, bool button, unsigned code)
{
    xXTestFakeInputReq request = { .reqType = xtest_opcode,
                                   .xtReqType = X_XTestFakeInput,
                                   .length = sz_xXTestFakeInputReq / 4,
                                   .type = button ? ButtonRelease : KeyRelease,
                                   .detail = (CARD8)code };
    ssize_t rc = write(fd, &request, sz_xXTestFakeInputReq);

    (void)rc;
}

/* Waits for an answer, but not long, because a server drops the requests of a client that has gone.
 * Each event before the answer has 32 bytes as well. */
static void await_server(int fd)
{
    static const xReq question = { .reqType = X_GetInputFocus, .length = sz_xReq / 4 };
    struct pollfd poller = { .fd = fd, .events = POLLIN };
    unsigned char answer[32];

    if (write(fd, &question, sz_xReq) != sz_xReq)
        return;
    for (int tries = 0; tries < 1000 && poll(&poller, 1, 500) == 1; tries++) {
        if (read(fd, answer, sizeof answer) != sizeof answer || answer[0] == X_Reply)
            return;
    }
}

void emergency_release(void)
{
    int fd = atomic_load(&emergency_fd);
    bool released = false;

    if (fd < 0)
        return;
    for (unsigned code = 0; code < 256; code++) {
        for (int button = 0; button < 2; button++) {
            if (atomic_exchange(&(*atomic_load(&held))[button][code], 0)) {
                release_code(fd, button != 0, code);
                released = true;
            }
        }
    }
    if (released)
        await_server(fd);
}
