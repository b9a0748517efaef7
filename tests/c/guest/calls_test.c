/* The list of system calls as the kernel would judge by it: the filter that would be set is run
 * here, on calls and arguments of this program's processor. So it is tried for processors that no
 * machine of ours has, under emulation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The program has these functions as well. */
#define calls_list        list_of_here
#define calls_list_python python_list_of_here
#define calls_are_known   known_here
#include "guest/jail/calls.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/util.h"

/* The filter that calls.c would give to the kernel. */
static const struct sock_fprog *set;

static long keep_filter(long number, ...)
{
    static struct sock_filter steps[4096];
    static struct sock_fprog kept = { .filter = steps };
    const struct sock_fprog *filter;
    va_list more;

    if (number != SYS_seccomp)
        return 0;
    va_start(more, number);
    assert_int_equal(va_arg(more, int), SECCOMP_SET_MODE_FILTER);
    (void)va_arg(more, int); /* flags */
    filter = va_arg(more, const struct sock_fprog *);
    va_end(more);
    assert_true(filter->len <= countof(steps));
    memcpy(steps, filter->filter, filter->len * sizeof *steps);
    kept.len = filter->len;
    set = &kept;
    return 0;
}

#define prctl(...)   0
#define syscall(...) keep_filter(__VA_ARGS__)
#include "../../../src/guest/jail/calls.c"
#undef prctl
#undef syscall

#ifdef ARCHITECTURE
enum { HERE = 3 };

/* Runs the filter, with the instructions that seccomp(2) allows. */
static uint32_t judge(const struct seccomp_data *data)
{
    uint32_t a = 0;

    for (size_t at = 0; at < set->len; at++) {
        const struct sock_filter *step = &set->filter[at];
        bool jump = BPF_CLASS(step->code) == BPF_JMP, taken = false;

        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(step->k % 4 == 0 && step->k + 4 <= sizeof *data);
            memcpy(&a, (const char *)data + step->k, sizeof a);
            break;
        case BPF_JMP | BPF_JEQ | BPF_K:
            taken = a == step->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            taken = (a & step->k) != 0;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            taken = a >= step->k;
            break;
        case BPF_RET | BPF_K:
            return step->k;
        default:
            fail_msg("step %zu has the code %#x", at, step->code);
        }
        if (jump)
            at += taken ? step->jt : step->jf;
    }
    fail_msg("the filter has no end");
    return 0;
}

static bool allowed(int number, uint64_t first, uint64_t third, uint64_t fourth)
{
    struct seccomp_data data = { .nr = number,
                                 .arch = ARCHITECTURE,
                                 .args = { first, 0, third, fourth, 0, 0 } };

    return judge(&data) == SECCOMP_RET_ALLOW;
}

#define NAMED(name)                                                                                \
    {                                                                                              \
#name, SYS_##name                                                                          \
    }
static const struct {
    const char *name;
    int number;
} needed[] = { NAMED(brk),
               NAMED(munmap),
               NAMED(mremap),
               NAMED(madvise),
               NAMED(futex),
               NAMED(clock_gettime),
               NAMED(ppoll),
               NAMED(getrandom),
               NAMED(rt_sigreturn),
               NAMED(clock_nanosleep),
               NAMED(exit_group),
               NAMED(exit),
               NAMED(restart_syscall) },
  forbidden[] = { NAMED(openat),
                  NAMED(socket),
                  NAMED(connect),
                  NAMED(sendto),
                  NAMED(clone),
                  NAMED(execve),
                  NAMED(execveat),
                  NAMED(ptrace),
                  NAMED(kill),
                  NAMED(tgkill),
                  NAMED(process_vm_writev),
                  NAMED(io_uring_setup),
                  NAMED(io_uring_enter),
                  NAMED(dup3),
                  NAMED(ioctl),
                  NAMED(fcntl),
                  NAMED(prctl),
                  NAMED(seccomp),
                  NAMED(unshare),
                  NAMED(mount),
                  NAMED(chroot),
                  NAMED(memfd_create),
                  NAMED(sendmsg),
                  NAMED(recvmsg),
                  NAMED(readv),
                  NAMED(writev),
                  NAMED(pread64),
                  NAMED(unlinkat),
                  NAMED(getdents64),
                  NAMED(readlinkat),
                  NAMED(personality),
                  NAMED(bpf),
                  NAMED(userfaultfd),
                  NAMED(prlimit64),
                  NAMED(shmget),
                  NAMED(pkey_mprotect) };

static int prepare(void **state)
{
    (void)state;
    return list_of_here(HERE) && set ? 0 : -1;
}

