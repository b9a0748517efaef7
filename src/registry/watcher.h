/* Reloads a registry soon after its files change.
 *
 * Events only say "look again"; a look is cheap, so a burst of saves costs a look
 * every WATCHER_LATEST_MS. */
#ifndef PERIGEE_REGISTRY_WATCHER_H
#define PERIGEE_REGISTRY_WATCHER_H

#include "registry/registry.h"

struct watcher;

enum {
    WATCHER_QUIET_MS = 15,  /* a look follows this long after the last event ... */
    WATCHER_LATEST_MS = 90, /* ... and at the latest this long after the first */
};

/* Watches what the registry looked at; the registry is borrowed and must be loaded. */
struct watcher *watcher_new(uv_loop_t *loop, struct registry *registry);

/* The loop must run once more for the handles. NULL is fine. */
void watcher_free(struct watcher *watcher);

#endif
