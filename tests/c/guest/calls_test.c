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
#define calls_list      list_of_here
#define calls_are_known known_here
#include "guest/jail/calls.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
