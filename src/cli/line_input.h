/* Lines that a person types, or that come through a pipe, while the loop turns. */
#ifndef PERIGEE_CLI_LINE_INPUT_H
#define PERIGEE_CLI_LINE_INPUT_H

#include <uv.h>

#include "cli/edit.h"

struct line_input;

struct line_input_spec {
    uv_loop_t *loop;
    const char *history; /* as edit_spec; these three only for a terminal */
    bool (*unfinished)(void *arg, const char *text, size_t len);
    /* Tab behind this text: line_input_offer() answers, now or later; until then nothing is read.
     */
    void (*complete)(void *arg, const char *text, size_t len);

    /* The line asked for (a terminal's may be several), ended by NUL, borrowed for the call; or
     * there are no more lines. Both only from the loop. */
    void (*line)(void *arg, const char *text, size_t len);
    void (*end)(void *arg);
    void *arg;
};

/* Reads stdin. On a terminal lines can be edited, unless the module for that is missing,
 * which is said once. */
struct line_input *line_input_open(const struct line_input_spec *spec);
void line_input_close(struct line_input *input); /* the loop must run once more; NULL is fine */

/* Are lines typed at a terminal? */
bool line_input_typed(const struct line_input *input);

/* Asks for one line. The prompt shows only on a terminal. */
void line_input_ask(struct line_input *input, const char *prompt);

/* As edit_ops.offer. Nothing, if Tab is not waited for any more. */
void line_input_offer(struct line_input *input, const struct buf *found, size_t replace,
                      const char *hint);

/* Takes back the question; what was typed of the line is dropped. */
void line_input_drop(struct line_input *input);

/* Adds a line to the history. */
void line_input_remember(struct line_input *input, const char *line);

#endif
