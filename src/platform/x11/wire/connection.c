/* One connection to an X server: opening, errors, events, its end.
 *
 * Xlib's default answers to trouble end the process. Here an X error is a number kept for the
 * thread, and a broken connection a flag of its desktop: every later call fails, the worker
 * closes it and opens another. */
#include <X11/Xlib.h> /* the extensions' headers need it before them */

#include <X11/extensions/XShm.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/Xge.h>
#include <X11/extensions/Xrandr.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "platform/x11/wire/broken.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"
#include "platform/x11/wire/owner.h"
#include "platform/x11/wire/property.h"
#include "process/session_display.h"

/* A variable in the thread's own block from the start: LeakSanitizer does not find thread memory
 * that comes later, as a module's does, and then crashes. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

OF_THREAD int last_error;

static int on_display_error(Display *display, XErrorEvent *event)
{
    (void)display;
    last_error = event->error_code;
    return 0;
}

/* Set while a connection is opened: if the server dies then, Xlib would end the process, because no
 * handler can be set for a Display before there is one. Xlib's memory for it is lost. */
OF_THREAD jmp_buf *opening;

static int on_io_error(Display *display)
{
    if (!opening)
        return 0;
    x11_leave_behind(display);
    longjmp(*opening, 1);
}

Display *x11_connect(void)
{
    Display *volatile display = NULL;
    jmp_buf back;

    opening = &back;
    if (setjmp(back) == 0)
        display = XOpenDisplay(NULL);
    opening = NULL;
    return display;
}

/* Returns, which keeps the process alive (libX11 1.7 and later). */
static void on_io_exit(Display *display, void *arg)
{
    struct x11_desktop *desktop = arg;

    x11_mend_buffer(display);
    desktop->dead = true;
}

static void install_handlers(void)
{
    XInitThreads();
    XSetErrorHandler(on_display_error);
    XSetIOErrorHandler(on_io_error);
}

void x11_trap(struct x11_desktop *desktop)
{
    (void)desktop;
    last_error = 0; /* requests sent before may still fail; all that matter are followed by XSync */
}

int x11_trapped(struct x11_desktop *desktop)
{
    if (!desktop->dead)
        XSync(desktop->display, False);
    return last_error;
}

bool x11_lost(struct x11_desktop *desktop, struct error *err)
{
    desktop->dead = true;
    return error_set(err, "display_lost",
                     "the connection to X display %s was lost during the call. Try again when the "
                     "display is back",
                     getenv("DISPLAY") ? getenv("DISPLAY") : "");
}

/* --- events ----------------------------------------------------------------------- */

static void on_client_message(struct x11_desktop *desktop, const XClientMessageEvent *message)
{
    if (message->message_type == A(WM_PROTOCOLS) && (Atom)message->data.l[0] == A(_NET_WM_PING) &&
        message->window == desktop->root)
        desktop->pong = (unsigned long)message->data.l[1];
}

static void on_property(struct x11_desktop *desktop, const XPropertyEvent *event)
{
    if (event->window == desktop->probe && event->atom == A(PERIGEE_TIME))
        desktop->time = event->time;
}

/* The window manager has moved our probe: manager.c. */
static void on_probe_moved(struct x11_desktop *desktop)
{
    desktop->probe_moved = true;
    desktop->mute = false;
}

static void handle_event(struct x11_desktop *desktop, XEvent *event)
{
    if (event->type == ClientMessage)
        on_client_message(desktop, &event->xclient);
    else if (event->type == PropertyNotify)
        on_property(desktop, &event->xproperty);
    else if (event->type == ConfigureNotify && event->xconfigure.window == desktop->probe)
        on_probe_moved(desktop);
    else if ((event->type == ConfigureNotify && event->xconfigure.window == desktop->root) ||
             (desktop->randr_event && event->type >= desktop->randr_event &&
              event->type <= desktop->randr_event + RRNotify))
        desktop->origin_known = false;
    if (event->type == ConfigureNotify && event->xconfigure.window == desktop->root)
        XRRUpdateConfiguration(event);
    desktop->on_event(desktop, event);
}

bool x11_pump(struct x11_desktop *desktop, struct error *err)
{
    XEvent event;

    while (!desktop->dead && XPending(desktop->display) > 0) {
        XNextEvent(desktop->display, &event);
        if (!desktop->dead)
            handle_event(desktop, &event);
    }
    if (!desktop->dead && !desktop->origin_known)
        x11_find_origin(desktop);
    if (desktop->dead || xcb_connection_has_error(desktop->xcb))
        return x11_lost(desktop, err);
    return true;
}

bool x11_wait(struct x11_desktop *desktop, struct deadline *deadline, uint64_t until,
              struct error *err)
{
    XFlush(desktop->display);
    if (XEventsQueued(desktop->display, QueuedAfterReading) == 0) { /* XCB may hold some already */
        if (!deadline_wait(deadline, ConnectionNumber(desktop->display), until, err))
            return false;
    }
    return x11_pump(desktop, err);
}

bool x11_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err)
{
    return deadline_ok(deadline, err) && x11_pump(desktop, err);
}

