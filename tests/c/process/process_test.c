/* Child processes: their input, their output, and starts that fail. The children are real: sh, cat,
 * head, yes, and this program in a role. */
#include "process_run.h"

#include "process/process_group.h"
#include "process/start_failure.h"

static char self[4096]; /* this program */

/* --- output ----------------------------------------------------------------------- */

static void output_and_exit_code_arrive(void **state)
{
    struct run *run;

    (void)state;
    run = START("sh", "-c", "echo out; echo err >&2; exit 7");
    assert_true(process_pid(run->process) > 0);
    run_until(&run->done);
    has(&run->out, "out\n");
    has(&run->err, "err\n");
    assert_int_equal(run->result.exit_code, 7);
    assert_int_equal(run->result.term_signal, 0);
    assert_int_equal(run->result.bytes[0], 4);
    assert_int_equal(run->result.bytes[1], 4);
    assert_false(run->result.timed_out || run->result.truncated || run->result.left_behind);
    assert_int_equal(run->exits, 1);
}

static void arguments_reach_the_child_untouched(void **state)
{
    struct run *run;

    (void)state;
    run = START("printf", "%s|", "$HOME; echo x", "", "*", "\"a b\"", "\xc3\xa9\n");
    run_until(&run->done);
    has(&run->out, "$HOME; echo x||*|\"a b\"|\xc3\xa9\n|");
}

static void merged_streams_keep_their_order(void **state)
{
    const char *argv[] = { "sh", "-c", "echo 1; echo 2 >&2; echo 3; echo 4 >&2", NULL };
    struct run *run;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .err = PROCESS_MERGE });
    run_until(&run->done);
    has(&run->out, "1\n2\n3\n4\n");
    assert_int_equal(run->err.len, 0);
}

static void discarded_streams_go_nowhere(void **state)
{
    const char *argv[] = { "sh", "-c", "echo 1; echo 2 >&2", NULL };
    struct process_spec spec = { .argv = argv, .out = PROCESS_DISCARD, .err = PROCESS_DISCARD };
    struct run *run;

    (void)state;
    run = start(&spec);
    run_until(&run->done);
    assert_int_equal(run->out.len + run->err.len, 0);
    assert_int_equal(run->result.exit_code, 0);
}

static void an_inherited_stream_is_ours(void **state)
{
    const char *argv[] = { "sh", "-c", "echo to stderr >&2", NULL };
    struct run *run;
    char text[32] = "";
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);

    (void)state;
    dup2(fileno(file), STDERR_FILENO);
    run = start(&(struct process_spec){ .argv = argv, .err = PROCESS_INHERIT });
    run_until(&run->done);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "to stderr\n");
    fclose(file);
}

static void output_over_the_limit_is_counted_and_dropped(void **state)
{
    const char *argv[] = { "head", "-c", "1000000", "/dev/zero", NULL };
    struct run *run;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .max_output = 1000 });
    run_until(&run->done);
    assert_int_equal(run->out.len, 1000);
    assert_int_equal(run->result.bytes[0], 1000000);
    assert_true(run->result.truncated);
    assert_int_equal(run->result.exit_code, 0);
}

static void output_of_exactly_the_limit_is_whole(void **state)
{
    const char *argv[] = { "head", "-c", "1000", "/dev/zero", NULL };
    struct run *run;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .max_output = 1000 });
    run_until(&run->done);
    assert_int_equal(run->out.len, 1000);
    assert_false(run->result.truncated);
}

static void endless_output_can_stop_the_child(void **state)
{
    const char *argv[] = { "yes", NULL };
    struct process_spec spec = { .argv = argv, .max_output = 5000, .stop_on_overflow = true };
    struct run *run;

    (void)state;
    run = start(&spec);
    run_until(&run->done);
    assert_int_equal(run->out.len, 5000);
    assert_true(run->result.truncated);
    assert_false(run->result.timed_out);
    assert_int_equal(run->result.term_signal, SIGKILL);
}

