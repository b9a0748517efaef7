/* Ways out of the jail, tried from inside a guest by raw system calls, as if its VM were broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef __linux__
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "guest/child/forbidden.h"
#include "guest/child/process.h"
#include "guest/jail/jail.h"
#include "process/emulation.h"

enum { SOCKET = 3, ARGUMENTS = 6 };

struct attempt {
    const char *name;
    long number;
    intptr_t arguments[ARGUMENTS];
};

#define TRY(call, ...)                                                                             \
    {                                                                                              \
#call, SYS_##call,                                                                         \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define P(text) ((intptr_t)(text))

static char room[4096];
static struct sockaddr_in loopback = { .sin_family = AF_INET };

/* Calls that a guest does not need: each ends it. */
static const struct attempt forbidden[] = {
    /* files */
    TRY(openat, AT_FDCWD, P("/etc/passwd"), O_RDONLY),
    TRY(openat, AT_FDCWD, P("/"), O_RDONLY | O_DIRECTORY),
    TRY(openat, AT_FDCWD, P("/proc/self/mem"), O_RDWR),
    TRY(openat, AT_FDCWD, P("/tmp/x"), O_CREAT | O_WRONLY, 0600),
    TRY(openat2, AT_FDCWD, P("/etc/passwd"), P(room), 24),
    TRY(newfstatat, AT_FDCWD, P("/etc"), P(room), 0),
    TRY(statx, AT_FDCWD, P("/etc"), 0, 0, P(room)),
    TRY(faccessat, AT_FDCWD, P("/etc"), 0),
    TRY(readlinkat, AT_FDCWD, P("/proc/self/exe"), P(room), sizeof room),
    TRY(getdents64, 0, P(room), sizeof room),
    TRY(chdir, P("/")),
    TRY(fchdir, 0),
    TRY(getcwd, P(room), sizeof room),
    TRY(renameat2, AT_FDCWD, P("/a"), AT_FDCWD, P("/b"), 0),
    TRY(unlinkat, AT_FDCWD, P("/a"), 0),
    TRY(mkdirat, AT_FDCWD, P("/a"), 0700),
    TRY(linkat, AT_FDCWD, P("/a"), AT_FDCWD, P("/b"), 0),
    TRY(symlinkat, P("/a"), AT_FDCWD, P("/b")),
    TRY(truncate, P("/a"), 0),
    TRY(fchmodat, AT_FDCWD, P("/a"), 0777),
    TRY(fchownat, AT_FDCWD, P("/a"), 0, 0, 0),
    TRY(utimensat, AT_FDCWD, P("/a"), 0, 0),
    TRY(mknodat, AT_FDCWD, P("/a"), 0, 0),
    TRY(name_to_handle_at, AT_FDCWD, P("/"), P(room), P(room), 0),
    TRY(open_by_handle_at, 0, P(room), 0),
    TRY(inotify_init1, 0),
    TRY(fanotify_init, 0, 0),
    TRY(statfs, P("/"), P(room)),
    TRY(setxattr, P("/"), P("user.a"), P(room), 1, 0),
    TRY(umask, 0),
    /* connections */
    TRY(socket, AF_UNIX, SOCK_STREAM, 0),
    TRY(socket, AF_INET, SOCK_STREAM, 0),
    TRY(socket, AF_INET6, SOCK_DGRAM, 0),
    TRY(socket, AF_NETLINK, SOCK_RAW, 0),
    TRY(socket, 40 /* AF_VSOCK */, SOCK_STREAM, 0),
    TRY(socketpair, AF_UNIX, SOCK_STREAM, 0, P(room)),
    TRY(connect, SOCKET, P(&loopback), sizeof loopback),
    TRY(bind, SOCKET, P(&loopback), sizeof loopback),
    TRY(listen, SOCKET, 1),
    TRY(accept4, SOCKET, 0, 0, 0),
    TRY(sendto, SOCKET, P(room), 1, 0, P(&loopback), sizeof loopback),
    TRY(recvfrom, SOCKET, P(room), 1, 0, 0, 0),
    TRY(sendmsg, SOCKET, P(room), 0),
    TRY(recvmsg, SOCKET, P(room), 0),
    TRY(sendmmsg, SOCKET, P(room), 1, 0),
    TRY(setsockopt, SOCKET, SOL_SOCKET, SO_RCVBUF, P(room), 4),
    TRY(getpeername, SOCKET, P(room), P(room)),
    TRY(shutdown, SOCKET, SHUT_RDWR),
    /* processes */
    TRY(clone, SIGCHLD),
    TRY(clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, P(room + sizeof room)),
    TRY(clone, CLONE_NEWUSER | SIGCHLD),
    TRY(clone3, P(room), 64),
    TRY(execve, P("/bin/sh"), 0, 0),
    TRY(execveat, AT_FDCWD, P("/bin/sh"), 0, 0, 0),
    TRY(ptrace, 16 /* PTRACE_ATTACH */, 1),
    TRY(process_vm_readv, 1, P(room), 1, P(room), 1, 0),
    TRY(process_vm_writev, 1, P(room), 1, P(room), 1, 0),
    TRY(kill, 1, SIGKILL),
    TRY(kill, -1, SIGKILL),
    TRY(tgkill, 1, 1, SIGKILL),
    TRY(tkill, 1, SIGKILL),
    TRY(rt_sigqueueinfo, 1, SIGKILL, P(room)),
    TRY(rt_sigaction, SIGSYS, P(room), 0, 8),
    TRY(pidfd_open, 1, 0),
    TRY(pidfd_send_signal, 0, SIGKILL, 0, 0),
    TRY(pidfd_getfd, 0, 0, 0),
    TRY(wait4, -1, 0, 0, 0),
    TRY(setpgid, 0, 0),
    TRY(setsid),
    TRY(getppid),
    TRY(setuid, 0),
    TRY(setresuid, 0, 0, 0),
    TRY(setgid, 0),
    TRY(setgroups, 0, 0),
    TRY(capset, P(room), P(room)),
    TRY(prctl, 1 /* PR_SET_PDEATHSIG */, 0),
    TRY(prctl, 22 /* PR_SET_SECCOMP */, 0),
    TRY(seccomp, 1, 0, P(room)),
    TRY(prlimit64, 0, 7, P(room), 0),
    TRY(personality, 0x0008),
    TRY(sched_setaffinity, 0, 8, P(room)),
    TRY(sched_setscheduler, 0, 1, P(room)),
    TRY(setpriority, 0, 0, -20),
    TRY(kcmp, 1, 1, 0, 0, 0),
    TRY(process_madvise, 0, P(room), 1, 0, 0),
    /* file systems and namespaces */
    TRY(mount, P("a"), P("/"), P("tmpfs"), 0, 0),
    TRY(umount2, P("/"), 2),
    TRY(pivot_root, P("/"), P("/")),
    TRY(chroot, P("/")),
    TRY(unshare, CLONE_NEWUSER),
    TRY(setns, 0, 0),
    TRY(open_tree, AT_FDCWD, P("/"), 0),
    TRY(move_mount, AT_FDCWD, P("/"), AT_FDCWD, P("/"), 0),
    TRY(fsopen, P("tmpfs"), 0),
    TRY(mount_setattr, AT_FDCWD, P("/"), 0, P(room), 32),
    /* the kernel */
    TRY(io_uring_setup, 4, P(room)),
    TRY(io_uring_enter, 0, 1, 0, 0, 0, 0),
    TRY(bpf, 0, P(room), 64),
    TRY(userfaultfd, 0),
    TRY(keyctl, 0, 0),
    TRY(add_key, P("user"), P("a"), P(room), 1, -3),
    TRY(request_key, P("user"), P("a"), 0, 0),
    TRY(perf_event_open, P(room), 0, -1, -1, 0),
    TRY(init_module, P(room), 1, P("")),
    TRY(finit_module, 0, P(""), 0),
    TRY(delete_module, P("a"), 0),
    TRY(kexec_load, 0, 0, 0, 0),
    TRY(reboot, 0xfee1dead, 672274793, 0, 0),
    TRY(syslog, 3, P(room), 1),
    TRY(sethostname, P("a"), 1),
    TRY(settimeofday, P(room), 0),
    TRY(clock_settime, 0, P(room)),
    TRY(clock_adjtime, 0, P(room)),
    TRY(quotactl, 0, P("/"), 0, 0),
    TRY(swapon, P("/a"), 0),
    TRY(acct, P("/a")),
    TRY(landlock_create_ruleset, 0, 0, 1),
    TRY(uname, P(room)),
    TRY(sysinfo, P(room)),
    /* descriptors */
    TRY(read, 0, P(room), 1),
    TRY(read, SOCKET + 1, P(room), 1),
    TRY(write, 2, P("out\n"), 4),
    TRY(write, 1, P("out\n"), 4),
    TRY(readv, SOCKET, P(room), 1),
    TRY(writev, SOCKET, P(room), 1),
    TRY(pread64, SOCKET, P(room), 1, 0),
    TRY(pwrite64, SOCKET, P(room), 1, 0),
    TRY(dup, SOCKET),
    TRY(dup3, SOCKET, 9, 0),
    TRY(fcntl, SOCKET, F_DUPFD, 0),
    TRY(ioctl, SOCKET, 0x541b /* FIONREAD */, P(room)),
    TRY(close, SOCKET),
    TRY(close_range, 0, 3, 0),
    TRY(splice, SOCKET, 0, 2, 0, 1, 0),
    TRY(tee, SOCKET, 2, 1, 0),
    TRY(vmsplice, SOCKET, P(room), 1, 0),
    TRY(sendfile, 2, SOCKET, 0, 1),
    TRY(copy_file_range, SOCKET, 0, 2, 0, 1, 0),
    TRY(pipe2, P(room), 0),
    TRY(eventfd2, 0, 0),
    TRY(timerfd_create, 0, 0),
    TRY(signalfd4, -1, P(room), 8, 0),
    TRY(epoll_create1, 0),
    TRY(memfd_create, P("a"), 0),
    /* memory */
    TRY(mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
    TRY(mmap, 0, 4096, PROT_READ, MAP_PRIVATE, SOCKET, 0),
    TRY(mprotect, P(room), 4096, PROT_READ | PROT_EXEC),
    TRY(pkey_mprotect, P(room), 4096, PROT_EXEC, -1),
    TRY(shmget, 0, 4096, 0600),
    TRY(shmat, 0, 0, 0),
    TRY(msgget, 0, 0600),
    TRY(semget, 0, 1, 0600),
    TRY(mq_open, P("a"), O_CREAT, 0600, 0),
    TRY(mlock, P(room), 4096),
    /* time that goes on without it */
    TRY(timer_create, 0, 0, P(room)),
    TRY(setitimer, 0, P(room), 0),
#ifdef __x86_64__
    TRY(open, P("/etc/passwd"), O_RDONLY),
    TRY(creat, P("/a"), 0600),
    TRY(stat, P("/etc"), P(room)),
    TRY(access, P("/etc"), 0),
    TRY(fork),
    TRY(vfork),
    TRY(alarm, 1),
    TRY(pause),
    TRY(dup2, SOCKET, 9),
    TRY(iopl, 3),
    TRY(ioperm, 0, 1, 1),
    TRY(modify_ldt, 1, P(room), 16),
    TRY(arch_prctl, 0x1002, 0),
    { "read by x32", SYS_read | 0x40000000, { SOCKET, P(room), 1 } },
    { "openat by x32", SYS_openat | 0x40000000, { AT_FDCWD, P("/etc/passwd"), O_RDONLY } },
#endif
    { "a number that is none", 100000, { 0 } },
    { "a number below zero", -1, { 0 } },
};

/* --- a jail ----------------------------------------------------------------------------------- */

static void attempt(const struct attempt *it)
{
    const intptr_t *a = it->arguments;

    syscall(it->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The waitpid() status of a guest that does this. */
static int status_of(void (*what)(const void *arg), const void *arg, bool list)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        if (list && !jail_lock(SOCKET))
            _exit(3);
        what(arg);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}

static void try_one(const void *arg)
{
    attempt(arg);
}

/* Runs `server` as the fork server would; returns the bytes that it writes to `fd`. */
static size_t in_jail(void (*server)(int fd, unsigned layers), void *out, size_t size)
{
    int ends[2];
    size_t got = 0;
    ssize_t n;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        int socket = open("/dev/null", O_RDWR);

        close(ends[0]);
        if (ends[1] == SOCKET)
            ends[1] = dup(ends[1]);
        dup2(socket, SOCKET);
        jail_enter();
        server(ends[1], jail_close(SOCKET));
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], (char *)out + got, size - got)) > 0)
        got += (size_t)n;
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return got;
}

