/* Letting go of keys when the process dies.
 *
 * XTEST keys stay down after their client is gone. Xlib must not be entered from a handler of
 * fatal signals, so a second connection is kept that nothing else uses, and the few bytes of
 * the requests are written to its socket directly. */
#include <X11/Xproto.h>
#include <X11/extensions/xtestproto.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "platform/x11/input.h"

static _Atomic int emergency_fd = -1;
static unsigned char xtest_opcode;
static _Atomic unsigned char held[2][256]; /* keys, buttons */

void emergency_note(bool button, unsigned code, bool down)
{
    atomic_store(&held[button][code & 255], down);
}

static void on_gone(Display *display, void *arg)
{
    (void)display;
    (void)arg;
}

/* Once in the life of the process; when its server goes away, writing fails and does no harm.
 * A new one is opened with the next connection then. */
void emergency_open(struct desktop *desktop)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static Display *display;
    int event, error, opcode;

    (void)desktop;
    pthread_mutex_lock(&lock);
    if (display && xcb_connection_has_error(XGetXCBConnection(display))) {
        atomic_store(&emergency_fd, -1);
        XCloseDisplay(display);
        display = NULL;
    }
    if (!display) {
        display = XOpenDisplay(NULL);
        if (display)
            XSetIOErrorExitHandler(display, on_gone, NULL);
    }
    if (display && XQueryExtension(display, "XTEST", &opcode, &event, &error)) {
        xtest_opcode = (unsigned char)opcode;
        fcntl(ConnectionNumber(display), F_SETFD, FD_CLOEXEC);
        atomic_store(&emergency_fd, ConnectionNumber(display));
    }
    pthread_mutex_unlock(&lock);
}

static void release(int fd, bool button, unsigned code)
{
    xXTestFakeInputReq request = { .reqType = xtest_opcode,
                                   .xtReqType = X_XTestFakeInput,
                                   .length = sz_xXTestFakeInputReq / 4,
                                   .type = button ? ButtonRelease : KeyRelease,
                                   .detail = (CARD8)code };
    ssize_t rc = write(fd, &request, sz_xXTestFakeInputReq);

    (void)rc;
}

/* A server drops what a client has sent when it sees it gone: ask something and wait for the
 * answer, but not long. Events that come before it are 32 bytes each as well. */
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
            if (atomic_load(&held[button][code])) {
                release(fd, button != 0, code);
                released = true;
            }
        }
    }
    if (released)
        await_server(fd);
}
