/* A command that goes on in the background: a process of its own, in a session of its own, while
 * the one that was started ends as soon as the other serves. Before any thread runs. */
#ifndef PERIGEE_CLI_BACKGROUND_H
#define PERIGEE_CLI_BACKGROUND_H

#include <stdbool.h>

/* Zeroed: it is not in the background. */
struct background {
    int ready; /* where it is told that it serves; 0: nowhere */
};

/* True in the process that goes on. False in the one that was started: *status is its exit status,
 * once the other is ready or has ended. */
bool background_begin(struct background *background, const char *command, int *status);

/* It serves: stdin, stdout and stderr are given up. */
void background_ready(struct background *background);

#endif