static unsigned layers_here;

/* False with sanitizers and emulators, which allow no list and say so; a kernel without one fails
 * here. */
static bool has_list(void)
{
    struct emulation emulation;

    return !(layers_here & JAIL_OPEN) && !emulation_find(&emulation);
}

static void tell_layers(int fd, unsigned layers)
{
    if (write(fd, &layers, sizeof layers) < 0)
        _exit(1);
}

/* --- cases ------------------------------------------------------------------------------------ */

static void try_forbidden(int fd, unsigned layers)
{
    (void)layers;
    for (size_t i = 0; i < countof(forbidden); i++) {
        int status = status_of(try_one, &forbidden[i], true);

        if (write(fd, &status, sizeof status) < 0)
            _exit(1);
    }
}

static void every_other_system_call_ends_it(void **state)
{
    static int statuses[countof(forbidden)];
    size_t got, failed = 0;

    (void)state;
    if (!has_list())
        skip();
    got = in_jail(try_forbidden, statuses, sizeof statuses);
    assert_int_equal(got, sizeof statuses);
    for (size_t i = 0; i < countof(forbidden); i++) {
        if (!WIFSIGNALED(statuses[i]) || WTERMSIG(statuses[i]) != SIGSYS) {
            print_error("%s (%zu): status %d\n", forbidden[i].name, i, statuses[i]);
            failed++;
        }
    }
    print_message("%zu system calls tried from inside, %zu let through\n", countof(forbidden),
                  failed);
    assert_int_equal(failed, 0);
}

