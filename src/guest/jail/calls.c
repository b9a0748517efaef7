#include "guest/jail/calls.h"

#include <stddef.h>

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

/* The halves of an argument. Descriptors and flags are int: their high half means nothing. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW(n)  (uint8_t)(offsetof(struct seccomp_data, args) + (size_t)8 * (n))
#define HIGH(n) (uint8_t)(LOW(n) + 4)
#else
#define HIGH(n) (uint8_t)(offsetof(struct seccomp_data, args) + (size_t)8 * (n))
#define LOW(n)  (uint8_t)(HIGH(n) + 4)
#endif

/* The lists are tables: the first rule whose number and tests fit a call decides it. */
enum test { NONE, IS, HAS /* any of the bits */, LACKS /* all of the bits */, IS_SOCKET, IS_SELF };

struct rule {
    int number;
    uint32_t action;
    struct {
        uint8_t word; /* LOW(n) or HIGH(n) */
        uint8_t test;
        uint32_t value;
    } tests[2];
};

/* The values that a table cannot have. */
struct caller {
    uint32_t socket, self;
};

/* clang-format off */
#define ALLOW_IF(name, ...) { SYS_##name, SECCOMP_RET_ALLOW, { __VA_ARGS__ } }
#define FAIL(name, error) { .number = SYS_##name, .action = SECCOMP_RET_ERRNO | (error) }
#define NO_POINTER(n) { LOW(n), IS, 0 }, { HIGH(n), IS, 0 }
/* clang-format on */
#define NUMBERS(name, ...) static const int name[] = { __VA_ARGS__ }
#ifdef __x86_64__
#define OLD(...) , __VA_ARGS__ /* newer processors do not have them */
#else
#define OLD(...)
#endif
#ifndef SYS_renameat
#define SYS_renameat SYS_renameat2
#endif

enum { PROGRAM_MAX = 1024 };

struct program {
    struct sock_filter steps[PROGRAM_MAX];
    unsigned short count;
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

/* Skips the next `steps` unless the loaded word passes the test. */
static void unless_skip(struct program *program, uint8_t test, uint32_t value, uint8_t steps)
{
    uint16_t jump = test == HAS || test == LACKS ? BPF_JSET : BPF_JEQ;
    bool wanted = test != LACKS;

    add_step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | jump | BPF_K, value,
                                                   wanted ? 0 : steps, wanted ? steps : 0));
}

static void add_rule(struct program *program, const struct rule *rule, struct caller caller)
{
    uint8_t tests = 0;

    while (tests < countof(rule->tests) && rule->tests[tests].test != NONE)
        tests++;
    /* The tests, the decision, and the number again, for the rules that follow. */
    unless_skip(program, IS, (uint32_t)rule->number, (uint8_t)(2 * tests + (tests ? 2 : 1)));
    for (uint8_t i = 0; i < tests; i++) {
        uint8_t test = rule->tests[i].test;
        uint32_t value = test == IS_SOCKET ? caller.socket
                         : test == IS_SELF ? caller.self
                                           : rule->tests[i].value;

        load_word(program, rule->tests[i].word);
        unless_skip(program, test, value, (uint8_t)(2 * (tests - 1 - i) + 1));
    }
    add_decision(program, rule->action);
    if (tests)
        load_word(program, offsetof(struct seccomp_data, nr));
}

static void add_rules(struct program *program, const struct rule *rules, size_t count,
                      struct caller caller)
{
    for (size_t i = 0; i < count; i++)
        add_rule(program, &rules[i], caller);
}

static void decide_all(struct program *program, const int *numbers, size_t count, uint32_t action)
{
    for (size_t i = 0; i < count; i++)
        add_rule(program, &(struct rule){ .number = numbers[i], .action = action },
                 (struct caller){ 0 });
}

#define ALLOW_ALL(program, list) decide_all(program, list, countof(list), SECCOMP_RET_ALLOW)

/* The numbers of another architecture mean other calls, so they are not reported. */
static void check_architecture(struct program *program)
{
    load_word(program, offsetof(struct seccomp_data, arch));
    add_step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    add_decision(program, SECCOMP_RET_KILL_PROCESS);
    load_word(program, offsetof(struct seccomp_data, nr));
}

