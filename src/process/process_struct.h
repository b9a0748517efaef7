/* The parts of a child process, for process.c (its life) and process_start.c (its beginning). */
#ifndef PERIGEE_PROCESS_PROCESS_STRUCT_H
#define PERIGEE_PROCESS_PROCESS_STRUCT_H

#include "process/process.h"

enum process_state {
    PROCESS_RUNNING,   /* no clock but the time limit; also when dead and paused */
    PROCESS_STOPPING,  /* SIGTERM was sent; SIGKILL when the timer fires */
    PROCESS_KILLED,    /* SIGKILL was sent; nothing left but to wait */
    PROCESS_DRAINING,  /* dead; waiting for the end of its pipes */
    PROCESS_ABANDONED, /* as before, and the group was killed */
    PROCESS_DONE,
};

struct process_pipe {
    uv_pipe_t handle;
    bool open;
};

struct process {
    uv_process_t handle;
    uv_timer_t timer;
    struct process_pipe in, out[2]; /* out[0] is stdout */
    struct process_events events;
    void *arg;
    struct process_result result;
    enum process_state state;
    uint64_t started; /* uv_hrtime() */
    uint64_t grace_ms, max_output;
    int pid;
    unsigned handles; /* open or closing; the memory goes with the last one */
    bool stop_on_overflow;
    bool whole_group;
    bool dead;        /* the child was reaped */
    bool stopped;     /* by us: leave nothing of the group alive */
    bool close_input; /* once everything is sent */
    bool paused;
    bool freed; /* by the caller: no more events */
};

#endif
