/* Headers that repeat what the body says, so that proxies can route without reading it
 * (2026-07-28, "Transports"): they must agree, or a proxy can be misled. */
#include "mcp/server/http/header_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/base64.h"
#include "mcp/versions.h"
#include "registry/registry.h"

struct header_check {
    struct http_server *http;
    struct httpd_exchange *x;
    char *why; /* 256 bytes */
};

static bool fail_header(struct header_check *check, const char *format, const char *name)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(check->why, 256, format, name);
#pragma GCC diagnostic pop
    return false;
}

/* The value without the spaces around it; `encoded` values may be =?base64?...?=. */
static bool read_header(struct header_check *check, const char *name, bool encoded, struct buf *out)
{
    bool again;
    const char *text = check->http->api->header(check->x, name, &again);
    struct str value = str_from(text);

    if (!text)
        return fail_header(check, "Header mismatch: %s is missing", name);
    if (again)
        return fail_header(check, "Header mismatch: %s was sent twice", name);
    while (value.len && (*value.ptr == ' ' || *value.ptr == '\t'))
        value.ptr++, value.len--;
    while (value.len && (value.ptr[value.len - 1] == ' ' || value.ptr[value.len - 1] == '\t'))
        value.len--;
    if (encoded && value.len >= 11 && strncmp(value.ptr, "=?base64?", 9) == 0 &&
        value.ptr[value.len - 2] == '?' && value.ptr[value.len - 1] == '=') {
        if (!base64_decode(out, (struct str){ value.ptr + 9, value.len - 11 }))
            return fail_header(check, "Header mismatch: %s contains invalid base64", name);
        return true;
    }
    buf_add(out, value.ptr, value.len);
    return true;
}

static bool same_text(struct header_check *check, const char *name, bool encoded, struct str wanted)
{
    struct buf value = { 0 };
    bool ok = read_header(check, name, encoded, &value);

    if (ok && !str_same(buf_str(&value), wanted))
        ok = fail_header(check, "Header mismatch: %s does not match the body", name);
    buf_free(&value);
    return ok;
}

/* --- Mcp-Param-* ------------------------------------------------------------------------- */

static bool same_number(const char *text, double number)
{
    char *end;
    double value = strtod(text, &end);

    return end != text && *end == '\0' && !isnan(value) && value == number;
}

static bool same_value(struct header_check *check, const char *name, const cJSON *value)
{
    struct buf given = { 0 };
    bool ok = read_header(check, name, true, &given);

    if (!ok) {
        /* the reason is told */
    } else if (cJSON_IsString(value)) {
        ok = str_same(buf_str(&given), json_string(value));
    } else if (cJSON_IsBool(value)) {
        ok = strcmp(buf_text(&given), cJSON_IsTrue(value) ? "true" : "false") == 0;
    } else {
        ok = cJSON_IsNumber(value) && same_number(buf_text(&given), value->valuedouble);
    }
    if (!ok && !*check->why)
        fail_header(check, "Header mismatch: %s does not match the body", name);
    buf_free(&given);
    return ok;
}

static bool check_parameter(struct header_check *check, const char *header, const cJSON *value)
{
    char name[160];

    snprintf(name, sizeof name, "Mcp-Param-%.140s", header);
    if (value && !cJSON_IsNull(value))
        return same_value(check, name, value);
    if (check->http->api->header(check->x, name, NULL))
        return fail_header(check, "Header mismatch: %s was sent, but the body has no such value",
                           name);
    return true;
}

static bool check_properties(struct header_check *check, const cJSON *schema, const cJSON *args)
{
    const cJSON *property;

    cJSON_ArrayForEach (property, json_given(schema, "properties")) {
        const cJSON *value = json_given(args, property->string);
        const cJSON *header = json_given(property, "x-mcp-header");

        if (cJSON_IsString(header) && !check_parameter(check, header->valuestring, value))
            return false;
        if (json_given(property, "properties") && !check_properties(check, property, value))
            return false;
    }
    return true;
}

static bool check_parameters(struct header_check *check, const cJSON *name, const cJSON *params)
{
    struct registry *registry = server_registry(check->http->options.server);
    struct entry *entry = cJSON_IsString(name) && registry_loaded(registry)
                              ? generation_tool(registry_current(registry), name->valuestring)
                              : NULL;

    return !entry || check_properties(check, json_given(entry_definition(entry), "inputSchema"),
                                      json_given(params, "arguments"));
}

/* --- all of them ------------------------------------------------------------------------- */

static const struct {
    const char *method, *member;
} named[] = {
    { "tools/call", "name" },  { "prompts/get", "name" },    { "resources/read", "uri" },
    { "tasks/get", "taskId" }, { "tasks/update", "taskId" }, { "tasks/cancel", "taskId" }
};

bool headers_agree(struct http_server *http, struct httpd_exchange *x,
                   const struct message *message, char why[256])
{
    struct header_check check = { http, x, why };
    const cJSON *version = json_given(json_given(message->params, "_meta"), MCP_META_VERSION);

    *why = '\0';
    if (!cJSON_IsString(version))
        return true; /* the envelope is wrong, which is said elsewhere */
    if (!same_text(&check, "MCP-Protocol-Version", false, str_from(version->valuestring)) ||
        !same_text(&check, "Mcp-Method", false, str_from(message->method)))
        return false;
    for (size_t i = 0; i < countof(named); i++) {
        const cJSON *value = json_given(message->params, named[i].member);

        if (strcmp(message->method, named[i].method) != 0 || !cJSON_IsString(value))
            continue;
        if (!same_text(&check, "Mcp-Name", true, json_string(value)))
            return false;
        if (i == 0)
            return check_parameters(&check, value, message->params);
    }
    return true;
}
