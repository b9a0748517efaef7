/* Objects that the guard needs are made once and kept: itself a set of lib files, the subject an
 * entry. */
#include "registry/call/gate.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "files/trust.h"
#include "registry/call/call_struct.h"
#include "registry/call/caller.h"
#include "registry/call/handle.h"
#include "registry/declared.h"
#include "registry/registry_struct.h"
#include "script/value.h"

enum { CALLS, EFFECTS, BESIDE, READING, SUBSCRIBING, SEEING, BORDER, REFERENCES, JUDGES };

/* The statements that give functions of the files that come with the engine. */
static const char *const judges[JUDGES] = {
    "return require 'policy.guard'",       "return require 'policy.effects'(...)",
    "return require 'policy.beside'",      "return require 'policy.reading'",
    "return require 'policy.subscribing'", "return require 'policy.seeing'",
    "return require 'border.arguments'",   "return require 'border.references'",
};

struct judge {
    struct libs *libs; /* that its function is of; a reference, or NULL */
    int function;      /* a reference */
};

struct gate {
    struct registry *registry;
    struct judge judges[JUDGES];
    struct caller *person; /* makes what nobody else does */
    struct entry *alone;   /* the policy, where no other file was loaded; a reference, or NULL */
};

static struct gate *the_gate;
static bool ended; /* there was one: what still runs while the VM ends calls nothing more */

struct gate *gate_new(struct registry *registry)
{
    struct gate *gate = mem_zero(sizeof *gate);

    gate->registry = registry;
    for (int i = 0; i < JUDGES; i++)
        gate->judges[i].function = LUA_NOREF;
    the_gate = gate;
    ended = false;
    return gate;
}

void gate_free(struct gate *gate)
{
    if (!gate)
        return;
    the_gate = NULL;
    ended = true;
    for (int i = 0; i < JUDGES; i++) {
        luaL_unref(vm_lua(registry_vm(gate->registry)), LUA_REGISTRYINDEX,
                   gate->judges[i].function);
        libs_unref(gate->judges[i].libs);
    }
    caller_unref(gate->person);
    entry_unref(gate->alone);
    free(gate);
}

static int loading; /* files of the policy, one within another */

bool gate_is_loading(void)
{
    return loading > 0;
}

/* own(flag) -> what it was: what this task does is the engine's own work, or no longer. For the
 * judge of effects alone, as an argument: no module has it. */
static int set_own(lua_State *L)
{
    struct task *task = task_current(L);

    lua_pushboolean(L, task && task_set_own(task, lua_toboolean(L, 1)));
    return 1;
}

/* Leaves the function on the main state. */
static bool load_judge(struct registry *registry, const char *source, struct error *err)
{
    bool ok;

    loading++;
    ok = sandbox_load_file(libs_sandbox(registry->libs), 0, "policy", source, strlen(source), err);
    if (ok) {
        lua_pushcfunction(vm_lua(registry->vm), set_own);
        ok = vm_call(registry->vm, 1, 1, SANDBOX_LOAD_MS, err);
    }
    loading--;
    return ok;
}

/* Pushes it as the files that come with the engine have it now. If they do not load, it is the last
 * one that did. Raises if there is none. */
static void push_judge(struct gate *gate, int which, lua_State *L)
{
    struct judge *judge = &gate->judges[which];
    struct registry *registry = gate->registry;
    lua_State *main = vm_lua(registry->vm);
    struct error err;
    int function;

    if (judge->libs != registry->libs) {
        if (load_judge(registry, judges[which], &err)) {
            if (main != L)
                lua_xmove(main, L, 1);
            function = luaL_ref(L, LUA_REGISTRYINDEX);
            luaL_unref(L, LUA_REGISTRYINDEX, judge->function);
            judge->function = function;
        } else if (judge->function == LUA_NOREF) {
            luaL_error(L, "the engine's own files do not load, so nothing is called: %s", err.text);
        }
        libs_unref(judge->libs);
        judge->libs = libs_ref(registry->libs);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, judge->function);
}

/* The policy of a process that loads one tool alone; NULL: err. */
static struct entry *policy_alone(struct gate *gate, struct error *err)
{
    if (!gate->alone)
        gate->alone = registry_load_alone(gate->registry, SOURCE_POLICY, "policy", err);
    return gate->alone;
}

/* The policy of a generation; NULL: err says what its file's problem is. */
static struct entry *policy_of(const struct registry *registry, struct error *err)
{
    struct entry *policy = generation_find(registry->current, ENTRY_POLICY, "policy");

