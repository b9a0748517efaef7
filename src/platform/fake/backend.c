/* The fake backend: its table, and the connections to its world. */
#include <poll.h>
#include <stdlib.h>

#include "base/wake_pipe.h"
#include "platform/fake/mirror.h"

extern const struct app_ops fake_app_ops;
extern const struct window_ops fake_window_ops;
extern const struct display_ops fake_display_ops;
extern const struct input_ops fake_input_ops;
extern const struct clipboard_ops fake_clipboard_ops;
extern const struct capture_ops fake_capture_ops;
extern const struct element_ops fake_element_ops;
extern const struct watch_ops fake_watch_ops;

static void *share_new(void)
{
    return fake_world();
}

static void share_free(void *shared)
{
    fake_free(shared);
}

static struct desktop *fake_open(void *shared, struct error *err)
{
    struct fake *fake = shared;
    struct fake_desktop *desktop = NULL;

    pthread_mutex_lock(&fake->lock);
    if (fake->absent) {
        error_set(err, "no_display",
                  "the fake desktop is not present. Call fake_set_present() to bring it back");
    } else if (!fake->mirror || fake_mirror_fill(fake, err)) {
        desktop = mem_zero(sizeof *desktop);
        desktop->fake = fake;
        list_push(&fake->desktops, &desktop->link);
    }
    pthread_mutex_unlock(&fake->lock);
    return (struct desktop *)desktop;
}

static void fake_close(struct desktop *handle)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake;

    if (!desktop)
        return;
    fake = desktop->fake;
    pthread_mutex_lock(&fake->lock);
    list_remove(&desktop->link);
    pthread_mutex_unlock(&fake->lock);
    fake_watch_free(desktop->watch);
    if (desktop->stirred[1])
        wake_pipe_close(desktop->stirred);
    free(desktop);
}

static bool fake_alive(struct desktop *handle)
{
    struct fake_desktop *desktop = fake_of(handle);
    bool alive;

    pthread_mutex_lock(&desktop->fake->lock);
    alive = !desktop->dead;
    pthread_mutex_unlock(&desktop->fake->lock);
    return alive;
}

static void fake_interrupt(struct desktop *handle)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;

    fake_mirror_interrupt(fake);
    pthread_mutex_lock(&fake->lock);
    desktop->dead = true;
    fake_wake_all(fake);
    pthread_mutex_unlock(&fake->lock);
}

static bool fake_idle(struct desktop *handle, int wake_fd)
{
    struct pollfd poller = { .fd = wake_fd, .events = POLLIN };

    poll(&poller, 1, -1);
    return fake_alive(handle);
}

static bool fake_permitted(struct desktop *handle, enum permission permission, struct error *err)
{
    (void)handle;
    (void)permission;
    (void)err;
    return true;
}

const struct platform_ops perigee_fake = {
    .name = "fake",
    .share_new = share_new,
    .share_free = share_free,
    .open = fake_open,
    .close = fake_close,
    .alive = fake_alive,
    .interrupt = fake_interrupt,
    .idle = fake_idle,
    .permitted = fake_permitted,
    .apps = &fake_app_ops,
    .windows = &fake_window_ops,
    .displays = &fake_display_ops,
    .input = &fake_input_ops,
    .clipboard = &fake_clipboard_ops,
    .capture = &fake_capture_ops,
    .elements = &fake_element_ops,
    .watch = &fake_watch_ops,
};
