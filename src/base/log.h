/* Lines for people, on stderr, never on stdout (that belongs to the protocol).
 *
 * [2026-01-02T03:04:05.678Z][server][info] text
 *
 * Values of variables read from .env are registered as secrets and printed as
 * "***" wherever they would show. Main thread only. */
#ifndef PERIGEE_BASE_LOG_H
#define PERIGEE_BASE_LOG_H

#include "base/buf.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR, LOG_OFF };

/* "debug"/"trace", "info", "warning"/"warn", "error"/"fatal", "off", any case; false if none of
 * them. */
bool log_level_named(const char *name, enum log_level *level);
void log_set_level(enum log_level level);
enum log_level log_get_level(void);

/* The word in the second pair of brackets ("server", "client", ...). Copied. */
void log_set_role(const char *role);

/* Send lines to this descriptor instead of stderr; borrowed. -1: stderr again. */
void log_set_fd(int fd);

/* Give them to this function instead, without the time and as they are; nothing is written. NULL:
 * no more. For a process that may not write. */
void log_set_sink(void (*sink)(enum log_level level, const char *text, size_t len));

/* Send them to stderr, too. */
void log_also_stderr(bool also);

/* One that hears each line besides, of this level or above, whatever the log's own level is:
 * without secrets and control characters. On the thread that logs; it must not log. NULL: nobody.
 */
struct log_seen {
    enum log_level level;
    const char *tag; /* the level's name, or what log_tagged() was given */
    const char *text;
    size_t len;
    bool watched; /* log_watched() */
};
void log_watch(void (*watch)(const struct log_seen *seen), enum log_level least);

/* Is a line of this level of use to anybody? */
bool log_wanted(enum log_level level);

/* Never print this value. Ignored when shorter than 6 bytes. Copied, once. */
void log_add_secret(const char *value);

/* Appends the text with every secret replaced by "***": for messages that are no log lines. */
void log_hide_secrets(struct buf *out, const char *text, size_t len);

void log_line(enum log_level level, const char *fmt, ...) PRINTF_LIKE(2, 3);
void log_bytes(enum log_level level, const char *text, size_t len);

/* A line of level info whose third pair of brackets holds `tag` instead of the level. */
void log_tagged(const char *tag, const char *text, size_t len);

/* The same for log_watch() alone. */
void log_watched(const char *tag, const char *text, size_t len);

#define log_debug(...) log_line(LOG_DEBUG, __VA_ARGS__)
#define log_info(...)  log_line(LOG_INFO, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_WARNING, __VA_ARGS__)
#define log_error(...) log_line(LOG_ERROR, __VA_ARGS__)

#endif
