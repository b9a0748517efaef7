/* Measures one stdio MCP server as its client sees it, and prints one line of JSON.
 *
 *   mcpbench [options] -- SERVER [ARGUMENT ...]
 *
 *   -t TOOL   a tool that returns its argument "message" [echo]
 *   -n N      sequential calls [2000], after -w N calls to warm up [200]
 *   -k LIST   calls kept in flight, e.g. 8,64 [8,64]; -m N calls for each [5000]
 *   -b N      bytes of the big argument [1000000], sent -e N times [9]
 *   -c N      cold starts [5]
 *   -P A,B    client on processor A, server on B [not pinned]
 *   -M        stateless: no handshake, the 2026-07-28 envelope in every request
 *   -v        lets the server's stderr through
 *
 * A figure of -1 was not measured. The exit code is 1 when an answer was missing or wrong. A round
 * trip on one machine is mostly the scheduler's: only ratios taken in one run, pinned alike, mean
 * something. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

struct options options = { .tool = "echo",
                           .calls = 2000,
                           .warm = 200,
                           .piped = 5000,
                           .big_bytes = 1000000,
                           .big_calls = 9,
                           .cold = 5,
                           .depths = { 8, 64 },
                           .depth_count = 2,
                           .client_cpu = -1,
                           .server_cpu = -1 };

struct figures figures;

static const char handshake[] = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                                "\"clientInfo\":{\"name\":\"mcpbench\",\"version\":\"1\"}";

/* --- numbers ------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts in place. */
static double quantile(double *values, int count, double at)
{
    if (count <= 0)
        return -1;
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(int)(at * (count - 1) + 0.5)];
}

