/* Options of call:ask and the like, as the request that a client gets. Wrong ones raise. */
#include "registry/call/question.h"

#include <lauxlib.h>
#include <math.h>

#include "base/distance.h"
#include "json/writer.h"
#include "script/bind.h"
#include "script/value.h"

enum { ASK_SECONDS_MAX = 86400 };

static int bad_question_field(lua_State *L, const char *name, const char *what)
{
    return luaL_error(L, "%s: %s", name, what);
}

/* Raises unless every text among the keys of the table is in the list. */
static void check_question_keys(lua_State *L, int table, const char *const *names, const char *what)
{
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "(a number)";
        struct nearest_name nearest = { .typed = key };

        for (size_t i = 0; names[i]; i++)
            nearest_name_try(&nearest, names[i]);
        if (!nearest.found || strcmp(nearest.found, key) != 0)
            luaL_error(L, "unknown field '%s' in %s%s", key, what,
                       nearest_name_text(&nearest).text);
    }
}

/* ,"NAME":VALUE of the table's field, if it has one. */
static bool add_question_field(lua_State *L, int table, const char *name, struct buf *out)
{
    struct error err;
    bool is = lua_getfield(L, table, name) != LUA_TNIL;

    if (is) {
        buf_addf(out, "%s\"%s\":", out->len > 1 ? "," : "", name);
        if (!value_write_json(L, -1, out, &err))
            bad_question_field(L, name, err.text);
    }
    lua_pop(L, 1);
    return is;
}

static bool is_text_among(const cJSON *node, const char *const *texts)
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

    if (!is_text_among(json_get(schema, "type"), object) ||
        !cJSON_IsObject(json_get(schema, "properties")))
        return "schema: expected an object with properties. Make one with schema.object{...}";
    cJSON_ArrayForEach (property, json_get(schema, "properties")) {
        const cJSON *type = json_get(property, "type");

        if (!is_text_among(type, plain) &&
            !(is_text_among(type, list) && json_get(property, "items")))
            return "schema: a form may have only strings, numbers, booleans and choices, nothing "
                   "nested";
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
        bad_question_field(
            L, "schema",
            "expected a JSON Schema table. To send the user to a page, pass url instead");
    if (!value_write_json(L, -1, text, &err))
        bad_question_field(L, "schema", err.text);
    doc = json_parse(text->data, text->len, NULL, &err);
    lua_pop(L, 2);
    if (doc) {
        wrong = wrong_form(json_root(doc));
        question->schema = wrong ? NULL : schema_compile_strict(json_root(doc), &err);
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
        bad_question_field(L, "schema", err.text);
}

void question_read_ask(lua_State *L, int table, struct question *question)
{
    static const char *const names[] = { "message", "schema", "url", "key", "timeout", NULL };

    check_question_keys(L, table, names, "a question");
    buf_addc(&question->params, '{');
    if (!add_question_field(L, table, "message", &question->params))
        bad_question_field(L, "message", "the text for the user is missing");
    question->kind = add_question_field(L, table, "url", &question->params) ? ASK_URL : ASK_FORM;
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

void question_read_sample(lua_State *L, int table, struct question *question)
{
    static const char *const names[] = {
        "prompt",           "messages",    "maxTokens",     "systemPrompt",
        "modelPreferences", "temperature", "stopSequences", "includeContext",
        "metadata",         "tools",       "toolChoice",    "key",
        "timeout",          NULL
    };
    struct buf *out = &question->params;

    check_question_keys(L, table, names, "a sample");
    buf_addc(out, '{');
    if (!add_prompt(L, table, out) && !add_question_field(L, table, "messages", out))
        bad_question_field(L, "prompt",
                           "expected a string. For a conversation, pass messages instead");
    if (!add_question_field(L, table, "maxTokens", out))
        buf_lit(out, ",\"maxTokens\":1000");
    for (size_t i = 3; i < 9; i++)
        add_question_field(L, table, names[i], out);
    question->kind = add_question_field(L, table, "tools", out) ? ASK_SAMPLE_TOOLS : ASK_SAMPLE;
    add_question_field(L, table, "toolChoice", out);
    buf_addc(out, '}');
}

void question_read_roots(lua_State *L, int table, struct question *question)
{
    static const char *const names[] = { "key", "timeout", NULL };

    if (table)
        check_question_keys(L, table, names, "roots");
    question->kind = ASK_ROOTS;
    buf_lit(&question->params, "{}");
}

/* `key` and `timeout`, which any question may have. */
void question_read_options(lua_State *L, int table, struct elicitation *elicitation,
                           struct question *question)
{
    if (lua_getfield(L, table, "key") == LUA_TSTRING) {
        if (!lua_rawlen(L, -1) || lua_rawlen(L, -1) > 64)
            bad_question_field(L, "key", "expected 1 to 64 bytes");
        question->key = mem_strdup(lua_tostring(L, -1));
    } else if (!lua_isnil(L, -1)) {
        bad_question_field(L, "key", "expected a string");
    }
    if (lua_getfield(L, table, "timeout") != LUA_TNIL) {
        lua_Number seconds = lua_tonumber(L, -1);

        if (!(seconds > 0 && seconds <= ASK_SECONDS_MAX))
            bad_question_field(L, "timeout", "more than 0, at most 86400 seconds");
        elicitation->timeout_ms = (uint64_t)ceil(seconds * 1000);
    }
    lua_pop(L, 2);
}
