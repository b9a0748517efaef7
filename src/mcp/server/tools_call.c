/* tools/call. */
#include <stdlib.h>

#include "mcp/server/call/input_required.h"
#include "mcp/server/call/pending_start.h"
#include "mcp/server/mcp_task_methods.h"
#include "mcp/server/methods.h"
#include "mcp/server/notices.h"
#include "mcp/server/request/reply.h"
#include "registry/call/arguments.h"
#include "registry/call/outcome.h"
#include "script/value.h"

/* The sender's mistake is worth a word: what worked here may not work elsewhere. */
static void add_from_text(const char *names, struct buf *out, size_t from)
{
    char *text = mem_printf("Read as JSON, because a string is not allowed there: %s.", names);

    reply_add_text(out, from, text);
    free(text);
}

static void answer_call(struct pending *pending, const struct outcome *outcome)
{
    struct buf *out = reply_begin(&pending->request);
    struct buf meta = { 0 };
    size_t from = out->len;

    outcome_show(outcome, out, &meta, pending->request.modern);
    if (pending->from_text)
        add_from_text(pending->from_text, out, from);
    notices_add(pending, out, from);
    reply_end(&pending->request, out, false, &meta);
    buf_free(&meta);
}

static void on_tool_done(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    struct outcome capped = *outcome;

    capped.cap = pending->server->cap;
    if (pending->as_task && !pending->cancelled)
        mcp_task_finish(pending->as_task, &capped);
    else if (!pending->as_task && !pending_answer_refusal(pending, &capped))
        answer_call(pending, &capped);
    if (!pending->as_task && pending->request.session && !outcome->failed &&
        notices_ride(outcome->entry))
        notices_begin(pending->request.session);
    pending_free(pending);
}

static void refuse_arguments(const struct request *request, const struct entry *entry,
                             struct mcp_task *task, const struct error *err)
{
    char *text = mem_printf("Invalid arguments for %s: %s", entry->name, err->text);
    struct buf meta = { 0 };
    struct buf *out;

    call_refused(&(struct call_refused){ .tool = entry->name,
                                         .caller = session_caller(request->session),
                                         .args = json_given(request->params, "arguments"),
                                         .why = text,
                                         .code = "invalid_arguments" });
    if (task) {
        mcp_task_refuse(task, entry, text, "invalid_arguments");
    } else {
        out = reply_begin(request);
        outcome_write_error(entry, out, &meta, text, strlen(text), "invalid_arguments");
        reply_end(request, out, false, &meta);
        buf_free(&meta);
    }
    free(text);
}

/* A task, or another call that may take long, has a time to live in place of a limit. */
static struct call_spec tool_spec(const struct server *server, struct entry *entry,
                                  const cJSON *args, bool lives)
{
    return (struct call_spec){ .entry = entry,
                               .args = args,
                               .timeout_ms = entry->timeout_ms ? 0 : server->timeout_ms,
                               .unlimited = (lives || entry->console) && !entry->timeout_ms,
                               .done = on_tool_done };
}

/* Starts the call with arguments that are not checked yet. False: err. */
static bool call_checked(struct pending *pending, const struct outcome *found, struct error *err)
{
    bool lives = pending->as_task || pending->may_be_task;
    struct caller *caller = session_caller(pending->request.session);
    struct json_doc *doc = NULL, *read = NULL;
    struct buf json = { 0 }, names = { 0 };
    const cJSON *args;
    bool ok = value_write_json(found->L, found->value, &json, err) &&
              (doc = json_parse(json.data, json.len, NULL, err));

    args = json_root(doc);
    ok = ok && arguments_take(found->entry, caller, &args, &read, &names, err);
    if (ok) {
        struct call_spec spec = tool_spec(pending->server, found->entry, args, lives);

        spec.caller = caller;
        if (names.len && !pending->from_text)
            pending->from_text = mem_strdup(buf_text(&names));
        pending_call(pending, &spec);
    }
    json_doc_free(read);
    json_doc_free(doc);
    buf_free(&json);
    buf_free(&names);
    return ok;
}

