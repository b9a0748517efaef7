/* The engine's end of the lines. */
#include "platform/macos/event_process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/system/line_source.h"

/* --- lines -------------------------------------------------------------------------------- */

static const char *const words[EVENT_PROCESS_WHATS] = {
    [EVENT_PROCESS_APP] = "app",           [EVENT_PROCESS_ENDED] = "ended",
    [EVENT_PROCESS_ACTIVE] = "active",     [EVENT_PROCESS_HIDDEN] = "hidden",
    [EVENT_PROCESS_SHOWN] = "shown",       [EVENT_PROCESS_SPACE] = "space",
    [EVENT_PROCESS_DISPLAYS] = "displays", [EVENT_PROCESS_CLIPBOARD] = "clipboard",
    [EVENT_PROCESS_PRESSED] = "pressed",   [EVENT_PROCESS_RELEASED] = "released",
    [EVENT_PROCESS_REFUSED] = "refused",   [EVENT_PROCESS_BEGUN] = "begun",
    [EVENT_PROCESS_USED] = "used",
};

void event_process_line_add(struct buf *out, const struct event_process_news *news)
{
    buf_addf(out, "%s %ld", words[news->what], news->number);
    if (news->what == EVENT_PROCESS_REFUSED)
        buf_addf(out, " %s %s", news->why.code, news->why.text);
    buf_adds(out, "\n");
}

bool event_process_line_read(char *line, struct event_process_news *news)
{
    char *number = strchr(line, ' '), *end;

    *news = (struct event_process_news){ .what = EVENT_PROCESS_WHATS };
    if (!number)
        return false;
    *number++ = '\0';
    for (size_t i = 0; i < EVENT_PROCESS_WHATS; i++)
        if (strcmp(words[i], line) == 0)
            news->what = (enum event_process_what)i;
    news->number = strtol(number, &end, 10);
    if (news->what == EVENT_PROCESS_REFUSED && *end == ' ') {
        char *code = end + 1, *text = strchr(code, ' ');

        if (!text)
            return false;
        *text++ = '\0';
        error_set(&news->why, code, "%s", text);
    }
    return end > number && news->what != EVENT_PROCESS_WHATS;
}

/* --- the connection ------------------------------------------------------------------------- */

struct event_process {
    struct event_process_told told;
    struct event_process_child child;
    struct line_source *lines;
    bool has_keys;
};

enum { END_MS = 500 };

static void on_event_process_line(void *arg, char *line)
{
    struct event_process *process = arg;
    struct event_process_news news;

    if (event_process_line_read(line, &news))
        process->told.news(process->told.arg, &news);
}

static void on_event_process_ended(void *arg)
{
    struct event_process *process = arg;

    process->told.lost(process->told.arg);
}

struct event_process *event_process_new(const struct event_process_told *told, struct error *err)
{
    struct event_process *process = mem_zero(sizeof *process);

    process->told = *told;
    if (!event_process_start(&process->child, err)) {
        free(process);
        return NULL;
    }
    process->lines = line_source_new(process->child.from, on_event_process_line,
                                     on_event_process_ended, process);
    if (process->lines)
        return process;
    event_process_free(process);
    error_set(err, "display_lost", "this thread gets no run loop to watch the desktop with");
    return NULL;
}

/* Waits for the end: the hot keys stay taken until the event process lets go of them, and the next
 * one may want them at once. */
static void await_event_process_end(struct event_process *process)
{
    struct pollfd fd = { .fd = process->child.from, .events = POLLIN };
    uint64_t until = deadline_now() + END_MS, now;
    char drop[256];

    close(process->child.to);
    process->child.to = -1;
    while ((now = deadline_now()) < until && poll(&fd, 1, (int)(until - now)) > 0 &&
           read(process->child.from, drop, sizeof drop) > 0)
        ;
}

void event_process_free(struct event_process *process)
{
    if (!process)
        return;
    line_source_free(process->lines);
    if (process->has_keys)
        await_event_process_end(process);
    event_process_end(&process->child);
    free(process);
}

/* Writes all: a pipe's worth at most, and the event process is never busy for long. */
static bool write_lines(int fd, const struct buf *lines)
{
    size_t done = 0;

    while (done < lines->len) {
        ssize_t wrote = write(fd, lines->data + done, lines->len - done);

        if (wrote < 0 && errno != EINTR)
            return false;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

bool event_process_want(struct event_process *process, unsigned number,
                        const struct watch_wanted *wanted, struct error *err)
{
    struct buf lines = { 0 };
    bool ok;

    for (size_t i = 0; i < wanted->hotkey_count; i++) {
        const struct chord *chord = &wanted->hotkeys[i].chord;

        buf_addf(&lines, "key %u %u %d %lu\n", wanted->hotkeys[i].number, chord->modifiers,
                 (int)chord->key, (unsigned long)chord->point);
    }
    buf_addf(&lines, "want %u %u\n", number, wanted->kinds);
    process->has_keys = process->has_keys || wanted->hotkey_count;
    ok = write_lines(process->child.to, &lines);
    buf_free(&lines);
    return ok ||
           error_set(err, "display_lost",
                     "the process that watches the desktop for this one "
                     "(perigee --event-process) has ended. Try again: another one is started");
}
