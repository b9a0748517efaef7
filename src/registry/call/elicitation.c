/* Checks answers (MCP, client features: elicitation, sampling, roots). */
#include "registry/call/elicitation.h"

#include <stdlib.h>

const char *question_method(const struct question *question)
{
    switch (question->kind) {
    case ASK_FORM:
    case ASK_URL:
        return "elicitation/create";
    case ASK_ROOTS:
        return "roots/list";
    default:
        return "sampling/createMessage";
    }
}

static bool check_elicited(const struct question *question, const cJSON *result, struct error *err)
{
    const cJSON *action = json_given(result, "action");
    const cJSON *content = json_given(result, "content");
    const char *name = cJSON_IsString(action) ? action->valuestring : "";
    struct error inner;

    if (strcmp(name, "decline") == 0 || strcmp(name, "cancel") == 0)
        return true;
    if (strcmp(name, "accept") != 0)
        return error_set(err, "bad_answer",
                         "the client's answer has no action \"accept\", \"decline\" or \"cancel\"");
    if (question->kind == ASK_URL)
        return true;
    if (!cJSON_IsObject(content))
        return error_set(err, "bad_answer", "the client accepted without content, an object");
    if (question->schema && !schema_check(question->schema, content, &inner))
        return error_set(err, "bad_answer", "the client's answer does not fit the form: %s",
                         inner.text);
    return true;
}

static bool check_sample(const cJSON *result, struct error *err)
{
    const cJSON *content = json_given(result, "content");

    if (cJSON_IsString(json_given(result, "role")) &&
        (cJSON_IsObject(content) || cJSON_IsArray(content)))
        return true;
    return error_set(err, "bad_answer", "the client's completion lacks role or content");
}

static bool check_roots(const cJSON *result, struct error *err)
{
    const cJSON *roots = json_given(result, "roots");
    const cJSON *root;

    if (!cJSON_IsArray(roots))
        return error_set(err, "bad_answer", "the client's answer has no list of roots");
    cJSON_ArrayForEach (root, roots)
        if (!cJSON_IsString(json_given(root, "uri")))
            return error_set(err, "bad_answer", "a root of the client's answer has no uri");
    return true;
}

bool question_take(struct question *question, const cJSON *result, struct error *err)
{
    bool ok;

    if (!cJSON_IsObject(result))
        return error_set(err, "bad_answer", "the client's answer is not an object");
    if (question->kind == ASK_FORM || question->kind == ASK_URL)
        ok = check_elicited(question, result, err);
    else if (question->kind == ASK_ROOTS)
        ok = check_roots(result, err);
    else
        ok = check_sample(result, err);
    if (!ok)
        return false;
    json_doc_free(question->answer);
    question->answer = json_copy(result, err);
    return question->answer != NULL;
}

bool elicitation_answered(const struct elicitation *elicitation)
{
    for (size_t i = 0; i < elicitation->count; i++)
        if (!elicitation->items[i].answer)
            return false;
    return true;
}