bool x11_time(struct x11_desktop *desktop, struct deadline *deadline, struct error *err)
{
    desktop->time = 0;
    XChangeProperty(desktop->display, desktop->probe, A(PERIGEE_TIME), A(PERIGEE_TIME), 8,
                    PropModeAppend, (const unsigned char *)"", 0);
    while (!desktop->time) {
        if (!x11_wait(desktop, deadline, 0, err))
            return false;
    }
    return true;
}

/* --- opening and closing ---------------------------------------------------------- */

static void intern_atoms(struct x11_desktop *desktop)
{
    static const char *const names[ATOM_COUNT] = {
#define X(name) [ATOM_##name] = #name,
        X11_ATOMS(X)
#undef X
    };

    XInternAtoms(desktop->display, (char **)(uintptr_t)names, ATOM_COUNT, False, desktop->atoms);
}

/* libXext makes its record of an extension when a display first asks about it, drops the record
 * with the last display (XGE's), and locks neither. So every connection asks for all extensions
 * when it is opened, and openings and ends take turns. */
static pthread_mutex_t extensions = PTHREAD_MUTEX_INITIALIZER;

static void enter_extensions(Display *display)
{
    int event, error;

    XGEQueryExtension(display, &event, &error);
    XShmQueryExtension(display);
}

static void find_extensions(struct x11_desktop *desktop)
{
    int error, event;

    x11_find_resource(desktop);
    pthread_mutex_lock(&extensions);
    enter_extensions(desktop->display);
    pthread_mutex_unlock(&extensions);
    if (XRRQueryExtension(desktop->display, &desktop->randr_event, &error))
        XRRSelectInput(desktop->display, desktop->root, RRScreenChangeNotifyMask);
    else
        desktop->randr_event = 0;
    if (!XFixesQueryExtension(desktop->display, &desktop->fixes_event, &error))
        desktop->fixes_event = -1;
    if (!XQueryExtension(desktop->display, "XInputExtension", &desktop->xi_opcode, &event, &error))
        desktop->xi_opcode = 0;
}

void x11_exclusively(struct x11_desktop *desktop, void (*work)(struct x11_desktop *desktop))
{
    pthread_mutex_lock(&extensions);
    work(desktop);
    pthread_mutex_unlock(&extensions);
}

static void close_display(struct x11_desktop *desktop)
{
    if (desktop->dead)
        x11_leave_behind(desktop->display);
    else
        XCloseDisplay(desktop->display);
}

void x11_desktop_close(struct x11_desktop *desktop)
{
    x11_exclusively(desktop, close_display);
    free(desktop);
}

static struct x11_desktop *no_display(struct error *err)
{
    const char *name = getenv("DISPLAY"), *several = session_display_adopted()->several;
    const char *wayland = getenv("WAYLAND_DISPLAY");

    if ((!name || !*name) && several)
        error_set(
            err, "no_display",
            "DISPLAY is not set, and you have several displays: %.120s. Set DISPLAY to one of "
            "them",
            several);
    else if ((!name || !*name) && wayland && *wayland)
        error_set(
            err, "no_display",
            "this session is Wayland's, which is not supported yet, and has no X11 beside it: "
            "DISPLAY is not set. Log in to an X11 session, or start Xwayland for X11 programs");
    else if (!name || !*name)
        error_set(
            err, "no_display",
            "there is no desktop to work on: DISPLAY is not set. Start this program inside a "
            "graphical session, or set DISPLAY (for a screen in memory: Xvfb :99 and DISPLAY=:99)");
    else
        error_set(err, "no_display",
                  "the X display \"%.60s\" cannot be opened: no server runs there, or it refuses "
                  "this user. Check DISPLAY (ls /tmp/.X11-unix lists servers) and XAUTHORITY",
                  name);
    return NULL;
}

struct x11_desktop *x11_desktop_open(void (*on_event)(struct x11_desktop *desktop, XEvent *event),
                                     struct error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *name = getenv("DISPLAY");
    struct x11_desktop *desktop;
    Display *display;

    pthread_once(&once, install_handlers);
    display = name && *name ? x11_connect() : NULL;
    if (!display)
        return no_display(err);
    desktop = mem_zero(sizeof *desktop);
    desktop->display = display;
    desktop->on_event = on_event;
    XSetIOErrorExitHandler(display, on_io_exit, desktop);
    fcntl(ConnectionNumber(display), F_SETFD, FD_CLOEXEC);
    desktop->xcb = XGetXCBConnection(display);
    desktop->screen = DefaultScreen(display);
    desktop->root = RootWindow(display, desktop->screen);
    intern_atoms(desktop);
    find_extensions(desktop);
    desktop->probe = XCreateSimpleWindow(display, desktop->root, -10, -10, 1, 1, 0, 0, 0);
    XSelectInput(display, desktop->probe, PropertyChangeMask | StructureNotifyMask);
    XSelectInput(display, desktop->root,
                 PropertyChangeMask | StructureNotifyMask | SubstructureNotifyMask);
    XSync(display, False);
    if (desktop->dead) {
        x11_desktop_close(desktop);
        return no_display(err);
    }
    return desktop;
}
