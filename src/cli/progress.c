/* The line ends in a carriage return, not a line end: whatever is written next,
 * a log line say, starts on top of it. */
#include "cli/progress.h"

#include <math.h>

#include "base/log.h"
#include "cli/output.h"
#include "cli/terminal.h"

static bool shown;

static void compose_progress(struct buf *line, double done, double total, const char *message)
{
    const char *blank = " ";

    if (!isnan(total))
        buf_addf(line, "%.10g/%.10g", done, total);
    else if (done > 0 || !message)
        buf_addf(line, "%.10g", done);
    else
        blank = ""; /* nothing is counted: the message says it all */
    if (message)
        buf_addf(line, "%s%s", blank, message);
    for (size_t i = 0; i < line->len; i++)
        if ((unsigned char)line->data[i] < 0x20)
            line->data[i] = ' ';
}

void progress_show(double done, double total, const char *message)
{
    struct buf plain = { 0 }, line = { 0 };

    if (!terminal_is(stderr) && log_get_level() > LOG_DEBUG)
        return;
    compose_progress(&plain, done, total, message);
    if (!terminal_is(stderr)) {
        log_bytes(LOG_DEBUG, plain.data, plain.len);
        buf_free(&plain);
        return;
    }
    log_hide_secrets(&line, plain.data, plain.len);
    buf_free(&plain);
    progress_clear();
    terminal_write(stderr, line.data,
                   text_fit(line.data, line.len, terminal_width(stderr, 80) - 1));
    fputc('\r', stderr);
    fflush(stderr);
    shown = true;
    buf_free(&line);
}

void progress_clear(void)
{
    if (shown)
        fputs("\033[K", stderr);
    shown = false;
}
