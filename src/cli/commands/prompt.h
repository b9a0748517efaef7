/* The Lua side of a prompt: its globals, what Tab offers, how values look. */
#ifndef PERIGEE_CLI_COMMANDS_PROMPT_H
#define PERIGEE_CLI_COMMANDS_PROMPT_H

#include "engine/engine.h"
#include "script/sandbox/sandbox.h"
#include "script/task.h"

/* Zeroed memory is one that is closed. */
struct prompt {
    struct engine *engine;
    struct sandbox *sandbox; /* of what is typed: its globals stay */
    struct sandbox *helpers;
    int module; /* registry ref: what lib/cli/prompt.lua returned */
    int env;    /* registry ref: the globals */
};

bool prompt_open(struct prompt *prompt, struct engine *engine, struct error *err);
void prompt_close(struct prompt *prompt); /* before the engine's end */

/* Compiles what was typed, as an expression or as statements, and leaves its
 * function on the main state. */
bool prompt_load(struct prompt *prompt, struct buf *text, struct error *err);

/* Did it fail only because it is not finished? */
bool prompt_unfinished(const struct error *err);

/* Prints the top `nresults` of task_lua(task), which go; the first becomes `_`. */
bool prompt_show(struct prompt *prompt, struct task *task, int nresults, struct error *err);

/* As edit_spec.complete; `before` are the lines above this one. */
void prompt_complete(struct prompt *prompt, const struct buf *before, struct str line,
                     struct buf *out, size_t *replace);

#endif
