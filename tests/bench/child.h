/* The server under measurement: a child process on two pipes, read by lines. */
#ifndef PERIGEE_BENCH_CHILD_H
#define PERIGEE_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int in, out;           /* our ends of its stdin and stdout; -1 when closed */
    char *buf;             /* owned: bytes that were read and not yet handed out */
    size_t len, cap, used; /* `used` bytes at the front are handed out */
    int64_t started;       /* ns, just before fork() */
};

struct memory {
    double resident_kb, peak_kb; /* the process itself, without children; -1: not known */
};

int64_t now_ns(void);

/* Keeps this process on one processor (and children started later too); -1 does nothing. */
void pin(int cpu);

/* argv is run through PATH with stderr going to /dev/null unless `loud`. `cpu` as for pin(). */
bool child_start(struct child *child, char *const argv[], int cpu, bool loud);

/* Writes all bytes, and reads meanwhile, so that neither side can block the other. */
bool child_send(struct child *child, const char *text, size_t len);

/* The next line without its newline, borrowed until the next call; NULL at the end of its output or
 * after `limit_ms` without one. */
char *child_line(struct child *child, size_t *len, int limit_ms);

double child_cpu_us(const struct child *child); /* processor time used so far; -1 unknown */
struct memory child_memory(const struct child *child);

/* Closes its stdin and waits; the milliseconds until it ended by itself with code 0, or -1 (after
 * `limit_ms` it is killed). Frees everything. */
double child_stop(struct child *child, int limit_ms);

#endif
