/* call:ask, call:sample, call:roots and call:inputs: the task waits until the client has answered.
 *
 * How a question travels is the session's affair: as a request of its own, or as a result that asks
 * for input and is followed by the same request once more. Lua code cannot tell. */
#include "registry/call/call_ask.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "registry/call/call_struct.h"
#include "registry/call/gate.h"
#include "registry/call/handle.h"
#include "registry/call/question.h"
#include "script/task.h"
#include "script/value.h"

enum { ASK_SECONDS = 600, QUESTIONS_MAX = 32 };

/* Lies on the asking task's stack. */
struct waiting_ask {
    struct op op;
    struct elicitation elicitation;
    struct call *call; /* with the client; NULL: not asked, or answered */
    struct link link;  /* in call->asks */
    bool paused;       /* the task's clock */
    bool many;         /* call:inputs */
};

static const char waiting_key;

static void stop_waiting(struct waiting_ask *waiting)
{
    if (waiting->call)
        list_remove(&waiting->link);
    waiting->call = NULL;
    if (waiting->paused)
        task_resume_clock(waiting->op.task);
    waiting->paused = false;
}

void elicitation_done(struct elicitation *elicitation)
{
    struct waiting_ask *waiting = container_of(elicitation, struct waiting_ask, elicitation);

    stop_waiting(waiting);
    task_wake(&waiting->op, 0);
}

/* A call may end while another task waits in its name: that of a mounted server's question. */
void call_drop_asks(struct call *call)
{
    while (!list_empty(&call->asks)) {
        struct waiting_ask *waiting = container_of(call->asks.next, struct waiting_ask, link);

        call->spec.unask(call->spec.arg, &waiting->elicitation);
        error_set(&waiting->elicitation.err, "closed", "the call that it belongs to is over");
        elicitation_done(&waiting->elicitation);
    }
}

static void ask_cancel(struct op *op)
{
    struct waiting_ask *waiting = container_of(op, struct waiting_ask, op);
    struct call *call = waiting->call;

    stop_waiting(waiting);
    if (call)
        call->spec.unask(call->spec.arg, &waiting->elicitation);
}

static int waiting_gc(lua_State *L)
{
    struct waiting_ask *waiting = lua_touserdata(L, 1);

    for (size_t i = 0; i < waiting->elicitation.count; i++) {
        struct question *question = &waiting->elicitation.items[i];

        free(question->key);
        buf_free(&question->params);
        schema_free(question->schema);
        json_doc_free(question->answer);
    }
    free(waiting->elicitation.items);
    waiting->elicitation.items = NULL;
    waiting->elicitation.count = 0;
    return 0;
}

static struct waiting_ask *push_waiting(lua_State *L, size_t count)
{
    struct waiting_ask *waiting = lua_newuserdatauv(L, sizeof *waiting, 0);

    *waiting =
        (struct waiting_ask){ .op = { .cancel = ask_cancel, .what = "an answer of the user" },
                              .elicitation.timeout_ms = (uint64_t)ASK_SECONDS * 1000 };
    lua_rawgetp(L, LUA_REGISTRYINDEX, &waiting_key);
    lua_setmetatable(L, -2);
    waiting->elicitation.items = mem_zero(count * sizeof *waiting->elicitation.items);
    return waiting;
}

/* --- answers as Lua values ----------------------------------------------------------------- */

/* content; or nil, text, code */
static int push_elicited(lua_State *L, const struct question *question, const cJSON *answer)
{
    const char *action = json_given(answer, "action")->valuestring;

    if (strcmp(action, "decline") == 0)
        return bind_fail(L, "declined", "the user declined to answer");
    if (strcmp(action, "cancel") == 0)
        return bind_fail(L, "dismissed", "the user dismissed the question");
    if (question->kind == ASK_URL)
        lua_pushboolean(L, 1);
    else
        value_push_json(L, json_given(answer, "content"));
    return 1;
}

static void add_block_text(luaL_Buffer *text, const cJSON *block)
{
    struct str part = json_string(json_given(block, "text"));

    if (part.len)
        luaL_addlstring(text, part.ptr, part.len);
}

/* The words of a model are those of others: they may be of a page that it was given. The result is
 * on top. */
