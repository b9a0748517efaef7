/* The file that stops a desktop, and its effect on a process. */
#include "io_help.h"

#include <time.h>

#include "platform/worker/acting_right.h"
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

static void rename_place(const char *place)
{
    free(files.place);
    files.place = mem_strdup(place);
}

static void a_stop_lasts_until_it_is_allowed(void **state)
{
    struct stop_mark mark;
    struct error err;

    (void)state;
    assert_false(stop_mark_find(&files, NULL));
    assert_true(stop_mark_set(&files, "`perigee stop` (process 7)", &err));
    assert_true(stop_mark_find(&files, &mark));
    assert_string_equal(mark.place, "x11:7077");
    assert_string_equal(mark.by, "`perigee stop` (process 7)");
    assert_true(mark.since > 0 && mark.since <= (int64_t)time(NULL));
    stop_mark_refuse(&mark, &err);
    assert_string_equal(err.code, "stopped");
    assert_non_null(strstr(err.text, "`perigee stop` (process 7), 20"));
    rename_place("x11:7078");
    assert_false(stop_mark_find(&files, NULL));
    rename_place("x11:7077");
    assert_true(stop_mark_clear(&files, &err));
    assert_false(stop_mark_find(&files, NULL));
    assert_true(stop_mark_clear(&files, &err));
}

/* One of the folders may be missing for another process, or be made later. */
static void either_folder_is_enough(void **state)
{
    char *path = place_file(two, "x11:7077", "stop");
    struct error err;

    (void)state;
    assert_int_equal(rmdir(one), 0);
    write_text(one, "in the way\n");
    assert_true(stop_mark_set(&files, "somebody", &err));
    assert_int_equal(access(path, F_OK), 0);
    assert_true(stop_mark_find(&files, NULL));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(chmod(two, 0777), 0);
    assert_false(stop_mark_set(&files, "somebody", &err));
    assert_string_equal(err.code, "no_runtime_folder");
    assert_int_equal(unlink(one), 0);
    assert_int_equal(mkdir(one, 0700), 0);
    free(path);
}

static void a_mark_is_private_and_kept_by_those_who_clear_away(void **state)
{
    char *path = place_file(one, "x11:7077", "stop");
    struct stat st;
    struct error err;

    (void)state;
    assert_true(stop_mark_set(&files, "somebody", &err));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777 & ~S_ISVTX, 0600);
#ifdef __linux__
    assert_true(st.st_mode & S_ISVTX);
#endif
    free(path);
}

static void a_display_that_is_gone_is_not_stopped(void **state)
{
    char *path = place_file(one, "x11:7077", "stop");
    struct stop_mark marks[STOP_MARKS_MAX];
    struct error err;

    (void)state;
    write_text(path, "by somebody\nsince 1\nplace x11:7077\nboot -\nserver 1.1\n");
    assert_true(stop_mark_find(&files, NULL)); /* no other server is there: it may be the same */
    write_text(path, "by somebody\nsince 1\nplace x11:7077\nboot of-yesterday\nserver -\n");
    assert_false(stop_mark_find(&files, NULL));
    assert_int_equal(stop_mark_list(&files, marks), 0);
    assert_int_equal(access(path, F_OK), -1);
    write_text(path, "");
    assert_true(stop_mark_find(&files, &marks[0]));
    assert_string_equal(marks[0].by, "`perigee stop`");
    assert_true(stop_mark_clear(&files, &err));
    free(path);
}

static void a_stop_of_all_is_ended_for_all(void **state)
{
    struct stop_mark marks[STOP_MARKS_MAX];
    struct error err;

    (void)state;
    assert_true(stop_mark_set(&files, "one", &err));
    rename_place(PLACE_ALL);
    assert_true(stop_mark_set(&files, "two", &err));
    assert_int_equal(stop_mark_list(&files, marks), 2);
    rename_place("x11:7078");
    assert_true(stop_mark_find(&files, &marks[0]));
    stop_mark_refuse(&marks[0], &err);
    assert_non_null(strstr(err.text, "`perigee stop --allow --all`"));
    assert_false(stop_mark_clear(&files, &err));
    assert_string_equal(err.code, "all_stopped");
    rename_place(PLACE_ALL);
    assert_true(stop_mark_clear(&files, &err));
    rename_place("x11:7077");
    assert_false(stop_mark_find(&files, NULL));
    assert_int_equal(stop_mark_list(&files, marks), 0);
}