static bool gone(const struct run *run)
{
    return kill(process_pid(run->process), 0) != 0 && errno == ESRCH;
}

static void a_paused_child_keeps_its_output_until_resumed(void **state)
{
    struct run *run;

    (void)state;
    run = START("echo", "patience");
    process_pause(run->process);
    while (!gone(run)) /* it was reaped, so the loop knows of the exit */
        uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(run->exits, 0);
    assert_int_equal(run->out.len, 0);
    process_resume(run->process);
    run_until(&run->done);
    has(&run->out, "patience\n");
    assert_false(run->result.left_behind);
}

static void pausing_in_the_middle_loses_nothing(void **state)
{
    struct run *run;

    (void)state;
    run = START("head", "-c", "3000000", "/dev/zero");
    until_output(run);
    while (!run->done) {
        process_pause(run->process);
        uv_run(&loop, UV_RUN_NOWAIT);
        process_resume(run->process);
        uv_run(&loop, UV_RUN_ONCE);
    }
    assert_int_equal(run->out.len, 3000000);
}

/* --- input ------------------------------------------------------------------------ */

static void input_goes_in_and_is_closed(void **state)
{
    const char *argv[] = { "cat", NULL };
    struct run *run;
    struct buf big = { 0 };

    (void)state;
    for (int i = 0; i < 300000; i++)
        buf_addf(&big, "%d\n", i);
    run = start(&(struct process_spec){ .argv = argv, .input = buf_str(&big) });
    run_until(&run->done);
    assert_true(str_same(buf_str(&run->out), buf_str(&big)));
    assert_false(run->result.input_cut);
    buf_free(&big);
}

static void without_input_stdin_is_at_its_end(void **state)
{
    struct run *run;
    struct error err;

    (void)state;
    run = START("cat");
    assert_false(process_write(run->process, "x", 1, &err));
    assert_string_equal(err.code, "input_closed");
    run_until(&run->done);
    assert_int_equal(run->result.exit_code, 0);
}

static void a_child_can_open_dev_stdin(void **state)
{
    const char *argv[] = { "cat", "/dev/stdin", NULL };
    struct run *run;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .input = STR("by name") });
    run_until(&run->done);
    has(&run->out, "by name");
}

static void a_conversation_with_a_child(void **state)
{
    const char *argv[] = { "cat", NULL };
    struct run *run;

    (void)state;
    run = start(
        &(struct process_spec){ .argv = argv, .input = STR("one "), .keep_input_open = true });
    while (run->out.len < 4)
        uv_run(&loop, UV_RUN_ONCE);
    has(&run->out, "one ");
    assert_true(process_write(run->process, "two", 3, NULL));
    while (run->out.len < 7)
        uv_run(&loop, UV_RUN_ONCE);
    has(&run->out, "one two");
    process_close_input(run->process);
    process_close_input(run->process);
    assert_false(process_write(run->process, "three", 5, NULL));
    run_until(&run->done);
}

static void what_is_queued_is_sent_before_the_input_closes(void **state)
{
    const char *argv[] = { "sh", "-c", "read go; wc -c", NULL };
    struct run *run;
    char *block = mem_zero(1 << 20);

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .keep_input_open = true });
    assert_true(process_write(run->process, "go\n", 3, NULL));
    assert_true(process_write(run->process, block, 1 << 20, NULL));
    assert_true(process_unsent(run->process) > 0);
    process_close_input(run->process);
    run_until(&run->done);
    assert_int_equal(atoi(buf_text(&run->out)), 1 << 20);
    assert_true(run->drained);
    free(block);
}

static void a_child_that_closes_its_input_is_no_crash(void **state)
{
    const char *argv[] = { "sh", "-c", "exec 0<&-; echo closed; exec sleep 1000", NULL };
    struct run *run;
    struct error err;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .keep_input_open = true });
    until_output(run);
    assert_true(process_write(run->process, "x", 1, NULL));
    run_until(&run->drained);
    assert_int_equal(process_unsent(run->process), 0);
    assert_false(process_write(run->process, "y", 1, &err));
    assert_string_equal(err.code, "input_closed");
    process_kill(run->process, SIGKILL);
    run_until(&run->done);
    assert_true(run->result.input_cut);
}

