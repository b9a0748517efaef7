/* The panic key. */
#ifndef PERIGEE_PLATFORM_MACOS_PANIC_H
#define PERIGEE_PLATFORM_MACOS_PANIC_H

struct panic;

/* Listens for Ctrl+Option+Escape on a thread of its own; NULL if the system would refuse or ask.
 * hit(arg) is called on that thread. */
struct panic *panic_listen(void (*hit)(void *arg), void *arg);
void panic_end(struct panic *panic);

#endif
