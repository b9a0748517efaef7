/* Starting `perigee --event-process`. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/module.h"
#include "platform/helper_program.h"
#include "platform/macos/event_process.h"
#include "platform/macos/system/spawn.h"

static bool make_pipe(int fds[2])
{
    if (pipe(fds) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    return true;
}

static void close_pipe(const int fds[2])
{
    close(fds[0]);
    close(fds[1]);
}

bool event_process_start(struct event_process_child *child, struct error *err)
{
    char option[] = "--event-process";
    char *argv[] = { (char *)(uintptr_t)module_executable(), option, NULL };
    int to[2], from[2];
    pid_t pid;

    *child = (struct event_process_child){ -1, -1, 0 };
    if (!make_pipe(to))
        return error_errno(err, errno, "cannot watch the desktop");
    if (!make_pipe(from)) {
        close_pipe(to);
        return error_errno(err, errno, "cannot watch the desktop");
    }
    if (!spawn_piped(argv, to[0], from[1], &pid)) {
        close_pipe(to);
        close_pipe(from);
        return error_set(err, "display_lost",
                         "%s --event-process, which watches the desktop for this process, does not "
                         "start",
                         argv[0]);
    }
    close(to[0]);
    close(from[1]);
    *child = (struct event_process_child){ to[1], from[0], pid };
    return true;
}

static void *reap_process(void *arg)
{
    while (waitpid((pid_t)(intptr_t)arg, NULL, 0) < 0 && errno == EINTR)
        ;
    return NULL;
}

/* Ends the process. It exits soon after its lines end: another thread waits for that. */
void event_process_end(struct event_process_child *child)
{
    pthread_attr_t detached;
    pthread_t thread;

    if (child->from < 0)
        return;
    if (child->to >= 0)
        close(child->to);
    close(child->from);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, reap_process, (void *)(intptr_t)child->id);
    pthread_attr_destroy(&detached);
    *child = (struct event_process_child){ -1, -1, 0 };
}

/* --- the other process -------------------------------------------------------------------- */

/* Ends after the process it serves: neither a terminal's Ctrl-C nor a client's signal to our
 * process group is meant for it. */
static int serve_event_process(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

    setsid();
    for (size_t i = 0; i < countof(signals); i++)
        signal(signals[i], SIG_IGN);
    return event_process_serve(STDIN_FILENO, STDOUT_FILENO);
}

extern const struct helper_program perigee_event_process;
const struct helper_program perigee_event_process = { serve_event_process };