static void note_sample(lua_State *L)
{
    struct call *call = call_check(L);
    int result = lua_gettop(L);

    if (!call || !call->spec.entry->libs || entry_shipped(call->spec.entry) ||
        !gate_hears_code(call))
        return;
    lua_pushnil(L); /* it is from no URL */
    lua_createtable(L, 1, 0);
    lua_getfield(L, result, "text");
    lua_rawseti(L, -2, 1);
    gate_note_reading(L, call, false, "mount", result + 1);
    lua_settop(L, result);
}

/* The result, with its texts as `text`. */
static int push_sample(lua_State *L, const cJSON *answer)
{
    const cJSON *content = json_given(answer, "content");
    const cJSON *block;
    luaL_Buffer text;

    value_push_json(L, answer); /* answer */
    luaL_buffinit(L, &text);
    if (cJSON_IsObject(content))
        add_block_text(&text, content);
    else
        cJSON_ArrayForEach (block, content)
            add_block_text(&text, block);
    luaL_pushresult(&text);
    lua_setfield(L, -2, "text");
    note_sample(L);
    return 1;
}

static int push_answer(lua_State *L, const struct question *question)
{
    const cJSON *answer = json_root(question->answer);

    switch (question->kind) {
    case ASK_FORM:
    case ASK_URL:
        return push_elicited(L, question, answer);
    case ASK_ROOTS:
        value_push_json(L, json_given(answer, "roots"));
        return 1;
    default:
        return push_sample(L, answer);
    }
}

/* By key; what the user was asked stays whole: {action =, content =} */
static int push_answers(lua_State *L, const struct elicitation *elicitation)
{
    lua_createtable(L, 0, (int)elicitation->count);
    for (size_t i = 0; i < elicitation->count; i++) {
        const struct question *question = &elicitation->items[i];

        if (question->kind == ASK_FORM || question->kind == ASK_URL)
            value_push_json(L, json_root(question->answer));
        else
            push_answer(L, question);
        lua_setfield(L, -2, question->key);
    }
    return 1;
}

/* --- asking --------------------------------------------------------------------- */

/* The struct waiting_ask is at index 2. */
static int ask_after(lua_State *L, int status, lua_KContext context)
{
    struct waiting_ask *waiting = lua_touserdata(L, 2);

    (void)status;
    (void)context;
    if (waiting->elicitation.err.code[0])
        return bind_error(L, &waiting->elicitation.err);
    return waiting->many ? push_answers(L, &waiting->elicitation)
                         : push_answer(L, &waiting->elicitation.items[0]);
}

/* The stack: call, struct waiting_ask. */
static int ask_client(lua_State *L)
{
    struct call *call = call_check(L);
    struct waiting_ask *waiting = lua_touserdata(L, 2);
    struct error err;

    waiting->op.task = task_here(L);
    call = call ? call_with_client(call) : NULL;
    if (!call)
        return bind_fail(L, "missing_capability",
                         "no user can be asked: this call was not made by an MCP client");
    waiting->elicitation.acted = task_is_own(task_current(L)) && call->effects.count > 0;
    if (!call->spec.ask(call->spec.arg, &waiting->elicitation, &err))
        return bind_error(L, &err);
    if (elicitation_answered(&waiting->elicitation) || waiting->elicitation.err.code[0])
        return ask_after(L, LUA_OK, 0);
    waiting->call = call;
    list_push(&call->asks, &waiting->link);
    waiting->paused = true;
    task_pause_clock(waiting->op.task);
    return task_park_then(L, &waiting->op, 0, ask_after);
}

/* A question of a mounted server says whose it is: it must not pass for one of the engine. Foreign
 * tools ask nothing. A form without a message stays without one, which is an error. */
static void name_asker(lua_State *L, const char *server, int table, bool sample)
{
    const char *field = sample ? "systemPrompt" : "message";
    bool said = lua_getfield(L, table, field) == LUA_TSTRING;

    if (said || (sample && lua_isnil(L, -1))) {
        lua_pushfstring(L, "The mounted server \"%s\" asks: ", server);
        lua_insert(L, -2);
        if (!said)
            lua_pop(L, 1);
        else
            lua_concat(L, 2);
        lua_setfield(L, table, field);
    } else {
        lua_pop(L, 1);
    }
}

