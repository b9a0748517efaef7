/* The audit log: its chain, and what may happen to its files. */
#include "audit_world.h"

#include <sys/wait.h>

/* --- the chain --------------------------------------------------------------------- */

static void each_line_has_the_hash_of_the_one_before(void **state)
{
    struct log_files files;
    struct seen seen;

    (void)state;
    for (int i = 0; i < 3; i++)
        append(audit);
    assert_true(audit_append(audit, "end", STR(""), NULL));
    files = look_all(&seen);
    assert_int_equal(files.count, 1);
    assert_int_equal(seen.lines, 5);
    assert_string_equal(seen.kinds[0], "file");
    assert_string_equal(seen.kinds[4], "end");
    log_files_free(&files);
}

static void files_are_private_and_closed_on_exec(void **state)
{
    char *path = path_of("a/b"), *file = path_of("a/b/audit.jsonl");
    struct audit *log = audit_new(path, NULL);
    int before = open("/dev/null", O_RDONLY);

    (void)state;
    close(before);
    append(log);
    assert_int_equal(mode_of(path), 0700);
    assert_int_equal(mode_of(file), 0600);
    assert_true(fcntl(before, F_GETFD) & FD_CLOEXEC);
    audit_free(log);
    chmod(path, 0755);
    chmod(file, 0644);
    log = audit_new(path, NULL);
    append(log);
    assert_int_equal(mode_of(path), 0700);
    assert_int_equal(mode_of(file), 0600);
    audit_free(log);
    free(file);
    free(path);
}

static void what_is_not_a_line_is_refused(void **state)
{
    char *big = mem_zero(AUDIT_MEMBERS_MAX + 1);

    (void)state;
    assert_false(audit_append(audit, "call", STR("\"a\":\n1"), &err));
    assert_string_equal(err.code, "not_a_line");
    assert_false(audit_append(audit, "call", (struct str){ big, AUDIT_MEMBERS_MAX + 1 }, &err));
    assert_string_equal(err.code, "too_large");
    free(big);
}

static void several_logs_make_one_chain(void **state)
{
    struct audit *other = audit_new(folder, NULL);
    struct log_files files;
    struct seen seen;

    (void)state;
    for (int i = 0; i < 20; i++)
        append(i % 3 ? audit : other);
    files = look_all(&seen);
    assert_int_equal(seen.lines, 21);
    log_files_free(&files);
    audit_free(other);
}

static void a_child_goes_on_beside_its_parent(void **state)
{
    struct log_files files;
    struct seen seen;
    int status;
    pid_t child;

    (void)state;
    append(audit);
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 100; i++)
            append(audit);
        _exit(0);
    }
    for (int i = 0; i < 100; i++)
        append(audit);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    append(audit); /* it joins the file that the parent may have written apart */
    files = look_all(&seen);
    seen.calls += own_calls(&files);
    assert_int_equal(seen.calls, 202);
    assert_int_equal(seen.torn, 0);
    log_files_free(&files);
}

/* --- rests ------------------------------------------------------------------------- */

/* Cut at every byte of the last line: the chain goes on from the line before. */
static void a_torn_line_is_left_behind(void **state)
{
    char *path = path_of(LOG_FILE_NOW);
    off_t before, whole;
    struct buf kept = { 0 };

    (void)state;
    append(audit);
    before = size_of(path);
    append(audit);
    whole = size_of(path);
    assert_true(file_read_all(path, SMALL, &kept, NULL));
    for (off_t cut = before + 1; cut < whole; cut++) {
        struct audit *log = audit_new(folder, NULL);
        struct log_files files;
        struct seen seen;

        assert_true(file_write_atomic(path, kept.data, (size_t)cut, 0600, NULL));
        append(log);
        files = look_all(&seen);
        assert_int_equal(seen.lines, 4);
        assert_int_equal(seen.torn, cut < whole - 1); /* else only the newline was missing */
        assert_string_equal(seen.kinds[2], seen.torn ? "torn" : "call");
        log_files_free(&files);
        audit_free(log);
    }
    buf_free(&kept);
    free(path);
}

static void a_rest_that_was_ended_is_left_behind(void **state)
{
    char *path = path_of(LOG_FILE_NOW);

    (void)state;
    append(audit);
    put(path, "{\"time\":\n{\"ti\n", 14);
    append(audit);
    assert_true(last_line_has("\"seq\":4,"));
    assert_non_null(strstr(text.data, "\"kind\":\"torn\",\"bytes\":13,"));
    free(path);
}

static void what_is_not_ours_for_long_breaks_the_chain(void **state)
{
    const size_t len = 10 << 20;
    char *path = path_of(LOG_FILE_NOW), *garbage = mem_zero(len);

    (void)state;
    append(audit);
    put(path, garbage, len);
    append(audit);
    text.len = 0;
    assert_true(file_read_all(path, 64 << 20, &text, NULL));
    assert_non_null(
        memmem(text.data, text.len, STR("\"reason\":\"unreadable\",\"known\":2").ptr, 31));
    free(garbage);
    free(path);
}

/* --- files that come and go ---------------------------------------------------------- */

static void a_full_file_gives_way_to_the_next(void **state)
{
    struct audit *log = small_audit(100), *other = small_audit(100);
    struct log_files files;
    struct seen seen;

    (void)state;
    for (int i = 0; i < 200; i++)
        append(i % 2 ? log : other);
    files = look_all(&seen);
    assert_int_equal(seen.calls, 200);
    assert_true(files.count > 10);
    for (size_t i = 0; i < files.count; i++)
        assert_true(files.items[i].size <= SMALL);
    assert_string_equal(files.items[files.count - 1].name, LOG_FILE_NOW);
    log_files_free(&files);
    audit_free(other);
    audit_free(log);
}

