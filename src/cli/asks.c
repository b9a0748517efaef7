/* A task of its own asks, so that its waits are those of any Lua code; it gives the answers as JSON
 * text, as a client would send them. */
#include "cli/asks.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "registry/mount.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/vm.h"

struct asks {
    struct elicitation *elicitation; /* borrowed; NULL: nobody waits for the answers any more */
    struct task *task;
};

/* Is there one whose user sees what is asked? */
static bool has_terminal(void)
{
    int fd = terminal_is(stderr) ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;
    bool is = fd >= 0 && tcgetpgrp(fd) == getpgrp();

    if (fd >= 0)
        close(fd);
    return is;
}

bool asks_can(int kind)
{
    return (kind == ASK_FORM || kind == ASK_URL) && has_terminal();
}

/* --- the answers ------------------------------------------------------------------------- */

static bool take_form_answers(struct elicitation *elicitation, struct str text, struct error *err)
{
    struct json_doc *doc = json_parse(text.ptr, text.len, NULL, err);
    const cJSON *answer = doc ? json_root(doc)->child : NULL;
    bool ok = doc != NULL;

    for (size_t i = 0; ok && i < elicitation->count; i++) {
        ok = question_take(&elicitation->items[i], answer, err);
        answer = answer ? answer->next : NULL;
    }
    json_doc_free(doc);
    return ok;
}

/* Reads the function's results: JSON text; or nil, text, code. */
static void read_form_results(struct elicitation *elicitation, lua_State *L, int nresults)
{
    struct str text = { NULL, 0 };

    if (nresults >= 1 && lua_type(L, -nresults) == LUA_TSTRING)
        text.ptr = lua_tolstring(L, -nresults, &text.len);
    if (text.ptr)
        take_form_answers(elicitation, text, &elicitation->err);
    else if (nresults >= 3 && lua_type(L, 1 - nresults) == LUA_TSTRING &&
             lua_type(L, 2 - nresults) == LUA_TSTRING)
        error_set(&elicitation->err, lua_tostring(L, 2 - nresults), "%s",
                  lua_tostring(L, 1 - nresults));
    else
        error_set(&elicitation->err, "bad_answer", "the terminal gave no answer");
}

static void on_elicitation_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct asks *asks = arg;
    struct elicitation *elicitation = asks->elicitation;

    free(asks);
    if (!elicitation)
        return;
    elicitation->session = NULL;
    if (end == TASK_CANCELLED)
        return; /* the program ends, and with it who asked */
    if (end == TASK_DONE)
        read_form_results(elicitation, task_lua(task), nresults);
    else if (end == TASK_TIMED_OUT)
        error_set(&elicitation->err, "timeout", "There was no answer within %g s",
                  (double)elicitation->timeout_ms / 1000);
    else
        task_error(task, &elicitation->err, NULL);
    elicitation_done(elicitation);
}

/* --- the questions ------------------------------------------------------------------------- */

static bool is_required(const cJSON *schema, const char *name)
{
    const cJSON *each;

    cJSON_ArrayForEach (each, json_get(schema, "required"))
        if (cJSON_IsString(each) && strcmp(each->valuestring, name) == 0)
            return true;
    return false;
}

/* question.fields = { { name =, schema =, required = }, ... }, in the order of the schema */
static void set_fields(lua_State *L, const cJSON *schema)
{
    const cJSON *property;
    lua_Integer n = 0;

    lua_newtable(L);
    cJSON_ArrayForEach (property, json_get(schema, "properties")) {
        lua_createtable(L, 0, 3);
        lua_pushstring(L, property->string);
        lua_setfield(L, -2, "name");
        value_push_json(L, property);
        lua_setfield(L, -2, "schema");
        lua_pushboolean(L, is_required(schema, property->string));
        lua_setfield(L, -2, "required");
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "fields");
}

/* { message =, url = | fields = } */
static void push_question(lua_State *L, const struct question *question)
{
    struct json_doc **doc = bind_document(L);
    struct error err;

    *doc = json_parse(question->params.data, question->params.len, NULL, &err);
    if (!*doc)
        luaL_error(L, "%s", err.text);
    lua_createtable(L, 0, 2);
    value_push_json(L, json_get(json_root(*doc), "message"));
    lua_setfield(L, -2, "message");
    if (question->kind == ASK_URL) {
        value_push_json(L, json_get(json_root(*doc), "url"));
        lua_setfield(L, -2, "url");
    } else {
        set_fields(L, json_get(json_root(*doc), "requestedSchema"));
    }
    lua_remove(L, -2);
}

/* (module, elicitation) -> module.answer, questions */
static int push_form_call(lua_State *L)
{
    const struct elicitation *elicitation = lua_touserdata(L, 2);

    lua_getfield(L, 1, "answer");
    lua_createtable(L, (int)elicitation->count, 0);
    for (size_t i = 0; i < elicitation->count; i++) {
        push_question(L, &elicitation->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 2;
}

/* Leaves function and argument on the main state. */
static bool push_form(struct registry *registry, struct elicitation *elicitation, struct error *err)
{
    struct vm *vm = registry_vm(registry);
    lua_State *L = vm_lua(vm);

    if (!registry_require(registry, 0, "cli.form", SANDBOX_LOAD_MS, err))
        return false;
    lua_pushcfunction(L, push_form_call);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, elicitation);
    return vm_call(vm, 2, 2, 0, err);
}

static bool check_kinds(const struct elicitation *elicitation, struct error *err)
{
    for (size_t i = 0; i < elicitation->count; i++) {
        enum ask_kind kind = elicitation->items[i].kind;

        if (kind != ASK_FORM && kind != ASK_URL)
            return error_set(
                err, "missing_capability",
                "a terminal has no answer to %s. Call the tool from an MCP client that "
                "supports it",
                question_method(&elicitation->items[i]));
    }
    if (has_terminal())
        return true;
    return error_set(
        err, "missing_capability",
        "no user can be asked: this call was not made by an MCP client, and there is no "
        "terminal. Run the command on a terminal, or call the tool from an MCP client "
        "that supports elicitation");
}

bool asks_put(struct registry *registry, struct elicitation *elicitation, struct error *err)
{
    struct asks *asks;

    if (!check_kinds(elicitation, err) || !push_form(registry, elicitation, err))
        return false;
    asks = mem_zero(sizeof *asks);
    asks->elicitation = elicitation;
    asks->task = task_new(vm_lua(registry_vm(registry)), 1,
                          &(struct task_spec){ .name = "asking on the terminal",
                                               .timeout_ms = elicitation->timeout_ms,
                                               .ended = on_elicitation_ended,
                                               .arg = asks },
                          err);
    if (!asks->task) {
        free(asks);
        return false;
    }
    elicitation->session = asks;
    progress_clear();
    output_flush(); /* earlier output comes before the question */
    task_go_later(asks->task);
    return true;
}

void asks_drop(struct elicitation *elicitation)
{
    struct asks *asks = elicitation->session;

    if (!asks)
        return;
    asks->elicitation = NULL;
    elicitation->session = NULL;
    task_cancel(asks->task);
}
