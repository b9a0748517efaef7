/* The last lines of the log, kept for those who look at it from outside while the process runs.
 *
 * Only so many lines and bytes are kept: a reader that is slow loses the oldest, and is told how
 * many. Lines come from any thread; all else is for the thread of the loop. */
#ifndef PERIGEE_BASE_LOG_FEED_H
#define PERIGEE_BASE_LOG_FEED_H

#include <uv.h>

#include "base/log.h"
#include "base/wakeup.h"

enum {
    LOG_FEED_LINES = 1000,
    LOG_FEED_BYTES = 256 * 1024,
    LOG_FEED_LINE = 8 * 1024, /* bytes of a line that are kept */
};

struct log_kept {
    double time; /* seconds since 1970 */
    enum log_level level;
    bool call;        /* it tells that a call ended */
    bool watched;     /* it is for those who watch calls alone: the log does not have it */
    const char *tool; /* the tool whose call logged it; "" if no call did, or if it is not known */
    const char *text; /* without secrets and control characters */
    size_t len;
};

/* From now on lines are kept. `who` (or NULL) says which tool logs now, on the thread of the loop.
 */
void log_feed_start(uv_loop_t *loop, const char *(*who)(void *arg), void *arg);
void log_feed_stop(void); /* the loop has to turn once more */

/* A place in the lines. */
struct log_reader {
    uint64_t next;
    uint64_t lost; /* lines that were gone before they were read; the reader's owner sets it back */
    enum log_level least;
    struct link link;
    struct wakeup wakeup; /* told when there are more lines, if its owner put it in the list */
};

/* It begins behind the newest line. Lines of this level are logged for it also where the log itself
 * has no use for them. */
void log_reader_open(struct log_reader *reader, enum log_level least);
void log_reader_close(struct log_reader *reader); /* twice is harmless */

/* Puts it back to the oldest line that is there. */
void log_reader_rewind(struct log_reader *reader);

/* The next line, of any level; borrowed until the next call of the loop's. False: there is none. */
bool log_reader_read(struct log_reader *reader, struct log_kept *line);

/* Its wakeup is told once when there is more to read. */
void log_reader_wait(struct log_reader *reader);

#endif
