/* stdout is buffered and written out whenever the loop is about to wait; the
 * first failure is kept, since later ones only repeat it. */
#include "cli/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "json/writer.h"

enum { STATUS_PIPE = 141 };

static struct buf *keeper; /* keeps messages; NULL: none are kept */
static bool kept_alone;    /* and they are not printed */
static int broken;         /* the error number; 0: all is well */

/* Why stdout failed. What printed with stdio's own functions has left no errno, but a pipe still
 * shows that nobody reads it. */
static int output_failure_reason(void)
{
    struct pollfd end = { .fd = STDOUT_FILENO };

    if (errno)
        return errno;
    return poll(&end, 1, 0) == 1 && (end.revents & (POLLERR | POLLHUP)) ? EPIPE : EIO;
}

void output_write(const char *text, size_t len)
{
    errno = 0;
    if (!terminal_write_own(stdout, text, len) && !broken)
        broken = output_failure_reason();
}

bool output_flush(void)
{
    if (broken)
        return false;
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    broken = output_failure_reason();
    return false;
}

int output_finish(const char *command, int status)
{
    if (output_flush())
        return status;
    if (broken == EPIPE)
        return STATUS_PIPE;
    output_message(command, "cannot write to stdout: %s", strerror(broken));
    return EXIT_FAILED;
}

void output_error_text(const char *text, size_t len)
{
    struct buf plain = { 0 };

    log_hide_secrets(&plain, text, len);
    if (!plain.len || plain.data[plain.len - 1] != '\n')
        buf_addc(&plain, '\n');
    terminal_write(stderr, plain.data, plain.len);
    buf_free(&plain);
}

void output_keep(struct buf *messages, bool alone)
{
    keeper = messages;
    kept_alone = alone;
}

void output_hint(const char *fmt, ...)
{
    va_list args;

    if (kept_alone)
        return;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    putc('\n', stderr);
}

void output_complain(const char *command, const char *fmt, va_list args)
{
    struct buf line = { 0 };
    va_list again;
    size_t start;
    int len;

    buf_addf(&line, "perigee%s%s: ", command ? " " : "", command ? command : "");
    start = line.len;
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    if (len > 0) {
        vsnprintf(buf_reserve(&line, (size_t)len + 1), (size_t)len + 1, fmt, again);
        line.len += (size_t)len;
    }
    va_end(again);
    if (keeper) {
        if (keeper->len)
            buf_addc(keeper, '\n');
        log_hide_secrets(keeper, line.data + start, line.len - start);
    }
    if (!kept_alone)
        output_error_text(line.data, line.len);
    buf_free(&line);
}

void output_message(const char *command, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    output_complain(command, fmt, args);
    va_end(args);
}

int usage_error(const char *command, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    output_complain(command, fmt, args);
    va_end(args);
    output_hint("Run `perigee help %s` for its usage.", command);
    return EXIT_USAGE;
}

int report_error(const char *command, const struct error *err)
{
    output_message(command, "%s", err->text);
    return EXIT_FAILED;
}

int report_failure(const char *command, bool json, const struct error *err)
{
    struct buf out = { 0 };

    if (json) {
        buf_lit(&out, "{\"error\":{\"message\":");
        json_write_string(&out, err->text, strlen(err->text));
        buf_lit(&out, ",\"code\":");
        json_write_string(&out, err->code, strlen(err->code));
        buf_lit(&out, "}}");
        puts(buf_text(&out));
        buf_free(&out);
    }
    return report_error(command, err);
}
