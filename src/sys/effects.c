/* A function that asks takes the place of another (sys/shared/functions.h), by its line in the
 * list. */
#include "sys/effects.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

#include "base/util.h"
#include "registry/call/call_struct.h"
#include "registry/call/caller.h"
#include "registry/call/gate.h"
#include "script/bind.h"
#include "sys/shared/functions.h"

struct effect {
    const char *module, *function; /* or the metatable of a kind of userdata, and a method */
    const char *kind;
    const char *name; /* for lists of a call's effects */
};

/* clang-format off */
static const struct effect effects[] = {
    { "sys.app", "activate", "window", "app.activate" },
    { "sys.app", "hide", "window", "app.hide" },
    { "sys.app", "open", "start", "app.open" },
    { "sys.app", "quit", "quit", "app.quit" },
    { "sys.app", "show", "window", "app.show" },
    { "sys.clipboard", "clear", "clipboard", "clipboard.clear" },
    { "sys.clipboard", "keep_history", "clipboard", "clipboard.keep_history" },
    { "sys.clipboard", "write", "clipboard", "clipboard.write" },
    { "sys.dbus", "calls", "message", "dbus.calls" },
    { "sys.dbus.Wire", "call", "message", "wire:call" },
    { "sys.dbus.Wire", "send", "message", "wire:send" },
    { "sys.effect", "choose_file", "file", "choose_file" },
    { "sys.effect", "mail", "mail", "mail" },
    { "sys.effect", "model", "model", "model" },
    { "sys.effect", "save_file", "file", "save_file" },
    { "sys.effect", "settings", "settings", "settings" },
    { "sys.effect", "trash", "file", "trash" },
    { "sys.element", "act", "press", "element.act" },
    { "sys.events", "presses", "record", "events.presses" },
    { "sys.fs", "append", "file", "fs.append" },
    { "sys.fs", "copy", "file", "fs.copy" },
    { "sys.fs", "make_folder", "file", "fs.make_folder" },
    { "sys.fs", "remove", "file", "fs.remove" },
    { "sys.fs", "rename", "file", "fs.rename" },
    { "sys.fs", "write", "file", "fs.write" },
    { "sys.http", "request", "request", "http.request" },
    { "sys.http", "stream", "request", "http.stream" },
    { "sys.input", "allow", "settings", "input.allow" },
    { "sys.input", "click", "input", "input.click" },
    { "sys.input", "drag", "input", "input.drag" },
    { "sys.input", "drop", "drop", "input.drop" },
    { "sys.input", "key_down", "input", "input.key_down" },
    { "sys.input", "key_up", "input", "input.key_up" },
    { "sys.input", "keys", "input", "input.keys" },
    { "sys.input", "paste", "input", "input.paste" },
    { "sys.input", "press", "input", "input.press" },
    { "sys.input", "release", "input", "input.release" },
    { "sys.input", "scroll", "input", "input.scroll" },
    { "sys.input", "send", "input", "input.send" },
    { "sys.input", "move", "input", "input.move" },
    { "sys.input", "type", "input", "input.type" },
    { "sys.mcp", "connect", "process", "mcp.connect" },
    { "sys.mcp.client", "call", "mount", "client:call" },
    { "sys.mcp.client", "complete", "mount", "client:complete" },
    { "sys.mcp.client", "get_prompt", "mount", "client:get_prompt" },
    { "sys.mcp.client", "read", "mount", "client:read" },
    { "sys.mcp.client", "request", "mount", "client:request" },
    { "sys.mcp.client", "subscribe", "mount", "client:subscribe" },
    { "sys.mcp.client", "unsubscribe", "mount", "client:unsubscribe" },
    { "sys.osascript", "run", "process", "osascript.run" },
    { "sys.process.Child", "write", "process", "child:write" },
    { "sys.process", "run", "process", "process.run" },
    { "sys.process", "start", "process", "process.start" },
    { "sys.python", "run", "python", "python.run" },
    { "sys.screen", "capture", "file", "screen.capture" },
    { "sys.secrets", "write", "settings", "secrets.write" },
    { "sys.smtp", "send", "mail", "smtp.send" },
    { "sys.webhook", "open", "listen", "webhook.open" },
    { "sys.window", "close", "window", "window.close" },
    { "sys.window", "focus", "window", "window.focus" },
    { "sys.window", "fullscreen", "window", "window.fullscreen" },
    { "sys.window", "maximize", "window", "window.maximize" },
    { "sys.window", "minimize", "window", "window.minimize" },
    { "sys.window", "move", "window", "window.move" },
    { "sys.window", "place", "window", "window.place" },
    { "sys.window", "resize", "window", "window.resize" },
    { "sys.window", "restore", "window", "window.restore" },
};
/* clang-format on */

