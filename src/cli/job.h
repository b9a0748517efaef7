/* One undertaking on an engine's loop, and what may end it before it is done. */
#ifndef PERIGEE_CLI_JOB_H
#define PERIGEE_CLI_JOB_H

#include "engine/engine.h"
#include "script/task.h"

struct job {
    struct engine *engine;
    void (*cancel)(struct job *job); /* asks for its end; `done` follows */
    bool done;
    bool cancelled;
    bool deaf; /* goes on when nobody reads stdout */
};

/* From now on Ctrl-C cancels. Before the undertaking is started. */
void job_begin(struct job *job, struct engine *engine, void (*cancel)(struct job *job));

/* Turns the loop until job->done, writing out stdout whenever it waits. Files
 * are reloaded once any were loaded. A stdout that nobody reads cancels too. */
void job_wait(struct job *job);

/* It is over: job_wait() returns. */
void job_done(struct job *job);

/* The exit code for an undertaking that ended like this, other than DONE. */
int job_status(enum task_end end);

#endif
