#include "guest/jail/jail.h"

#include "guest/jail/calls.h"
#include "guest/jail/landlock.h"
#include "guest/jail/limits.h"
#include "guest/jail/namespaces.h"

/* They reserve terabytes, read /proc and make calls of their own at any time. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static bool has_namespaces;

void jail_enter(void)
{
    has_namespaces = !SANITIZED && namespaces_enter();
}

unsigned jail_close(void)
{
    unsigned layers = JAIL_LIMITS;

    if (SANITIZED)
        return JAIL_OPEN;
    if (has_namespaces && namespaces_empty_root())
        layers |= JAIL_NAMESPACES;
    namespaces_drop_capabilities();
    if (landlock_close())
        layers |= JAIL_LANDLOCK;
    if (calls_can_be_listed())
        layers |= JAIL_CALLS;
    return layers;
}

bool jail_lock(int socket)
{
    if (SANITIZED)
        return true;
    limits_set(); /* the list stands without them */
    return calls_list(socket);
}

bool jail_is_enough(unsigned layers)
{
    return (layers & (JAIL_CALLS | JAIL_OPEN)) != 0;
}