static void a_child_that_ends_before_reading_all_says_so(void **state)
{
    const char *argv[] = { "true", NULL };
    struct run *run;
    char *block = mem_zero(1 << 20);

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .input = { block, 1 << 20 } });
    run_until(&run->done);
    assert_int_equal(run->result.exit_code, 0);
    assert_true(run->result.input_cut);
    free(block);
}

/* --- the surroundings of a child -------------------------------------------------- */

static void the_environment_is_the_one_given(void **state)
{
    const char *argv[] = { "/usr/bin/env", NULL };
    const char *env[] = { "ONE=1", "TWO=two words", NULL };
    struct run *run;

    (void)state;
    run = start(&(struct process_spec){ .argv = argv, .env = env });
    run_until(&run->done);
    has(&run->out, "ONE=1\nTWO=two words\n");
}

static void it_starts_in_the_folder_given(void **state)
{
    const char *argv[] = { "sh", "-c", "test -f mark && echo here", NULL };
    struct run *run;
    char *folder = temp_make();
    char *mark = mem_printf("%s/mark", folder);

    (void)state;
    close(open(mark, O_CREAT | O_WRONLY, 0600));
    run = start(&(struct process_spec){ .argv = argv, .cwd = folder });
    run_until(&run->done);
    has(&run->out, "here\n");
    temp_remove(folder);
    free(mark);
    free(folder);
}

static void a_child_leads_a_session_with_default_signals(void **state)
{
    struct run *run;

    (void)state;
    run = START(self, "--describe");
    run_until(&run->done);
    has(&run->out, "leads its group, leads its session, SIGPIPE default\n");
}

static void no_descriptor_of_ours_reaches_a_child(void **state)
{
    const char *cat[] = { "cat", NULL };
    struct run *other, *run;

    (void)state;
    other = start(&(struct process_spec){ .argv = cat, .keep_input_open = true });
    run = START(self, "--count-files");
    run_until(&run->done);
    has(&run->out, "3\n");
    process_close_input(other->process);
}

/* --- programs that cannot be started ------------------------------------------------ */

static void refused(const struct process_spec *spec, const char *code, const char *text)
{
    struct error err = { .code = "" };

    assert_null(process_start(&loop, spec, &events, NULL, &err));
    assert_string_equal(err.code, code);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" does not say \"%s\"", err.text, text);
}

static void a_missing_program_is_named_with_the_path(void **state)
{
    const char *argv[] = { "no-such-program", NULL };
    const char *env[] = { "PATH=/only/here", NULL };
    const char *file[] = { "/no/such/program", NULL };

    (void)state;
    refused(&(struct process_spec){ .argv = argv }, "not_found", "\"no-such-program\"");
    /* A long PATH is cut to the size of an error. */
    refused(&(struct process_spec){ .argv = argv }, "not_found",
            strncmp(getenv("PATH"), "/", 1) == 0 ? "PATH is /" : "PATH is");
    refused(&(struct process_spec){ .argv = argv, .env = env }, "not_found", "/only/here");
    refused(&(struct process_spec){ .argv = file }, "not_found", "\"/no/such/program\"");
}

static void a_missing_folder_is_not_taken_for_a_missing_program(void **state)
{
    const char *argv[] = { "true", NULL };

    (void)state;
    refused(&(struct process_spec){ .argv = argv, .cwd = "/no/such/folder" }, "not_found",
            "\"/no/such/folder\"");
    refused(&(struct process_spec){ .argv = argv, .cwd = "/dev/null" }, "not_a_folder",
            "\"/dev/null\"");
}

static void what_is_not_a_program_is_refused(void **state)
{
    const char *folder[] = { "/", NULL };
    const char *empty[] = { "", NULL };
    const char *none[] = { NULL };

    (void)state;
    refused(&(struct process_spec){ .argv = folder }, "permission_denied", "\"/\"");
    refused(&(struct process_spec){ .argv = empty }, "bad_argument", "without a name");
    refused(&(struct process_spec){ .argv = none }, "bad_argument", "without a name");
}

