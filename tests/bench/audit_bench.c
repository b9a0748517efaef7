/* `make bench`, the part of the audit log: microseconds for a line of it, beside the floor, which
 * is one write() of as many bytes. The best of several rounds is printed: the machine's noise only
 * adds. Nothing fails by time: the aim is `met` or `MISSED`. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "audit/arguments.h"
#include "audit/audit.h"
#include "base/buf.h"
#include "files/file.h"
#include "json/document.h"

enum { ROUNDS = 15, LINES = 2000 };

#define AIM_US 15.0

static const char members[] =
    "\"id\":4711,\"tool\":\"move_window\",\"caller\":{\"kind\":\"http\",\"name\":\"claude-code\","
    "\"subject\":\"ann\",\"via\":\"http\"},\"args\":{\"name\":\"applications/4711/windows/"
    "27262983\","
    "\"x\":100,\"y\":80},\"decision\":\"allow\",\"rule\":\"windows\"";

static const char arguments[] =
    "{\"name\":\"applications/4711/windows/"
    "27262983\",\"x\":100,\"y\":80,\"wait\":{\"window\":\"Save "
    "as\",\"timeout\":5},\"text\":\"the quick brown fox\",\"states\":[\"focused\",\"normal\"]}";

static struct audit *audit, *other;
static struct json_doc *doc;
static int plain;
static char line[480];

static double now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static void append(struct audit *to)
{
    struct error err;

    if (!audit_append(to, "call", STR(members), &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

static void run_floor(int i)
{
    (void)i;
    if (write(plain, line, sizeof line) != sizeof line)
        exit(1);
}

static void run_alone(int i)
{
    (void)i;
    append(audit);
}

/* Each line is behind one of another process, so the file's end is read. */
static void run_turns(int i)
{
    append(i % 2 ? audit : other);
}

static void run_arguments(int i)
{
    static struct buf out;

    (void)i;
    out.len = 0;
    audit_arguments(json_root(doc), NULL, &out);
}

static double measure(const char *what, void (*run)(int i))
{
    double best = 1e30;

    for (int round = 0; round < ROUNDS; round++) {
        double start = now_us(), took;

        for (int i = 0; i < LINES; i++)
            run(i);
        took = (now_us() - start) / LINES;
        if (took < best)
            best = took;
    }
    printf("  %-32s %7.2f us\n", what, best);
    return best;
}

static double first_line(void)
{
    double start = now_us();

    append(audit);
    return now_us() - start;
}

int main(void)
{
    char *folder = folder_make_temp(NULL), *path = path_join(folder, "floor");
    double line_us;

    json_init();
    audit = audit_new(folder, NULL);
    other = audit_new(folder, NULL);
    plain = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    doc = json_parse(arguments, sizeof arguments - 1, NULL, NULL);
    memset(line, 'x', sizeof line);
    printf("\naudit log\n  %-32s %7.0f us\n", "first line: module, folder, file", first_line());
    measure("floor: write() of 480 bytes", run_floor);
    line_us = measure("a line", run_alone);
    measure("a line behind another process's", run_turns);
    measure("arguments of a call", run_arguments);
    printf("\naims\n  %-7s a line: %.1f us (aim <= %.0f us)\n",
           line_us <= AIM_US ? "met" : "MISSED", line_us, AIM_US);
    audit_free(audit);
    audit_free(other);
    json_doc_free(doc);
    close(plain);
    folder_remove_all(folder, NULL);
    free(path);
    free(folder);
    return 0;
}