/* Other processors have no second entry into the kernel from 64-bit code. */
#ifdef __x86_64__
static void by_the_old_gate(const void *arg)
{
    long result;

    (void)arg;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid of i386 */) : "memory");
}

static void try_the_old_gate(int fd, unsigned layers)
{
    int status = status_of(by_the_old_gate, NULL, true);

    (void)layers;
    if (write(fd, &status, sizeof status) < 0)
        _exit(1);
}

static void the_old_gate_is_shut(void **state)
{
    int status = 0;

    (void)state;
    if (!has_list())
        skip();
    assert_int_equal(in_jail(try_the_old_gate, &status, sizeof status), sizeof status);
    assert_true(WIFSIGNALED(status));
}
#endif

static void compute(const void *arg)
{
    char *memory = malloc(50 << 20);

    (void)arg;
    if (!memory || write(SOCKET, "a", 1) != 1)
        _exit(4);
    memset(memory, 1, 50 << 20);
    free(memory);
    _exit(7);
}

static void try_computing(int fd, unsigned layers)
{
    int status = status_of(compute, NULL, true);

    (void)layers;
    if (write(fd, &status, sizeof status) < 0)
        _exit(1);
}

static void an_honest_one_lives(void **state)
{
    int status = 0;

    (void)state;
    if (!has_list())
        skip();
    assert_int_equal(in_jail(try_computing, &status, sizeof status), sizeof status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

/* Makes the call in a process that is shut in as a guest is, with its end of the socket as
 * SOCKET. */
static void be_forbidden(const struct attempt *it, bool half_sent)
{
    guest_process.channel.fd = SOCKET;
    guest_process.channel.sending = half_sent;
    forbidden_watch();
    if (!jail_lock(SOCKET))
        _exit(3);
    attempt(it);
    _exit(0);
}

/* The waitpid() status of a process that makes this call; *said gets the bytes that it wrote to its
 * socket. */
static int report_of(const struct attempt *it, bool half_sent, struct buf *said)
{
    int ends[2], status = 0;
    ssize_t got;
    pid_t pid;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pid = fork();
    if (pid == 0) {
        dup2(ends[1], SOCKET);
        be_forbidden(it, half_sent);
    }
    close(ends[1]);
    while ((got = read(ends[0], buf_reserve(said, 64), 64)) > 0)
        said->len += (size_t)got;
    close(ends[0]);
    waitpid(pid, &status, 0);
    return status;
}

static void assert_reports(const struct attempt *it)
{
    struct buf said = { 0 };
    struct frame frame;
    size_t at = 0;
    int status = report_of(it, false, &said);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
        fail_msg("%s: status %d", it->name, status);
    if (frame_next(&said, &at, FRAME_MAX, &frame, NULL) != FRAME_READ ||
        frame.kind != FRAME_FORBIDDEN || frame.id != (uint32_t)it->number || at != said.len)
        fail_msg("%s: %zu bytes of another report", it->name, said.len);
    buf_free(&said);
}

static void a_forbidden_call_is_reported_by_its_number(void **state)
{
    struct buf said = { 0 };

    (void)state;
    if (!has_list())
        skip();
    for (size_t i = 0; i < countof(forbidden); i++)
        assert_reports(&forbidden[i]);
    assert_true(WIFSIGNALED(report_of(&forbidden[0], true, &said)));
    assert_int_equal(said.len, 0); /* it would be read as the rest of a frame */
    buf_free(&said);
}

/* Targets of a guest if the list had a hole: the layers behind it keep it from all of them. */
enum { BEHIND = 8 };
static pid_t outside;
static char abstract_name[32];

static bool can_connect(int family, const void *address, socklen_t size)
{
    int fd = socket(family, SOCK_STREAM, 0);

    return fd >= 0 && connect(fd, address, size) == 0;
}

static void reach_out(const void *arg)
{
    struct sockaddr_un abstract = { .sun_family = AF_UNIX };
    struct sockaddr_un path = { .sun_family = AF_UNIX };
    socklen_t size =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(abstract_name));
    unsigned char reached[BEHIND];
    const int *fd = arg;

    memcpy(abstract.sun_path + 1, abstract_name, strlen(abstract_name));
    memcpy(path.sun_path, "/run/systemd/journal/stdout", sizeof "/run/systemd/journal/stdout");
    reached[0] = open("/etc/passwd", O_RDONLY) >= 0;
    reached[1] = open("/proc/self/status", O_RDONLY) >= 0;
    reached[2] = open("/x", O_CREAT | O_RDWR, 0600) >= 0;
    reached[3] = can_connect(AF_UNIX, &abstract, size);
    reached[4] = can_connect(AF_INET, &loopback, sizeof loopback);
    reached[5] = can_connect(AF_UNIX, &path, sizeof path);
    reached[6] = kill(outside, 0) == 0;
    reached[7] = unlink("/tmp") == 0 || rmdir("/") == 0 || chroot("/") == 0;
    if (write(*fd, reached, sizeof reached) < 0)
        _exit(1);
}

static void try_behind(int fd, unsigned layers)
{
    (void)layers;
    status_of(reach_out, &fd, false);
}

static int listening(struct sockaddr *address, socklen_t size)
{
    int fd = socket(address->sa_family, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, address, size), 0);
    assert_int_equal(listen(fd, 4), 0);
    return fd;
}