static lua_CFunction
    acts[countof(effects)]; /* functions that do the work, once their module is open */

static int refuse(lua_State *L, struct call *call)
{
    const char *text = lua_tostring(L, -2), *code = lua_tostring(L, -1);

    if (call)
        call_effects_refuse(&call->effects, code ? code : "denied", text ? text : "refused");
    for (; call; call = call_parent(call))
        call->effects.refused_below = true;
    return 3;
}

/* --- what passes in any case ---------------------------------------------------------------- */

/* A kind of effects that the policy allows a caller whatever their facts are. An entry belongs to
 * the generation, or to a call that is under way and keeps it. */
struct passing {
    unsigned generation; /* 0: none */
    unsigned caller;
    const struct entry *entry;
    const struct effect *effect;
};

static struct passing passing[64];

static struct passing *place_of(const struct passing *wanted)
{
    size_t mixed = (size_t)wanted->entry / 64 + (size_t)(wanted->effect - effects) + wanted->caller;

    return &passing[mixed % countof(passing)];
}

static bool judges_all;

void effects_judge_all(bool on)
{
    judges_all = on;
}

static bool passes(const struct passing *wanted)
{
    const struct passing *known = place_of(wanted);

    return !judges_all && known->generation && known->generation == wanted->generation &&
           known->caller == wanted->caller && known->entry == wanted->entry &&
           known->effect == wanted->effect;
}

static struct passing passing_of(struct call *call, const struct effect *effect)
{
    return (struct passing){ .generation = gate_generation(),
                             .caller = caller_id(call ? call_caller(call) : NULL),
                             .entry = call ? call->spec.entry : NULL,
                             .effect = effect };
}

/* --- the judge -------------------------------------------------------------------------------- */

/* An effect on its way. It fits into a context, so nothing of it is lost while its task waits. */
struct asking {
    const struct effect *effect;
    int count; /* the number of its arguments, which are at the bottom of the stack */
    int tries; /* those that came to nothing, because another window got the keyboard */
};

enum { TRIES = 2, TRIES_STEP = 256, COUNT_STEP = TRIES_STEP * (TRIES + 1) };
_Static_assert(countof(effects) <= TRIES_STEP, "a line of the list fits into a context");

static lua_KContext pack(struct asking asking)
{
    return (asking.effect - effects) + (lua_KContext)asking.tries * TRIES_STEP +
           (lua_KContext)asking.count * COUNT_STEP;
}

static struct asking unpack(lua_KContext context)
{
    return (struct asking){ &effects[context % TRIES_STEP], (int)(context / COUNT_STEP),
                            (int)(context % COUNT_STEP / TRIES_STEP) };
}

static uint64_t judged_window;

uint64_t effects_take_window(void)
{
    uint64_t window = judged_window;

    judged_window = 0;
    return window;
}

static int judge(lua_State *L, struct asking asking);

/* The results are on top of the arguments. If the window lost the keyboard or its place before
 * anything was sent, the input is judged for the one that has it now. */
static int sent(lua_State *L, int status, lua_KContext context)
{
    struct asking asking = unpack(context);
    const char *code = lua_tostring(L, asking.count + 3);

    (void)status;
    if (!lua_isnil(L, asking.count + 1) || !code || strcmp(code, "moved") != 0)
        return lua_gettop(L) - asking.count;
    lua_settop(L, asking.count);
    asking.tries++;
    return judge(L, asking);
}

/* Sends input to this window only. The arguments stay, for another try. */
static int send_to(lua_State *L, struct asking asking, uint64_t window)
{
    luaL_checkstack(L, asking.count + 8, NULL);
    functions_push_work(L, acts[asking.effect - effects], asking.effect);
    for (int i = 1; i <= asking.count; i++)
        lua_pushvalue(L, i);
    judged_window = window;
    lua_callk(L, asking.count, LUA_MULTRET, pack(asking), sent);
    return sent(L, LUA_OK, pack(asking));
}

static int go_on(lua_State *L, const struct effect *effect)
{
    judged_window = 0;
    return acts[effect - effects](L);
}

