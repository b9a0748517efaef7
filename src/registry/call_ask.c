/* call:ask, call:sample, call:roots and call:inputs: the task waits until the client has answered.
 *
 * How a question travels is the session's affair: as a request of its own, or as a result that asks
 * for input and is followed by the same request once more. Lua code cannot tell. */
#include "registry/call_impl.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "registry/asking.h"
#include "script/sys/bind.h"
#include "script/value.h"
#include "json/writer.h"

enum { ASK_SECONDS = 600, ASK_SECONDS_MAX = 86400, QUESTIONS_MAX = 32 };

/* Lies on the asking task's stack. */
struct waiting_ask {
    struct op op;
    struct asking asking;
    struct call *call; /* with the client; NULL: not asked, or answered */
    bool paused;       /* the task's clock */
    bool many;         /* call:inputs */
};

static const char waiting_key;

static void stop_waiting(struct waiting_ask *waiting)
{
    waiting->call = NULL;
    if (waiting->paused)
        task_resume_clock(waiting->op.task);
    waiting->paused = false;
}

void asking_done(struct asking *asking)
{
    struct waiting_ask *waiting = container_of(asking, struct waiting_ask, asking);

    stop_waiting(waiting);
    task_wake(&waiting->op, 0);
}

static void ask_cancel(struct op *op)
{
    struct waiting_ask *waiting = container_of(op, struct waiting_ask, op);
    struct call *call = waiting->call;

    stop_waiting(waiting);
    if (call)
        call->spec.unask(call->spec.arg, &waiting->asking);
}

static int waiting_gc(lua_State *L)
{
    struct waiting_ask *waiting = lua_touserdata(L, 1);

    for (size_t i = 0; i < waiting->asking.count; i++) {
        struct question *question = &waiting->asking.items[i];

        free(question->key);
        buf_free(&question->params);
        schema_free(question->schema);
        json_doc_free(question->answer);
    }
    free(waiting->asking.items);
    waiting->asking.items = NULL;
    waiting->asking.count = 0;
    return 0;
}

static struct waiting_ask *push_waiting(lua_State *L, size_t count)
{
    struct waiting_ask *waiting = lua_newuserdatauv(L, sizeof *waiting, 0);

    *waiting = (struct waiting_ask){ .op.cancel = ask_cancel,
                                     .asking.timeout_ms = (uint64_t)ASK_SECONDS * 1000 };
    lua_rawgetp(L, LUA_REGISTRYINDEX, &waiting_key);
    lua_setmetatable(L, -2);
    waiting->asking.items = mem_zero(count * sizeof *waiting->asking.items);
    return waiting;
}

/* --- what is asked --------------------------------------------------------------------- */

static int bad_field(lua_State *L, const char *name, const char *what)
{
    return luaL_error(L, "%s: %s", name, what);
}

/* Raises unless every text among the keys of the table is in the list. */
static void check_keys(lua_State *L, int table, const char *const *names, const char *what)
{
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "(a number)";
        bool known = false;

        for (size_t i = 0; names[i]; i++)
            known |= strcmp(names[i], key) == 0;
        if (!known)
            luaL_error(L, "unknown field '%s' in %s", key, what);
    }
}

/* ,"NAME":VALUE of the table's field, if it has one. */
static bool add_field(lua_State *L, int table, const char *name, struct buf *out)
{
    struct error err;
    bool is = lua_getfield(L, table, name) != LUA_TNIL;

    if (is) {
        buf_addf(out, "%s\"%s\":", out->len > 1 ? "," : "", name);
        if (!value_write_json(L, -1, out, &err))
            bad_field(L, name, err.text);
    }
    lua_pop(L, 1);
    return is;
}

static bool text_in(const cJSON *node, const char *const *texts)
{
    for (; cJSON_IsString(node) && *texts; texts++)
        if (strcmp(node->valuestring, *texts) == 0)
            return true;
    return false;
}

/* A form has flat fields only: texts, numbers, truth values, choices. NULL: it is one. */
static const char *wrong_form(const cJSON *schema)
{
    static const char *const plain[] = { "string", "number", "integer", "boolean", NULL };
    static const char *const list[] = { "array", NULL };
    static const char *const object[] = { "object", NULL };
    const cJSON *property;

    if (!text_in(json_get(schema, "type"), object) ||
        !cJSON_IsObject(json_get(schema, "properties")))
        return "schema: an object with properties is expected, as schema.object{...} makes it";
    cJSON_ArrayForEach (property, json_get(schema, "properties")) {
        const cJSON *type = json_get(property, "type");

        if (!text_in(type, plain) && !(text_in(type, list) && json_get(property, "items")))
            return "schema: a form has texts, numbers, booleans and choices only, nothing nested";
    }
    return NULL;
}

