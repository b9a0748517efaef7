/* The shapes of what servers send, of all revisions from 2024-11-05 to 2026-07-28 together
 * (schema.ts of https://github.com/modelcontextprotocol/modelcontextprotocol). Where servers in use
 * leave out what the schema requires and nothing depends on it, it is optional here. */
#include "json/document.h"
#include "mcp/shape.h"
#include "mcp/versions.h"

#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, SHAPE_OPTIONAL                                                                 \
    }

#define OPTIONAL(name, shape)                                                                      \
    {                                                                                              \
        name, shape, SHAPE_OPTIONAL                                                                \
    }
#define STRICT(name, shape)                                                                        \
    {                                                                                              \
        name, shape, SHAPE_STRICT                                                                  \
    }
#define REQUIRED(name, shape)                                                                      \
    {                                                                                              \
        name, shape, SHAPE_REQUIRED                                                                \
    }

static const struct shape any = { 0 };
static const struct shape text = { .types = SHAPE_TEXT };
static const struct shape number = { .types = SHAPE_NUMBER };
static const struct shape truth = { .types = SHAPE_TRUTH };
static const struct shape object = { .types = SHAPE_OBJECT };
static const struct shape texts = { .types = SHAPE_LIST, .items = &text };
static const struct shape objects = { .types = SHAPE_LIST, .items = &object, .picky = true };

/* --- JSON Schema, draft 4 to 2020-12: what is read of it ----------------------------------- */

static const struct shape number_or_truth = { .types = SHAPE_NUMBER | SHAPE_TRUTH };
static const struct shape text_or_texts = { .types = SHAPE_TEXT | SHAPE_LIST, .items = &text };
static const struct shape all_values = { .types = SHAPE_LIST };
static const struct shape any_schema, schemas, schema_or_schemas, schema_map;

static const struct shape_member schema_members[] = {
    OPTIONAL("type", &text_or_texts),
    OPTIONAL("title", &text),
    OPTIONAL("description", &text),
    OPTIONAL("format", &text),
    OPTIONAL("pattern", &text),
    OPTIONAL("$ref", &text),
    OPTIONAL("enum", &all_values),
    OPTIONAL("required", &texts),
    OPTIONAL("minimum", &number),
    OPTIONAL("maximum", &number),
    OPTIONAL("exclusiveMinimum", &number_or_truth),
    OPTIONAL("exclusiveMaximum", &number_or_truth),
    OPTIONAL("multipleOf", &number),
    OPTIONAL("minLength", &number),
    OPTIONAL("maxLength", &number),
    OPTIONAL("minItems", &number),
    OPTIONAL("maxItems", &number),
    OPTIONAL("minProperties", &number),
    OPTIONAL("maxProperties", &number),
    OPTIONAL("allOf", &schemas),
    OPTIONAL("anyOf", &schemas),
    OPTIONAL("oneOf", &schemas),
    OPTIONAL("prefixItems", &schemas),
    OPTIONAL("items", &schema_or_schemas),
    OPTIONAL("properties", &schema_map),
    OPTIONAL("patternProperties", &schema_map),
    OPTIONAL("$defs", &schema_map),
    OPTIONAL("definitions", &schema_map),
    OPTIONAL("additionalProperties", &any_schema),
    END
};

static const struct shape any_schema = { .types = SHAPE_OBJECT | SHAPE_TRUTH,
                                         .members = schema_members };
static const struct shape schemas = { .types = SHAPE_LIST, .items = &any_schema };
static const struct shape schema_map = { .types = SHAPE_OBJECT,
                                         .values = &any_schema,
                                         .picky = true };
static const struct shape schema = { .types = SHAPE_OBJECT, .members = schema_members };

static const struct shape *schema_by_type(const cJSON *node)
{
    return cJSON_IsArray(node) ? &schemas : &any_schema;
}

static const struct shape schema_or_schemas = { .types = SHAPE_OBJECT | SHAPE_TRUTH | SHAPE_LIST,
                                                .more = schema_by_type };

/* --- what several have ---------------------------------------------------------------------- */

static const struct shape_member info_members[] = { OPTIONAL("name", &text),
                                                    OPTIONAL("title", &text),
                                                    OPTIONAL("version", &text),
                                                    OPTIONAL("description", &text),
                                                    OPTIONAL("websiteUrl", &text),
                                                    OPTIONAL("icons", &objects),
                                                    END };
static const struct shape info = { .types = SHAPE_OBJECT, .members = info_members };

static const struct shape_member meta_members[] = { OPTIONAL(MCP_META_SERVER, &info), END };
static const struct shape meta = { .types = SHAPE_OBJECT, .members = meta_members };

static const struct shape_member hint_members[] = { OPTIONAL("audience", &texts),
                                                    OPTIONAL("priority", &number),
                                                    OPTIONAL("lastModified", &text), END };
