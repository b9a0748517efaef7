/* Lines "RUN NUMBER UNTIL", in memory or in the file. */
#include "mcp/server/call/used_states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/util.h"
#include "files/file.h"
#include "files/paths.h"
#include "files/secrets.h"

#define USED_FILE "answered-states"

enum {
    FILE_MAX = USED_STATES_MAX * 80, /* bytes */
    LOCK_TRIES = 200,                /* a millisecond apart */
};

struct used_states {
    struct buf lines; /* unless they are shared */
    char *folder;     /* has the file; NULL: they are not shared; owned */
};

struct used_states *used_states_new(bool shared)
{
    struct used_states *used = mem_zero(sizeof *used);

    used->folder = shared ? path_state() : NULL;
    return used;
}

void used_states_free(struct used_states *used)
{
    if (!used)
        return;
    buf_free(&used->lines);
    free(used->folder);
    free(used);
}

/* Copies the lines that still count and adds this one. */
static bool take_line(struct buf *lines, const struct used_state *state, struct buf *kept,
                      struct error *err)
{
    const char *at = buf_text(lines), *next;
    long long now = (long long)time(NULL), end = (long long)state->until, old_end;
    char old_run[33];
    unsigned old_number, last = state->last;
    size_t count = 0;

    for (; *at; at = next) {
        next = at + strcspn(at, "\n");
        next += *next == '\n';
        if (sscanf(at, "%32s %u %lld", old_run, &old_number, &old_end) != 3 || old_end < now)
            continue;
        if (strcmp(old_run, state->run) != 0) {
            buf_add(kept, at, (size_t)(next - at));
            count++;
            continue;
        }
        if (old_number >= state->number)
            return error_set(err, "used_state",
                             "requestState was answered before, and an answer counts once. Nothing "
                             "was done again. For another call, make it from the start");
        last = old_number > last ? old_number : last;
        end = old_end > end ? old_end : end;
    }
    if (count >= USED_STATES_MAX)
        return error_set(err, "busy",
                         "%d answers are remembered, so that none counts twice, and there is no "
                         "room for another. Wait until some are too old, and answer again",
                         USED_STATES_MAX);
    buf_addf(kept, "%s %u %lld\n", state->run, last, end);
    return true;
}

static int lock_file(const char *folder, struct error *err)
{
    int fd = secrets_lock(folder, USED_FILE, err);

    for (int i = 0; fd < 0 && i < LOCK_TRIES && strcmp(err->code, "busy") == 0; i++) {
        usleep(1000);
        fd = secrets_lock(folder, USED_FILE, err);
    }
    return fd;
}

static bool take_from_file(const char *path, const struct used_state *state, struct error *err)
{
    struct buf lines = { 0 }, kept = { 0 };
    bool ok = access(path, F_OK) != 0 || file_read_all(path, FILE_MAX, &lines, err);

    ok = ok && take_line(&lines, state, &kept, err) &&
         file_write_atomic(path, kept.data, kept.len, 0600, err);
    buf_free(&lines);
    buf_free(&kept);
    return ok;
}

static bool take_shared(const char *folder, const struct used_state *state, struct error *err)
{
    int fd = lock_file(folder, err);
    char *path = path_join(folder, USED_FILE);
    bool ok = fd >= 0 && take_from_file(path, state, err);

    if (!ok && strcmp(err->code, "used_state") != 0 && strcmp(err->code, "busy") != 0) {
        struct error why = *err;

        error_set(err, why.code, "The answer was not taken, because it cannot be remembered: %s",
                  why.text);
    }
    free(path);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool used_states_take(struct used_states *used, const struct used_state *state, struct error *err)
{
    struct buf kept = { 0 };

    if (used->folder)
        return take_shared(used->folder, state, err);
    if (!take_line(&used->lines, state, &kept, err)) {
        buf_free(&kept);
        return false;
    }
    buf_free(&used->lines);
    used->lines = kept;
    return true;
}
