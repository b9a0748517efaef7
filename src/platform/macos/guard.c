/* Letting go of keys when the process is killed.
 *
 * Keys that were pressed by events stay down after their program is gone, and no handler runs on
 * SIGKILL. So another process of this program is told, over a pipe, of each key that goes down or
 * up; when the pipe ends, it lets go of those that are still down. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/module.h"
#include "platform/helper_program.h"
#include "platform/macos/guard.h"
#include "platform/macos/input.h"
#include "platform/macos/system/spawn.h"

enum {
    GUARD_DOWN = 1,
    GUARD_BUTTON = 2
}; /* bits of a message's second byte; the first is the code */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guard_fd = -1;
static pid_t guard_pid;

static bool start_guard(void)
{
#ifdef INPUT_GUARD /* the tests replace it */
    static char program[] = INPUT_GUARD;
#else
    char *program = (char *)(uintptr_t)module_executable();
#endif
    char option[] = "--input-guard";
    char *argv[] = { program, option, NULL };
    int fds[2];

    if (pipe(fds) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    fcntl(fds[1], F_SETFL, O_NONBLOCK);
    if (spawn_alone(argv, fds[0], &guard_pid)) {
        guard_fd = fds[1];
    } else {
        close(fds[1]);
    }
    close(fds[0]);
    return guard_fd >= 0;
}

/* Forgets the guard, which ended before us: the next key starts another. */
static void forget_guard(void)
{
    close(guard_fd);
    guard_fd = -1;
    waitpid(guard_pid, NULL, WNOHANG);
}

void guard_note(bool button, unsigned code, bool down)
{
    unsigned char message[2] = {
        (unsigned char)code, (unsigned char)((down ? GUARD_DOWN : 0) | (button ? GUARD_BUTTON : 0))
    };

    pthread_mutex_lock(&lock);
    if ((guard_fd >= 0 || (down && start_guard())) &&
        write(guard_fd, message, sizeof message) != (ssize_t)sizeof message && errno == EPIPE)
        forget_guard();
    pthread_mutex_unlock(&lock);
}

/* --- the other process -------------------------------------------------------------------- */

static bool read_message(unsigned char message[2])
{
    size_t have = 0;

    while (have < 2) {
        ssize_t got = read(STDIN_FILENO, message + have, 2 - have);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        have += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Ends after the process it guards: neither a terminal's Ctrl-C nor a client's signal to our
 * process group is meant for it. */
static int serve_guard(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    unsigned char message[2];

    setsid();
    for (size_t i = 0; i < countof(signals); i++)
        signal(signals[i], SIG_IGN);
    while (read_message(message))
        input_held(message[1] & GUARD_BUTTON, message[0], message[1] & GUARD_DOWN);
    input_release_in_signal();
    return 0;
}

extern const struct helper_program perigee_guard;
const struct helper_program perigee_guard = { serve_guard };