static bool set_program(struct program *program, uint32_t otherwise)
{
    const struct sock_fprog filter = { (unsigned short)(program->count + 1), program->steps };

    add_decision(program, otherwise);
    return program->count < PROGRAM_MAX && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

/* --- Lua ----------------------------------------------------------------------------------- */

/* The form in which the C library asks for a descriptor's size. It gives no content of files. */
static const struct rule fstat_only[] = {
    ALLOW_IF(newfstatat, { LOW(3), IS, AT_EMPTY_PATH }),
};

/* Memory is anonymous and cannot be executed. */
static const struct rule memory_only[] = {
    ALLOW_IF(mmap, { LOW(2), LACKS, PROT_EXEC }, { LOW(3), HAS, MAP_ANONYMOUS }),
    ALLOW_IF(mprotect, { LOW(2), LACKS, PROT_EXEC }),
};

static const int lua_plain[] = {
    SYS_brk,           SYS_munmap,          SYS_mremap,          SYS_madvise, SYS_futex,
    SYS_clock_gettime, SYS_gettimeofday,    SYS_clock_nanosleep, SYS_ppoll,   SYS_getrandom,
    SYS_sched_yield,   SYS_restart_syscall, SYS_rt_sigreturn,    SYS_exit,    SYS_exit_group,
#ifdef __x86_64__
    SYS_poll,
#endif
};

static const struct rule lua_rules[] = {
    ALLOW_IF(read, { LOW(0), IS_SOCKET, 0 }),
    ALLOW_IF(write, { LOW(0), IS_SOCKET, 0 }),
};

bool calls_list(int socket)
{
    struct caller caller = { .socket = (uint32_t)socket };
    struct program program = { .count = 0 };

    check_architecture(&program);
    add_rules(&program, lua_rules, countof(lua_rules), caller);
    ALLOW_ALL(&program, lua_plain);
    add_rules(&program, memory_only, countof(memory_only), caller);
    return set_program(&program, SECCOMP_RET_TRAP); /* SIGSYS: guest/child/forbidden.c names it */
}

/* --- Python -------------------------------------------------------------------------------- */

/* No library tries these, so that the guest that does is ended. */
NUMBERS(python_ends, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_bpf,
        SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_userfaultfd, SYS_keyctl,
        SYS_add_key, SYS_request_key, SYS_perf_event_open, SYS_mount, SYS_umount2, SYS_pivot_root,
        SYS_chroot, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount,
        SYS_fspick, SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_init_module, SYS_finit_module,
        SYS_delete_module, SYS_kexec_load, SYS_personality, SYS_pidfd_getfd, SYS_seccomp,
        SYS_open_by_handle_at);

NUMBERS(python_plain, SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_close, SYS_fstat, SYS_lseek,
        SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_ftruncate, SYS_brk, SYS_munmap,
        SYS_mremap, SYS_madvise, SYS_futex, SYS_membarrier, SYS_clock_gettime, SYS_clock_getres,
        SYS_gettimeofday, SYS_clock_nanosleep, SYS_nanosleep, SYS_times, SYS_getrandom,
        SYS_sched_yield, SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_ppoll, SYS_pselect6,
        SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_eventfd2,
        SYS_pipe2, SYS_dup, SYS_dup3, SYS_close_range, SYS_rt_sigreturn, SYS_rt_sigaction,
        SYS_rt_sigprocmask, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend,
        SYS_sigaltstack, SYS_setitimer, SYS_getitimer, SYS_set_robust_list, SYS_rseq,
        SYS_set_tid_address, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid,
        SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_getpgid,
        SYS_getsid, SYS_getpriority, SYS_getcwd, SYS_uname, SYS_getrusage, SYS_sysinfo,
        SYS_sched_getaffinity, SYS_getcpu, SYS_umask,
        SYS_recvfrom OLD(SYS_poll, SYS_select, SYS_epoll_wait, SYS_epoll_create, SYS_pipe, SYS_dup2,
                         SYS_alarm, SYS_pause, SYS_time, SYS_getpgrp));

/* Signals only to itself; threads, and no processes (glibc tries clone3 first, whose flags no
 * filter can see); sockets without an address; of descriptors nothing that asks for signals or
 * leases; and the errors by which the standard library copies a file without its attributes. */
static const struct rule python_rules[] = {
    ALLOW_IF(kill, { LOW(0), IS_SELF, 0 }),
    ALLOW_IF(tgkill, { LOW(0), IS_SELF, 0 }),
    ALLOW_IF(clone, { LOW(0), HAS, CLONE_THREAD },
             { LOW(0), LACKS,
               CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                   CLONE_NEWPID | CLONE_NEWNET | CLONE_PARENT | CLONE_PTRACE | CLONE_PIDFD }),
    FAIL(clone3, ENOSYS),
    ALLOW_IF(prctl, { LOW(0), IS, PR_SET_NAME }),
    ALLOW_IF(prlimit64, NO_POINTER(2)),
    ALLOW_IF(socketpair, { LOW(0), IS, AF_UNIX }),
    ALLOW_IF(sendto, NO_POINTER(4)),
    ALLOW_IF(fcntl, { LOW(1), IS, F_GETFD }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_SETFD }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_GETFL }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_SETFL }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_DUPFD }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_DUPFD_CLOEXEC }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_GETLK }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_SETLK }),
    ALLOW_IF(fcntl, { LOW(1), IS, F_SETLKW }),
    ALLOW_IF(ioctl, { LOW(1), IS, FIOCLEX }),
    ALLOW_IF(ioctl, { LOW(1), IS, FIONBIO }),
    ALLOW_IF(ioctl, { LOW(1), IS, FIONREAD }),
    FAIL(ioctl, ENOTTY),
};

