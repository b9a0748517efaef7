/* The Lua side of a prompt (lua/lib/repl): each of its functions runs in a task, since it may wait.
 */
#ifndef PERIGEE_CLI_COMMANDS_PROMPT_H
#define PERIGEE_CLI_COMMANDS_PROMPT_H

#include "engine/engine.h"
#include "script/sandbox/sandbox.h"
#include "script/task.h"

/* Zeroed memory is one that is closed. */
struct prompt {
    struct engine *engine;
    struct sandbox *sandbox; /* only to see whether a text is finished */
    struct sandbox *helpers;
    int module; /* registry ref: lib/repl/here.lua, or there.lua */
    int object; /* registry ref: the repl.Backend; LUA_NOREF before it is opened */
    void (*print)(void *context, const char *text, size_t len);
};

/* `there`: in a running engine. False: err. */
bool prompt_load(struct prompt *prompt, struct engine *engine, bool there, struct error *err);
void prompt_close(struct prompt *prompt); /* before the engine's end */

/* The arguments of a function; a NULL text and those after it are left out. */
struct prompt_args {
    struct str text;
    int width;
    bool color;
};

/* `ended` as task_spec has it. NULL: err. */
struct task *
prompt_call(struct prompt *prompt, const char *function, const struct prompt_args *args,
            void (*ended)(void *arg, struct task *task, enum task_end end, int nresults), void *arg,
            struct error *err);

/* The module's open(), for which pid and timeout_ms count where it is in a running engine; 0: as it
 * says. */
struct task *prompt_open(struct prompt *prompt, int pid, uint64_t timeout_ms, bool interactive,
                         void (*ended)(void *arg, struct task *task, enum task_end end,
                                       int nresults),
                         void *arg, struct error *err);

/* In `ended` of prompt_open(): keeps the object. False: err says why there is none. */
bool prompt_opened(struct prompt *prompt, struct task *task, int nresults, struct error *err);

/* The text of the object under this name, or NULL; is there a function of this name? */
const char *prompt_text(const struct prompt *prompt, const char *name);
bool prompt_can(const struct prompt *prompt, const char *name);

/* Does it fail to compile only because it is not finished? */
bool prompt_unfinished(struct prompt *prompt, struct str text);

#endif
