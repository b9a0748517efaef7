/* The files by which one process makes the others wait. */
#include "io_help.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/wait.h>
#ifdef __linux__
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#endif

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

/* Its number may be that of another process by now. */
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

/* Writes a mark of this process, or another one, with this birth. */
static void mark_by_hand(int pid, uint64_t began)
{
    char *holds = place_file(two, "x11:7077", "holds");
    char *path = mem_printf("%s/%d.%" PRIu64 ".0", holds, pid, began);

    mkdir(holds, 0700);
    write_text(path, "");
    free(path);
    free(holds);
}

static void a_hold_without_a_birth_lasts_as_long_as_its_process(void **state)
{
    pid_t pid = fork();

    (void)state;
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    mark_by_hand(pid, 0);
    assert_int_equal(hold_mark_find(&files), 0);
    mark_by_hand(getpid(), 0);
    assert_int_equal(hold_mark_find(&files), getpid());
}

#ifdef __linux__
/* Hides /proc from now on. Called in a child. */
static bool hide_proc(void)
{
    char map[32];
    int fd, len = snprintf(map, sizeof map, "%d %d 1", (int)geteuid(), (int)geteuid());

    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
    fd = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
    return fd >= 0 && write(fd, map, (size_t)len) == len && close(fd) == 0 &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", "/proc", "tmpfs", 0, NULL) == 0;
}

static void a_hold_is_believed_where_no_birth_can_be_read(void **state)
{
    enum { HELD = 3, FREE = 4, NO_NAMESPACE = 5 };
    pid_t pid;
    int status;

    (void)state;
    mark_by_hand(getpid(), process_birth(getpid()) + 1);
    pid = fork();
    if (pid == 0) {
        if (!hide_proc())
            _exit(NO_NAMESPACE);
        _exit(hold_mark_find(&files) == getppid() ? HELD : FREE);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_NAMESPACE)
        skip();
    assert_int_equal(WEXITSTATUS(status), HELD);
    assert_int_equal(hold_mark_find(&files), 0); /* with /proc it is known as another one's */
}
#endif

/* Under qemu's user emulation a process reads another time for itself by its usual name, and a hold
 * was taken for that of an ended process. */
static void a_process_and_others_see_one_beginning_of_it(void **state)
{
    uint64_t own = 0, others;
    int ends[2];
    pid_t pid;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        own = process_birth(getpid());
        (void)!write(ends[1], &own, sizeof own);
        for (;;)
            pause();
    }
    assert_int_equal(read(ends[0], &own, sizeof own), sizeof own);
    others = process_birth(pid);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(ends[0]);
    close(ends[1]);
    assert_true(own > 0);
    assert_true(others == own);
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
        TEST(a_hold_without_a_birth_lasts_as_long_as_its_process),
#ifdef __linux__
        TEST(a_hold_is_believed_where_no_birth_can_be_read),
#endif
        TEST(a_process_and_others_see_one_beginning_of_it),
        TEST(a_process_is_known_by_its_beginning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
