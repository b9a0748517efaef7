/* Child processes on the loop: argv only, never a shell.
 *
 * Each child leads a session and process group of its own and is signalled as
 * that group, so what it started goes with it. Main thread only; callbacks
 * come from the loop, never from inside the function that was called.
 * process_start() also makes the program ignore SIGPIPE (a child that closes
 * its stdin is an event, not our death); children start with SIGPIPE, like
 * every other signal, at its default. */
#ifndef PERIGEE_PROCESS_PROCESS_H
#define PERIGEE_PROCESS_PROCESS_H

#include <uv.h>

#include "base/error.h"
#include "base/util.h"

struct process;

enum process_stream {
    PROCESS_CAPTURE, /* arrives in events.output */
    PROCESS_DISCARD, /* /dev/null */
    PROCESS_INHERIT, /* ours: fd 1 or 2 of this program */
    PROCESS_MERGE,   /* err only: 2>&1, arrives as fd 1 */
};

/* Zero is the sensible default for every field but argv. Everything is
 * borrowed until process_start() returns. */
struct process_spec {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up on PATH (env's, if given) */
    const char *cwd;         /* NULL: ours */
    const char *const *env;  /* NULL: ours; else the complete "K=V" list, NULL-terminated */
    struct str input;        /* copied, written to stdin, which is then closed; empty: /dev/null */
    bool keep_input_open;    /* for process_write(); close with process_close_input() */
    enum process_stream out;
    enum process_stream err;
    uint64_t timeout_ms;    /* 0: none; else process_stop() after this long */
    uint64_t kill_grace_ms; /* from SIGTERM to SIGKILL; 0: SIGKILL at once, no SIGTERM */
    uint64_t max_output;    /* bytes of each stream, 0: unlimited; more is counted and dropped */
    bool stop_on_overflow;  /* ... and the child is stopped */
    bool whole_group;       /* when it ends, all that is left in its group is killed */
};

struct process_result {
    int exit_code;       /* -1 when a signal ended it */
    int term_signal;     /* 0 when it exited by itself */
    bool timed_out;      /* timeout_ms passed while it ran */
    bool truncated;      /* bytes were dropped because of max_output */
    bool input_cut;      /* it ended or closed stdin before taking all we had for it */
    bool left_behind;    /* it left a process holding its pipes; that group was killed */
    uint64_t bytes[2];   /* bytes that it wrote to stdout and stderr, with the dropped ones */
    uint64_t elapsed_ms; /* from start until `exited` */
};

/* Any of them may be NULL, and any may call process_free(). */
struct process_events {
    /* A piece of output; fd is 1 or 2; borrowed for the call. */
    void (*output)(void *arg, int fd, const char *ptr, size_t len);
    /* That output, 1 or 2, is at its end while the other, or the child, goes on.
     * Not told of streams that `exited` closes. */
    void (*closed)(void *arg, int fd);
    /* All that was written so far was taken by the pipe, or the child closed it. */
    void (*drained)(void *arg);
    /* Last event, exactly once: the child is dead and its output was delivered.
     * A grandchild that keeps the pipes open delays this by a quarter of a
     * second at most, then the group is killed. */
    void (*exited)(void *arg, const struct process_result *result);
};

/* NULL and err: "not_found" (the program, or cwd), "permission_denied",
 * "not_a_folder" (cwd), "arguments_too_long", "too_many_processes",
 * "too_many_files", "bad_argument". Nothing is left running then. `events` is
 * copied; `arg` is borrowed until process_free(). Owned by the caller. */
struct process *process_start(uv_loop_t *loop, const struct process_spec *spec,
                              const struct process_events *events, void *arg, struct error *err);

/* Queues a copy for stdin. False with "input_closed" when it is not open: not
 * asked for, closed by us, or closed by the child. */
bool process_write(struct process *process, const char *ptr, size_t len, struct error *err);

/* Bytes queued and not yet taken by the pipe: stop writing when it is large,
 * go on at `drained`. */
size_t process_unsent(const struct process *process);

/* After what is queued. Twice is harmless. */
void process_close_input(struct process *process);

/* While paused no `output` and no `exited` come; the child blocks when its pipe
 * is full. timeout_ms still runs. */
void process_pause(struct process *process);
void process_resume(struct process *process);

/* Sends a signal to the whole group; does nothing after `exited`. */
void process_kill(struct process *process, int signo);

/* SIGTERM to the group, SIGKILL after kill_grace_ms, then `exited` as usual. */
void process_stop(struct process *process);

/* Until the child was reaped; `exited` follows when its output was delivered. */
bool process_alive(const struct process *process);

/* Also the id of its process group. Stays readable after `exited`. */
int process_pid(const struct process *process);

/* Kills the group if it still runs. No event follows. Accepts NULL. The loop
 * needs to turn until the child is reaped. */
void process_free(struct process *process);

/* Lets it live on, after this program, too: for what was started on the user's behalf. No
 * event follows; frees as process_free() does. */
void process_release(struct process *process);

/* Sets this program's signals as children need them: SIGPIPE ignored, SIGCHLD heard.
 * process_start() does it itself; call it to start a child in another way. */
void process_prepare_signals(void);

/* For the end of the program: SIGKILL to every group whose `exited` is still
 * to come, at once. Async-signal-safe: a handler of fatal signals may call it. */
void processes_kill_all(void);

#endif
