/* The engine's end of the lines. */
#include "platform/macos/event_process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/system/line_source.h"

/* --- lines -------------------------------------------------------------------------------- */

static const char *const words[HERALD_WHATS] = {
    [HERALD_APP] = "app",           [HERALD_ENDED] = "ended",         [HERALD_ACTIVE] = "active",
    [HERALD_HIDDEN] = "hidden",     [HERALD_SHOWN] = "shown",         [HERALD_SPACE] = "space",
    [HERALD_DISPLAYS] = "displays", [HERALD_CLIPBOARD] = "clipboard", [HERALD_PRESSED] = "pressed",
    [HERALD_RELEASED] = "released", [HERALD_REFUSED] = "refused",     [HERALD_BEGUN] = "begun",
    [HERALD_USED] = "used",
};

void herald_line_add(struct buf *out, const struct herald_news *news)
{
    buf_addf(out, "%s %ld", words[news->what], news->number);
    if (news->what == HERALD_REFUSED)
        buf_addf(out, " %s %s", news->why.code, news->why.text);
    buf_adds(out, "\n");
}

bool herald_line_read(char *line, struct herald_news *news)
{
    char *number = strchr(line, ' '), *end;

    *news = (struct herald_news){ .what = HERALD_WHATS };
    if (!number)
        return false;
    *number++ = '\0';
    for (size_t i = 0; i < HERALD_WHATS; i++)
        if (strcmp(words[i], line) == 0)
            news->what = (enum herald_what)i;
    news->number = strtol(number, &end, 10);
    if (news->what == HERALD_REFUSED && *end == ' ') {
        char *code = end + 1, *text = strchr(code, ' ');

        if (!text)
            return false;
        *text++ = '\0';
        error_set(&news->why, code, "%s", text);
    }
    return end > number && news->what != HERALD_WHATS;
}

/* --- the connection ------------------------------------------------------------------------- */

struct herald {
    struct herald_told told;
    struct herald_process process;
    struct line_source *lines;
    bool has_keys;
};

enum { END_MS = 500 };

static void on_line(void *arg, char *line)
{
    struct herald *herald = arg;
    struct herald_news news;

    if (herald_line_read(line, &news))
        herald->told.news(herald->told.arg, &news);
}

static void on_ended(void *arg)
{
    struct herald *herald = arg;

    herald->told.lost(herald->told.arg);
}

struct herald *herald_new(const struct herald_told *told, struct error *err)
{
    struct herald *herald = mem_zero(sizeof *herald);

    herald->told = *told;
    if (!herald_process_start(&herald->process, err)) {
        free(herald);
        return NULL;
    }
    herald->lines = line_source_new(herald->process.from, on_line, on_ended, herald);
    if (herald->lines)
        return herald;
    herald_free(herald);
    error_set(err, "display_lost", "this thread gets no run loop to watch the desktop with");
    return NULL;
}

/* Waits for the end: the hot keys stay taken until the herald lets go of them, and the next one may
 * want them at once. */
static void await_end(struct herald *herald)
{
    struct pollfd fd = { .fd = herald->process.from, .events = POLLIN };
    uint64_t until = deadline_now() + END_MS, now;
    char drop[256];

    close(herald->process.to);
    herald->process.to = -1;
    while ((now = deadline_now()) < until && poll(&fd, 1, (int)(until - now)) > 0 &&
           read(herald->process.from, drop, sizeof drop) > 0)
        ;
}

void herald_free(struct herald *herald)
{
    if (!herald)
        return;
    line_source_free(herald->lines);
    if (herald->has_keys)
        await_end(herald);
    herald_process_end(&herald->process);
    free(herald);
}

/* Writes all: a pipe's worth at most, and the herald is never busy for long. */
static bool write_all(int fd, const struct buf *lines)
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

bool herald_want(struct herald *herald, unsigned number, const struct watch_wanted *wanted,
                 struct error *err)
{
    struct buf lines = { 0 };
    bool ok;

    for (size_t i = 0; i < wanted->hotkey_count; i++) {
        const struct chord *chord = &wanted->hotkeys[i].chord;

        buf_addf(&lines, "key %u %u %d %lu\n", wanted->hotkeys[i].number, chord->modifiers,
                 (int)chord->key, (unsigned long)chord->point);
    }
    buf_addf(&lines, "want %u %u\n", number, wanted->kinds);
    herald->has_keys = herald->has_keys || wanted->hotkey_count;
    ok = write_all(herald->process.to, &lines);
    buf_free(&lines);
    return ok || error_set(err, "display_lost",
                           "the process that watches the desktop for this one (perigee --herald) "
                           "has ended. Try again: another one is started");
}
