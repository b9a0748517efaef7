/* The ends of child processes: by themselves, at the time limit, stopped, freed, with families that
 * obey, refuse or run away. */
#include "process_run.h"

#include <sys/wait.h>

#include "process/process_group.h"

static char self[4096]; /* this program */

/* --- the end ---------------------------------------------------------------------- */

static void the_time_limit_ends_the_whole_family(void **state)
{
    struct run *run;

    (void)state;
    const char *argv[] = { "sh", "-c", "exec 3>\"$0\"; sleep 1000 & echo up; wait", line.path,
                           NULL };
    run = start(&(struct process_spec){ .argv = argv, .timeout_ms = 300, .kill_grace_ms = 60000 });
    run_until(&run->done);
    assert_true(run->result.timed_out);
    assert_int_equal(run->result.term_signal, SIGTERM);
    assert_int_equal(run->result.exit_code, -1);
    assert_true(run->result.elapsed_ms >= 299);
    lifeline_await_end(&line);
}

static void a_child_may_use_the_grace_to_tidy_up(void **state)
{
    const char *argv[] = { "sh", "-c",
                           "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.1; done",
                           NULL };
    struct run *run;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .kill_grace_ms = 60000 });
    until_output(run);
    process_stop(run->process);
    process_stop(run->process);
    run_until(&run->done);
    has(&run->out, "up\nbye\n");
    assert_int_equal(run->result.exit_code, 3);
    assert_false(run->result.timed_out);
}

static void a_child_deaf_to_sigterm_is_killed_after_the_grace(void **state)
{
    struct run *run;

    (void)state;
    const char *argv[] = { "sh", "-c",
                           "exec 3>\"$0\"; trap '' TERM; echo up; while :; do sleep 0.1; done",
                           line.path, NULL };
    run = start(&(struct process_spec){ .argv = argv, .kill_grace_ms = 100 });
    until_output(run);
    process_stop(run->process);
    run_until(&run->done);
    assert_int_equal(run->result.term_signal, SIGKILL);
    lifeline_await_end(&line);
}

static void a_deaf_grandchild_is_killed_when_its_parent_obeyed(void **state)
{
    struct run *run;

    (void)state;
    const char *argv[] = { "sh", "-c",
                           "exec 3>\"$0\"; (trap '' TERM; echo up; while :; do sleep 0.1; done) & "
                           "wait",
                           line.path, NULL };
    run = start(&(struct process_spec){ .argv = argv, .kill_grace_ms = 100 });
    until_output(run);
    process_stop(run->process);
    run_until(&run->done);
    assert_int_equal(run->result.term_signal, SIGTERM);
    lifeline_await_end(&line);
}

static void stopping_leaves_no_deaf_grandchild_with_an_output_of_its_own(void **state)
{
    struct run *run;

    (void)state;
    const char *argv[] = {
        "sh", "-c",
        "exec 3>\"$0\"; (trap '' TERM; echo up; exec sleep 1000 >/dev/null 2>&1) & "
        "wait",
        line.path, NULL
    };
    run = start(&(struct process_spec){ .argv = argv, .kill_grace_ms = 60000 });
    until_output(run);
    process_stop(run->process);
    run_until(&run->done);
    lifeline_await_end(&line);
}

static void a_grandchild_holding_the_pipe_does_not_hold_us(void **state)
{
    struct run *run;

    (void)state;
    run = START("sh", "-c", "exec 3>\"$0\"; sleep 1000 & echo done", line.path);
    run_until(&run->done);
    has(&run->out, "done\n");
    assert_int_equal(run->result.exit_code, 0);
    assert_true(run->result.left_behind);
    lifeline_await_end(&line);
}

static void a_grandchild_that_left_the_group_does_not_hold_us_either(void **state)
{
    struct run *run;
    pid_t escaped;

    (void)state;
    run = START(self, "--escape");
    run_until(&run->done);
    assert_true(run->result.left_behind);
    escaped = (pid_t)atoi(buf_text(&run->out));
    assert_true(escaped > 0);
    assert_int_equal(kill(escaped, SIGKILL), 0);
}

static void a_background_program_with_its_own_output_is_left_alone(void **state)
{
    struct run *run;

    (void)state;
    run = START("sh", "-c", "exec 3>\"$0\"; sleep 1000 >/dev/null 2>&1 & echo $!", line.path);
    run_until(&run->done);
    assert_false(run->result.left_behind);
    assert_true(lifeline_alive(&line));
    assert_int_equal(kill((pid_t)atoi(buf_text(&run->out)), SIGKILL), 0);
    lifeline_await_end(&line);
}

static void a_signal_can_be_sent_from_a_callback(void **state)
{
    struct run *run;

    (void)state;
    run = START("sh", "-c", "echo up; exec sleep 1000");
    run->signal_at_output = SIGINT;
    run_until(&run->done);
    assert_int_equal(run->result.term_signal, SIGINT);
    process_kill(run->process, SIGKILL);
    process_stop(run->process);
}

static void freeing_kills_the_family_and_silences_it(void **state)
{
    struct run *run;

    (void)state;
    run = START("sh", "-c", "exec 3>\"$0\"; sleep 1000 & echo up; wait", line.path);
    until_output(run);
    process_free(run->process);
    run->process = NULL;
    lifeline_await_end(&line);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(run->exits, 0);
}

static void freeing_from_a_callback_is_safe(void **state)
{
    struct run *run;

    (void)state;
    run = START("yes");
    run->free_at_output = true;
    run_until(&run->done);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(run->exits, 0);
    process_free(NULL);
}

