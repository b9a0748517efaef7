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

/* A limit on files' sizes stands for a disk that is full in the middle of a line. RLIM_INFINITY: as
 * much as this process may. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_leaves_no_half_line(void **state)
{
    char *path = path_of(LOG_FILE_NOW);
    struct log_files files;
    struct seen seen;
    off_t size;

    (void)state;
    append(audit);
    size = size_of(path);
    for (rlim_t more = 0; more < 50; more += 7) {
        limit_files((rlim_t)size + more);
        assert_false(audit_append(audit, "call", STR("\"id\":1"), &err));
        assert_non_null(strstr(err.text, "Free space"));
        assert_int_equal(size_of(path), size);
    }
    limit_files(RLIM_INFINITY);
    append(audit);
    files = look_all(&seen);
    assert_int_equal(seen.lines, 3);
    assert_int_equal(seen.torn, 0);
    log_files_free(&files);
    free(path);
}

static void queue_many(struct audit *log, int count)
{
    for (int i = 0; i < count; i++)
        assert_true(audit_queue(log, "call", STR("\"id\":1,\"tool\":\"some_tool\""), &err));
}

/* ... nor one line of a group, also where it is written in several pieces. */
static void a_full_disk_leaves_no_line_of_a_group(void **state)
{
    const int counts[] = { 10, 1000 };
    char *path = path_of(LOG_FILE_NOW);
    struct log_files files;
    struct seen seen;
    off_t size;

    (void)state;
    append(audit);
    size = size_of(path);
    for (size_t i = 0; i < countof(counts); i++) {
        limit_files((rlim_t)(size + counts[i] * 120));
        queue_many(audit, counts[i]);
        assert_false(audit_commit(audit, &err));
        limit_files(RLIM_INFINITY);
        assert_non_null(strstr(err.text, "Free space"));
        assert_int_equal(size_of(path), size);
        assert_int_equal(audit_queued(audit), 0);
    }
    queue_many(audit, 5);
    append(audit);
    files = look_all(&seen);
    assert_int_equal(seen.calls, 7);
    assert_int_equal(seen.torn, 0);
    log_files_free(&files);
    free(path);
}

/* A group that goes on in new files, and one for which the lock cannot be had. */
static void a_group_goes_on_in_the_next_file(void **state)
{
    struct audit *log = small_audit(100);
    char *path = path_of(LOG_FILE_NOW);
    struct log_files files;
    struct seen seen;
    int fd;

    (void)state;
    queue_many(log, 50);
    assert_true(audit_commit(log, &err));
    files = look_all(&seen);
    assert_int_equal(seen.calls, 50);
    assert_true(files.count > 3);
    log_files_free(&files);
    fd = open(path, O_RDWR);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    queue_many(log, 5);
    assert_true(audit_commit(log, &err));
    close(fd);
    assert_true(log_files_list(folder, &files, NULL));
    assert_int_equal(own_calls(&files), 5);
    log_files_free(&files);
    audit_free(log);
    free(path);
}

static void a_child_does_not_write_what_waits(void **state)
{
    struct log_files files;
    struct seen seen;
    int status;
    pid_t child;

    (void)state;
    append(audit);
    queue_many(audit, 3);
    child = fork();
    if (child == 0) {
        bool quiet = audit_commit(audit, NULL);

        append(audit);
        _exit(quiet ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    files = look_all(&seen);
    assert_int_equal(seen.calls, 2);
    log_files_free(&files);
    assert_true(audit_commit(audit, &err));
    files = look_all(&seen);
    assert_int_equal(seen.calls, 5);
    log_files_free(&files);
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
        CASE(a_full_disk_leaves_no_line_of_a_group),
        CASE(a_group_goes_on_in_the_next_file),
        CASE(a_child_does_not_write_what_waits),
        CASE(a_folder_that_cannot_be_is_an_error),
        CASE(processes_append_by_turns),
    };

    json_init();
    if (argc == 6 && strcmp(argv[1], "append") == 0)
        return append_many(argv[2], atol(argv[3]), (size_t)atol(argv[4]), (unsigned)atol(argv[5]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
