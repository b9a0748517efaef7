/* The HTTP headers that say again what a message says (2026-07-28), so that
 * proxies need not read bodies; older revisions only want the version.
 *
 * Names and values that a header cannot carry as they are travel as
 * "=?base64?...?=" (the specification's page on transports, "Value encoding"). */
#include "mcp/client/mirror_headers.h"

#include <stdlib.h>

#include "base/base64.h"
#include "json/writer.h"
#include "mcp/client/tools.h"
#include "mcp/versions.h"

enum { MIRRORED_MAX = 64, MIRRORED_VALUE_MAX = 4096 };

/* Takes the value. */
static void add_mirror_header(struct header_list *headers, const char *name, char *value)
{
    if (headers->count < MIRRORED_MAX)
        header_list_add(headers, name, value);
    free(value);
}

/* Can stand in a header as it is, and would not be taken for an encoded one. */
static bool is_plain_header(struct str text)
{
    if (text.len == 0 || text.ptr[0] == ' ' || text.ptr[text.len - 1] == ' ')
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < 0x20 || text.ptr[i] > 0x7E)
            return false;
    }
    return !(text.len >= 11 && memcmp(text.ptr, "=?base64?", 9) == 0 &&
             memcmp(text.ptr + text.len - 2, "?=", 2) == 0);
}

static char *encoded_header(struct str text)
{
    struct buf out = { 0 };

    if (is_plain_header(text))
        return mem_strndup(text.ptr, text.len);
    buf_lit(&out, "=?base64?");
    base64_encode(buf_reserve(&out, base64_length(text.len)), text.ptr, text.len);
    out.len += base64_length(text.len);
    buf_lit(&out, "?=");
    return buf_take(&out);
}

/* The header's value for this argument; NULL: none. */
static char *argument_value(const cJSON *argument)
{
    struct buf out = { 0 };

    if (cJSON_IsString(argument) && json_string(argument).len <= MIRRORED_VALUE_MAX)
        return encoded_header(json_string(argument));
    if (cJSON_IsBool(argument))
        return mem_strdup(cJSON_IsTrue(argument) ? "true" : "false");
    if (!cJSON_IsNumber(argument))
        return NULL;
    json_write(&out, argument);
    return buf_take(&out);
}

static void add_parameter(struct header_list *headers, const char *suffix, char *value)
{
    char *name = mem_printf("Mcp-Param-%s", suffix);

    add_mirror_header(headers, name, value);
    free(name);
}

static void add_parameters(struct header_list *headers, const struct client_tool *tool,
                           const cJSON *arguments)
{
    for (size_t i = 0; i < tool->count; i++) {
        const struct client_parameter *parameter = &tool->parameters[i];
        const cJSON *node = arguments;
        char *value;

        for (char **name = parameter->path; *name; name++)
            node = json_given(node, *name);
        value = argument_value(node);
        if (value)
            add_parameter(headers, parameter->header, value);
    }
}

static bool is_method(const char *method, const char *other)
{
    return strcmp(method, other) == 0;
}

static void add_modern(struct client *c, struct header_list *headers, const char *method)
{
    struct json_doc *doc = json_parse(c->out.data, c->out.len, NULL, NULL);
    const cJSON *params = doc ? json_given(json_root(doc), "params") : NULL;
    const char *name = NULL;
    const struct client_tool *tool = NULL;

    add_mirror_header(headers, "Mcp-Method", encoded_header(str_from(method)));
    if (is_method(method, "tools/call") || is_method(method, "prompts/get"))
        name = cJSON_GetStringValue(json_given(params, "name"));
    else if (is_method(method, "resources/read"))
        name = cJSON_GetStringValue(json_given(params, "uri"));
    else if (strncmp(method, "tasks/", 6) == 0)
        name = cJSON_GetStringValue(json_given(params, "taskId"));
    if (name)
        add_mirror_header(headers, "Mcp-Name", encoded_header(str_from(name)));
    if (name && is_method(method, "tools/call"))
        tool = client_known_tool(c, name);
    if (tool)
        add_parameters(headers, tool, json_given(params, "arguments"));
    json_doc_free(doc);
}

void client_mirror_headers(struct client *c, const char *method, struct header_list *headers)
{
    if (c->era == CLIENT_MODERN)
        add_mirror_header(headers, "MCP-Protocol-Version", mem_strdup(MCP_MODERN));
    else if (c->version && !(method && is_method(method, "initialize")))
        add_mirror_header(headers, "MCP-Protocol-Version", mem_strdup(c->version));
    if (c->era == CLIENT_MODERN && method)
        add_modern(c, headers, method);
}