static void old_files_are_removed_and_named(void **state)
{
    struct audit *log = small_audit(3);
    char *path = path_of(LOG_FILE_NOW), first[80];
    struct log_files files;

    (void)state;
    while (log_files_list(folder, &files, NULL) && files.count < 3) {
        log_files_free(&files);
        append(log);
    }
    snprintf(first, sizeof first, "\"removed\":[\"%s\"]", files.items[0].name);
    log_files_free(&files);
    for (off_t size = 0; size_of(path) > size;) {
        size = size_of(path);
        append(log);
    }
    assert_true(log_files_list(folder, &files, NULL));
    assert_int_equal(files.count, 3);
    text.len = 0;
    assert_true(file_read_all(path, SMALL, &text, NULL));
    assert_non_null(strstr(buf_text(&text), first));
    log_files_free(&files);
    free(path);
    audit_free(log);
}

/* A process is killed between the two steps: the full file has its new name and the old one. */
static void a_file_with_two_names_counts_once(void **state)
{
    char *path = path_of(LOG_FILE_NOW), *second = path_of("audit-20200101T000000.000Z.jsonl");
    struct audit *log = small_audit(100);
    struct log_files files;
    struct seen seen;

    (void)state;
    append(log);
    assert_int_equal(link(path, second), 0);
    files = look_all(&seen);
    assert_int_equal(files.count, 1);
    log_files_free(&files);
    for (int i = 0; i < 20; i++)
        append(log);
    files = look_all(&seen);
    assert_int_equal(seen.calls, 21);
    assert_string_equal(files.items[0].name, "audit-20200101T000000.000Z.jsonl");
    log_files_free(&files);
    audit_free(log);
    free(second);
    free(path);
}

static void a_clock_that_was_set_back_keeps_the_order(void **state)
{
    struct log_file item = { .name = "audit-20990101T000000.999Z.jsonl" };
    struct log_files files = { .items = &item, .count = 1 };
    char name[64];

    (void)state;
    log_file_name(&files, false, name);
    assert_string_equal(name, "audit-20990101T000001.000Z.jsonl");
}

static _Noreturn void keep_renaming(int count)
{
    char *path = path_of(LOG_FILE_NOW), name[64];

    for (int i = 0; i < count; i++) {
        char *next;

        snprintf(name, sizeof name, "audit-20200101T%02d%02d%02d.000Z.jsonl", i / 3600, i / 60 % 60,
                 i % 60);
        next = path_of(name);
        rename(path, next);
        close(open(path, O_CREAT | O_WRONLY, 0600));
        free(next);
        usleep(1000); /* one rename at a time; whether it falls into a list is left to chance */
    }
    _exit(0);
}

/* A reader that went on from a list without the renamed file began that file again, behind the one
 * that follows it. */
static void a_file_that_gets_another_name_is_listed(void **state)
{
    struct log_files files;
    size_t before = 1, lists = 0;
    pid_t pid;

    (void)state;
    append(audit);
    pid = fork();
    if (pid == 0)
        keep_renaming(300);
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        assert_true(log_files_list(folder, &files, NULL));
        assert_true(files.count >= before);
        before = files.count;
        log_files_free(&files);
        lists++;
    }
    assert_true(lists > 0 && before > 1);
}

static void a_missing_file_is_told_of(void **state)
{
    char *path = path_of(LOG_FILE_NOW), *elsewhere = path_of("moved");
    char known[120];
    struct seen seen;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct log_files files;

        append(audit);
        files = look_all(&seen);
        log_files_free(&files);
        snprintf(known, sizeof known, "\"known\":%d,\"last\":\"%s\"", (int)seen.seq, seen.hash);
        assert_int_equal(i ? unlink(path) : rename(path, elsewhere), 0);
        append(audit);
        text.len = 0;
        assert_true(file_read_all(path, SMALL, &text, NULL));
        assert_non_null(strstr(buf_text(&text), "\"kind\":\"file\",\"reason\":\"lost\""));
        assert_non_null(strstr(buf_text(&text), known));
    }
    free(elsewhere);
    free(path);
}

static void a_missing_folder_comes_again(void **state)
{
    char *path = path_of("in");
    struct audit *log = audit_new(path, NULL);

    (void)state;
    append(log);
    temp_remove(path);
    append(log);
    audit_free(log);
    free(path);
}

static void lines_that_are_gone_are_told_of(void **state)
{
    char *path = path_of(LOG_FILE_NOW);
    off_t before;

    (void)state;
    append(audit);
    before = size_of(path);
    append(audit);
    append(audit);
    assert_int_equal(truncate(path, before), 0);
    append(audit);
    assert_non_null(strstr((last_line_has(""), text.data), "\"reason\":\"cut\",\"known\":4"));
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(each_line_has_the_hash_of_the_one_before),
        CASE(files_are_private_and_closed_on_exec),
        CASE(what_is_not_a_line_is_refused),
        CASE(several_logs_make_one_chain),
        CASE(a_child_goes_on_beside_its_parent),
        CASE(a_torn_line_is_left_behind),
        CASE(a_rest_that_was_ended_is_left_behind),
        CASE(what_is_not_ours_for_long_breaks_the_chain),
        CASE(a_full_file_gives_way_to_the_next),
        CASE(old_files_are_removed_and_named),
        CASE(a_file_with_two_names_counts_once),
        CASE(a_clock_that_was_set_back_keeps_the_order),
        CASE(a_file_that_gets_another_name_is_listed),
        CASE(a_missing_file_is_told_of),
        CASE(a_missing_folder_comes_again),
        CASE(lines_that_are_gone_are_told_of),
    };

    json_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
