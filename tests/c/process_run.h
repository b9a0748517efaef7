/* Running children in a test: their outcomes, and the certain end of all. */
#ifndef PERIGEE_TESTS_PROCESS_RUN_H
#define PERIGEE_TESTS_PROCESS_RUN_H

#include "io_help.h"

#include <signal.h>

#include "base/buf.h"
#include "process/process.h"

struct run {
    struct process *process;
    struct buf out, err;
    struct process_result result;
    bool done, drained;
    unsigned exits;
    bool free_at_output;
    int signal_at_output;
};

/* Not on the stack: a failed assertion leaves its case by longjmp, and the teardown still has to
 * end its children. */
static struct run runs[24];
static size_t run_count;

static inline struct run *run_new(void)
{
    assert_true(run_count < countof(runs));
    runs[run_count] = (struct run){ 0 };
    return &runs[run_count++];
}

static inline void runs_free(void)
{
    while (run_count > 0) {
        struct run *run = &runs[--run_count];

        process_free(run->process);
        buf_free(&run->out);
        buf_free(&run->err);
    }
}

static inline void take_output(void *arg, int fd, const char *ptr, size_t len)
{
    struct run *run = arg;

    buf_add(fd == 1 ? &run->out : &run->err, ptr, len);
    if (run->signal_at_output)
        process_kill(run->process, run->signal_at_output);
    run->signal_at_output = 0;
    if (run->free_at_output) {
        process_free(run->process);
        run->process = NULL;
        run->done = true;
    }
}

static inline void take_drained(void *arg)
{
    ((struct run *)arg)->drained = true;
}

static inline void take_exit(void *arg, const struct process_result *result)
{
    struct run *run = arg;

    run->result = *result;
    run->exits++;
    run->done = true;
}

static const struct process_events events = {
    .output = take_output,
    .drained = take_drained,
    .exited = take_exit,
};

static inline struct run *start(const struct process_spec *spec)
{
    struct run *run = run_new();
    struct error err = { .code = "" };

    run->process = process_start(&loop, spec, &events, run, &err);
    if (!run->process)
        fail_msg("%s: %s", err.code, err.text);
    return run;
}

static inline struct run *start_argv(const char *const *argv)
{
    return start(&(struct process_spec){ .argv = argv });
}

#define START(...) start_argv((const char *const[]){ __VA_ARGS__, NULL })

static inline void has(struct buf *buf, const char *text)
{
    assert_string_equal(buf_text(buf), text);
}

static inline void until_output(struct run *run)
{
    while (run->out.len == 0)
        uv_run(&loop, UV_RUN_ONCE);
}

static struct lifeline line;

static inline int runs_setup(void **state)
{
    lifeline_open(&line);
    return loop_setup(state);
}

static inline int runs_teardown(void **state)
{
    runs_free();
    lifeline_close(&line);
    return loop_teardown(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, runs_setup, runs_teardown)

#endif