static void the_layers_behind_hold_without_the_list(void **state)
{
    struct sockaddr_un abstract = { .sun_family = AF_UNIX };
    socklen_t size = sizeof loopback;
    unsigned char reached[BEHIND] = { 0 };
    int fds[2];

    (void)state;
    if (!(layers_here & JAIL_NAMESPACES))
        skip();
    outside = getpid();
    snprintf(abstract_name, sizeof abstract_name, "jail-test-%d", (int)outside);
    memcpy(abstract.sun_path + 1, abstract_name, strlen(abstract_name));
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fds[0] = listening((struct sockaddr *)&loopback, sizeof loopback);
    assert_int_equal(getsockname(fds[0], (struct sockaddr *)&loopback, &size), 0);
    fds[1] =
        listening((struct sockaddr *)&abstract,
                  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(abstract_name)));
    assert_true(can_connect(AF_INET, &loopback, sizeof loopback)); /* from here it is reached */
    assert_int_equal(in_jail(try_behind, reached, sizeof reached), sizeof reached);
    for (size_t i = 0; i < BEHIND; i++) {
        if (reached[i])
            print_error("number %zu is reached\n", i);
        assert_false(reached[i]);
    }
    close(fds[0]);
    close(fds[1]);
}

static void what_is_known_to_be_there_is_told(void **state)
{
    (void)state;
    print_message("layers here: %u\n", layers_here);
    assert_int_equal(jail_is_enough(layers_here), has_list() || (layers_here & JAIL_OPEN) != 0);
    assert_false(jail_is_enough(JAIL_LIMITS | JAIL_LANDLOCK | JAIL_NAMESPACES));
    assert_false(jail_is_enough(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_to_be_there_is_told),
        cmocka_unit_test(every_other_system_call_ends_it),
        cmocka_unit_test(a_forbidden_call_is_reported_by_its_number),
        cmocka_unit_test(an_honest_one_lives),
#ifdef __x86_64__
        cmocka_unit_test(the_old_gate_is_shut),
#endif
        cmocka_unit_test(the_layers_behind_hold_without_the_list),
    };

    in_jail(tell_layers, &layers_here, sizeof layers_here);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("1..0 # SKIP these attempts are at Linux's layers\n");
    return 0;
}
#endif
