/* The end of keys that are held down when the process crashes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "platform/fake/fake.h"
#include "platform/worker/fatal.h"
#include "platform/worker/worker.h"

#ifdef __SANITIZE_ADDRESS__ /* it makes an exit of a fault, and a report */
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static int told = -1; /* a pipe's end */

static void release(void)
{
    (void)!write(told, "r", 1);
}

static void fault(void)
{
    volatile int *volatile nowhere = NULL;

    *nowhere = 1;
}

static void overflow(volatile char *above)
{
    volatile char frame[4096];

    frame[0] = *above;
    if (frame[0] != 7)
        overflow(frame);
    frame[1] = 0;
}

static void overflow_stack(void)
{
    char start = 0;

    overflow(&start);
}

static bool run_fault(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                      struct deadline *deadline, struct error *err)
{
    (void)job, (void)ops, (void)desktop, (void)deadline, (void)err;
    fault();
    return true;
}

static void done(struct job *job, const struct error *err)
{
    (void)job, (void)err;
}

static void destroy(struct job *job)
{
    (void)job;
}

static struct worker *worker;
static uv_loop_t loop;

static void fault_on_a_queue(void)
{
    static struct job job = {
        .queue = QUEUE_INPUT, .run = run_fault, .done = done, .destroy = destroy
    };
    struct error err;

    assert_true(worker_start(worker, &job, &err));
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* Crashes in a process of its own, with a worker whose release reports itself. */
static void crash(void (*how)(void))
{
    static struct input_ops input;
    static struct platform_ops ops;
    static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    struct worker_options options = { .ops = &ops, .shared = fake_new() };

    for (size_t i = 0; i < countof(fatal); i++)
        signal(fatal[i], SIG_DFL); /* cmocka has its own */
    ops = perigee_fake;
    input = *ops.input;
    input.release_in_signal = release;
    ops.input = &input;
    uv_loop_init(&loop);
    worker = worker_new(&loop, &options);
    fatal_signals_install();
    how();
    _exit(0);
}

/* The signal that ended the process, negative when no key was let go of. */
static int end_of(void (*how)(void))
{
    int ends[2], status;
    char byte = 0;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        told = ends[1];
        crash(how);
    }
    close(ends[1]);
    assert_true(read(ends[0], &byte, 1) >= 0);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSIGNALED(status))
        return 0;
    return byte == 'r' ? WTERMSIG(status) : -WTERMSIG(status);
}

static void raise_fpe(void)
{
    raise(SIGFPE);
}

static void keys_are_let_go_of_and_the_signal_ends_it(void **state)
{
    (void)state;
    assert_int_equal(end_of(abort), SIGABRT);
    if (SANITIZED)
        return;
    assert_int_equal(end_of(fault), SIGSEGV);
    assert_int_equal(end_of(raise_fpe), SIGFPE);
}

static void also_when_the_stack_is_used_up(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    assert_int_equal(end_of(overflow_stack), SIGSEGV);
}

static void also_for_a_fault_on_a_thread_of_the_desktop(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    assert_int_equal(end_of(fault_on_a_queue), SIGSEGV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_let_go_of_and_the_signal_ends_it),
        cmocka_unit_test(also_when_the_stack_is_used_up),
        cmocka_unit_test(also_for_a_fault_on_a_thread_of_the_desktop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
