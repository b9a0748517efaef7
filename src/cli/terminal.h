/* The kind of stdout and stderr, and writing to them. */
#ifndef PERIGEE_CLI_TERMINAL_H
#define PERIGEE_CLI_TERMINAL_H

#include <stdio.h>

#include "base/buf.h"

/* Is this stream a terminal? */
bool terminal_is(FILE *stream);

/* Columns of the terminal behind this stream: its size, else $COLUMNS, else 80;
 * at least 20. What is no terminal has `absent` columns. */
int terminal_width(FILE *stream, int absent);

/* May it be coloured? Only a terminal, not when NO_COLOR is set to anything but
 * nothing (no-color.org), not when TERM is "dumb" or missing. */
bool terminal_colours(FILE *stream);

enum terminal_style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_CYAN };

/* The text in this style where the stream may be coloured, else just the text. */
void terminal_paint(FILE *stream, enum terminal_style style, const char *text);

/* Writes text that others made. On a terminal its control bytes are shown as
 * `^[` and the like, so that no tool can move the cursor or rename the window. */
void terminal_write(FILE *stream, const char *text, size_t len);

/* Writes what a command or a script prints, which may hold text of others. A terminal gets colors
 * and "clear to the end of the line" as they are; other escapes are shown as ^[, and hidden
 * characters as <202e>. False: it cannot be written. */
bool terminal_write_own(FILE *stream, const char *text, size_t len);

/* The longest part from the start that takes at most `width` columns, in bytes. A code point takes
 * one, a combining mark none, a wide character two. */
size_t text_fit(const char *text, size_t len, int width);

#endif