static void a_mark_that_cannot_be_removed_is_told(void **state)
{
    char *path = place_file(one, "x11:7077", "stop");
    char *inside = mem_printf("%s/x", path);
    struct error err;

    (void)state;
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(mkdir(inside, 0700), 0);
    assert_false(stop_mark_clear(&files, &err));
    assert_non_null(strstr(err.text, "so input stays stopped"));
    assert_int_equal(rmdir(inside), 0);
    assert_int_equal(rmdir(path), 0);
    free(inside);
    free(path);
}

static void odd_names_are_one_name_in_the_folder(void **state)
{
    char *path = place_file("/f", "x11../a b:1", "stop");
    char *hidden = place_file("/f", ".", "stop");

    (void)state;
    assert_string_equal(path, "/f/x11..%2fa%20b:1.stop");
    assert_string_equal(hidden, "/f/%2e.stop");
    free(path);
    free(hidden);
}

/* A stop in memory ends with the file, but only once there was one. */
static void the_file_is_the_truth(void **state)
{
    char *folder = mem_printf("%s/run", one), *path;
    struct acting_right *right = acting_right_new();
    struct error err;

    (void)state;
    assert_int_equal(setenv("PERIGEE_RUNTIME_DIR", folder, 1), 0);
    acting_right_at(right, "fake");
    assert_false(acting_right_stopped(right, NULL));
    acting_right_stop(right);
    assert_true(acting_right_stopped(right, &err));
    assert_string_equal(err.code, "stopped");
    acting_right_allow(right);
    assert_false(acting_right_stopped(right, NULL));
    assert_true(stop_mark_set(acting_right_files(right), "somebody", &err));
    assert_true(acting_right_stopped(right, &err));
    assert_non_null(strstr(err.text, "somebody"));
    acting_right_stop(right);
    assert_true(stop_mark_clear(acting_right_files(right), &err));
    assert_false(acting_right_stopped(right, NULL));
    path = place_file(folder, "fake", "stop");
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(rmdir(folder), 0);
    unsetenv("PERIGEE_RUNTIME_DIR");
    acting_right_free(right);
    free(path);
    free(folder);
}

/* A script without a desktop stopped those of all desktops. */
static void a_process_without_a_desktop_stops_no_other(void **state)
{
    struct acting_right *right = acting_right_new();
    struct error err;

    (void)state;
    assert_int_equal(setenv("PERIGEE_RUNTIME_DIR", one, 1), 0);
    acting_right_at(right, "-");
    assert_true(stop_mark_set(acting_right_files(right), "somebody", &err));
    assert_true(acting_right_stopped(right, NULL));
    assert_false(stop_mark_find(&files, NULL));
    unsetenv("PERIGEE_RUNTIME_DIR");
    acting_right_free(right);
}

static void a_run_of_the_system_has_a_name(void **state)
{
    char boot[BOOT_NAME];

    (void)state;
    system_boot(boot);
    assert_true(strlen(boot) > 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_stop_lasts_until_it_is_allowed),
        TEST(either_folder_is_enough),
        TEST(a_mark_is_private_and_kept_by_those_who_clear_away),
        TEST(a_display_that_is_gone_is_not_stopped),
        TEST(a_stop_of_all_is_ended_for_all),
        TEST(a_mark_that_cannot_be_removed_is_told),
        TEST(odd_names_are_one_name_in_the_folder),
        TEST(the_file_is_the_truth),
        TEST(a_process_without_a_desktop_stops_no_other),
        TEST(a_run_of_the_system_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
