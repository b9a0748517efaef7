/* The files by which one process lets the others wait. */
#include "io_help.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/wait.h>

#include "platform/worker/hold_mark.h"
#include "process/birth.h"

static struct place_files files;
static char *one, *two;

static int set_up(void **state)
{
    (void)state;
    one = temp_make();
    two = temp_make();
    files = (struct place_files){ .place = mem_strdup("x11:7077"), .count = 2 };
    files.folders[0] = mem_strdup(one);
    files.folders[1] = mem_strdup(two);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    place_files_finish(&files);
    temp_remove(one);
    temp_remove(two);
    free(one);
    free(two);
    return 0;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void no_action_begins_while_a_hold_lasts(void **state)
{
    struct acting acting = { .count = 0 };
    struct hold_mark first, second;
    struct error err;

    (void)state;
    assert_int_equal(hold_mark_find(&files), 0);
    assert_true(acting_begin(&files, &acting));
    acting_end(&acting);
    assert_true(hold_mark_set(&files, &first, &err));
    assert_true(hold_mark_set(&files, &second, &err));
    assert_int_equal(hold_mark_find(&files), getpid());
    assert_false(acting_begin(&files, &acting));
    assert_int_equal(acting.count, 0);
    hold_mark_clear(&first);
    assert_false(acting_begin(&files, &acting));
    hold_mark_clear(&second);
    hold_mark_clear(&second);
    assert_true(acting_begin(&files, &acting));
    acting_end(&acting);
}

static void a_hold_sees_what_is_under_way(void **state)
{
    struct acting one_act, other;
    struct hold_mark mark;
    struct error err;

    (void)state;
    assert_true(acting_begin(&files, &one_act));
    assert_true(acting_begin(&files, &other));
    assert_true(hold_mark_set(&files, &mark, &err));
    assert_false(hold_mark_quiet(&files));
    acting_end(&one_act);
    assert_false(hold_mark_quiet(&files));
    acting_end(&other);
    assert_true(hold_mark_quiet(&files));
    hold_mark_clear(&mark);
}

/* A process that holds and acts, and is then killed. */
static pid_t child_that_holds(void)
{
    int ready[2];
    pid_t pid;
    char byte;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        struct acting acting;
        struct hold_mark mark;
        bool ok = acting_begin(&files, &acting) && hold_mark_set(&files, &mark, NULL);

        (void)!write(ready[1], ok ? "y" : "n", 1);
        for (;;)
            pause();
    }
    assert_true(pid > 0);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void a_killed_holder_holds_nothing(void **state)
{
    char *holds = place_file(one, "x11:7077", "holds");
    struct acting acting;
    pid_t pid = child_that_holds();
    siginfo_t info;

    (void)state;
    assert_int_equal(hold_mark_find(&files), pid);
    assert_false(hold_mark_quiet(&files));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0); /* a zombie */
    assert_int_equal(hold_mark_find(&files), 0);
    assert_true(hold_mark_quiet(&files));
    assert_int_equal(access(holds, F_OK), -1);
    assert_true(acting_begin(&files, &acting));
    acting_end(&acting);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    free(holds);
}

/* Its number may be another process's by now. */
static void a_number_that_was_given_again_holds_nothing(void **state)
{
    char *holds = place_file(two, "x11:7077", "holds");
    char *path =
        mem_printf("%s/%d.%" PRIu64 ".0", holds, (int)getpid(), process_birth(getpid()) + 1);

    (void)state;
    assert_int_equal(mkdir(holds, 0700), 0);
    write_text(path, "");
    assert_int_equal(hold_mark_find(&files), 0);
    assert_int_equal(access(holds, F_OK), -1);
    free(path);
    free(holds);
}

static void a_hold_that_nobody_would_see_fails(void **state)
{
    struct hold_mark mark;
    struct error err;

    (void)state;
    assert_int_equal(chmod(one, 0777), 0);
    assert_int_equal(chmod(two, 0777), 0);
    assert_false(hold_mark_set(&files, &mark, &err));
    assert_string_equal(err.code, "no_runtime_folder");
    hold_mark_clear(&mark);
}

static void a_process_is_known_by_its_beginning(void **state)
{
    (void)state;
    assert_true(process_birth(getpid()) > 0);
    assert_true(process_birth(getpid()) == process_birth(getpid()));
    assert_true(process_birth(0) == 0 && process_birth(-1) == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(no_action_begins_while_a_hold_lasts),
        TEST(a_hold_sees_what_is_under_way),
        TEST(a_killed_holder_holds_nothing),
        TEST(a_number_that_was_given_again_holds_nothing),
        TEST(a_hold_that_nobody_would_see_fails),
        TEST(a_process_is_known_by_its_beginning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