static void what_computing_and_waiting_need_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(needed); i++) {
        if (!allowed(needed[i].number, 0, 0, 0))
            fail_msg("%s is not allowed", needed[i].name);
    }
}

static void what_reaches_out_is_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(forbidden); i++) {
        for (uint64_t first = 0; first < 6; first++) {
            if (allowed(forbidden[i].number, first, first, MAP_ANONYMOUS))
                fail_msg("%s is allowed", forbidden[i].name);
        }
    }
}

/* Even numbers of kernels to come are refused. */
static void few_numbers_are_allowed_at_all(void **state)
{
    size_t count = 0;

    (void)state;
    for (int number = -1000; number < 5000; number++)
        count += allowed(number, HERE, 0, MAP_ANONYMOUS);
    print_message("%zu numbers are allowed\n", count);
    assert_in_range(count, countof(needed), 24);
}

static void only_the_socket_is_read_and_written(void **state)
{
    static const int calls[] = { SYS_read, SYS_write };

    (void)state;
    for (size_t i = 0; i < countof(calls); i++) {
        assert_true(allowed(calls[i], HERE, 0, 0));
        for (uint64_t fd = 0; fd < 64; fd++)
            assert_int_equal(allowed(calls[i], fd, 0, 0), fd == HERE);
        assert_false(allowed(calls[i], (uint32_t)-1, 0, 0));
    }
}

static void memory_is_anonymous_and_never_executed(void **state)
{
    const uint64_t plain_memory = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;

    (void)state;
    assert_true(allowed(SYS_mmap, 0, plain_memory, own));
    assert_false(allowed(SYS_mmap, 0, plain_memory, MAP_PRIVATE));
    assert_false(allowed(SYS_mmap, 0, PROT_READ | PROT_EXEC, own));
    assert_true(allowed(SYS_mprotect, 0, plain_memory, 0));
    assert_true(allowed(SYS_mprotect, 0, PROT_NONE, 0));
    assert_false(allowed(SYS_mprotect, 0, PROT_EXEC, 0));
}

static void calls_of_another_processor_are_not_judged_by_this_ones_numbers(void **state)
{
    static const uint32_t others[] = { AUDIT_ARCH_I386,    AUDIT_ARCH_X86_64,  AUDIT_ARCH_ARM,
                                       AUDIT_ARCH_AARCH64, AUDIT_ARCH_RISCV64, 0 };

    (void)state;
    for (size_t i = 0; i < countof(others); i++) {
        struct seccomp_data data = { .nr = SYS_brk, .arch = others[i] };

        assert_int_equal(judge(&data) == SECCOMP_RET_ALLOW, others[i] == ARCHITECTURE);
    }
}

/* --- Python ----------------------------------------------------------------------------------- */

enum { ERROR = SECCOMP_RET_ERRNO, NUMBERS_MAX = 5000 };

/* The values that arguments are tried with: descriptors, flags, addresses, and numbers of which
 * only one half is 0. */
static const uint64_t values[] = { 0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   15,
                                   AF_INET,
                                   F_SETOWN,
                                   1024 /* F_SETLEASE */,
                                   FIONBIO,
                                   FIOCLEX,
                                   0x5412 /* TIOCSTI */,
                                   SIGCHLD,
                                   CLONE_THREAD,
                                   CLONE_THREAD | CLONE_VM | CLONE_SIGHAND,
                                   CLONE_THREAD | CLONE_NEWUSER,
                                   CLONE_NEWUSER | SIGCHLD,
                                   CLONE_NEWNS | CLONE_THREAD,
                                   PROT_EXEC,
                                   MAP_ANONYMOUS | MAP_PRIVATE,
                                   1ull << 32,
                                   (1ull << 32) + 3,
                                   (uint64_t)-1,
                                   (uint32_t)-1 };

static uint32_t judged(int number, const uint64_t args[6])
{
    struct seccomp_data data = { .nr = number, .arch = ARCHITECTURE };

    memcpy(data.args, args, sizeof data.args);
    return judge(&data);
}

