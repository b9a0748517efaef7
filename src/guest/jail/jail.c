#include "guest/jail/jail.h"

#include <sys/wait.h>
#include <unistd.h>

#include "guest/jail/calls.h"
#include "guest/jail/landlock.h"
#include "guest/jail/limits.h"
#include "guest/jail/namespaces.h"

/* Sanitizers reserve terabytes, read /proc and make calls of their own at any time. */
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
    has_namespaces = !SANITIZED && namespaces_enter(false);
}

/* Finds the layers that a guest gets by a process that tries them: a system may know a call and
 * refuse it. */
static unsigned try_lock(int socket)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        unsigned held = limits_set() ? JAIL_LIMITS : 0;

        held |= calls_list(socket) ? JAIL_CALLS : 0;
        _exit((int)held);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return 0;
    return (unsigned)WEXITSTATUS(status);
}

unsigned jail_close(int socket)
{
    unsigned layers = 0;

    if (SANITIZED)
        return JAIL_OPEN;
    if (has_namespaces && namespaces_empty_root())
        layers |= JAIL_NAMESPACES;
    namespaces_drop_capabilities();
    if (landlock_close())
        layers |= JAIL_LANDLOCK;
    return layers | try_lock(socket);
}

bool jail_lock(int socket)
{
    if (SANITIZED)
        return true;
    limits_set(); /* the list of calls holds without the limits */
    return calls_list(socket);
}

bool jail_has_list(void)
{
    return calls_are_known();
}

bool jail_is_enough(unsigned layers)
{
    return (layers & (JAIL_CALLS | JAIL_OPEN)) != 0;
}