/* "requestedSchema": the members that MCP knows; additionalProperties is none of them. */
static void add_schema(lua_State *L, int table, struct question *question)
{
    struct buf *text = bind_buffer(L);
    struct json_doc *doc = NULL;
    const char *wrong = NULL;
    struct error err;

    if (lua_getfield(L, table, "schema") != LUA_TTABLE)
        bad_field(L, "schema", "a JSON Schema table is expected (or url, for an address)");
    if (!value_write_json(L, -1, text, &err))
        bad_field(L, "schema", err.text);
    doc = json_parse(text->data, text->len, NULL, &err);
    lua_pop(L, 2);
    if (doc) {
        wrong = wrong_form(json_root(doc));
        question->schema = wrong ? NULL : schema_compile(json_root(doc), &err);
        buf_lit(&question->params, ",\"requestedSchema\":{\"type\":\"object\",\"properties\":");
        json_write(&question->params, json_get(json_root(doc), "properties"));
        if (cJSON_IsArray(json_get(json_root(doc), "required"))) {
            buf_lit(&question->params, ",\"required\":");
            json_write(&question->params, json_get(json_root(doc), "required"));
        }
        buf_addc(&question->params, '}');
        json_doc_free(doc);
    }
    if (wrong)
        luaL_error(L, "%s", wrong);
    if (!question->schema)
        bad_field(L, "schema", err.text);
}

static void read_ask(lua_State *L, int table, struct question *question)
{
    static const char *const names[] = { "message", "schema", "url", "key", "timeout", NULL };

    check_keys(L, table, names, "a question");
    buf_addc(&question->params, '{');
    if (!add_field(L, table, "message", &question->params))
        bad_field(L, "message", "what the user is to read is missing");
    question->kind = add_field(L, table, "url", &question->params) ? ASK_URL : ASK_FORM;
    if (question->kind == ASK_FORM)
        add_schema(L, table, question);
    buf_addc(&question->params, '}');
}

/* "messages":[{role: user, content: PROMPT}] */
static bool add_prompt(lua_State *L, int table, struct buf *out)
{
    bool is = lua_getfield(L, table, "prompt") == LUA_TSTRING;
    size_t len;
    const char *text;

    if (is) {
        text = lua_tolstring(L, -1, &len);
        buf_lit(out, "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
        json_write_string(out, text, len);
        buf_lit(out, "}}]");
    }
    lua_pop(L, 1);
    return is;
}

static void read_sample(lua_State *L, int table, struct question *question)
{
    static const char *const names[] = {
        "prompt",           "messages",    "maxTokens",     "systemPrompt",
        "modelPreferences", "temperature", "stopSequences", "includeContext",
        "metadata",         "tools",       "toolChoice",    "key",
        "timeout",          NULL
    };
    struct buf *out = &question->params;

    check_keys(L, table, names, "a sample");
    buf_addc(out, '{');
    if (!add_prompt(L, table, out) && !add_field(L, table, "messages", out))
        bad_field(L, "prompt", "a text is expected, or a list of messages");
    if (!add_field(L, table, "maxTokens", out))
        buf_lit(out, ",\"maxTokens\":1000");
    for (size_t i = 3; i < 9; i++)
        add_field(L, table, names[i], out);
    question->kind = add_field(L, table, "tools", out) ? ASK_SAMPLE_TOOLS : ASK_SAMPLE;
    add_field(L, table, "toolChoice", out);
    buf_addc(out, '}');
}

static void read_roots(lua_State *L, int table, struct question *question)
{
    static const char *const names[] = { "key", "timeout", NULL };

    if (table)
        check_keys(L, table, names, "roots");
    question->kind = ASK_ROOTS;
    buf_lit(&question->params, "{}");
}

/* `key` and `timeout`, which any question may have. */
static void read_options(lua_State *L, int table, struct asking *asking, struct question *question)
{
    if (lua_getfield(L, table, "key") == LUA_TSTRING) {
        if (!lua_rawlen(L, -1) || lua_rawlen(L, -1) > 64)
            bad_field(L, "key", "1 to 64 bytes");
        question->key = mem_strdup(lua_tostring(L, -1));
    } else if (!lua_isnil(L, -1)) {
        bad_field(L, "key", "a text is expected");
    }
    if (lua_getfield(L, table, "timeout") != LUA_TNIL) {
        lua_Number seconds = lua_tonumber(L, -1);

        if (!(seconds > 0 && seconds <= ASK_SECONDS_MAX))
            bad_field(L, "timeout", "more than 0, at most 86400 seconds");
        asking->timeout_ms = (uint64_t)ceil(seconds * 1000);
    }
    lua_pop(L, 2);
}

/* --- answers as Lua values ----------------------------------------------------------------- */

/* content; or nil, text, code */
static int push_elicited(lua_State *L, const struct question *question, const cJSON *answer)
{
    const char *action = json_get(answer, "action")->valuestring;

    if (strcmp(action, "decline") == 0)
        return bind_fail(L, "declined", "The user declined to answer");
    if (strcmp(action, "cancel") == 0)
        return bind_fail(L, "dismissed", "The user dismissed the question");
    if (question->kind == ASK_URL)
        lua_pushboolean(L, 1);
    else
        value_push_json(L, json_get(answer, "content"));
    return 1;
}

static void add_text(luaL_Buffer *text, const cJSON *block)
{
    struct str part = json_string(json_get(block, "text"));

    if (part.len)
        luaL_addlstring(text, part.ptr, part.len);
}

/* The result, with its texts as `text`. */
static int push_sample(lua_State *L, const cJSON *answer)
{
    const cJSON *content = json_get(answer, "content");
    const cJSON *block;
    luaL_Buffer text;

    value_push_json(L, answer); /* answer */
    luaL_buffinit(L, &text);
    if (cJSON_IsObject(content))
        add_text(&text, content);
    else
        cJSON_ArrayForEach (block, content)
            add_text(&text, block);
    luaL_pushresult(&text);
    lua_setfield(L, -2, "text");
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
        value_push_json(L, json_get(answer, "roots"));
        return 1;
    default:
        return push_sample(L, answer);
    }
}