    for (size_t i = 0; !policy && i < registry->problems.count; i++)
        if (strstr(registry->problems.items[i].path, "/policy.lua")) {
            error_set(err, "policy_broken", "%s", registry->problems.items[i].text);
            return NULL;
        }
    if (!policy)
        error_set(err, "policy_broken", "there is no policy.lua in any root");
    return policy;
}

/* The one in effect. */
static struct entry *policy_now(struct gate *gate, struct error *err)
{
    struct entry *policy;
    struct error why;

    if (!gate) {
        error_set(err, "policy_broken", "there is no gate");
        return NULL;
    }
    loading++;
    policy =
        registry_loaded(gate->registry) ? policy_of(gate->registry, err) : policy_alone(gate, err);
    if (policy && policy->asleep.catalog && !trust_look(policy->path, TRUST_RULES, err))
        policy = NULL; /* the catalog keeps it without a look at the folders */
    else if (policy && policy->asleep.catalog)
        entry_wake(policy, &why); /* its users hear why it does not load */
    loading--;
    return policy;
}

void gate_heed_dry_run(lua_State *L)
{
    struct error err;
    struct entry *policy = dry_run() ? NULL : policy_now(the_gate, &err);

    if (!policy)
        return;
    luaL_checkstack(L, 4, NULL);
    entry_push_table(policy, L);
    lua_getfield(L, -1, "dry_run");
    if (lua_toboolean(L, -1))
        dry_run_begin();
    lua_pop(L, 2);
}

void gate_push_decider(lua_State *L)
{
    struct error err;
    struct entry *policy = policy_now(the_gate, &err);

    if (policy)
        entry_push_run(policy, L);
    else
        lua_pushstring(L, err.text);
}

/* Pushes the judge, and what decides, which is found first: with it the files are loaded that the
 * judge is of. */
static void push_both(struct gate *gate, int judge, lua_State *L)
{
    gate_push_decider(L);
    push_judge(gate, judge, L);
    lua_insert(L, -2);
}

static int push_all(lua_State *L)
{
    push_both(the_gate, CALLS, L);
    return 0;
}

void gate_prepare(struct gate *gate)
{
    struct error err;

    if (!vm_run(registry_vm(gate->registry), push_all, NULL, &err))
        log_debug("policy: %s", err.text); /* the first call says so to its caller */
}

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

void gate_push_subject(lua_State *L, struct entry *entry)
{
    static const char *const kinds[] = { "tool", "prompt", "rule", "provider", "resource" };

    if (entry->subject == LUA_NOREF) {
        lua_createtable(L, 0, 16); /* t */
        set_string(L, "kind", entry->kind < countof(kinds) ? kinds[entry->kind] : "command");
        set_string(L, "name", entry->name);
        set_string(L, "toolset", entry->toolset);
        set_string(L, "label", entry->label);
        set_string(L, "uri", entry->uri);
        set_string(L, "original", entry->original);
        if ((entry->kind == ENTRY_TOOL || entry->kind == ENTRY_RESOURCE) && entry->libs) {
            entry_push_table(entry, L);
            lua_getfield(L, -1, "stands_for");
            lua_setfield(L, -3, "stands_for");
            lua_getfield(L, -1, "from");
            lua_setfield(L, -3, "from");
            lua_getfield(L, -1, "runs");
            lua_setfield(L, -3, "runs");
            lua_getfield(L, -1, "about");
            lua_setfield(L, -3, "about");
            lua_getfield(L, -1, "inputSchema");
            lua_setfield(L, -3, "input");
            lua_pop(L, 1);
        }
        set_string(L, "trust", entry->foreign ? "foreign" : NULL);
        if (entry->foreign) {
            lua_pushfstring(L, "%I/%I/%I/%I", (lua_Integer)entry->stamp.inode,
                            (lua_Integer)entry->stamp.size, (lua_Integer)entry->stamp.changed,
                            (lua_Integer)entry->pack_state);
            lua_setfield(L, -2, "state");
        }
        lua_pushboolean(L, !entry->libs);
        lua_setfield(L, -2, "mounted");
        lua_pushboolean(L, entry_shipped(entry));
        lua_setfield(L, -2, "shipped");
        lua_newtable(L);
        for (size_t i = 0; i < entry->alias_count; i++) {
            lua_pushboolean(L, 1);
            lua_setfield(L, -2, entry->aliases[i]);
        }
        lua_setfield(L, -2, "aliases");
        if (json_get(entry_definition(entry), "annotations"))
            value_push_json(L, json_get(entry_definition(entry), "annotations"));
        else
            lua_newtable(L);
        lua_setfield(L, -2, "annotations");
        entry->subject = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->subject);
}

