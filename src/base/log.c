/* One line per call, written with one write() so that lines of several
 * processes sharing a stderr do not mix. */
#include "base/log.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/hidden.h"

enum { SECRET_MIN = 6 };

static _Atomic(enum log_level) threshold = LOG_INFO;
static char role_name[24] = "perigee";
static int out_fd = -1;
static void (*sink)(enum log_level level, const char *text, size_t len);
static bool both; /* stderr besides out_fd */
static void (*_Atomic watch)(const struct log_seen *seen);
static _Atomic(enum log_level) watched = LOG_OFF; /* the least level for it */
static char **secrets;
static size_t secret_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* the script's watchdog logs, too */
static unsigned long dropped; /* lines that found no room since the last that did */

static const char *const names[] = { "debug", "info", "warning", "error", "off" };

bool log_level_named(const char *name, enum log_level *level)
{
    if (strcasecmp(name, "warn") == 0)
        name = "warning";
    else if (strcasecmp(name, "trace") == 0)
        name = "debug";
    else if (strcasecmp(name, "fatal") == 0)
        name = "error";
    for (size_t i = 0; i < countof(names); i++) {
        if (strcasecmp(name, names[i]) == 0) {
            *level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

void log_set_level(enum log_level level)
{
    threshold = level;
}

enum log_level log_get_level(void)
{
    return threshold;
}

void log_set_role(const char *role)
{
    snprintf(role_name, sizeof role_name, "%s", role);
}

void log_set_fd(int fd)
{
    pthread_mutex_lock(&mutex);
    out_fd = fd;
    pthread_mutex_unlock(&mutex);
}

void log_set_sink(void (*to)(enum log_level level, const char *text, size_t len))
{
    sink = to;
}

void log_watch(void (*to)(const struct log_seen *seen), enum log_level least)
{
    watch = to;
    watched = to ? least : LOG_OFF;
}

bool log_wanted(enum log_level level)
{
    return level < LOG_OFF && (level >= threshold || level >= watched);
}

void log_also_stderr(bool also)
{
    both = also;
}

static void add_secret(const char *value)
{
    size_t i = 0;

    while (i < secret_count && strcmp(secrets[i], value) != 0)
        i++;
    if (i < secret_count)
        return;
    pthread_mutex_lock(&mutex);
    secrets = mem_resize(secrets, (secret_count + 1) * sizeof *secrets);
    secrets[secret_count++] = mem_strdup(value);
    pthread_mutex_unlock(&mutex);
}

void log_add_secret(const char *value)
{
    struct buf quoted = { 0 };

    if (strlen(value) < SECRET_MIN)
        return;
    add_secret(value);
    for (const char *at = value; *at; at++) { /* as messages have it within quotation marks */
        if (*at == '"' || *at == '\\')
            buf_addc(&quoted, '\\');
        buf_addc(&quoted, *at);
    }
    add_secret(buf_text(&quoted));
    buf_free(&quoted);
}

static void write_timestamp(char out[32])
{
    struct timeval now;
    struct tm utc;

    gettimeofday(&now, NULL);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(out, 32, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(out + len, 32 - len, ".%03uZ", (unsigned)(now.tv_usec / 1000) % 1000);
}

/* The length of a secret that begins here; 0: none does. */
static size_t secret_at(const char *text, size_t len)
{
    for (size_t s = 0; s < secret_count; s++) {
        size_t n = strlen(secrets[s]);

        if (n <= len && memcmp(text, secrets[s], n) == 0)
            return n;
    }
    return 0;
}

void log_hide_secrets(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t skip = secret_at(text + i, len - i);

        if (skip)
            buf_lit(out, "***");
        else
            buf_addc(out, text[i++]);
        i += skip;
    }
}

/* Adds text with every secret replaced and control bytes made harmless. */
static void add_clean(struct buf *line, const char *text, size_t len)
{
    struct buf plain = { 0 };

    log_hide_secrets(&plain, text, len);
    for (size_t i = 0; i < plain.len; i++) {
        unsigned char c = (unsigned char)plain.data[i];
        unsigned point;
        size_t hidden = hidden_character(plain.data + i, plain.len - i, &point);

        if (hidden)
            i += hidden - 1;
        else if (c == '\n' && i + 1 < plain.len)
            buf_lit(line, "\n    ");
        else if (c == '\t' || (c >= 0x20 && c != 0x7f))
            buf_addc(line, (char)c);
    }
    buf_free(&plain);
}

/* A client that starts us need not read our stderr, and a full pipe would stop the
 * whole engine: what finds no room is dropped, and the next line that does says how many
 * were. A pipe that is writable takes at least PIPE_BUF bytes without blocking (pipe(7)). */
static bool fd_has_room(int fd)
{
    struct pollfd poller = { .fd = fd, .events = POLLOUT };

    return poll(&poller, 1, 0) != 0;
}

static void put_to_fd(int fd, const char *text, size_t len)
{
    for (size_t done = 0; done < len;) {
        size_t piece = len - done < PIPE_BUF ? len - done : PIPE_BUF;
        ssize_t n = fd_has_room(fd) ? write(fd, text + done, piece) : -1;

        if (n <= 0) {
            dropped++;
            return;
        }
        done += (size_t)n;
    }
}

static void log_put(const char *text, size_t len)
{
    put_to_fd(out_fd >= 0 ? out_fd : STDERR_FILENO, text, len);
    if (both && out_fd >= 0)
        put_to_fd(STDERR_FILENO, text, len);
}

static void tell_dropped(void)
{
    char line[120], when[32];
    unsigned long count = dropped;

    dropped = 0;
    write_timestamp(when);
    int len = snprintf(line, sizeof line, "[%s][%s][warning] %lu log lines were dropped\n", when,
                       role_name, count);
    log_put(line, (size_t)len);
    if (dropped)
        dropped = count; /* still no room */
}

static void write_log_line(const char *tag, const char *text, size_t len)
{
    struct buf line = { 0 };
    char when[32];

    pthread_mutex_lock(&mutex);
    if (dropped)
        tell_dropped();
    write_timestamp(when);
    buf_addf(&line, "[%s][%s][%s] ", when, role_name, tag);
    buf_add(&line, text, len);
    buf_addc(&line, '\n');
    log_put(line.data, line.len);
    pthread_mutex_unlock(&mutex);
    buf_free(&line);
}

/* To the log, and to who watches it. */
static void log_tell(const struct log_seen *seen)
{
    void (*to)(const struct log_seen *seen) = watch;
    struct log_seen clean = *seen;
    struct buf text = { 0 };

    pthread_mutex_lock(&mutex); /* for the secrets */
    add_clean(&text, seen->text, seen->len);
    pthread_mutex_unlock(&mutex);
    clean.text = buf_text(&text);
    clean.len = text.len;
    if (!seen->watched && seen->level >= threshold)
        write_log_line(seen->tag, clean.text, clean.len);
    if (to && seen->level >= watched)
        to(&clean);
    buf_free(&text);
}

void log_bytes(enum log_level level, const char *text, size_t len)
{
    if (!log_wanted(level))
        return;
    if (!sink)
        log_tell(&(struct log_seen){ level, names[level], text, len, false });
    else if (level >= threshold)
        sink(level, text, len);
}

void log_tagged(const char *tag, const char *text, size_t len)
{
    if (sink)
        log_bytes(LOG_INFO, text, len);
    else if (log_wanted(LOG_INFO))
        log_tell(&(struct log_seen){ LOG_INFO, tag, text, len, false });
}

void log_watched(const char *tag, const char *text, size_t len)
{
    if (!sink)
        log_tell(&(struct log_seen){ LOG_INFO, tag, text, len, true });
}

void log_line(enum log_level level, const char *fmt, ...)
{
    va_list args;
    char small[512];
    char *text = small;
    int len;

    if (!log_wanted(level))
        return;
    va_start(args, fmt);
    len = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    if (len < 0)
        return;
    if ((size_t)len >= sizeof small) {
        text = mem_alloc((size_t)len + 1);
        va_start(args, fmt);
        vsnprintf(text, (size_t)len + 1, fmt, args);
        va_end(args);
    }
    log_bytes(level, text, (size_t)len);
    if (text != small)
        free(text);
}