static const struct shape hints = { .types = SHAPE_OBJECT, .members = hint_members };

/* --- tools, prompts, resources, templates ----------------------------------------------------- */

static const struct shape_member tool_hint_members[] = { OPTIONAL("title", &text),
                                                         OPTIONAL("readOnlyHint", &truth),
                                                         OPTIONAL("destructiveHint", &truth),
                                                         OPTIONAL("idempotentHint", &truth),
                                                         OPTIONAL("openWorldHint", &truth),
                                                         END };
static const struct shape tool_hints = { .types = SHAPE_OBJECT, .members = tool_hint_members };
static const struct shape_member execution_members[] = { OPTIONAL("taskSupport", &text), END };
static const struct shape execution = { .types = SHAPE_OBJECT, .members = execution_members };

static const struct shape_member tool_members[] = {
    REQUIRED("name", &text),           OPTIONAL("title", &text),
    OPTIONAL("description", &text),    OPTIONAL("inputSchema", &schema),
    OPTIONAL("outputSchema", &schema), OPTIONAL("annotations", &tool_hints),
    OPTIONAL("execution", &execution), OPTIONAL("icons", &objects),
    OPTIONAL("_meta", &meta),          END
};
static const struct shape tool = { .types = SHAPE_OBJECT, .members = tool_members };
static const struct shape tools = { .types = SHAPE_LIST, .items = &tool, .picky = true };

static const struct shape_member argument_members[] = { REQUIRED("name", &text),
                                                        OPTIONAL("title", &text),
                                                        OPTIONAL("description", &text),
                                                        OPTIONAL("required", &truth), END };
static const struct shape argument = { .types = SHAPE_OBJECT, .members = argument_members };
static const struct shape arguments = { .types = SHAPE_LIST, .items = &argument, .picky = true };

static const struct shape_member prompt_members[] = { REQUIRED("name", &text),
                                                      OPTIONAL("title", &text),
                                                      OPTIONAL("description", &text),
                                                      OPTIONAL("arguments", &arguments),
                                                      OPTIONAL("icons", &objects),
                                                      OPTIONAL("_meta", &meta),
                                                      END };
static const struct shape prompt = { .types = SHAPE_OBJECT, .members = prompt_members };
static const struct shape prompts = { .types = SHAPE_LIST, .items = &prompt, .picky = true };

#define RESOURCE_MEMBERS                                                                           \
    OPTIONAL("title", &text), OPTIONAL("description", &text), OPTIONAL("mimeType", &text),         \
        OPTIONAL("size", &number), OPTIONAL("annotations", &hints), OPTIONAL("icons", &objects),   \
        OPTIONAL("_meta", &meta), END

static const struct shape_member resource_members[] = { REQUIRED("uri", &text),
                                                        REQUIRED("name", &text), RESOURCE_MEMBERS };
static const struct shape resource = { .types = SHAPE_OBJECT, .members = resource_members };
static const struct shape resources = { .types = SHAPE_LIST, .items = &resource, .picky = true };

static const struct shape_member template_members[] = { REQUIRED("uriTemplate", &text),
                                                        REQUIRED("name", &text), RESOURCE_MEMBERS };
static const struct shape template = { .types = SHAPE_OBJECT, .members = template_members };
static const struct shape templates = { .types = SHAPE_LIST, .items = &template, .picky = true };

/* --- content -------------------------------------------------------------------- */

static const struct shape_member contents_members[] = {
    REQUIRED("uri", &text), OPTIONAL("mimeType", &text), STRICT("text", &text),
    STRICT("blob", &text),  OPTIONAL("_meta", &meta),    END
};
static const struct shape contents = { .types = SHAPE_OBJECT, .members = contents_members };
static const struct shape contents_list = { .types = SHAPE_LIST, .items = &contents };

static const struct shape_member text_members[] = { REQUIRED("text", &text), END };
static const struct shape text_block = { .types = SHAPE_OBJECT, .members = text_members };
static const struct shape_member data_members[] = { REQUIRED("data", &text),
                                                    REQUIRED("mimeType", &text), END };
static const struct shape data_block = { .types = SHAPE_OBJECT, .members = data_members };
static const struct shape_member embedded_members[] = { REQUIRED("resource", &contents), END };
static const struct shape embedded = { .types = SHAPE_OBJECT, .members = embedded_members };
static const struct shape_member link_members[] = { REQUIRED("uri", &text), OPTIONAL("name", &text),
                                                    RESOURCE_MEMBERS };
static const struct shape link_block = { .types = SHAPE_OBJECT, .members = link_members };
static const struct shape_member use_members[] = { REQUIRED("id", &text), REQUIRED("name", &text),
                                                   STRICT("input", &object), END };
