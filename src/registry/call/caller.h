/* A caller: one for each session of a client, and one for the person at the terminal.
 *
 * Calls that a call makes are its caller's (call_caller()), so that no tool, script or mounted
 * server acts for somebody else than who asked. Counted: a call may outlive its session. */
#ifndef PERIGEE_REGISTRY_CALL_CALLER_H
#define PERIGEE_REGISTRY_CALL_CALLER_H

#include <lua.h>

#include "script/vm.h"

enum caller_kind {
    CALLER_TERMINAL, /* a command that somebody typed: call, repl, ... */
    CALLER_SCRIPT,   /* `perigee run` */
    CALLER_ENGINE,   /* a file of a server's, by itself: apart from any call, or watching */
    CALLER_AGENT,    /* `perigee agent`, which starts its server itself */
    CALLER_CLIENT,   /* the program that started this one as its MCP server */
    CALLER_HTTP,     /* over HTTP, with the user's own token, by their socket, or --no-token */
    CALLER_OAUTH,    /* over HTTP, with a token of an authorization server */
};

struct caller;

/* The name that the client of `perigee agent` gives itself. */
#define CALLER_AGENT_NAME "perigee-agent"

/* The names are copied; either may be NULL. `subject`: whom the token was issued to. One
 * reference, owned by the caller of this. */
struct caller *caller_new(struct vm *vm, enum caller_kind kind, const char *name,
                          const char *subject);
struct caller *caller_ref(struct caller *caller);
void caller_unref(struct caller *caller); /* NULL is fine; before vm_free() */

/* Takes the key under which things are kept that belong to this caller, and to no other one.
 * Without it all callers of its kind share theirs. */
void caller_own(struct caller *caller, char *owner);

/* The kind of calls without a caller: CALLER_TERMINAL, unless a command sets another before the
 * first one. */
void caller_set_default(enum caller_kind kind);
enum caller_kind caller_default(void);

enum caller_kind caller_kind(const struct caller *caller);
const char *caller_name(const struct caller *caller);    /* or NULL; borrowed, as the next */
const char *caller_subject(const struct caller *caller); /* or NULL */

/* The key under which things are kept that belong to it; borrowed. */
const char *caller_owner(const struct caller *caller);

const char *caller_kind_name(enum caller_kind kind); /* "terminal", "script", ... */

/* A number of this connection, never used twice; 0 for NULL. */
unsigned caller_id(const struct caller *caller);

/* Pushes {kind =, name =, subject =, owner =, id =}: always the same table, that is not to be
 * written to. May raise (memory). `id` is a number for this connection, never used twice in a
 * process. */
void caller_push(struct caller *caller, lua_State *L);

#endif
