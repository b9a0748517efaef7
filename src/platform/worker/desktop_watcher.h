/* A thread that watches the desktop on a connection of its own, and reports to the loop.
 *
 * A connection that is lost is opened again, after a while that grows to some seconds; meanwhile
 * only that is reported (WATCH_LOST, WATCH_FOUND). All functions are for the loop's thread. */
#ifndef PERIGEE_PLATFORM_WORKER_DESKTOP_WATCHER_H
#define PERIGEE_PLATFORM_WORKER_DESKTOP_WATCHER_H

#include <uv.h>

#include "platform/watch.h"

struct desktop_watcher;

enum { WATCHER_QUEUE = 10000 }; /* events that wait for the loop; newer ones are dropped */

struct desktop_watcher_hooks {
    /* The event is borrowed for the call; content that is taken from it has to be zeroed. */
    void (*event)(void *arg, struct watch_event *event);
    /* The wish that desktop_watcher_want() gave this number is in effect, or (err) cannot be. */
    void (*settled)(void *arg, uint64_t number, const struct error *err);
    /* This key cannot be bound. Called before settled(). */
    void (*refused)(void *arg, unsigned hotkey, const struct error *why);
    /* So many events were dropped, because the loop was too slow for them. */
    void (*dropped)(void *arg, size_t count);
    void *arg;
};

/* The function that watches: as watch_ops.run(), which it may call, with these operations. *mark is
 * its own, and 0 when the connection is new. */
typedef bool desktop_watcher_run(const struct platform_ops *ops, struct desktop *desktop,
                                 uint64_t *mark, const struct watch_wanted *wanted, int wake_fd,
                                 const struct watch_told *told, struct error *err);

/* Watches by watch_ops. */
desktop_watcher_run watch_desktop;

/* NULL: err. The loop is not kept alive. `shared` is for ops->open(). */
struct desktop_watcher *desktop_watcher_new(uv_loop_t *loop, const struct platform_ops *ops,
                                            void *shared, desktop_watcher_run *run,
                                            const struct desktop_watcher_hooks *hooks,
                                            struct error *err);

/* Ends the thread. The loop has to turn once more. NULL is fine. */
void desktop_watcher_free(struct desktop_watcher *watcher);

/* Watches this and nothing else from now on; copied. The number is settled() later. */
uint64_t desktop_watcher_want(struct desktop_watcher *watcher, const struct watch_wanted *wanted);

#endif
