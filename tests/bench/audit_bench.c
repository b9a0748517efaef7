/* `make bench`, the part of the audit log: microseconds of processor time for the two lines of a
 * call, beside the floor, which is one write() of as many bytes. The best of several rounds is
 * printed: the machine's noise only adds. Nothing fails by time: the aim is `met` or `MISSED`. */
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

enum { ROUNDS = 15, CALLS = 2000, GROUP = 64 };

#define AIM       4.5  /* times the floor: the lines of a call alone */
#define AIM_GROUP 1.25 /* ... and of one of many calls at once */

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
static char line[2 * 480];

static double now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
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

static void queue(void)
{
    struct error err;

    if (!audit_queue(audit, "end", STR(members), &err))
        exit(1);
}

/* The line about the end of the call before goes with it. */
static void run_alone(int i)
{
    (void)i;
    queue();
    append(audit);
}

static void run_group(int i)
{
    queue();
    if (i % GROUP)
        queue();
    else
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

        for (int i = 0; i < CALLS; i++)
            run(i);
        took = (now_us() - start) / CALLS;
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
    double floor_us, alone_us, group_us;

    json_init();
    audit = audit_new(folder, NULL);
    other = audit_new(folder, NULL);
    plain = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    doc = json_parse(arguments, sizeof arguments - 1, NULL, NULL);
    memset(line, 'x', sizeof line);
    printf("\naudit log\n  %-32s %7.0f us\n", "first line: module, folder, file", first_line());
    floor_us = measure("floor: write() of 960 bytes", run_floor);
    alone_us = measure("a call's two lines", run_alone);
    group_us = measure("the same, of 64 calls at once", run_group);
    measure("a line behind another process's", run_turns);
    measure("arguments of a call", run_arguments);
    printf("\naims\n  %-7s a call's lines: %.1f times the floor (aim <= %.1f)\n"
           "  %-7s of many calls: %.1f times the floor (aim <= %.1f)\n",
           alone_us <= AIM * floor_us ? "met" : "MISSED", alone_us / floor_us, AIM,
           group_us <= AIM_GROUP * floor_us ? "met" : "MISSED", group_us / floor_us, AIM_GROUP);
    audit_free(audit);
    audit_free(other);
    json_doc_free(doc);
    close(plain);
    folder_remove_all(folder, NULL);
    free(path);
    free(folder);
    return 0;
}
