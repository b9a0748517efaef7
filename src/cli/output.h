/* stdout, where a command's answer goes, and messages on stderr. */
#ifndef PERIGEE_CLI_OUTPUT_H
#define PERIGEE_CLI_OUTPUT_H

#include "base/buf.h"
#include "base/error.h"

/* To stdout. */
void output_write(const char *text, size_t len);

/* Writes out what is buffered. False: the reader went away (`| head`), the disk is full, ... */
bool output_flush(void);

/* Call last: `status`, or what a stdout that could not be written makes of it. A
 * reader that went away is no message, and 141, as if SIGPIPE had ended the
 * program; anything else is a message and EXIT_FAILED. */
int output_finish(const char *command, int status);

/* "perigee CMD: message" on stderr, without values of .env; "perigee: message" if `command` is
 * NULL. */
void output_complain(const char *command, const char *fmt, va_list args);
void output_message(const char *command, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The same, and where its help is; returns EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The error's text; returns EXIT_FAILED. With `json` also {"error":{"message","code"}} on
 * stdout. */
int report_error(const char *command, const struct error *err);
int report_failure(const char *command, bool json, const struct error *err);

/* Text of others (a traceback, a tool's error) on stderr, likewise; ends the line. */
void output_error_text(const char *text, size_t len);

/* Prints advice after a failure, as a line on stderr. */
void output_hint(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* From now on messages are added here, without the command's name; NULL: no more. Borrowed. With
 * `alone` they, and hints, are not printed. */
void output_keep(struct buf *messages, bool alone);

#endif
