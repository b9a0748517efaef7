/* The macOS backend: its table, and the beginning and end of a connection. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "platform/macos/clipboard.h"
#include "platform/macos/connection.h"
#include "platform/macos/elements.h"
#include "platform/macos/input.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/watch.h"

extern const struct app_ops macos_app_ops;
extern const struct window_ops macos_window_ops;
extern const struct display_ops macos_display_ops;
extern const struct input_ops macos_input_ops;
extern const struct clipboard_ops macos_clipboard_ops;
extern const struct capture_ops macos_capture_ops;
extern const struct element_ops macos_element_ops;

static struct desktop *macos_open(void *shared, struct error *err)
{
    (void)shared;
    if (!macos_has_session()) {
        error_set(err, "no_display",
                  "there is no desktop to work on: this process runs outside a login session. Log "
                  "in at the screen and start it there, not over ssh or as a daemon");
        return NULL;
    }
    return mem_zero(sizeof(struct macos_desktop)); /* the memory behind the handle */
}

static void macos_close(struct desktop *handle)
{
    struct macos_desktop *desktop = macos_of(handle);

    if (!desktop)
        return;
    macos_elements_free(desktop);
    macos_input_free(desktop);
    macos_clipboard_free(desktop);
    macos_watch_free(desktop);
    free(desktop);
}

static bool macos_alive(struct desktop *handle)
{
    return !macos_of(handle)->dead;
}

/* Marks the connection as given up. A call that hangs in AX returns by its own time limit; the
 * worker leaves any other behind. */
static void macos_interrupt(struct desktop *handle)
{
    macos_of(handle)->dead = true;
}

/* The pasteboard reports no changes: it is asked, and only while a history is kept. */
static bool macos_idle(struct desktop *handle, int wake_fd)
{
    struct macos_desktop *desktop = macos_of(handle);
    enum { CLIPBOARD_LOOK_MS = 500 };
    struct pollfd fd = { .fd = wake_fd, .events = POLLIN };

    for (;;) {
        int ready = poll(&fd, 1, macos_clipboard_watches(desktop) ? CLIPBOARD_LOOK_MS : -1);

        if (ready < 0 && errno != EINTR)
            return false;
        if (ready > 0)
            return true;
        macos_clipboard_idle(desktop);
    }
}

/* Outside of a login session there are no events, and AppKit would crash when asked. */
static void macos_turn(void)
{
    static bool session;

    session = session || macos_has_session();
    if (!session)
        return;
    appkit_turn();
    keys_note_layouts();
}

static bool macos_permitted(struct desktop *handle, enum permission permission, struct error *err)
{
    (void)handle;
    return permission_granted(permission, err);
}

static bool macos_may_automate(struct desktop *handle, const char *application, struct error *err)
{
    (void)handle;
    return automation_granted(application, err);
}

static bool macos_ask(struct desktop *handle, enum permission permission, const char *application,
                      struct error *err)
{
    (void)handle;
    return permission_ask(permission, application, err);
}

extern const struct platform_ops perigee_macos;
const struct platform_ops perigee_macos = {
    .name = "macos",
    .open = macos_open,
    .close = macos_close,
    .alive = macos_alive,
    .interrupt = macos_interrupt,
    .idle = macos_idle,
    .permitted = macos_permitted,
    .may_automate = macos_may_automate,
    .ask = macos_ask,
    .turn = macos_turn,
    .around = appkit_around,
    .apps = &macos_app_ops,
    .windows = &macos_window_ops,
    .displays = &macos_display_ops,
    .input = &macos_input_ops,
    .clipboard = &macos_clipboard_ops,
    .capture = &macos_capture_ops,
    .elements = &macos_element_ops,
    .watch = &macos_watch_ops,
};