/* Rules as this test states them, in C: which calls of the table pass with which arguments. */
static bool passes_here(int number, const uint64_t a[6])
{
    const uint32_t first = (uint32_t)a[0], second = (uint32_t)a[1];
    const uint32_t spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                            CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

    switch (number) {
    case SYS_kill:
    case SYS_tgkill:
        return first == (uint32_t)getpid();
    case SYS_clone:
        return (first & CLONE_THREAD) &&
               !(first & (spaces | CLONE_PARENT | CLONE_PTRACE | CLONE_PIDFD));
    case SYS_prctl:
        return first == PR_SET_NAME;
    case SYS_prlimit64:
        return a[2] == 0;
    case SYS_sendto:
        return a[4] == 0;
    case SYS_socketpair:
        return first == AF_UNIX;
    case SYS_ioctl:
        return second == FIOCLEX || second == FIONBIO || second == FIONREAD;
    case SYS_fcntl:
        return second == F_GETFD || second == F_SETFD || second == F_GETFL || second == F_SETFL ||
               second == F_DUPFD || second == F_DUPFD_CLOEXEC || second == F_GETLK ||
               second == F_SETLK || second == F_SETLKW;
    default:
        return true;
    }
}

static bool is_plain(int number, enum calls_files files)
{
    for (size_t i = 0; i < countof(python_plain); i++) {
        if (python_plain[i] == number)
            return true;
    }
    for (size_t i = 0; files == CALLS_OWN_ROOT && i < countof(python_root); i++) {
        if (python_root[i] == number)
            return true;
    }
    for (size_t i = 0; files && i < countof(python_files); i++) {
        if (python_files[i] == number)
            return true;
    }
    return false;
}

static bool has_rule(int number)
{
    for (size_t i = 0; i < countof(python_rules); i++) {
        if (python_rules[i].number == number && python_rules[i].action == SECCOMP_RET_ALLOW)
            return true;
    }
    return false;
}

static bool should_pass(int number, const uint64_t a[6], enum calls_files files)
{
    if (number == SYS_mmap && !files)
        return !(a[2] & PROT_EXEC) && (a[3] & MAP_ANONYMOUS);
    if (number == SYS_newfstatat && !files)
        return (uint32_t)a[3] == AT_EMPTY_PATH;
    if (number == SYS_mprotect && !files)
        return !(a[2] & PROT_EXEC);
    return is_plain(number, files) || (has_rule(number) && passes_here(number, a));
}

/* Tries every number with each value, and with this process's own, in each argument. */
static size_t try_numbers(enum calls_files files)
{
    size_t tried = 0;

    assert_true(python_list_of_here(files, ""));
    for (int number = -2; number < NUMBERS_MAX; number++) {
        for (size_t v = 0; v <= countof(values); v++) {
            for (size_t at = 0; at < 6; at++) {
                uint64_t args[6] = { 7, 7, 7, 7, 7, 7 };
                bool passed;

                args[at] = v < countof(values) ? values[v] : (uint64_t)getpid();
                passed = judged(number, args) == SECCOMP_RET_ALLOW;
                if (passed != should_pass(number, args, files))
                    fail_msg("%d with %#llx as number %zu %s", number, (unsigned long long)args[at],
                             at, passed ? "passes" : "fails");
                tried++;
            }
        }
    }
    return tried;
}

static void a_python_guest_has_the_calls_of_the_tables_and_no_others(void **state)
{
    size_t tried = try_numbers(CALLS_OWN_ROOT);

    (void)state;
    tried += try_numbers(CALLS_FILES);
    tried += try_numbers(CALLS_NO_FILES);
    print_message("%zu calls judged\n", tried);
}

static void without_files_nothing_is_opened_or_executed(void **state)
{
    static const int calls[] = { SYS_openat,   SYS_openat2,   SYS_newfstatat, SYS_statx,
                                 SYS_unlinkat, SYS_symlinkat, SYS_readlinkat, SYS_getdents64,
                                 SYS_chdir,    SYS_truncate,  SYS_linkat,     SYS_execve };
    uint64_t exec[6] = { 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS };

    (void)state;
    assert_true(python_list_of_here(CALLS_NO_FILES, ""));
    for (size_t i = 0; i < countof(calls); i++)
        assert_false(allowed(calls[i], 0, 0, 0));
    assert_int_equal(judged(SYS_mmap, exec), ERROR | EPERM);
    assert_int_equal(judged(SYS_mprotect, exec), ERROR | EPERM);
    exec[2] = PROT_READ;
    assert_int_equal(judged(SYS_mmap, exec), SECCOMP_RET_ALLOW);
    exec[3] = MAP_PRIVATE; /* a file */
    assert_int_equal(judged(SYS_mmap, exec), ERROR | EPERM);
}