struct denial {
    struct entry *entry;
    struct caller *caller;
    const char *uri;
    bool denied;
};

/* (denial) */
static int look_for_denial(lua_State *L)
{
    struct denial *denial = lua_touserdata(L, 1);

    denial->denied = true;
    gate_push_decider(L);
    if (!lua_isfunction(L, -1))
        return 0;
    gate_push_subject(L, denial->entry);
    caller_push(denial->caller, L);
    lua_pushnil(L); /* there is no call */
    lua_pushstring(L, denial->uri);
    lua_newtable(L);
    lua_call(L, 5, 1); /* the rule */
    lua_getfield(L, -1, "verdict");
    denial->denied = strcmp(luaL_checkstring(L, -1), "deny") == 0;
    return 0;
}

bool gate_denies(struct entry *entry, struct caller *caller, const char *uri, struct error *err)
{
    struct denial denial = { entry, caller, uri, true };

    err->code[0] = '\0';
    if (!the_gate)
        return false;
    if (!vm_run(registry_vm(the_gate->registry), look_for_denial, &denial, err))
        log_warn("policy: may the client hear of %s? %s", uri, err->text);
    return denial.denied;
}

struct subscription_look {
    struct entry *entry;
    struct caller *caller;
    const char *uri;
    struct error *err;
    bool allowed;
};

/* (look) */
static int look_at_subscription(lua_State *L)
{
    struct subscription_look *look = lua_touserdata(L, 1);

    luaL_checkstack(L, 10, NULL);
    push_both(the_gate, SUBSCRIBING, L);
    gate_push_subject(L, look->entry);
    caller_push(look->caller, L);
    lua_pushstring(L, look->uri);
    lua_call(L, 4, 2);
    look->allowed = lua_isnil(L, -2);
    if (!look->allowed)
        error_set(look->err, luaL_checkstring(L, -1), "%s", luaL_checkstring(L, -2));
    return 0;
}

bool gate_lets_subscribe(struct entry *entry, struct caller *caller, const char *uri,
                         struct error *err)
{
    struct subscription_look look = { entry, caller, uri, err, false };

    if (!the_gate)
        return true;
    return vm_run(registry_vm(the_gate->registry), look_at_subscription, &look, err) &&
           look.allowed;
}

static void push_caller(struct gate *gate, lua_State *L, struct call *call)
{
    struct caller *caller = call ? call_caller(call) : NULL;

    if (!caller && !gate->person)
        gate->person = caller_new(registry_vm(gate->registry), caller_default(), NULL, NULL);
    caller_push(caller ? caller : gate->person, L);
}

int gate_push(lua_State *L, struct call *call)
{
    struct gate *gate = the_gate;

    if (ended)
        luaL_error(L, "the engine is ending");
    if (!gate || call->spec.own)
        return 0;
    luaL_checkstack(L, 10, NULL);
    gate_heed_dry_run(L);
    push_both(gate, CALLS, L);
    gate_push_subject(L, call->spec.entry);
    push_caller(gate, L, call);
    call_push_handle(L, call);
    if (call->spec.uri)
        lua_pushstring(L, call->spec.uri);
    else
        lua_pushboolean(L, 0);
    return 6;
}

/* Text that a call tells beside its result. */
struct telling {
    struct call *call;
    struct entry *past; /* a definition that is replaced, in place of a call; or NULL. NULL and no
                           call: text of a foreign file */
    const char *text;   /* NULL: the value */
    int value;          /* a reference */
};

/* (telling) */
static int note_telling(lua_State *L)
{
    const struct telling *telling = lua_touserdata(L, 1);
    struct entry *entry = telling->call ? telling->call->spec.entry : telling->past;

    luaL_checkstack(L, 10, NULL);
    push_judge(the_gate, BESIDE, L);
    if (entry)
        gate_push_subject(L, entry);
    else
        lua_pushnil(L);
    if (telling->call)
        push_caller(the_gate, L, telling->call);
    else
        lua_pushnil(L);
    if (telling->call)
        call_push_handle(L, telling->call);
    else
        lua_pushnil(L);
    if (telling->past) {
        value_push_json(L, entry_definition(entry));
    } else if (telling->text) {
        lua_pushstring(L, telling->text);
    } else {
        lua_rawgeti(L, LUA_REGISTRYINDEX, telling->value);
    }
    lua_call(L, 4, 0);
    return 0;
}