static const struct shape use_block = { .types = SHAPE_OBJECT, .members = use_members };
static const struct shape block_or_blocks, blocks;
static const struct shape_member used_members[] = { REQUIRED("toolUseId", &text),
                                                    STRICT("content", &blocks),
                                                    STRICT("isError", &truth), END };
static const struct shape used_block = { .types = SHAPE_OBJECT, .members = used_members };

/* A type that none of these is passes: a later revision may have it. */
static const struct shape *block_by_type(const cJSON *node)
{
    static const struct {
        const char *type;
        const struct shape *shape;
    } kinds[] = { { "text", &text_block },          { "image", &data_block },
                  { "audio", &data_block },         { "resource", &embedded },
                  { "resource_link", &link_block }, { "tool_use", &use_block },
                  { "tool_result", &used_block } };
    const char *type = cJSON_GetStringValue(json_get(node, "type"));

    for (size_t i = 0; type && i < countof(kinds); i++) {
        if (strcmp(kinds[i].type, type) == 0)
            return kinds[i].shape;
    }
    return NULL;
}

static const struct shape_member block_members[] = { REQUIRED("type", &text),
                                                     OPTIONAL("annotations", &hints),
                                                     OPTIONAL("_meta", &meta), END };
static const struct shape block = { .types = SHAPE_OBJECT,
                                    .members = block_members,
                                    .more = block_by_type };
static const struct shape blocks = { .types = SHAPE_LIST, .items = &block };

static const struct shape *one_or_several(const cJSON *node)
{
    return cJSON_IsArray(node) ? &blocks : &block;
}

static const struct shape block_or_blocks = { .types = SHAPE_OBJECT | SHAPE_LIST,
                                              .more = one_or_several };

static const struct shape_member said_members[] = { REQUIRED("role", &text),
                                                    REQUIRED("content", &block_or_blocks), END };
static const struct shape said = { .types = SHAPE_OBJECT, .members = said_members };
static const struct shape all_said = { .types = SHAPE_LIST, .items = &said };

/* --- results -------------------------------------------------------------------- */