/* By key; what the user was asked stays whole: {action =, content =} */
static int push_answers(lua_State *L, const struct asking *asking)
{
    lua_createtable(L, 0, (int)asking->count);
    for (size_t i = 0; i < asking->count; i++) {
        const struct question *question = &asking->items[i];

        if (question->kind == ASK_FORM || question->kind == ASK_URL)
            value_push_json(L, json_root(question->answer));
        else
            push_answer(L, question);
        lua_setfield(L, -2, question->key);
    }
    return 1;
}

/* --- asking ------------------------------------------------------------------------------------
 */

/* The struct waiting_ask is at index 2. */
static int ask_after(lua_State *L, int status, lua_KContext context)
{
    struct waiting_ask *waiting = lua_touserdata(L, 2);

    (void)status;
    (void)context;
    if (waiting->asking.err.code[0])
        return bind_error(L, &waiting->asking.err);
    return waiting->many ? push_answers(L, &waiting->asking)
                         : push_answer(L, &waiting->asking.items[0]);
}

/* The stack: call, struct waiting_ask. */
static int ask(lua_State *L)
{
    struct call *call = call_check(L);
    struct waiting_ask *waiting = lua_touserdata(L, 2);
    struct error err;

    waiting->op.task = task_here(L);
    call = call ? call_with_client(call) : NULL;
    if (!call)
        return bind_fail(L, "missing_capability",
                         "Nobody can be asked: this call was not made by an MCP client");
    if (!call->spec.ask(call->spec.arg, &waiting->asking, &err))
        return bind_error(L, &err);
    if (asking_answered(&waiting->asking) || waiting->asking.err.code[0])
        return ask_after(L, LUA_OK, 0);
    waiting->call = call;
    waiting->paused = true;
    task_pause_clock(waiting->op.task);
    return task_park_then(L, &waiting->op, 0, ask_after);
}

/* Reads the options at index 2 of a method with one question. */
static int ask_one(lua_State *L, void (*read)(lua_State *L, int table, struct question *question))
{
    struct waiting_ask *waiting;

    call_check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    waiting = push_waiting(L, 1); /* call, options, waiting */
    waiting->asking.count = 1;
    read(L, 2, &waiting->asking.items[0]);
    read_options(L, 2, &waiting->asking, &waiting->asking.items[0]);
    lua_remove(L, 2);
    return ask(L);
}

/* call:ask{message =, schema = | url =, key?, timeout?} */
int call_ask(lua_State *L)
{
    return ask_one(L, read_ask);
}

/* call:sample{prompt = | messages =, maxTokens?, ...} */
int call_sample(lua_State *L)
{
    return ask_one(L, read_sample);
}

/* call:roots([options]) */
int call_roots(lua_State *L)
{
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    return ask_one(L, read_roots);
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct question *)a)->key, ((const struct question *)b)->key);
}

/* NAME = {ask = {...}} and the like; the pair is on top of the stack. */
static void read_input(lua_State *L, struct asking *asking)
{
    static const struct {
        const char *name;
        void (*read)(lua_State *L, int table, struct question *question);
    } kinds[] = { { "ask", read_ask }, { "sample", read_sample }, { "roots", read_roots } };
    struct question *question = &asking->items[asking->count++];
    int pair = lua_gettop(L);
    bool found = false;

    if (lua_type(L, pair - 1) != LUA_TSTRING || !lua_istable(L, pair))
        luaL_error(L, "inputs are given as name = {ask = {...}}, {sample = {...}} or {roots = {}}");
    for (size_t i = 0; i < countof(kinds); i++) {
        if (lua_getfield(L, pair, kinds[i].name) == LUA_TTABLE && !found) {
            kinds[i].read(L, pair + 1, question);
            read_options(L, pair + 1, asking, question);
            found = true;
        }
        lua_settop(L, pair);
    }
    if (!found)
        luaL_error(L, "input '%s': one of ask, sample and roots is expected",
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
        read_input(L, &waiting->asking);
    qsort(waiting->asking.items, waiting->asking.count, sizeof *waiting->asking.items, by_key);
    lua_remove(L, 2);
    return ask(L);
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

void call_ask_init(struct vm *vm)
{
    static const luaL_Reg meta[] = { { "__gc", waiting_gc }, { NULL, NULL } };
    lua_State *L = vm_lua(vm);

    lua_newtable(L);
    luaL_setfuncs(L, meta, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &waiting_key);
}
