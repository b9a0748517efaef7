/* The parts that the files of mcpbench share: its options, its figures, and the messages. */
#ifndef PERIGEE_BENCH_H
#define PERIGEE_BENCH_H

#include "child.h"

enum { LIMIT_MS = 20000, DEPTHS = 4 };

extern struct options {
    const char *tool;
    int calls, warm, piped, big_bytes, big_calls, cold;
    int depths[DEPTHS], depth_count;
    int client_cpu, server_cpu;
    bool stateless, loud;
    char **argv;
} options;

/* A figure of -1 was not measured. */
extern struct figures {
    double start_ms, ready_ms, list_us, p50_us, p90_us, p99_us, min_us, rate, cpu_us;
    double start_cpu_ms, first_cpu_us; /* until the list was there; of the first call after it */
    double piped[DEPTHS], piped_cpu[DEPTHS], big_ms, idle_kb, end_kb, peak_kb, exit_ms;
    long list_bytes, failed;
} figures;

/* --- talk.c ------------------------------------------------------------------- */

/* Sends a request; `params` is an object without its closing brace. */
bool request(struct child *child, long id, const char *method, const char *params);

/* tools/call as a line to send, owned by the caller. */
char *compose_call(long id, const char *message);
bool send_line(struct child *child, char *line); /* takes the line */
bool call(struct child *child, long id, const char *message);

/* Reads on to the next answer. Notifications and requests of the server are passed over, and an
 * error is counted in figures.failed. Borrowed until the next read; NULL if nothing comes. */
char *next_answer(struct child *child, long *id, size_t *len);
char *await(struct child *child, long id, size_t *len);

#endif
