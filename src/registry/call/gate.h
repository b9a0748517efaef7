/* The one gate that calls pass before their code runs, under every door: policy (docs/policy.md).
 *
 * It is Lua (lua/lib/policy/guard.lua), run in the call's own task, so that it may wait: for an
 * answer of the user's, for what the desktop says of a window. Here is what brings it there. Behind
 * it stands a second one, which judges each effect of a call where it happens (sys/effects.h). */
#ifndef PERIGEE_REGISTRY_CALL_GATE_H
#define PERIGEE_REGISTRY_CALL_GATE_H

#include "registry/call/call.h"
#include "registry/registry.h"

struct gate;

/* From now on every call passes it. Freed with gate_free(), after the registry and before
 * vm_free(). */
struct gate *gate_new(struct registry *registry);
void gate_free(struct gate *gate); /* NULL is fine */

/* Loads the guard and the policy as they are now, so that the next call need not. */
void gate_prepare(struct gate *gate);

/* For call.c. Pushes the guard and what it is told before the function and its arguments: what
 * decides, subject, caller, the call object, and the URI or false. Gives how many; 0: there is no
 * gate (a test of the parts below), or the call is the engine's own. May raise. */
int gate_push(lua_State *L, struct call *call);

/* For what is about to act, in a task. Pushes the judge of effects (lua/lib/policy/effects.lua) and
 * what it is told first: what decides, subject or nil, caller, and the call object or nil. Gives
 * how many values; 0: there is no gate. `call` is the one that the task works for, or NULL. May
 * raise. */
int gate_push_effect(lua_State *L, struct call *call);

/* For what is about to name a window or an application. Pushes the function that says whether the
 * policy lets the caller list it (lua/lib/policy/seeing.lua), and what it is told first: what
 * decides, caller, and the call object or nil. Gives how many values; 0: there is no gate. */
int gate_push_seeing(lua_State *L, struct call *call);

/* Pushes the function of lua/lib/border/arguments.lua, or of references.lua there; false, and
 * nothing: there is no gate. */
bool gate_push_border(lua_State *L, bool references);

/* The same outside of tasks: may this caller be shown what the tool tells of an application with
 * these names, one a line? NULL: they are not known. Nobody is asked. */
bool gate_shows(struct caller *caller, const char *tool, const char *names);

/* Is it the call's own code that runs now, and not the policy, which asks in its name? */
bool gate_hears_code(const struct call *call);

/* Text that a call tells its caller beside its result: progress, a log line, a question, the error
 * that its code raised. Where it may be from outside, it is kept like a result
 * (lua/lib/policy/beside.lua). */
void gate_note_text(struct call *call, const char *text); /* NULL is fine */
void gate_note_value(struct call *call, lua_State *L, int index);

/* The same of texts that the call's own code reads from outside by a module; NULL: it is apart from
 * any call. `to_all`: they count as given to everyone. `from`: "screen", "clipboard", "web",
 * "mount". The list of texts is on top, and the URL that they are from, or nil, at the index `url`.
 * Pops the list; may raise. */
void gate_note_reading(lua_State *L, struct call *call, bool to_all, const char *from, int url);

/* The same of a definition that others wrote, which goes: a model may have read it. */
void gate_note_past(struct entry *entry);

/* The same of text of a foreign file that any caller may have read, such as its load error. */
void gate_note_foreign(const char *text);

/* The number of the generation whose policy is in effect; 0: none is loaded yet, or there is no
 * gate. */
unsigned gate_generation(void);

/* Pushes the policy's function (lua/lib/policy/compile.lua), or the text that says why there is
 * none. May raise. */
void gate_push_decider(lua_State *L);

/* Pushes what a policy is told of an entry, always the same table: {kind =, name =, toolset =,
 * label =, uri =, original =, mounted =, shipped =, aliases = {NAME = true}, annotations =,
 * stands_for =, from =, runs =, about =, input = its inputSchema, trust = "foreign" |
 * nil, state = a string for the state of a foreign tool's file, or of its pack}. May raise. */
void gate_push_subject(lua_State *L, struct entry *entry);

/* Does the policy deny this caller to read a resource under this URI? It also does where its file
 * does not load, and where that cannot be told, because a rule fails or memory lacks: then err has
 * a code. Nobody is asked. */
bool gate_denies(struct entry *entry, struct caller *caller, const char *uri, struct error *err);

/* May this caller subscribe to a resource under this URI? Of a mounted server, which gets the URI,
 * only where the policy lets the caller read it without a question; of others where it does not
 * deny that. False: err. */
bool gate_lets_subscribe(struct entry *entry, struct caller *caller, const char *uri,
                         struct error *err);

/* Where the policy says `dry_run = true`, this process is a dry run from now on. Each call looks;
 * so does what runs other code. May raise. */
void gate_heed_dry_run(lua_State *L);

/* Is the policy, or the guard that asks it, being loaded? What a file of theirs requires is not for
 * the script's own use. */
bool gate_is_loading(void);

#endif
