/* The audit log: locks, disks and several processes.
 *
 * `audit_faults_test append FOLDER COUNT FILE_BYTES FILES` appends COUNT lines, for the tests of
 * the command, which start several of them. */
#include "audit_world.h"

#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { LINES = 3000 };

/* --- locks and disks ----------------------------------------------------------------- */

static void a_lock_that_is_kept_leads_to_a_file_of_our_own(void **state)
{
    char *path = path_of(LOG_FILE_NOW), joined[240];
    struct log_files files;
    struct seen seen;
    int status;
    pid_t child;

    (void)state;
    append(audit);
    child = fork();
    if (child == 0) {
        flock(open(path, O_RDWR), LOCK_EX);
        raise(SIGSTOP);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    for (int i = 0; i < 3; i++)
        append(audit);
    assert_true(log_files_list(folder, &files, NULL));
    assert_int_equal(files.count, 2);
    assert_true(files.items[1].own);
    seen_reset(&seen);
    look(&seen, files.items[1].name);
    assert_int_equal(seen.lines, 4);
    assert_non_null(strstr(buf_text(&text), "\"kind\":\"file\",\"reason\":\"busy\""));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    snprintf(joined, sizeof joined,
             "\"kind\":\"joined\",\"file\":\"%s\",\"known\":4,\"last\":\"%s\"", files.items[1].name,
             seen.hash);
    append(audit);
    assert_true(last_line_has("\"kind\":\"call\""));
    assert_non_null(strstr(text.data, joined));
    log_files_free(&files);
    files = look_all(&seen);
    assert_int_equal(seen.lines, 4);
    log_files_free(&files);
    free(path);
}

/* A limit on files' sizes stands for a disk that is full in the middle of a line. */
static void a_full_disk_leaves_no_half_line(void **state)
{
    struct rlimit all, limit;
    char *path = path_of(LOG_FILE_NOW);
    struct log_files files;
    struct seen seen;
    off_t size;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    append(audit);
    size = size_of(path);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    limit = all;
    for (rlim_t more = 0; more < 50; more += 7) {
        limit.rlim_cur = (rlim_t)size + more;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_false(audit_append(audit, "call", STR("\"id\":1"), &err));
        assert_non_null(strstr(err.text, "Free space"));
        assert_int_equal(size_of(path), size);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    append(audit);
    files = look_all(&seen);
    assert_int_equal(seen.lines, 3);
    assert_int_equal(seen.torn, 0);
    log_files_free(&files);
    free(path);
}

static void a_folder_that_cannot_be_is_an_error(void **state)
{
    struct audit *log;
    char *path = path_of(LOG_FILE_NOW);

    (void)state;
    append(audit);
    log = audit_new(path, NULL);
    assert_false(audit_append(log, "call", STR(""), &err));
    assert_string_equal(err.code, "not_a_folder");
    audit_free(log);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(audit_append(audit, "call", STR(""), &err));
    assert_non_null(strstr(err.text, "cannot open a file of the audit log"));
    free(path);
}

/* --- processes ----------------------------------------------------------------------- */

static int append_many(const char *where, long count, size_t bytes, unsigned kept)
{
    const struct audit_limits limits = { bytes, kept, 1000, AUDIT_WAIT_MS };
    struct audit *log = audit_new(where, &limits);

    for (long i = 1; i <= count; i++) {
        char members[200];

        snprintf(members, sizeof members,
                 "\"id\":%ld,\"tool\":\"move_window\",\"args\":{\"x\":%ld},\"decision\":\"allow\"",
                 i, i * i % 977);
        if (!audit_append(log, "call", str_from(members), &err)) {
            fprintf(stderr, "%s: %s\n", err.code, err.text);
            return 1;
        }
    }
    audit_free(log);
    return 0;
}

static void processes_append_by_turns(void **state)
{
    pid_t children[3];
    struct log_files files;
    struct seen seen;
    size_t calls;

    (void)state;
    for (size_t i = 0; i < countof(children); i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(append_many(folder, LINES, 100000, 1000));
    }
    for (size_t i = 0; i < countof(children); i++) {
        int status;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    files = look_all(&seen);
    assert_int_equal(seen.torn, 0);
    calls = seen.calls + own_calls(&files);
    assert_int_equal(calls, countof(children) * LINES);
    log_files_free(&files);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(a_lock_that_is_kept_leads_to_a_file_of_our_own),
        CASE(a_full_disk_leaves_no_half_line),
        CASE(a_folder_that_cannot_be_is_an_error),
        CASE(processes_append_by_turns),
    };

    json_init();
    if (argc == 6 && strcmp(argv[1], "append") == 0)
        return append_many(argv[2], atol(argv[3]), (size_t)atol(argv[4]), (unsigned)atol(argv[5]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