#define LIST_OF(name, key, list)                                                                   \
    static const struct shape_member name##_members[] = { REQUIRED(key, list),                     \
                                                          OPTIONAL("nextCursor", &text),           \
                                                          OPTIONAL("_meta", &meta), END };         \
    static const struct shape name = { .types = SHAPE_OBJECT, .members = name##_members }

LIST_OF(tool_page, "tools", &tools);
LIST_OF(prompt_page, "prompts", &prompts);
LIST_OF(resource_page, "resources", &resources);
LIST_OF(template_page, "resourceTemplates", &templates);

static const struct shape_member called_members[] = {
    STRICT("content", &blocks), OPTIONAL("structuredContent", &any),
    STRICT("isError", &truth),  STRICT("task", &object),
    OPTIONAL("_meta", &meta),   END
};
static const struct shape called = { .types = SHAPE_OBJECT, .members = called_members };

static const struct shape_member read_members[] = { REQUIRED("contents", &contents_list),
                                                    OPTIONAL("_meta", &meta), END };
static const struct shape read_result = { .types = SHAPE_OBJECT, .members = read_members };

static const struct shape_member rendered_members[] = { OPTIONAL("description", &text),
                                                        REQUIRED("messages", &all_said),
                                                        OPTIONAL("_meta", &meta), END };
static const struct shape rendered = { .types = SHAPE_OBJECT, .members = rendered_members };

static const struct shape_member completion_members[] = { REQUIRED("values", &texts),
                                                          OPTIONAL("total", &number),
                                                          OPTIONAL("hasMore", &truth), END };
static const struct shape completion = { .types = SHAPE_OBJECT, .members = completion_members };
static const struct shape_member completed_members[] = { REQUIRED("completion", &completion),
                                                         OPTIONAL("_meta", &meta), END };
static const struct shape completed = { .types = SHAPE_OBJECT, .members = completed_members };

/* A capability is an object; some servers write true, which says as much. */
static const struct shape capability = { .types = SHAPE_OBJECT | SHAPE_TRUTH };
static const struct shape capabilities = { .types = SHAPE_OBJECT,
                                           .values = &capability,
                                           .picky = true };

static const struct shape_member initialized_members[] = {
    REQUIRED("protocolVersion", &text), OPTIONAL("capabilities", &capabilities),
    OPTIONAL("serverInfo", &info),      OPTIONAL("instructions", &text),
    OPTIONAL("_meta", &meta),           END
};
static const struct shape initialized = { .types = SHAPE_OBJECT, .members = initialized_members };

static const struct shape_member discovered_members[] = { REQUIRED("supportedVersions", &texts),
                                                          OPTIONAL("capabilities", &capabilities),
                                                          OPTIONAL("serverInfo", &info),
                                                          OPTIONAL("instructions", &text),
                                                          OPTIONAL("_meta", &meta),
                                                          END };
static const struct shape discovered = { .types = SHAPE_OBJECT, .members = discovered_members };

/* --- questions ------------------------------------------------------------------ */

static const struct shape_member elicit_members[] = { REQUIRED("message", &text),
                                                      STRICT("requestedSchema", &schema),
                                                      STRICT("url", &text),
                                                      STRICT("mode", &text),
                                                      OPTIONAL("elicitationId", &text),
                                                      OPTIONAL("_meta", &meta),
                                                      END };
static const struct shape elicit = { .types = SHAPE_OBJECT, .members = elicit_members };

static const struct shape_member sample_members[] = { REQUIRED("messages", &all_said),
                                                      OPTIONAL("systemPrompt", &text),
                                                      OPTIONAL("maxTokens", &number),
                                                      OPTIONAL("temperature", &number),
                                                      OPTIONAL("stopSequences", &texts),
                                                      OPTIONAL("includeContext", &text),
                                                      OPTIONAL("modelPreferences", &object),
                                                      OPTIONAL("metadata", &any),
                                                      STRICT("tools", &tools),
                                                      STRICT("toolChoice", &object),
                                                      OPTIONAL("_meta", &meta),
                                                      END };
static const struct shape sample = { .types = SHAPE_OBJECT, .members = sample_members };

static const struct shape_member request_members[] = { REQUIRED("method", &text),
                                                       OPTIONAL("params", &object), END };

static const struct shape *request_by_method(const cJSON *node)
{
    static const struct shape_member elicit_request_members[] = { REQUIRED("params", &elicit),
                                                                  END };
    static const struct shape_member sample_request_members[] = { REQUIRED("params", &sample),
                                                                  END };
    static const struct shape elicit_request = { .members = elicit_request_members };
    static const struct shape sample_request = { .members = sample_request_members };
    const char *method = cJSON_GetStringValue(json_get(node, "method"));
    const struct shape *params = method ? shape_of_question(method) : NULL;

    return params == &elicit ? &elicit_request : params == &sample ? &sample_request : NULL;
}

static const struct shape request = { .types = SHAPE_OBJECT,
                                      .members = request_members,
                                      .more = request_by_method };
static const struct shape requests = { .types = SHAPE_OBJECT, .values = &request };

static const struct shape_member asked_members[] = { STRICT("inputRequests", &requests),
                                                     OPTIONAL("_meta", &meta), END };
static const struct shape asked = { .types = SHAPE_OBJECT, .members = asked_members };

/* --- tasks ---------------------------------------------------------------------- */

static const struct shape time_to_live = { .types = SHAPE_NUMBER | SHAPE_NULL };
static const struct shape_member task_members[] = {
    REQUIRED("taskId", &text),         REQUIRED("status", &text),
    OPTIONAL("statusMessage", &text),  OPTIONAL("ttl", &time_to_live),
    OPTIONAL("pollInterval", &number), STRICT("result", &called),
    STRICT("error", &object),          STRICT("inputRequests", &requests),
    OPTIONAL("_meta", &meta),          END
};
static const struct shape task = { .types = SHAPE_OBJECT, .members = task_members };
static const struct shape task_list = { .types = SHAPE_LIST, .items = &task, .picky = true };
LIST_OF(task_page, "tasks", &task_list);

/* --- by method ------------------------------------------------------------------ */

static const struct {
    const char *method;
    const struct shape *shape;
} results[] = { { "tools/call", &called },
                { "tools/list", &tool_page },
                { "prompts/list", &prompt_page },
                { "prompts/get", &rendered },
                { "resources/list", &resource_page },
                { "resources/templates/list", &template_page },
                { "resources/read", &read_result },
                { "completion/complete", &completed },
                { "initialize", &initialized },
                { "server/discover", &discovered },
                { "tasks/get", &task },
                { "tasks/list", &task_page },
                { "tasks/result", &called } },
  questions[] = { { "elicitation/create", &elicit }, { "sampling/createMessage", &sample } };

const struct shape *shape_of_result(const char *method, const cJSON *result)
{
    const char *type = cJSON_GetStringValue(json_get(result, "resultType"));

    if (type && strcmp(type, "input_required") == 0)
        return &asked;
    if (type && strcmp(type, "task") == 0)
        return &task;
    for (size_t i = 0; i < countof(results); i++) {
        if (strcmp(results[i].method, method) == 0)
            return results[i].shape;
    }
    return NULL;
}

const struct shape *shape_of_question(const char *method)
{
    for (size_t i = 0; i < countof(questions); i++) {
        if (strcmp(questions[i].method, method) == 0)
            return questions[i].shape;
    }
    return NULL;
}
