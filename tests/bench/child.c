/* One child at a time. Its end is awaited in waitpid() itself, because sleeping between looks would
 * be measured as well; SIGALRM kills a child that does not end. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t doomed; /* the child SIGALRM kills */

int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void pin(int cpu)
{
#ifdef __linux__
    cpu_set_t set;

    if (cpu < 0)
        return;
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
#else
    (void)cpu;
#endif
}

static void become(char *const argv[], int in, int out, int cpu, bool loud)
{
    int quiet = loud ? -1 : open("/dev/null", O_WRONLY);

    pin(cpu);
    setpgid(0, 0);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    if (quiet >= 0)
        dup2(quiet, STDERR_FILENO);
    execvp(argv[0], argv);
    _exit(127);
}

static bool make_pipes(int to[2], int from[2])
{
    if (pipe(to))
        return false;
    if (pipe(from)) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(to[i], F_SETFD, FD_CLOEXEC);
        fcntl(from[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

bool child_start(struct child *child, char *const argv[], int cpu, bool loud)
{
    int to[2], from[2];

    *child = (struct child){ .pid = -1, .in = -1, .out = -1 };
    signal(SIGPIPE, SIG_IGN);
    if (!make_pipes(to, from))
        return false;
    child->started = now_ns();
    child->pid = fork();
    if (child->pid == 0)
        become(argv, to[0], from[1], cpu, loud);
    close(to[0]);
    close(from[1]);
    child->in = to[1];
    child->out = from[0];
    fcntl(child->in, F_SETFL, O_NONBLOCK);
    fcntl(child->out, F_SETFL, O_NONBLOCK);
    return child->pid > 0;
}

/* Reads once. False at the end of its output. */
static bool fill(struct child *child)
{
    ssize_t n;

    if (child->used) {
        child->len -= child->used;
        memmove(child->buf, child->buf + child->used, child->len);
        child->used = 0;
    }
    if (child->cap - child->len < 65536) {
        child->cap = child->cap ? child->cap * 2 : 262144;
        child->buf = realloc(child->buf, child->cap);
        if (!child->buf)
            abort();
    }
    n = read(child->out, child->buf + child->len, child->cap - child->len);
    if (n > 0)
        child->len += (size_t)n;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

bool child_send(struct child *child, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(child->in, text, len);
        struct pollfd fds[] = { { .fd = child->in, .events = POLLOUT },
                                { .fd = child->out, .events = POLLIN } };

        if (n > 0) {
            text += n;
            len -= (size_t)n;
            continue;
        }
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (poll(fds, 2, 20000) == 0)
            return false;
        if (fds[1].revents && !fill(child))
            return false;
    }
    return true;
}

char *child_line(struct child *child, size_t *len, int limit_ms)
{
    size_t searched = 0;

    for (;;) {
        char *begin = child->buf ? child->buf + child->used : NULL;
        size_t have = child->len - child->used;
        char *newline = have ? memchr(begin + searched, '\n', have - searched) : NULL;
        struct pollfd fd = { .fd = child->out, .events = POLLIN };

        if (newline) {
            *len = (size_t)(newline - begin);
            *newline = '\0';
            child->used += *len + 1;
            return begin;
        }
        searched = have;
        if (poll(&fd, 1, limit_ms) == 0 || !fill(child))
            return NULL;
    }
}

double child_cpu_us(const struct child *child)
{
#ifdef __linux__
    clockid_t clock;
    struct timespec used;

    if (!clock_getcpuclockid(child->pid, &clock) && !clock_gettime(clock, &used))
        return (double)used.tv_sec * 1e6 + (double)used.tv_nsec / 1e3;
#else
    (void)child;
#endif
    return -1;
}

struct memory child_memory(const struct child *child)
{
    struct memory memory = { -1, -1 };
    char path[64], line[256];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)child->pid);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, "VmRSS:", 6))
            memory.resident_kb = atof(line + 6);
        else if (!strncmp(line, "VmHWM:", 6))
            memory.peak_kb = atof(line + 6);
    }
    if (file)
        fclose(file);
    return memory;
}

static void kill_doomed(int signal_number)
{
    (void)signal_number;
    kill((pid_t)doomed, SIGKILL);
}

double child_stop(struct child *child, int limit_ms)
{
    struct itimerval limit = { .it_value = { limit_ms / 1000, limit_ms % 1000 * 1000 } },
                     off = { 0 };
    int status = -1;
    int64_t begun;
    double took;

    doomed = child->pid;
    signal(SIGALRM, kill_doomed);
    setitimer(ITIMER_REAL, &limit, NULL);
    begun = now_ns();
    close(child->in);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    took = (double)(now_ns() - begun) / 1e6;
    setitimer(ITIMER_REAL, &off, NULL);
    kill(-child->pid, SIGKILL); /* processes that it left in its group */
    close(child->out);
    free(child->buf);
    *child = (struct child){ .pid = -1, .in = -1, .out = -1 };
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? took : -1;
}