/* Landlock does not judge these, so that a guest could change them for each file of its user. */
static void without_a_root_of_its_own_no_mode_or_time_is_changed(void **state)
{
    static const int calls[] = { SYS_fchmod, SYS_fchmodat, SYS_utimensat, SYS_truncate,
                                 SYS_fchown, SYS_fchownat, SYS_setxattr,  SYS_fsetxattr };

    (void)state;
    assert_true(python_list_of_here(CALLS_FILES, ""));
    assert_true(allowed(SYS_openat, 0, 0, 0));
    for (size_t i = 0; i < countof(calls); i++)
        assert_false(allowed(calls[i], 0, 0, 0));
#ifdef __x86_64__
    assert_false(allowed(SYS_chmod, 0, 0, 0));
    assert_false(allowed(SYS_utime, 0, 0, 0));
    assert_false(allowed(SYS_utimes, 0, 0, 0));
#endif
}

/* An address of another process would be reached by a socket of a pair: only without one. */
static void python_sends_to_no_address(void **state)
{
    const uint64_t low[6] = { 5, 0, 1, 0, 1 }, high[6] = { 5, 0, 1, 0, 1ull << 32 },
                   none[6] = { 5 };

    (void)state;
    assert_true(python_list_of_here(CALLS_OWN_ROOT, ""));
    assert_int_equal(judged(SYS_sendto, low), ERROR | EPERM);
    assert_int_equal(judged(SYS_sendto, high), ERROR | EPERM);
    assert_int_equal(judged(SYS_sendto, none), SECCOMP_RET_ALLOW);
}

/* A jump that is off by one let every call pass whose first argument was the pid. */
static void the_pid_as_an_argument_opens_nothing(void **state)
{
    uint64_t args[6] = { (uint64_t)getpid() };

    (void)state;
    assert_true(python_list_of_here(CALLS_OWN_ROOT, ""));
    assert_int_equal(judged(SYS_kill, args), SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < countof(forbidden); i++) {
        if (!is_plain(forbidden[i].number, CALLS_OWN_ROOT) && !has_rule(forbidden[i].number))
            assert_int_not_equal(judged(forbidden[i].number, args), SECCOMP_RET_ALLOW);
    }
    args[0]++;
    assert_int_equal(judged(SYS_kill, args), ERROR | EPERM);
    args[0] = (uint64_t)-1;
    assert_int_equal(judged(SYS_kill, args), ERROR | EPERM);
    args[0] = 0;
    assert_int_equal(judged(SYS_kill, args), ERROR | EPERM);
}

static void what_no_library_tries_ends_the_guest(void **state)
{
    const uint64_t args[6] = { 0 };

    (void)state;
    assert_true(python_list_of_here(CALLS_OWN_ROOT, ""));
    for (size_t i = 0; i < countof(python_ends); i++) {
        assert_false(is_plain(python_ends[i], CALLS_OWN_ROOT) || has_rule(python_ends[i]));
        assert_int_equal(judged(python_ends[i], args), SECCOMP_RET_KILL_PROCESS);
    }
    assert_int_equal(judged(SYS_clone3, args), ERROR | ENOSYS);
    assert_int_equal(judged(SYS_execve, args), ERROR | EPERM);
    assert_int_equal(judged(SYS_memfd_create, args), ERROR | EPERM);
#ifdef __x86_64__
    assert_int_equal(judged(SYS_openat | 0x40000000, args), ERROR | EPERM); /* x32 */
#endif
}

static void the_list_is_known(void **state)
{
    (void)state;
    assert_true(known_here());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_computing_and_waiting_need_is_allowed),
        cmocka_unit_test(what_reaches_out_is_not),
        cmocka_unit_test(few_numbers_are_allowed_at_all),
        cmocka_unit_test(only_the_socket_is_read_and_written),
        cmocka_unit_test(memory_is_anonymous_and_never_executed),
        cmocka_unit_test(calls_of_another_processor_are_not_judged_by_this_ones_numbers),
        cmocka_unit_test(a_python_guest_has_the_calls_of_the_tables_and_no_others),
        cmocka_unit_test(without_files_nothing_is_opened_or_executed),
        cmocka_unit_test(without_a_root_of_its_own_no_mode_or_time_is_changed),
        cmocka_unit_test(python_sends_to_no_address),
        cmocka_unit_test(the_pid_as_an_argument_opens_nothing),
        cmocka_unit_test(what_no_library_tries_ends_the_guest),
        cmocka_unit_test(the_list_is_known),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
#else
static void without_a_list_that_is_known_and_nothing_is_set(void **state)
{
    (void)state;
    assert_false(known_here());
    assert_false(list_of_here(3));
    assert_false(python_list_of_here(CALLS_OWN_ROOT, ""));
    assert_null(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_list_that_is_known_and_nothing_is_set),
    };

    (void)keep_filter;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
#else
int main(void)
{
    printf("1..0 # SKIP the list is Linux's\n");
    return 0;
}
#endif
