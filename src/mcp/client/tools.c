/* A tool whose annotations break the rules must not be used: it leaves the list
 * and the log says why; the others stay. Allowed is: a token of RFC 9110, once
 * in a tool whatever its case, on a string, an integer or a boolean that is
 * reached through `properties` alone. */
#include "mcp/client/tools.h"

#include <stdlib.h>
#include <strings.h>

#include "mcp/client/report.h"

enum { PARAMETERS_MAX = 32, SCHEMA_DEPTH_MAX = 16, HEADER_NAME_MAX = 128 };

static const char ANNOTATION[] = "x-mcp-header";

struct tool_scan {
    struct client_tool *tool;
    const char *path[SCHEMA_DEPTH_MAX + 1]; /* path of the property that is looked at */
    size_t depth;
    const char *fault; /* NULL: none */
};

/* --- what is kept ------------------------------------------------------------- */

static void tool_free(struct client_tool *tool)
{
    for (size_t i = 0; i < tool->count; i++) {
        for (char **name = tool->parameters[i].path; *name; name++)
            free(*name);
        free(tool->parameters[i].path);
        free(tool->parameters[i].header);
    }
    free(tool->parameters);
    free(tool->name);
    free(tool);
}

static struct client_tool *find_tool(const struct client *c, const char *name)
{
    list_each (link, &c->tools) {
        struct client_tool *tool = container_of(link, struct client_tool, link);

        if (strcmp(tool->name, name) == 0)
            return tool;
    }
    return NULL;
}

const struct client_tool *client_known_tool(const struct client *c, const char *name)
{
    return find_tool(c, name);
}

void client_forget_tools(struct client *c)
{
    struct link *link;

    while ((link = list_pop(&c->tools)))
        tool_free(container_of(link, struct client_tool, link));
}

static void replace_tool(struct client *c, struct client_tool *tool)
{
    struct client_tool *old = find_tool(c, tool->name);

    if (old) {
        list_remove(&old->link);
        tool_free(old);
    }
    if (tool->count > 0)
        list_push(&c->tools, &tool->link);
    else
        tool_free(tool);
}

/* --- reading ------------------------------------------------------------------ */

static bool is_token(const char *text)
{
    static const char others[] = "!#$%&'*+-.^_`|~";
    size_t len = strlen(text);

    for (size_t i = 0; i < len; i++) {
        char c = text[i];

        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
              strchr(others, c)))
            return false;
    }
    return len > 0 && len <= HEADER_NAME_MAX;
}

static bool header_is_taken(const struct client_tool *tool, const char *header)
{
    for (size_t i = 0; i < tool->count; i++) {
        if (strcasecmp(tool->parameters[i].header, header) == 0)
            return true;
    }
    return false;
}

static bool is_primitive(const cJSON *schema)
{
    const char *type = cJSON_GetStringValue(json_given(schema, "type"));

    return type && (strcmp(type, "string") == 0 || strcmp(type, "integer") == 0 ||
                    strcmp(type, "boolean") == 0);
}

static void take_annotation(struct tool_scan *r, const cJSON *schema, const cJSON *annotation)
{
    const char *header = cJSON_GetStringValue(annotation);
    struct client_tool *tool = r->tool;
    char **path;

    if (!header || !is_token(header))
        r->fault = "its name is not a token";
    else if (header_is_taken(tool, header))
        r->fault = "its name occurs twice";
    else if (!is_primitive(schema))
        r->fault = "it is on a property that is not a string, integer or boolean";
    else if (tool->count == PARAMETERS_MAX)
        r->fault = "there are too many";
    if (r->fault)
        return;
    path = mem_zero((r->depth + 1) * sizeof *path);
    for (size_t i = 0; i < r->depth; i++)
        path[i] = mem_strdup(r->path[i]);
    tool->parameters = mem_resize(tool->parameters, (tool->count + 1) * sizeof *tool->parameters);
    tool->parameters[tool->count++] = (struct client_parameter){ path, mem_strdup(header) };
}

/* An annotation anywhere below this, where none may be? */
static bool is_annotated(const cJSON *node, size_t depth)
{
    const cJSON *child;

    if (depth > (size_t)4 * SCHEMA_DEPTH_MAX)
        return false;
    cJSON_ArrayForEach (child, node) {
        if (child->string && strcmp(child->string, ANNOTATION) == 0)
            return true;
        if (is_annotated(child, depth + 1))
            return true;
    }
    return false;
}

static void read_schema(struct tool_scan *r, const cJSON *schema);

static void read_properties(struct tool_scan *r, const cJSON *properties)
{
    const cJSON *property;

    cJSON_ArrayForEach (property, properties) {
        if (r->fault)
            return;
        if (r->depth == SCHEMA_DEPTH_MAX)
            return; /* deeper is not looked at; its arguments stay in the body */
        r->path[r->depth++] = property->string;
        read_schema(r, property);
        r->depth--;
    }
}

static void read_schema(struct tool_scan *r, const cJSON *schema)
{
    const cJSON *member;

    if (!cJSON_IsObject(schema))
        return;
    cJSON_ArrayForEach (member, schema) {
        if (r->fault)
            return;
        if (strcmp(member->string, ANNOTATION) == 0)
            take_annotation(r, schema, member);
        else if (strcmp(member->string, "properties") == 0)
            read_properties(r, member);
        else if (strcmp(member->string, "default") != 0 &&
                 strcmp(member->string, "examples") != 0 && strcmp(member->string, "const") != 0 &&
                 strcmp(member->string, "enum") != 0 && is_annotated(member, 0))
            r->fault = "it is in a place that is not reached through properties alone";
    }
}

/* False: the tool is to leave the list. */
static bool learn_tool(struct client *c, const cJSON *item)
{
    const char *name = cJSON_GetStringValue(json_given(item, "name"));
    struct tool_scan r = { 0 };

    if (!name)
        return true;
    r.tool = mem_zero(sizeof *r.tool);
    r.tool->name = mem_strdup(name);
    list_init(&r.tool->link);
    read_schema(&r, json_given(item, "inputSchema"));
    if (!r.fault) {
        replace_tool(c, r.tool);
        return true;
    }
    tool_free(r.tool);
    client_problem(c,
                   "the tool \"%.100s\" is omitted because an %s in its inputSchema is invalid: %s",
                   name, ANNOTATION, r.fault);
    return false;
}

void client_learn_tools(struct client *c, cJSON *result)
{
    cJSON *tools = (cJSON *)json_given(result, "tools");
    cJSON *next;

    if (!cJSON_IsArray(tools))
        return;
    for (cJSON *item = tools->child; item && !c->freed; item = next) {
        next = item->next;
        if (!learn_tool(c, item))
            json_take_out(tools, item);
    }
}
