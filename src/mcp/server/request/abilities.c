/* Capabilities into bits, and back into the words of an error. */
#include "mcp/server/request/abilities.h"

#include "mcp/server/request/reply.h"
#include "mcp/versions.h"

unsigned abilities_read(const cJSON *capabilities)
{
    const cJSON *elicitation = json_given(capabilities, "elicitation");
    const cJSON *sampling = json_given(capabilities, "sampling");
    bool url = cJSON_IsObject(json_given(elicitation, "url"));
    unsigned abilities = 0;

    /* an empty object is how revisions before modes said "forms" */
    if (cJSON_IsObject(elicitation) && (!url || json_given(elicitation, "form")))
        abilities |= 1u << ASK_FORM;
    if (url)
        abilities |= 1u << ASK_URL;
    if (cJSON_IsObject(elicitation) && !elicitation->child)
        abilities |= ABILITY_VAGUE;
    if (cJSON_IsObject(sampling))
        abilities |= 1u << ASK_SAMPLE;
    if (cJSON_IsObject(json_given(sampling, "tools")))
        abilities |= 1u << ASK_SAMPLE_TOOLS;
    if (cJSON_IsObject(json_given(capabilities, "roots")))
        abilities |= 1u << ASK_ROOTS;
    if (cJSON_IsObject(json_given(json_given(capabilities, "extensions"), MCP_TASKS)))
        abilities |= ABILITY_TASKS;
    return abilities;
}

unsigned abilities_of(const struct request *request)
{
    const cJSON *meta = json_given(request->params, "_meta");

    return request->modern ? abilities_read(json_given(meta, MCP_META_CAPS))
                           : request->session->abilities;
}

const char *abilities_required(enum ask_kind kind)
{
    static const char *const data[] = {
        [ASK_FORM] = "{\"requiredCapabilities\":{\"elicitation\":{}}}",
        [ASK_URL] = "{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}",
        [ASK_SAMPLE] = "{\"requiredCapabilities\":{\"sampling\":{}}}",
        [ASK_SAMPLE_TOOLS] = "{\"requiredCapabilities\":{\"sampling\":{\"tools\":{}}}}",
        [ASK_ROOTS] = "{\"requiredCapabilities\":{\"roots\":{}}}",
    };

    return data[kind];
}

void abilities_refuse_tasks(const struct request *request)
{
    reply_error(request, RPC_MISSING_CAPABILITY,
                "{\"requiredCapabilities\":{\"extensions\":{\"" MCP_TASKS "\":{}}}}",
                "This requires a client that supports tasks (extension " MCP_TASKS
                "), which this request does not declare");
}
