/* Hot keys: keys that the system gives to this program only. For the main thread of a process whose
 * main run loop runs: `perigee --event-process` (event_process_serve.c). */
#ifndef PERIGEE_PLATFORM_MACOS_HOTKEYS_H
#define PERIGEE_PLATFORM_MACOS_HOTKEYS_H

#include "platform/watch.h"

struct hotkeys;

struct hotkeys_told {
    void (*pressed)(void *arg, unsigned number, bool down);
    /* "hotkey_taken", "unknown_key", "hotkey_failed" */
    void (*refused)(void *arg, unsigned number, const struct error *why);
    void *arg;
};

struct hotkeys *hotkeys_new(const struct hotkeys_told *told);
void hotkeys_free(struct hotkeys *hotkeys); /* NULL is fine */

/* Binds these keys and no others; reports those that cannot be bound. */
void hotkeys_set(struct hotkeys *hotkeys, const struct watch_hotkey *wanted, size_t count);

/* Binds all again after a change of the user's keyboard layout: other keys have these characters
 * now. */
void hotkeys_bind_again(struct hotkeys *hotkeys);

#endif
