/* A guest whose memory fails at each allocation in turn, once and from then on: it reports that
 * before it ends. */
#include "failing_memory.h"
#include "io_help.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/log.h"
#include "guest/child/child.h"
#include "guest/child/process.h"
#include "guest/ending.h"
#include "json/document.h"
#include "script/packed.h"

static struct guest_process *const self = &guest_process;

static const char ordinary[] =
    "local task, json = require 'sys.task', require 'sys.json'\n"
    "print('x', ...) for name in pairs(tools) do print(name) end\n"
    "local all = task.map({ 1, 2, 3 }, function(i) return { i, json.encode { i } } end)\n"
    "return { all, ('x'):rep(100), pcall(error, 'caught') }";

static void send_job(int socket, const char *code)
{
    struct buf out = { 0 };
    size_t begun = frame_begin(&out, FRAME_JOB, 0);

    bytes_u64(&out, 64 << 20);
    bytes_u64(&out, 64 << 10);
    bytes_double(&out, 30);
    buf_addc(&out, 0); /* not as text */
    bytes_u32(&out, (uint32_t)HOME_NONE);
    bytes_str(&out, str_from("run_lua"));
    bytes_str(&out, str_from("")); /* no tool */
    bytes_str(&out, str_from(""));
    bytes_str(&out, str_from(code));
    buf_addc(&out, 0); /* nil */
    frame_end(&out, begun);
    assert_int_equal(write(socket, out.data, out.len), out.len);
    buf_free(&out);
}

static void answer_names(int socket, uint32_t id)
{
    static const char none[] = { 7, 0, 0, 0, 0, 0, 0, 0, 0, 0 }; /* {} */
    struct buf out = { 0 };
    size_t begun = frame_begin(&out, FRAME_NAMES, id);

    buf_add(&out, none, sizeof none);
    frame_end(&out, begun);
    assert_int_equal(write(socket, out.data, out.len), out.len);
    buf_free(&out);
}

/* Reads to the end. True if there is a DONE. */
static bool reads_done(int socket)
{
    struct buf in = { 0 };
    size_t at = 0;
    bool done = false;
    ssize_t got;

    while ((got = read(socket, buf_reserve(&in, 4096), 4096)) > 0) {
        struct frame frame;
        struct error err;

        in.len += (size_t)got;
        while (frame_next(&in, &at, FRAME_MAX, &frame, &err) == FRAME_READ) {
            if (frame.kind == FRAME_TOOLS)
                answer_names(socket, frame.id);
            done |= frame.kind == FRAME_DONE;
        }
    }
    buf_free(&in);
    return done;
}

static bool guest_with(long nth, bool on)
{
    static struct failing failing;
    int ends[2], status;
    pid_t pid;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        failing_install(&failing, vm_lua(self->vm));
        failing_arm(&failing, nth, on);
        guest_main(ends[1]);
    }
    close(ends[1]);
    send_job(ends[0], ordinary);
    if (!reads_done(ends[0]))
        fail_msg("the guest ended without a word at allocation %ld", nth);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return true;
}

enum { GUEST_ALLOCATIONS = 1200 }; /* more than this script needs */

static void a_guest_says_that_memory_lacks(void **state)
{
    (void)state;
    guest_prepare();
    for (int on = 0; on < 2; on++)
        for (long n = 1; n < GUEST_ALLOCATIONS; n++)
            guest_with(n, on);
}

#if defined __linux__ && !defined __SANITIZE_ADDRESS__
/* Limits memory. Nothing raises the limit again later. */
static void limit_memory(size_t more)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    struct rlimit limit;

    if (!file || fscanf(file, "%lu", &pages) != 1)
        _exit(1);
    fclose(file);
    limit.rlim_cur = limit.rlim_max = pages * (size_t)sysconf(_SC_PAGESIZE) + more;
    if (setrlimit(RLIMIT_AS, &limit) != 0 || (geteuid() == 0 && setuid(65534) != 0))
        _exit(1);
}

/* The guest was ended by abort(), as if by a forbidden call. */
static void a_guest_without_memory_for_a_buffer_ends_so(void **state)
{
    int ends[2], status, without = 0;

    (void)state;
    for (size_t more = 0; more < 64; more += 2) {
        pid_t pid;

        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        pid = fork();
        if (pid == 0) {
            close(ends[0]);
            limit_memory(more << 20);
            guest_main(ends[1]);
        }
        close(ends[1]);
        send_job(ends[0], "return { ('x'):rep(6 << 20), ('y'):rep(6 << 20) }");
        if (!reads_done(ends[0]))
            without++;
        close(ends[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == ENDING_NO_MEMORY);
    }
    printf("# %d of 32 limits of memory left none for a buffer\n", without);
    assert_true(without > 0 && without < 32);
}
#else
static void a_guest_without_memory_for_a_buffer_ends_so(void **state)
{
    (void)state;
    skip();
}
#endif

static void an_end_without_memory_is_told(void **state)
{
    struct error err;

    (void)state;
    ending_explain(ENDING_NO_MEMORY << 8, ENDING_NO_CALL, "Lua",
                   &err); /* as waitpid() returns it */
    assert_string_equal(err.code, "memory");
    assert_non_null(strstr(err.text, "not enough memory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_says_that_memory_lacks),
        cmocka_unit_test(a_guest_without_memory_for_a_buffer_ends_so),
        cmocka_unit_test(an_end_without_memory_is_told),
    };

    json_init();
    log_set_level(LOG_OFF);
    return cmocka_run_group_tests_name("no_memory_guest", tests, NULL, NULL);
}