static void arguments_too_long_for_the_system_are_refused(void **state)
{
    size_t size = 8 << 20;
    char *big = mem_alloc(size);
    const char *argv[] = { "true", big, NULL };

    (void)state;
    memset(big, 'x', size - 1);
    big[size - 1] = '\0';
    refused(&(struct process_spec){ .argv = argv }, "arguments_too_long", "as its input");
    free(big);
}

static void the_number_of_children_is_limited(void **state)
{
    const char *argv[] = { "true", NULL };
    int added = 0;

    (void)state;
    while (!process_group_full())
        process_group_add(INT32_MAX - added++, false);
    refused(&(struct process_spec){ .argv = argv }, "too_many_processes",
            "running already. End one of them");
    while (added > 0)
        process_group_remove(INT32_MAX - --added);
    assert_false(process_group_full());
}

static void the_limit_of_the_system_is_explained(void **state)
{
    const char *argv[] = { "true", NULL };
    struct error err = { .code = "" };

    (void)state;
    start_failure_explain(EAGAIN, &(struct process_spec){ .argv = argv }, &err);
    assert_string_equal(err.code, "too_many_processes");
    assert_non_null(strstr(err.text, "cannot start \"true\": the system's limit of processes"));
    assert_non_null(strstr(err.text, "End programs that are not needed, or raise the limit"));
}

/* --- roles this program plays when a test starts it --------------------------------- */

static int play_describe(void)
{
    struct sigaction action;

    sigaction(SIGPIPE, NULL, &action);
    printf("%s its group, %s its session, SIGPIPE %s\n", getpgrp() == getpid() ? "leads" : "joins",
           getsid(0) == getpid() ? "leads" : "joins",
           action.sa_handler == SIG_DFL ? "default" : "changed");
    return 0;
}

static int play_count_files(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    printf("%d\n", count);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(output_and_exit_code_arrive),
        CASE(arguments_reach_the_child_untouched),
        CASE(merged_streams_keep_their_order),
        CASE(discarded_streams_go_nowhere),
        CASE(an_inherited_stream_is_ours),
        CASE(output_over_the_limit_is_counted_and_dropped),
        CASE(output_of_exactly_the_limit_is_whole),
        CASE(endless_output_can_stop_the_child),
        CASE(a_paused_child_keeps_its_output_until_resumed),
        CASE(pausing_in_the_middle_loses_nothing),
        CASE(input_goes_in_and_is_closed),
        CASE(without_input_stdin_is_at_its_end),
        CASE(a_child_can_open_dev_stdin),
        CASE(a_conversation_with_a_child),
        CASE(what_is_queued_is_sent_before_the_input_closes),
        CASE(a_child_that_closes_its_input_is_no_crash),
        CASE(a_child_that_ends_before_reading_all_says_so),
        CASE(the_environment_is_the_one_given),
        CASE(it_starts_in_the_folder_given),
        CASE(a_child_leads_a_session_with_default_signals),
        CASE(no_descriptor_of_ours_reaches_a_child),
        CASE(a_missing_program_is_named_with_the_path),
        CASE(a_missing_folder_is_not_taken_for_a_missing_program),
        CASE(what_is_not_a_program_is_refused),
        CASE(arguments_too_long_for_the_system_are_refused),
        CASE(the_number_of_children_is_limited),
        CASE(the_limit_of_the_system_is_explained),
    };
    size_t size = sizeof self;

    alarm(HANG_SECONDS);
    uv_exepath(self, &size);
    if (argc > 1 && strcmp(argv[1], "--describe") == 0)
        return play_describe();
    if (argc > 1 && strcmp(argv[1], "--count-files") == 0)
        return play_count_files();
    for (int fd = 3; fd < 1024; fd++)
        close(fd); /* files that our caller left open are not under test */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
