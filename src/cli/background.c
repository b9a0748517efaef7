/* fork(2), and a pipe by which the parent hears that the child serves. */
#include "cli/background.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"

/* Reads the child's answer: one byte, or its end. */
static int await_child(int ready, pid_t child)
{
    int status = 0;
    char byte;
    ssize_t n;

    do
        n = read(ready, &byte, 1);
    while (n < 0 && errno == EINTR);
    close(ready);
    if (n == 1)
        return EXIT_OK;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

bool background_begin(struct background *background, const char *command, int *status)
{
    int ends[2];
    pid_t child;

    *status = EXIT_FAILED;
    if (pipe(ends) != 0) {
        output_message(command, "cannot go on in the background: %s", strerror(errno));
        return false;
    }
    fflush(stdout);
    child = fork();
    if (child < 0) {
        output_message(command, "cannot go on in the background: %s", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    close(ends[child ? 1 : 0]);
    if (child) {
        *status = await_child(ends[0], child);
        return false;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    setsid();
    background->ready = ends[1];
    return true;
}

void background_ready(struct background *background)
{
    int nowhere;

    if (!background->ready)
        return;
    fflush(stdout);
    nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; nowhere >= 0 && fd <= 2; fd++)
        dup2(nowhere, fd);
    if (nowhere > 2)
        close(nowhere);
    (void)!write(background->ready, "", 1);
    close(background->ready);
    background->ready = 0;
}