/* The arguments have what they referred to, or it cannot be found. */
static void on_referred(void *arg, const struct outcome *outcome)
{
    struct outcome refused = *outcome;
    struct pending *pending = arg;
    struct error err = outcome->err;

    if (pending->cancelled || !pending->request.session) {
        on_tool_done(arg, outcome);
        return;
    }
    if (!outcome->failed && call_checked(pending, outcome, &err))
        return;
    if (!outcome->failed)
        error_set(&refused.err, "invalid_arguments", "Invalid arguments for %s: %s",
                  outcome->entry->name, err.text);
    refused.failed = true;
    refused.value = outcome->failed ? outcome->value : 0;
    call_refused(&(struct call_refused){ .tool = outcome->entry->name,
                                         .caller = session_caller(pending->request.session),
                                         .why = refused.err.text,
                                         .code = refused.err.code });
    on_tool_done(arg, &refused);
}

static void start_tool_call(const struct request *request, struct entry *entry, const cJSON *args,
                            bool refers, const struct start *start)
{
    const struct server *server = request->session->server;
    struct call_spec spec = tool_spec(server, entry, args, start->task || start->may_be_task);
    struct arguments_given given = { entry, args };

    if (refers)
        spec = (struct call_spec){ .entry = entry,
                                   .own = true,
                                   .push = arguments_push_references,
                                   .pushed = &given,
                                   .done = on_referred };
    pending_start(request, start, &spec);
}

/* Answers with a protocol error. */
static void refuse_tool_call(const struct request *request, const char *name, const char *text,
                             const char *code)
{
    call_refused(&(struct call_refused){ .tool = name,
                                         .caller = session_caller(request->session),
                                         .args = json_given(request->params, "arguments"),
                                         .why = text,
                                         .code = code });
    reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", text);
}

static bool find_tool(const struct request *request, struct entry **entry)
{
    const struct generation *generation = registry_current(request->session->server->registry);
    const cJSON *name = json_given(request->params, "name");
    char *text;

    if (!cJSON_IsString(name)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "tools/call needs params.name, a string");
        return false;
    }
    *entry = (request->session->server->console ? generation_any_tool
                                                : generation_tool)(generation, name->valuestring);
    if (*entry && (*entry)->here)
        return true;
    text = mem_printf("Tool %.128s %s%s", name->valuestring,
                      *entry ? "is not available on this platform" : "not found",
                      *entry ? ""
                             : generation_nearest(generation, ENTRY_TOOL, name->valuestring).text);
    refuse_tool_call(request, name->valuestring, text, *entry ? "wrong_platform" : "unknown_tool");
    free(text);
    return false;
}

/* notices=false is an argument of every tool that they ride on, beside those of its schema. */
static bool take_quiet(const struct entry *entry, const cJSON *args)
{
    cJSON *wanted = notices_ride(entry) ? (cJSON *)json_get(args, "notices") : NULL;

    if (!cJSON_IsBool(wanted))
        return false;
    json_take_out((cJSON *)args, wanted);
    return cJSON_IsFalse(wanted);
}

/* Some clients write the whole object as a string, too. */
static const cJSON *given_arguments(const struct request *request, struct json_doc **text)
{
    const cJSON *args = json_given(request->params, "arguments");
    struct str json = json_string(args);

    *text = cJSON_IsString(args) ? json_parse(json.ptr, json.len, NULL, NULL) : NULL;
    return cJSON_IsObject(json_root(*text)) ? json_root(*text) : args;
}

/* Starts the call with arguments that may be read from strings; `names` has theirs then. */
static void call_tool(struct request *request, struct entry *entry, const cJSON *args,
                      struct buf *names)
{
    struct json_doc *read = NULL;
    struct start how = { 0 };
    struct input_round round;
    struct error err;
    bool refers;

    if (!mcp_task_settle(request, entry, &how.task, &how.may_be_task))
        return;
    how.quiet = take_quiet(entry, args);
    refers = arguments_refer(args);
    if (!refers &&
        !arguments_take(entry, session_caller(request->session), &args, &read, names, &err)) {
        refuse_arguments(request, entry, how.task, &err);
    } else if (input_round_read(request, &round)) {
        how.round = &round;
        how.from_text = names->len ? buf_text(names) : NULL;
        start_tool_call(request, entry, args, refers, &how);
    }
    json_doc_free(read);
}

void method_tools_call(struct request *request)
{
    struct buf names = { 0 };
    struct json_doc *text;
    const cJSON *args;
    struct entry *entry;

    if (!find_tool(request, &entry))
        return;
    args = given_arguments(request, &text);
    if (json_root(text) && args == json_root(text))
        buf_lit(&names, "arguments");
    if (args && !cJSON_IsObject(args))
        refuse_tool_call(request, entry->name, "params.arguments must be an object",
                         "invalid_arguments");
    else
        call_tool(request, entry, args, &names);
    json_doc_free(text);
    buf_free(&names);
}