NUMBERS(python_attributes, SYS_listxattr, SYS_llistxattr, SYS_flistxattr, SYS_getxattr,
        SYS_lgetxattr, SYS_fgetxattr);

/* Other layers keep it to the files that it may have. */
NUMBERS(python_files, SYS_mmap, SYS_mprotect, SYS_msync, SYS_openat, SYS_newfstatat, SYS_statx,
        SYS_getdents64, SYS_readlinkat, SYS_faccessat, SYS_faccessat2, SYS_fadvise64, SYS_chdir,
        SYS_fchdir, SYS_statfs, SYS_fstatfs, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_mkdirat,
        SYS_symlinkat, SYS_linkat, SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_flock, SYS_sendfile,
        SYS_copy_file_range OLD(SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
                                SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_symlink,
                                SYS_link));

/* Calls that Landlock lets pass for any file of its user (truncate: before its third version). */
NUMBERS(python_root, SYS_truncate, SYS_utimensat, SYS_fchmod, SYS_fchmodat OLD(SYS_chmod));

bool calls_list_python(enum calls_files files, const char *seatbelt)
{
    struct caller caller = { .self = (uint32_t)getpid() };
    struct program program = { .count = 0 };

    (void)seatbelt;
    check_architecture(&program);
    ALLOW_ALL(&program, python_plain);
    if (files) {
        ALLOW_ALL(&program, python_files);
    } else {
        add_rules(&program, memory_only, countof(memory_only), caller);
        add_rules(&program, fstat_only, countof(fstat_only), caller);
    }
    if (files == CALLS_OWN_ROOT)
        ALLOW_ALL(&program, python_root);
    add_rules(&program, python_rules, countof(python_rules), caller);
    decide_all(&program, python_attributes, countof(python_attributes),
               SECCOMP_RET_ERRNO | ENOTSUP);
    decide_all(&program, python_ends, countof(python_ends), SECCOMP_RET_KILL_PROCESS);
    return set_program(&program, SECCOMP_RET_ERRNO | EPERM); /* libraries raise an error then */
}
#endif
#endif

#if !defined __APPLE__ && !defined ARCHITECTURE
bool calls_list(int socket)
{
    (void)socket; /* there is no list for this system or processor */
    return false;
}

bool calls_list_python(enum calls_files files, const char *seatbelt)
{
    (void)files;
    (void)seatbelt;
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