/* Started, introduced and listed; false when it does not answer. */
static bool open_session(struct child *child, double *start_ms, double *ready_ms)
{
    static const char initialized[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    size_t len;

    if (!child_start(child, options.argv, options.server_cpu, options.loud))
        return false;
    if (!options.stateless) {
        if (!request(child, 1, "initialize", handshake) || !await(child, 1, &len))
            return false;
        *start_ms = (double)(now_ns() - child->started) / 1e6;
        child_send(child, initialized, sizeof initialized - 1);
    }
    if (!request(child, 2, "tools/list", "{") || !await(child, 2, &len))
        return false;
    *ready_ms = (double)(now_ns() - child->started) / 1e6;
    if (options.stateless)
        *start_ms = *ready_ms;
    figures.list_bytes = (long)len;
    return true;
}

/* --- what is measured -------------------------------------------------------------- */

/* Says what went wrong; false. */
static bool lost(const char *what)
{
    fprintf(stderr, "mcpbench: no answer: %s\n", what);
    return false;
}

static bool measure_starts(void)
{
    double starts[64], readies[64], exits[64];
    int count = options.cold < 64 ? options.cold : 64;

    for (int i = 0; i < count; i++) {
        struct child child;
        bool open = open_session(&child, &starts[i], &readies[i]);

        exits[i] = child.pid > 0 ? child_stop(&child, 3000) : -1;
        if (!open)
            return lost("a cold start");
        if (exits[i] < 0)
            figures.failed++;
    }
    figures.start_ms = quantile(starts, count, 0.5);
    figures.ready_ms = quantile(readies, count, 0.5);
    figures.exit_ms = quantile(exits, count, 0.5);
    return true;
}

static bool measure_sequence(struct child *child)
{
    double *took = calloc((size_t)options.calls + 1, sizeof *took), cpu = 0;
    int64_t begun = 0;
    size_t len;

    for (int i = -options.warm; i < options.calls; i++) {
        int64_t sent = now_ns();

        if (i == 0) {
            begun = sent;
            cpu = child_cpu_us(child);
        }
        if (!call(child, 1000 + i, "hello") || !await(child, 1000 + i, &len)) {
            free(took);
            return false;
        }
        if (i >= 0)
            took[i] = (double)(now_ns() - sent) / 1e3;
    }
    figures.rate = options.calls / ((double)(now_ns() - begun) / 1e9);
    figures.cpu_us = cpu < 0 ? -1 : (child_cpu_us(child) - cpu) / options.calls;
    figures.p50_us = quantile(took, options.calls, 0.5);
    figures.p90_us = quantile(took, options.calls, 0.9);
    figures.p99_us = quantile(took, options.calls, 0.99);
    figures.min_us = took[0];
    free(took);
    return true;
}

/* Keeps `depth` calls in flight: for every answer a new one is sent. */
static bool measure_pipe(struct child *child, int depth, double *rate, double *cpu)
{
    double cpu_before = child_cpu_us(child);
    int sent = 0, done = 0;
    int64_t begun = now_ns();
    long id, sum = 0, wanted = 0;
    size_t len;

    while (done < options.piped) {
        for (; sent < options.piped && sent - done < depth; sent++) {
            wanted += sent;
            if (!call(child, 100000 + sent, "hello"))
                return false;
        }
        if (!next_answer(child, &id, &len))
            return false;
        sum += id - 100000;
        done++;
    }
    if (sum != wanted)
        figures.failed++;
    *rate = options.piped / ((double)(now_ns() - begun) / 1e9);
    *cpu = cpu_before < 0 ? -1 : (child_cpu_us(child) - cpu_before) / options.piped;
    return true;
}

static bool measure_big(struct child *child)
{
    double took[64];
    int count = options.big_calls < 64 ? options.big_calls : 64;
    char *message = malloc((size_t)options.big_bytes + 1), *line;
    size_t len;

    memset(message, 'x', (size_t)options.big_bytes);
    message[options.big_bytes] = '\0';
    for (int i = 0; i < count; i++) {
        char *big = compose_call(500000 + i, message);
        int64_t sent = now_ns();

        if (!send_line(child, big) || !(line = await(child, 500000 + i, &len))) {
            free(message);
            return false;
        }
        took[i] = (double)(now_ns() - sent) / 1e6;
        if (!memmem(line, len, message, (size_t)options.big_bytes))
            figures.failed++;
    }
    figures.big_ms = quantile(took, count, 0.5);
    free(message);
    return true;
}

static bool measure_list(struct child *child)
{
    double took[100];
    size_t len;

    for (int i = 0; i < 100; i++) {
        int64_t sent = now_ns();

        if (!request(child, 10 + i, "tools/list", "{") || !await(child, 10 + i, &len))
            return false;
        took[i] = (double)(now_ns() - sent) / 1e3;
    }
    figures.list_us = quantile(took, 100, 0.5);
    return true;
}

static bool measure_first(struct child *child)
{
    double cpu = child_cpu_us(child);
    size_t len;

    figures.start_cpu_ms = cpu / 1e3;
    if (!call(child, 5, "hello") || !await(child, 5, &len))
        return false;
    figures.first_cpu_us = child_cpu_us(child) - cpu;
    return true;
}

static bool measure_calls(struct child *child)
{
    if (!measure_first(child))
        return lost("the first call");
    if (!measure_list(child))
        return lost("tools/list");
    if (!measure_sequence(child))
        return lost("calls one after the other");
    for (int i = 0; i < options.depth_count; i++)
        if (!measure_pipe(child, options.depths[i], &figures.piped[i], &figures.piped_cpu[i]))
            return lost("calls in flight");
    if (options.big_calls > 0 && !measure_big(child))
        return lost("a big call");
    return true;
}

static bool measure_session(void)
{
    struct child child;
    struct memory memory;
    double unused;
    bool good = open_session(&child, &unused, &unused) || lost("the first start");

    figures.idle_kb = good ? child_memory(&child).resident_kb : -1;
    good = good && measure_calls(&child);
    memory = child_memory(&child);
    figures.end_kb = memory.resident_kb;
    figures.peak_kb = memory.peak_kb;
    if (child.pid > 0 && child_stop(&child, 3000) < 0) {
        fprintf(stderr, "mcpbench: it did not end well when stdin closed\n");
        figures.failed++;
    }
    return good;
}

/* --- the command -------------------------------------------------------------------- */

static void print(bool complete)
{
    const struct figures *f = &figures;

    printf(
        "{\"complete\":%s,\"failed\":%ld,\"start_ms\":%.3f,\"ready_ms\":%.3f,\"list_us\":%.1f,"
        "\"list_bytes\":%ld,\"p50_us\":%.2f,\"p90_us\":%.2f,\"p99_us\":%.2f,\"min_us\":%.2f,"
        "\"calls_s\":%.0f,\"cpu_us\":%.2f,\"start_cpu_ms\":%.3f,\"first_cpu_us\":%.1f,\"piped\":{",
        complete ? "true" : "false", f->failed, f->start_ms, f->ready_ms, f->list_us, f->list_bytes,
        f->p50_us, f->p90_us, f->p99_us, f->min_us, f->rate, f->cpu_us, f->start_cpu_ms,
        f->first_cpu_us);
    for (int i = 0; i < options.depth_count; i++)
        printf("%s\"%d\":%.0f", i ? "," : "", options.depths[i], f->piped[i]);
    printf("},\"piped_cpu\":{");
    for (int i = 0; i < options.depth_count; i++)
        printf("%s\"%d\":%.3f", i ? "," : "", options.depths[i], f->piped_cpu[i]);
    printf(
        "},\"big_ms\":%.3f,\"idle_kb\":%.0f,\"end_kb\":%.0f,\"peak_kb\":%.0f,\"exit_ms\":%.3f}\n",
        f->big_ms, f->idle_kb, f->end_kb, f->peak_kb, f->exit_ms);
}

static void read_depths(const char *list)
{
    options.depth_count = 0;
    for (char *end; *list && options.depth_count < DEPTHS; list = *end ? end + 1 : end) {
        int depth = (int)strtol(list, &end, 10);

        if (depth > 0)
            options.depths[options.depth_count++] = depth;
        if (end == list)
            break;
    }
}

static bool read_options(int argc, char **argv)
{
    int letter;

    while ((letter = getopt(argc, argv, "+t:n:w:k:m:b:e:c:P:Mv")) != -1) {
        switch (letter) {
        case 't':
            options.tool = optarg;
            break;
        case 'n':
            options.calls = atoi(optarg);
            break;
        case 'w':
            options.warm = atoi(optarg);
            break;
        case 'k':
            read_depths(optarg);
            break;
        case 'm':
            options.piped = atoi(optarg);
            break;
        case 'b':
            options.big_bytes = atoi(optarg);
            break;
        case 'e':
            options.big_calls = atoi(optarg);
            break;
        case 'c':
            options.cold = atoi(optarg);
            break;
        case 'P':
            sscanf(optarg, "%d,%d", &options.client_cpu, &options.server_cpu);
            break;
        case 'M':
            options.stateless = true;
            break;
        case 'v':
            options.loud = true;
            break;
        default:
            return false;
        }
    }
    options.argv = argv + optind;
    return optind < argc && options.calls > 0 && options.warm < 1000 && options.big_bytes > 0;
}

int main(int argc, char **argv)
{
    bool complete;

    if (!read_options(argc, argv)) {
        fprintf(stderr, "usage: mcpbench [options] -- SERVER [ARGUMENT ...]; see mcpbench.c\n");
        return 2;
    }
    figures = (struct figures){
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, { -1, -1, -1, -1 }, { -1, -1, -1, -1 },
        -1, -1, -1, -1, -1, -1, 0
    };
    pin(options.client_cpu);
    complete = measure_session() && (options.cold <= 0 || measure_starts());
    print(complete);
    return complete && !figures.failed ? 0 : 1;
}