static void free_at_exit(void *arg, const struct process_result *result)
{
    struct run *run = arg;

    take_exit(arg, result);
    process_free(run->process);
    run->process = NULL;
}

static void freeing_at_the_exit_is_safe(void **state)
{
    const char *argv[] = { "true", NULL };
    struct process_events at_exit = { .exited = free_at_exit };
    struct run *run = run_new();

    (void)state;
    run->process =
        process_start(&loop, &(struct process_spec){ .argv = argv }, &at_exit, run, NULL);
    run_until(&run->done);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(run->exits, 1);
}

static void freeing_with_unsent_input_is_safe(void **state)
{
    const char *argv[] = { "sleep", "1000", NULL };
    struct run *run;
    char *block = mem_zero(1 << 20);

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .input = { block, 1 << 20 } });
    process_free(run->process);
    run->process = NULL;
    free(block);
}

static void thousands_of_starts_leave_nothing_behind(void **state)
{
    enum { ROUNDS = 100, SIDE_BY_SIDE = 20 };
    const char *missing[] = { "no-such-program", NULL };
    int before = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIDE_BY_SIDE; i++)
            START("true");
        assert_null(
            process_start(&loop, &(struct process_spec){ .argv = missing }, NULL, NULL, NULL));
        for (int i = 0; i < SIDE_BY_SIDE; i++) {
            run_until(&runs[i].done);
            assert_int_equal(runs[i].result.exit_code, 0);
        }
        runs_free();
        uv_run(&loop, UV_RUN_DEFAULT);
        if (round == 0)
            before = open_files(); /* the loop has opened its descriptors */
    }
    assert_int_equal(open_files(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombie either */
    assert_int_equal(errno, ECHILD);
}

static void all_can_be_killed_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        START("sleep", "1000");
    processes_kill_all();
    for (size_t i = 0; i < run_count; i++) {
        run_until(&runs[i].done);
        assert_int_equal(runs[i].result.term_signal, SIGKILL);
    }
}

static void a_fatal_signal_handler_can_take_the_children_along(void **state)
{
    struct run *run;

    (void)state;
    run = START(self, "--parent", line.path);
    until_output(run);
    assert_true(lifeline_alive(&line));
    assert_int_equal(kill(process_pid(run->process), SIGTERM), 0); /* the parent alone */
    run_until(&run->done);
    assert_int_equal(run->result.exit_code, 9);
    lifeline_await_end(&line);
}

static void a_child_of_which_its_parent_did_not_know_yet_ends_with_it(void **state)
{
    struct run *run;

    (void)state;
#ifndef __linux__
    skip(); /* no step of ours runs in the child */
#endif
    run = START(self, "--killed", line.path);
    run_until(&run->done);
    assert_int_equal(run->result.term_signal, SIGKILL);
    lifeline_await_end(&line);
}

/* --- roles this program plays when a test starts it --------------------------------- */

static int play_escape(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        setsid();
        printf("%d\n", (int)getpid());
        fflush(stdout);
        pause();
        _exit(0);
    }
    while (getpgid(pid) != pid)
        ;
    _exit(0);
}

static void on_fatal(int signo)
{
    (void)signo;
    processes_kill_all();
    _exit(9);
}

static int play_parent(const char *path)
{
    struct run *run;

    uv_loop_init(&loop);
    signal(SIGTERM, on_fatal);
    run = START("sh", "-c", "exec 3>\"$0\"; echo up; sleep 1000 & wait", path);
    until_output(run);
    puts("up");
    fflush(stdout);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 1;
}

/* Its child kills it, and would live on. */
static int play_killed(const char *path)
{
    process_group_begin(false);
    if (fork() == 0) {
        execl("/bin/sh", "sh", "-c", "exec 3>\"$0\" >&3 2>&3; kill -9 $PPID; sleep 1000", path,
              NULL);
        _exit(1);
    }
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(the_time_limit_ends_the_whole_family),
        CASE(a_child_may_use_the_grace_to_tidy_up),
        CASE(a_child_deaf_to_sigterm_is_killed_after_the_grace),
        CASE(a_deaf_grandchild_is_killed_when_its_parent_obeyed),
        CASE(stopping_leaves_no_deaf_grandchild_with_an_output_of_its_own),
        CASE(a_grandchild_holding_the_pipe_does_not_hold_us),
        CASE(a_grandchild_that_left_the_group_does_not_hold_us_either),
        CASE(a_background_program_with_its_own_output_is_left_alone),
        CASE(a_signal_can_be_sent_from_a_callback),
        CASE(freeing_kills_the_family_and_silences_it),
        CASE(freeing_from_a_callback_is_safe),
        CASE(freeing_at_the_exit_is_safe),
        CASE(freeing_with_unsent_input_is_safe),
        CASE(thousands_of_starts_leave_nothing_behind),
        CASE(all_can_be_killed_at_once),
        CASE(a_fatal_signal_handler_can_take_the_children_along),
        CASE(a_child_of_which_its_parent_did_not_know_yet_ends_with_it),
    };
    size_t size = sizeof self;

    alarm(HANG_SECONDS);
    uv_exepath(self, &size);
    if (argc > 1 && strcmp(argv[1], "--escape") == 0)
        return play_escape();
    if (argc > 2 && strcmp(argv[1], "--parent") == 0)
        return play_parent(argv[2]);
    if (argc > 2 && strcmp(argv[1], "--killed") == 0)
        return play_killed(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
