#include "guest/jail/calls.h"

#include <stddef.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/util.h"

/* seccomp(2), seccomp_unotify(2): a program of classic BPF over struct seccomp_data. */
#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE

/* The low half of an argument; the high half means nothing for the arguments that are compared here
 * (descriptors and flags are int). */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARGUMENT(n) (uint32_t)(offsetof(struct seccomp_data, args) + (size_t)8 * (n))
#else
#define ARGUMENT(n) (uint32_t)(offsetof(struct seccomp_data, args) + (size_t)8 * (n) + 4)
#endif

enum { PROGRAM_MAX = 256 };

struct program {
    struct sock_filter steps[PROGRAM_MAX];
    unsigned short count;
};

static const int plain[] = {
    SYS_brk,           SYS_munmap,          SYS_mremap,          SYS_madvise, SYS_futex,
    SYS_clock_gettime, SYS_gettimeofday,    SYS_clock_nanosleep, SYS_ppoll,   SYS_getrandom,
    SYS_sched_yield,   SYS_restart_syscall, SYS_rt_sigreturn,    SYS_exit,    SYS_exit_group,
#ifdef __x86_64__
    SYS_poll,
#endif
};

static void add_step(struct program *program, struct sock_filter step)
{
    if (program->count < PROGRAM_MAX)
        program->steps[program->count++] = step;
}

static void load_word(struct program *program, uint32_t offset)
{
    add_step(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void add_decision(struct program *program, uint32_t action)
{
    add_step(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Skips the next `steps` if the loaded value is another. */
static void unless_equal_skip(struct program *program, uint32_t value, uint8_t steps)
{
    add_step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps));
}

/* Forbids the call: it causes SIGSYS, which names it (guest/child/forbidden.c). */
static void forbid_call(struct program *program)
{
    add_decision(program, SECCOMP_RET_TRAP);
}

static void allow_call(struct program *program, int number)
{
    unless_equal_skip(program, (uint32_t)number, 1);
    add_decision(program, SECCOMP_RET_ALLOW);
}

/* Allows the call with this descriptor as the first argument only. */
static void allow_call_on(struct program *program, int number, int fd)
{
    unless_equal_skip(program, (uint32_t)number, 4);
    load_word(program, ARGUMENT(0));
    unless_equal_skip(program, (uint32_t)fd, 1);
    add_decision(program, SECCOMP_RET_ALLOW);
    forbid_call(program);
}

/* Allows anonymous memory that cannot be executed. */
static void allow_mmap(struct program *program)
{
    unless_equal_skip(program, SYS_mmap, 6);
    load_word(program, ARGUMENT(2));
    add_step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 3, 0));
    load_word(program, ARGUMENT(3));
    add_step(program,
             (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1));
    add_decision(program, SECCOMP_RET_ALLOW);
    forbid_call(program);
}

static void allow_mprotect(struct program *program)
{
    unless_equal_skip(program, SYS_mprotect, 4);
    load_word(program, ARGUMENT(2));
    add_step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
    add_decision(program, SECCOMP_RET_ALLOW);
    forbid_call(program);
}

/* The numbers of another architecture mean other calls, so they are not reported. */
static void check_architecture(struct program *program)
{
    load_word(program, offsetof(struct seccomp_data, arch));
    add_step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    add_decision(program, SECCOMP_RET_KILL_PROCESS);
    load_word(program, offsetof(struct seccomp_data, nr));
}

static struct program program_for(int socket)
{
    struct program program = { .count = 0 };

    check_architecture(&program);
    allow_call_on(&program, SYS_read, socket);
    allow_call_on(&program, SYS_write, socket);
    for (size_t i = 0; i < countof(plain); i++)
        allow_call(&program, plain[i]);
    allow_mmap(&program);
    allow_mprotect(&program);
    forbid_call(&program);
    return program;
}

bool calls_list(int socket)
{
    struct program program = program_for(socket);
    const struct sock_fprog filter = { program.count, program.steps };

    return program.count < PROGRAM_MAX && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}
#endif
#endif

#if !defined __APPLE__ && !defined ARCHITECTURE
bool calls_list(int socket)
{
    (void)socket; /* there is no list for this system or processor */
    return false;
}
#endif

bool calls_are_known(void)
{
#if defined __APPLE__ || defined ARCHITECTURE
    return true;
#else
    return false;
#endif
}