static void note(const struct telling *telling)
{
    struct error err;

    if (!vm_run(registry_vm(the_gate->registry), note_telling, (void *)telling, &err))
        log_warn("policy: text beside a result is not noted as from outside: %s", err.text);
}

bool gate_hears_code(const struct call *call)
{
    struct task *running = the_gate ? vm_running(registry_vm(the_gate->registry)) : NULL;

    return the_gate && call->begun && !(running && task_is_own(running));
}

void gate_note_text(struct call *call, const char *text)
{
    if (text && *text && gate_hears_code(call))
        note(&(struct telling){ .call = call, .text = text });
}

void gate_note_value(struct call *call, lua_State *L, int index)
{
    int value;

    if (!gate_hears_code(call))
        return;
    lua_pushvalue(L, index);
    value = luaL_ref(L, LUA_REGISTRYINDEX);
    note(&(struct telling){ .call = call, .value = value });
    luaL_unref(L, LUA_REGISTRYINDEX, value);
}

void gate_note_reading(lua_State *L, struct call *call, bool to_all, const char *from, int url)
{
    int texts = lua_gettop(L);

    if (!the_gate) {
        lua_pop(L, 1);
        return;
    }
    luaL_checkstack(L, 12, NULL);
    push_judge(the_gate, READING, L);
    if (call)
        gate_push_subject(L, call->spec.entry);
    else
        lua_pushnil(L);
    if (to_all)
        lua_pushnil(L);
    else
        push_caller(the_gate, L, call);
    if (call)
        call_push_handle(L, call);
    else
        lua_pushnil(L);
    lua_pushstring(L, from);
    lua_pushvalue(L, texts);
    lua_pushvalue(L, url);
    lua_call(L, 6, 0);
    lua_settop(L, texts - 1);
}

void gate_note_past(struct entry *entry)
{
    if (the_gate)
        note(&(struct telling){ .past = entry });
}

void gate_note_foreign(const char *text)
{
    if (the_gate)
        note(&(struct telling){ .text = text });
}

unsigned gate_generation(void)
{
    const struct registry *registry = the_gate ? the_gate->registry : NULL;

    return registry && registry_loaded(the_gate->registry) ? registry->current->number : 0;
}

int gate_push_effect(lua_State *L, struct call *call)
{
    struct gate *gate = the_gate;

    if (ended)
        luaL_error(L, "the engine is ending");
    if (!gate)
        return 0;
    luaL_checkstack(L, 10, NULL);
    push_both(gate, EFFECTS, L);
    if (call)
        gate_push_subject(L, call->spec.entry);
    else
        lua_pushnil(L);
    push_caller(gate, L, call);
    if (call)
        call_push_handle(L, call);
    else
        lua_pushnil(L);
    return 5;
}

bool gate_push_border(lua_State *L, bool references)
{
    luaL_checkstack(L, 10, NULL);
    if (the_gate)
        push_judge(the_gate, references ? REFERENCES : BORDER, L);
    return the_gate;
}

int gate_push_seeing(lua_State *L, struct call *call)
{
    if (ended)
        luaL_error(L, "the engine is ending");
    if (!the_gate)
        return 0;
    luaL_checkstack(L, 10, NULL);
    push_both(the_gate, SEEING, L);
    push_caller(the_gate, L, call);
    if (call)
        call_push_handle(L, call);
    else
        lua_pushnil(L);
    return 4;
}

struct showing {
    struct caller *caller;
    const char *tool, *names;
    bool shows;
};

/* (showing) */
static int look_at_showing(lua_State *L)
{
    struct showing *showing = lua_touserdata(L, 1);

    luaL_checkstack(L, 10, NULL);
    push_both(the_gate, SEEING, L);
    caller_push(showing->caller, L);
    lua_pushnil(L); /* there is no call */
    lua_pushstring(L, showing->tool);
    lua_pushstring(L, showing->names);
    lua_call(L, 5, 1);
    showing->shows = lua_toboolean(L, -1);
    return 0;
}

bool gate_shows(struct caller *caller, const char *tool, const char *names)
{
    struct showing showing = { caller, tool, names, false };
    struct error err;

    if (!the_gate)
        return true;
    if (!vm_run(registry_vm(the_gate->registry), look_at_showing, &showing, &err))
        log_warn("policy: may the client hear of what happened? %s", err.text);
    return showing.shows;
}
