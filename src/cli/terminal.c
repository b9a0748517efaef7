/* Terminals: whether, how wide, how coloured. Nothing is remembered, so that a
 * window that is resized is seen. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/hidden.h"
#include "json/utf8.h"

enum { WIDTH_LEAST = 20, WIDTH_USUAL = 80 };

bool terminal_is(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

int terminal_width(FILE *stream, int absent)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int width = 0;

    if (!terminal_is(stream))
        return absent;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0 && columns)
        width = atoi(columns);
    if (width <= 0)
        width = WIDTH_USUAL;
    return width < WIDTH_LEAST ? WIDTH_LEAST : width;
}

bool terminal_colours(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (no_color && *no_color)
        return false;
    return term && *term && strcmp(term, "dumb") != 0 && terminal_is(stream);
}

void terminal_paint(FILE *stream, enum terminal_style style, const char *text)
{
    static const char *const codes[] = { "", "1", "2", "31", "32", "36" };

    if (style == STYLE_PLAIN || !terminal_colours(stream))
        fputs(text, stream);
    else
        fprintf(stream, "\033[%sm%s\033[0m", codes[style], text);
}

/* Writes what begins here as <202e> or <9b>, if it is a hidden character beyond ASCII; its bytes,
 * or 0. */
static size_t write_hidden(FILE *stream, const char *at, size_t len)
{
    unsigned point;
    size_t bytes = hidden_character(at, len, &point);

    if (bytes)
        fprintf(stream, "<%02x>", point);
    return bytes;
}

void terminal_write(FILE *stream, const char *text, size_t len)
{
    if (!terminal_is(stream)) {
        fwrite(text, 1, len, stream);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        size_t hidden = write_hidden(stream, text + i, len - i);

        if (hidden)
            i += hidden - 1;
        else if (c == '\r' && i + 1 < len && text[i + 1] == '\n')
            continue;
        else if (c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f))
            putc(c, stream);
        else
            fprintf(stream, "^%c", c ^ 0x40);
    }
}

/* The bytes of a colour or of clearing the rest of the line (ECMA-48: SGR, EL); 0: another escape.
 */
static size_t harmless_escape(const char *at, size_t len)
{
    size_t i = 2;

    if (len < 3 || at[0] != '\033' || at[1] != '[')
        return 0;
    while (i < len && ((at[i] >= '0' && at[i] <= '9') || at[i] == ';' || at[i] == ':'))
        i++;
    return i < len && (at[i] == 'm' || at[i] == 'K') ? i + 1 : 0;
}

bool terminal_write_own(FILE *stream, const char *text, size_t len)
{
    if (!terminal_is(stream))
        return fwrite(text, 1, len, stream) == len;
    for (size_t i = 0; i < len;) {
        unsigned char c = (unsigned char)text[i];
        size_t hidden = write_hidden(stream, text + i, len - i), escape;

        if (hidden) {
            i += hidden;
            continue;
        }
        escape = harmless_escape(text + i, len - i);
        if (escape)
            fwrite(text + i, 1, escape, stream);
        else if ((c && strchr("\n\t\r\b\a", c)) || (c >= 0x20 && c != 0x7f))
            putc(c, stream);
        else
            fprintf(stream, "^%c", c ^ 0x40);
        i += escape ? escape : 1;
    }
    return !ferror(stream);
}

/* Blocks of wide and of zero-width characters, the common ones: columns need
 * to line up for them, and a rare one costs no more than a crooked column. */
static int point_width(uint32_t point)
{
    static const struct {
        uint32_t first, last;
        int width;
    } blocks[] = {
        { 0x0300, 0x036f, 0 },   { 0x1100, 0x115f, 2 },   { 0x200b, 0x200f, 0 },
        { 0x2e80, 0x303e, 2 },   { 0x3041, 0x33ff, 2 },   { 0x3400, 0x4dbf, 2 },
        { 0x4e00, 0x9fff, 2 },   { 0xa000, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
        { 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },   { 0xfe30, 0xfe6f, 2 },
        { 0xff00, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },   { 0x1f300, 0x1f64f, 2 },
        { 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1faff, 2 }, { 0x20000, 0x3fffd, 2 },
    };

    for (size_t i = 0; i < countof(blocks); i++)
        if (point >= blocks[i].first && point <= blocks[i].last)
            return blocks[i].width;
    return 1;
}

size_t text_fit(const char *text, size_t len, int width)
{
    const char *p = text, *end = text + len;
    int used = 0;

    while (p < end) {
        int size = utf8_sequence(p, end);

        used += size > 0 ? point_width(utf8_decode(p, size)) : 1;
        if (used > width)
            break;
        p += abs(size);
    }
    return (size_t)(p - text);
}
