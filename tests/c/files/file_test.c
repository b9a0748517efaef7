/* The engine's own files and paths. */
#include "io_help.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/wait.h>

#include "files/file.h"
#include "files/file_at.h"

static char *folder;
static struct buf out;
static struct error err;

static int setup(void **state)
{
    (void)state;
    folder = temp_make();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_remove(folder);
    free(folder);
    buf_free(&out);
    return 0;
}

static void what_is_written_can_be_read(void **state)
{
    char *path = path_join(folder, "file");

    (void)state;
    assert_true(file_write_atomic(path, "one\0two", 7, 0600, NULL));
    assert_true(file_read_all(path, 7, &out, NULL));
    assert_int_equal(out.len, 7);
    assert_memory_equal(out.data, "one\0two", 7);
    free(path);
}

static void a_mode_is_set_or_kept(void **state)
{
    char *path = path_join(folder, "file");
    struct stat info;

    (void)state;
    assert_true(file_write_atomic(path, "x", 1, 0600, NULL));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_true(file_write_atomic(path, "y", 1, 0, NULL));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    free(path);
}

static void reading_adds_to_the_buffer_or_leaves_it(void **state)
{
    char *path = path_join(folder, "file");
    char *missing = path_join(folder, "missing");

    (void)state;
    buf_adds(&out, "kept ");
    assert_true(file_write_atomic(path, "12345", 5, 0, NULL));
    assert_false(file_read_all(path, 4, &out, &err));
    assert_string_equal(err.code, "too_large");
    assert_false(file_read_all(missing, 4, &out, &err));
    assert_string_equal(err.code, "not_found");
    assert_non_null(strstr(err.text, missing));
    assert_false(file_read_all(folder, 4, &out, &err));
    assert_string_equal(err.code, "is_a_folder");
    assert_true(file_read_all(path, 5, &out, &err));
    assert_string_equal(buf_text(&out), "kept 12345");
    free(missing);
    free(path);
}

static void a_relative_name_needs_no_folder(void **state)
{
    char here[4096];

    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    assert_true(file_write_atomic("bare", "x", 1, 0, NULL));
    assert_true(file_read_all("bare", 1, &out, NULL));
    assert_int_equal(chdir(here), 0);
    assert_string_equal(buf_text(&out), "x");
}

static void a_link_is_written_through(void **state)
{
    char *path = path_join(folder, "file");
    char *link = path_join(folder, "link");
    struct stat info;

    (void)state;
    assert_true(file_write_atomic(path, "x", 1, 0, NULL));
    assert_int_equal(symlink("file", link), 0);
    assert_true(file_write_atomic(link, "y", 1, 0, NULL));
    assert_true(file_read_all(path, 1, &out, NULL));
    assert_string_equal(buf_text(&out), "y");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    free(link);
    free(path);
}

static void writing_where_there_is_no_folder_fails(void **state)
{
    char *path = path_join(folder, "no/file");

    (void)state;
    assert_false(file_write_atomic(path, "x", 1, 0, &err));
    assert_string_equal(err.code, "not_found");
    free(path);
}

static void folders_are_made_and_removed_whole(void **state)
{
    char *deep = path_join(folder, "a//b/c");
    char *top = path_join(folder, "a");
    char *file = path_join(folder, "a/b/file");
    char *link = path_join(folder, "a/link");
    struct stat info;

    (void)state;
    assert_true(folder_make(deep, NULL));
    assert_true(folder_make(deep, NULL));
    assert_true(file_write_atomic(file, "x", 1, 0, NULL));
    assert_int_equal(symlink(folder, link), 0);
    assert_false(folder_make(file, &err));
    assert_string_equal(err.code, "not_a_folder");
    assert_true(folder_remove_all(top, NULL));
    assert_int_equal(stat(top, &info), -1);
    assert_int_equal(stat(folder, &info), 0);
    assert_true(folder_remove_all(top, NULL));
    free(link);
    free(file);
    free(top);
    free(deep);
}

static void joined(const char *base, const char *name, const char *want)
{
    char *path = path_join(base, name);

    assert_string_equal(path, want);
    free(path);
}

