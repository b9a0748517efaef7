/* A person's script as a job: what it prints goes to stdout, what it returns decides the
 * exit code. */
#ifndef PERIGEE_CLI_RUNNING_H
#define PERIGEE_CLI_RUNNING_H

#include "cli/job.h"
#include "sys/shared/script.h"

struct running {
    struct job job;
    const char *command; /* for messages */
    struct script *script;
    int nargs; /* values pushed for it on the main state */
    int status;

    /* Reads the results instead of the usual rules; NULL: those. The values are the top
     * `nresults` of task_lua(task). Gives the exit code. */
    int (*results)(void *arg, struct task *task, int nresults);
    void *arg;
};

void running_init(struct running *running, struct engine *engine, const char *command);

/* Fills perigee.args and pushes the same values, the chunk's `...`. */
void running_push_args(struct running *running, const char *name, int count, char **values);

/* Runs spec's text to its end; the spec's name, text, len and timeout_ms count.
 * Prints what went wrong. Returns the exit code. */
int running_run(struct running *running, const struct script_spec *spec);

#endif