/* Reads a question, whose options are at the index. What is from outside in it is kept as such. */
static void read_question(lua_State *L, int table, struct elicitation *elicitation,
                          struct question *question,
                          void (*read)(lua_State *L, int table, struct question *question))
{
    struct call *call = call_check(L);
    const struct entry *entry = call ? call->spec.entry : NULL;

    table = lua_absindex(L, table);
    if (call && gate_hears_code(call)) {
        gate_note_value(call, L, table);
        if (!entry->libs && read != question_read_roots)
            name_asker(L, entry->toolset, table, read == question_read_sample);
    }
    read(L, table, question);
    question_read_options(L, table, elicitation, question);
}

/* Reads the options at index 2 of a method with one question. */
static int ask_one_question(lua_State *L,
                            void (*read)(lua_State *L, int table, struct question *question))
{
    struct waiting_ask *waiting;

    call_check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    waiting = push_waiting(L, 1); /* call, options, waiting */
    waiting->elicitation.count = 1;
    read_question(L, 2, &waiting->elicitation, &waiting->elicitation.items[0], read);
    lua_remove(L, 2);
    return ask_client(L);
}

/* call:ask{message =, schema = | url =, key?, timeout?} */
int call_ask(lua_State *L)
{
    return ask_one_question(L, question_read_ask);
}

/* call:sample{prompt = | messages =, maxTokens?, ...} */
int call_sample(lua_State *L)
{
    return ask_one_question(L, question_read_sample);
}

/* call:roots([options]) */
int call_roots(lua_State *L)
{
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    return ask_one_question(L, question_read_roots);
}

static int by_question_key(const void *a, const void *b)
{
    return strcmp(((const struct question *)a)->key, ((const struct question *)b)->key);
}

/* NAME = {ask = {...}} and the like; the pair is on top of the stack. */
static void read_named_question(lua_State *L, struct elicitation *elicitation)
{
    static const struct {
        const char *name;
        void (*read)(lua_State *L, int table, struct question *question);
    } kinds[] = { { "ask", question_read_ask },
                  { "sample", question_read_sample },
                  { "roots", question_read_roots } };
    struct question *question = &elicitation->items[elicitation->count++];
    int pair = lua_gettop(L);
    bool found = false;

    if (lua_type(L, pair - 1) != LUA_TSTRING || !lua_istable(L, pair))
        luaL_error(L, "pass each input as name = {ask = {...}}, {sample = {...}} or {roots = {}}");
    for (size_t i = 0; i < countof(kinds); i++) {
        if (lua_getfield(L, pair, kinds[i].name) == LUA_TTABLE && !found) {
            read_question(L, pair + 1, elicitation, question, kinds[i].read);
            found = true;
        }
        lua_settop(L, pair);
    }
    if (!found)
        luaL_error(L, "input '%s': expected one of ask, sample and roots",
                   lua_tostring(L, pair - 1));
    free(question->key);
    question->key = mem_strdup(lua_tostring(L, pair - 1));
}

/* call:inputs{NAME = {ask = {...}} | {sample = {...}} | {roots = {}}, ...} */
int call_inputs(lua_State *L)
{
    struct waiting_ask *waiting;
    size_t count = 0;

    call_check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
        count++;
    luaL_argcheck(L, count >= 1 && count <= QUESTIONS_MAX, 2, "1 to 32 inputs expected");
    waiting = push_waiting(L, count); /* call, inputs, waiting */
    waiting->many = true;
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
        read_named_question(L, &waiting->elicitation);
    qsort(waiting->elicitation.items, waiting->elicitation.count,
          sizeof *waiting->elicitation.items, by_question_key);
    lua_remove(L, 2);
    return ask_client(L);
}

/* call:can(what) */
int call_can(lua_State *L)
{
    static const char *const names[] = { "ask", "url", "sample", "sample_tools", "roots", NULL };
    struct call *call = call_check(L);
    int kind = luaL_checkoption(L, 2, NULL, names); /* as enum ask_kind */

    call = call ? call_with_client(call) : NULL;
    lua_pushboolean(L, call && call->spec.can && call->spec.can(call->spec.arg, kind));
    return 1;
}

void call_ask_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", waiting_gc }, { NULL, NULL } };

    lua_newtable(L);
    luaL_setfuncs(L, meta, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &waiting_key);
}