static void paths_are_joined_with_one_slash(void **state)
{
    (void)state;
    joined("a", "b", "a/b");
    joined("a/", "b", "a/b");
    joined("/", "b", "/b");
    joined("", "b", "b");
    joined("a", "/b", "/b");
    joined("a", "", "a");
    assert_string_equal(path_name("/a/b.lua"), "b.lua");
    assert_string_equal(path_name("b.lua"), "b.lua");
}

static void expanded(const char *path, const char *want)
{
    char *whole = path_expand_home(path);

    assert_string_equal(whole, want);
    free(whole);
}

static void a_tilde_is_the_home_folder(void **state)
{
    const char *home = getenv("HOME");
    char *saved = home ? mem_strdup(home) : NULL;

    (void)state;
    setenv("HOME", "/home/me", 1);
    expanded("~", "/home/me");
    expanded("~/x", "/home/me/x");
    expanded("~//x", "/home/me/x");
    expanded("~other/x", "~other/x");
    expanded("/a/~", "/a/~");
    unsetenv("HOME");
    char *whole = path_expand_home("~/x");
    assert_int_equal(*whole, '/'); /* from the user database */
    free(whole);
    if (saved)
        setenv("HOME", saved, 1);
    free(saved);
}

/* A process that has begun to write a file, and waits. */
static pid_t begin_beside(const char *path, bool exclusive)
{
    struct file_options options = { .exclusive = exclusive };
    struct file_writer writer;
    int ends[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        if (file_writer_begin(&writer, AT_FDCWD, path, path, &options, NULL) &&
            file_write_all(writer.fd, "half", 4) && write(ends[1], "x", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

static size_t temp_count(void)
{
    char *pattern = path_join(folder, FILE_TEMP_PREFIX "*" FILE_TEMP_END);
    glob_t found;
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;

    globfree(&found);
    free(pattern);
    return count;
}

static void kill_writer(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Must be the first case: a process looks at a folder once, and the next folder may have the inode
 * of this one. */
static void a_killed_writer_leaves_nothing_and_a_writer_keeps_its_file(void **state)
{
    char *path = path_join(folder, "new"), *other = path_join(folder, "other");
    pid_t writes = begin_beside(other, false);
    struct stat info;

    (void)state;
    kill_writer(begin_beside(path, true));
    assert_int_equal(stat(path, &info), -1); /* an empty file would be taken for data */
    assert_int_equal(temp_count(), 2);
    assert_true(file_write_atomic(path, "x", 1, 0, NULL));
    assert_int_equal(temp_count(), 1);
    kill_writer(writes);
    free(other);
    free(path);
}

static void of_two_writers_of_a_new_file_one_has_it(void **state)
{
    struct file_options options = { .exclusive = true };
    struct file_writer one, two;
    char *path = path_join(folder, "new");

    (void)state;
    assert_true(file_writer_begin(&one, AT_FDCWD, path, path, &options, NULL));
    assert_true(file_writer_begin(&two, AT_FDCWD, path, path, &options, NULL));
    assert_true(file_write_all(one.fd, "one", 3) && file_write_all(two.fd, "two", 3));
    assert_true(file_writer_commit(&two, NULL));
    assert_false(file_writer_commit(&one, &err));
    assert_string_equal(err.code, "exists");
    assert_false(file_writer_begin(&one, AT_FDCWD, path, path, &options, &err));
    assert_string_equal(err.code, "exists");
    assert_true(file_read_all(path, 9, &out, NULL));
    assert_memory_equal(out.data, "two", 3);
    assert_int_equal(temp_count(), 0);
    free(path);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_killed_writer_leaves_nothing_and_a_writer_keeps_its_file),
        CASE(what_is_written_can_be_read),
        CASE(a_mode_is_set_or_kept),
        CASE(reading_adds_to_the_buffer_or_leaves_it),
        CASE(a_relative_name_needs_no_folder),
        CASE(a_link_is_written_through),
        CASE(writing_where_there_is_no_folder_fails),
        CASE(folders_are_made_and_removed_whole),
        CASE(paths_are_joined_with_one_slash),
        CASE(a_tilde_is_the_home_folder),
        CASE(of_two_writers_of_a_new_file_one_has_it),
    };

    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