static void note(struct call *call, const struct effect *effect)
{
    for (; call; call = call_parent(call))
        call_effects_note(&call->effects, effect->name);
}

/* The judge's answer is on top: true, "always" or nil, and a window or nil; or nil, text, code. */
static int act(lua_State *L, int status, lua_KContext context)
{
    struct asking asking = unpack(context);
    struct call *call = call_above(task_current(L));
    struct passing wanted;
    uint64_t window = (uint64_t)lua_tointeger(L, -1);

    (void)status;
    if (!lua_toboolean(L, -3))
        return refuse(L, call);
    if (lua_toboolean(L, -2)) {
        wanted = passing_of(call, asking.effect);
        *place_of(&wanted) = wanted;
    }
    lua_settop(L, asking.count);
    if (!asking.tries)
        note(call, asking.effect);
    return window && asking.tries < TRIES ? send_to(L, asking, window) : go_on(L, asking.effect);
}

static bool is_release(const char *kind)
{
    return kind && (strcmp(kind, "key_up") == 0 || strcmp(kind, "release") == 0);
}

/* After a refusal, what a call holds down can still be let go. */
static bool lets_go(lua_State *L, const struct effect *effect)
{
    bool goes;

    if (strcmp(effect->kind, "input") != 0)
        return false;
    if (strcmp(effect->function, "send") != 0 || !lua_istable(L, 1))
        return is_release(effect->function);
    lua_pushliteral(L, "kind");
    lua_rawget(L, 1);
    goes = lua_type(L, -1) == LUA_TSTRING && is_release(lua_tostring(L, -1));
    lua_pop(L, 1);
    return goes;
}

static bool only_checks;

bool effects_only_check(void)
{
    return only_checks;
}

/* Input that a tool passes on as its caller gave it. */
static bool is_sent_input(const struct effect *effect)
{
    return strcmp(effect->name, "input.send") == 0;
}

/* Lets the function read its arguments. Returns the number of results if it fails: nil, text, code;
 * otherwise 0. An error that it raises comes when it does its work. */
static int check_arguments(lua_State *L, struct asking asking)
{
    bool ok;

    luaL_checkstack(L, asking.count + 8, NULL);
    functions_push_work(L, acts[asking.effect - effects], asking.effect);
    for (int i = 1; i <= asking.count; i++)
        lua_pushvalue(L, i);
    only_checks = true;
    ok = lua_pcall(L, asking.count, LUA_MULTRET, 0) == LUA_OK;
    only_checks = false;
    if (ok && lua_isnil(L, asking.count + 1))
        return lua_gettop(L) - asking.count;
    lua_settop(L, asking.count);
    return 0;
}

static int judge(lua_State *L, struct asking asking)
{
    const struct effect *effect = asking.effect;
    struct task *task = task_current(L);
    struct call *call = call_above(task);
    struct passing wanted = passing_of(call, effect);
    int told;

    if (!task || task_is_own(task))
        return go_on(L, effect);
    if (call && call->effects.refused && !lets_go(L, effect))
        return bind_error(L, call->effects.refused);
    if (passes(&wanted)) {
        note(call, effect);
        return go_on(L, effect);
    }
    if (!asking.tries && is_sent_input(effect) && (told = check_arguments(L, asking)))
        return told;
    told = gate_push_effect(L, call);
    if (!told)
        return go_on(L, effect);
    luaL_checkstack(L, asking.count + 5, NULL);
    lua_pushstring(L, effect->kind);
    lua_pushstring(L, effect->function);
    lua_pushboolean(L, asking.tries == TRIES); /* it cannot be told who gets it */
    for (int i = 1; i <= asking.count; i++)
        lua_pushvalue(L, i);
    lua_callk(L, told + 2 + asking.count, 3, pack(asking), act);
    return act(L, LUA_OK, pack(asking));
}

/* A function that asks. */
static int ask_first(lua_State *L)
{
    return judge(L,
                 (struct asking){ functions_line(L, effects, sizeof effects), lua_gettop(L), 0 });
}

void effects_wrap(lua_State *L, const char *module)
{
    for (size_t i = 0; i < countof(effects); i++) {
        lua_CFunction work = functions_replace(L, module, effects[i].module, effects[i].function,
                                               ask_first, &effects[i]);

        if (work)
            acts[i] = work;
    }
}
