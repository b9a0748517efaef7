/* The sandbox limits what a Lua file can reach.
 *
 * Every file runs with a global table of its own: copies of the safe base functions and of string,
 * table, math and utf8, plus `require`. Writing a global raises. Files are text, never bytecode;
 * only the catalog may hand in code, which the engine made of such text (registry/catalog.h). Left
 * out are io, os, debug, package, coroutine, load, dofile, getmetatable, rawset-through-others and
 * string.dump, and metatables with __gc are refused (a finalizer would run in somebody else's
 * call). So a file can do only what its modules can do.
 *
 * Searching a text gives turns, ends with its task and gives up on what has no end:
 * script/stdlib/strings.h.
 *
 * This does not stop: memory below the caps; C functions that walk through a string or a table as
 * long as memory allows (upper, utf8.len, table.sort: some tenths of a second), or for as long as
 * their numbers say (table.move), which the hook sees after, not during; a file that changes fields
 * deep inside a table it got from a `lib` module of the same generation. */
#ifndef PERIGEE_SCRIPT_SANDBOX_SANDBOX_H
#define PERIGEE_SCRIPT_SANDBOX_SANDBOX_H

#include "base/buf.h"
#include "base/error.h"
#include "script/task.h"
#include "script/vm.h"

struct sandbox;

enum { SANDBOX_LOAD_MS = 2000 }; /* the budget of a file's own statements, of work */

/* The root that a file belongs to; a script belongs to none. */
enum { HOME_NONE = -1, HOME_SHIPPED = 0 };

struct sandbox_spec {
    /* Finds what `require NAME` (not sys.*) means to a file of the root *home, which becomes the
     * module's own: fills `path` (for messages, NUL-terminated) and `source`, or returns false and
     * err. With both NULL it only says whose module it is. NULL: there are none. */
    bool (*find)(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
                 struct error *err);

    /* The same as compiled code (chunk.h); false: it is not there. NULL: it never is. */
    bool (*find_code)(void *arg, int *home, const char *name, struct buf *path, struct buf *code);

    /* Whether this file may require this sys module. NULL: it may require every one. */
    bool (*allow)(void *arg, const char *module);
    const char *why_not; /* the rest of the error where it may not; borrowed; NULL: nothing more */

    /* Pushes a stand-in for a sys or lib module, or nothing and returns false. NULL: none. */
    bool (*stand_in)(void *arg, lua_State *L, const char *module);
    void *arg;
    bool open_globals; /* globals may be written: a person's script, not a tool file */
    bool one_env;      /* texts loaded one after another share their globals: a prompt */
};

/* A set of files that share their `lib` modules: a generation, a script. The
 * spec is copied. Frees with sandbox_free (NULL is fine); functions loaded
 * through it stay alive as long as Lua holds them, but can require no more. */
struct sandbox *sandbox_new(struct vm *vm, const struct sandbox_spec *spec);
void sandbox_free(struct sandbox *sandbox);

/* Changes the stand-ins (see sandbox_spec) and their arg, for what is required from now on. */
void sandbox_set_stand_in(struct sandbox *sandbox,
                          bool (*stand_in)(void *arg, lua_State *L, const char *module), void *arg);

/* Compiles a text and leaves its function on the main state, with a fresh
 * global table. `name` is what messages call it ("tools/x.lua"). False: err has
 * "syntax" (or "memory") and "name:line: what", nothing is pushed. */
bool sandbox_load(struct sandbox *sandbox, const char *name, const char *text, size_t len,
                  struct error *err);

/* Did a text not compile only because it is not finished? */
bool sandbox_unfinished(const struct error *err);

/* The same for a file of a root. */
bool sandbox_load_file(struct sandbox *sandbox, int home, const char *name, const char *text,
                       size_t len, struct error *err);

/* The same of its compiled code (chunk.h). */
bool sandbox_load_code(struct sandbox *sandbox, int home, const char *name, struct str code,
                       struct error *err);

/* The same as sandbox_load(), then runs it for at most so long (of work) and leaves its first
 * result. */
bool sandbox_run(struct sandbox *sandbox, const char *name, const char *text, size_t len,
                 uint64_t budget_ms, struct error *err);

/* While it remembers, a lib module that failed while a file was loaded fails again at once, for all
 * that require it. Both forget what failed before. */
void sandbox_remember(struct sandbox *sandbox, bool on);

/* Are modules that take too long from now on never tried again? */
void sandbox_give_up(struct sandbox *sandbox, bool on);

/* The task ended while it loaded modules. They fail from now on, and `names` gets their names;
 * NULL: they are loaded when they are next required. */
void sandbox_abandon(struct sandbox *sandbox, const struct task *task, struct buf *names);

/* Pushes what a file ("file HOME:LABEL") or a lib module ("HOME:NAME") that does not come with the
 * engine has required, as the keys of a table. False, nothing pushed: it is not known. May raise
 * (memory). */
bool sandbox_push_record(struct sandbox *sandbox, lua_State *L, const char *key);

/* The lib module ("HOME:NAME") is loaded again for all that require it from now on; what has it
 * keeps it. May raise (memory). */
void sandbox_forget(struct sandbox *sandbox, lua_State *L, const char *key);

/* Sets a global of the function on top of the stack, as sandbox_load() left it, to the value under
 * it; pops that value. May raise (memory). */
void sandbox_set_global(lua_State *L, const char *name);

#endif
