/* How far a tool is: one line on stderr that is written over and over, on a
 * terminal; with -v elsewhere, a line each time; else nothing. */
#ifndef PERIGEE_CLI_PROGRESS_H
#define PERIGEE_CLI_PROGRESS_H

/* `total` is NaN and `message` NULL when the tool does not say. */
void progress_show(double done, double total, const char *message);

/* Takes the line away before something else is written. */
void progress_clear(void);

#endif
