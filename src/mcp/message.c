/* Sorts a JSON value into request, notification, response, batch or nothing. */
#include "mcp/message.h"

#include <math.h>
#include <stdlib.h>

#include "json/span.h"
#include "json/writer.h"

static bool id_ok(const cJSON *id)
{
    if (cJSON_IsString(id))
        return true;
    return cJSON_IsNumber(id) && floor(id->valuedouble) == id->valuedouble;
}

/* An id that can be read is kept, so that the request is answered. */
static void set_message_invalid(struct message *message, const char *text)
{
    const cJSON *id = json_get(message->root, "id");

    message->kind = MESSAGE_INVALID;
    if (!id || !id_ok(id))
        message->id = (struct str){ 0 };
    error_set(&message->error, "invalid_request", "Invalid Request: %s", text);
}

static void read_call(struct message *message, const cJSON *method, const cJSON *id)
{
    const cJSON *params = json_given(message->root, "params");

    if (!cJSON_IsString(method)) {
        set_message_invalid(message, "\"method\" must be a string");
    } else if (params && !cJSON_IsObject(params) && !cJSON_IsArray(params)) {
        set_message_invalid(message, "\"params\" must be an object");
    } else if (id && !id_ok(id)) {
        set_message_invalid(message, "\"id\" must be a string or a whole number");
    } else {
        message->kind = id ? MESSAGE_REQUEST : MESSAGE_NOTIFICATION;
        message->method = method->valuestring;
        message->params = params;
    }
}

void message_read(struct message *message, const struct json_doc *doc, struct str source)
{
    const cJSON *root = json_root(doc);
    const cJSON *version = json_given(root, "jsonrpc");
    const cJSON *method = json_given(root, "method");
    const cJSON *id = json_get(root, "id");

    *message = (struct message){ .root = root, .id = json_id_text(doc), .source = source };
    if (cJSON_IsArray(root))
        message->kind = MESSAGE_BATCH;
    else if (!cJSON_IsObject(root))
        set_message_invalid(message, "a message must be a JSON object");
    else if (!cJSON_IsString(version) || strcmp(version->valuestring, "2.0") != 0)
        set_message_invalid(message, "\"jsonrpc\" must be \"2.0\"");
    else if (method)
        read_call(message, method, id);
    else if (id && (json_get(root, "result") || json_given(root, "error")))
        message->kind = MESSAGE_RESPONSE;
    else
        set_message_invalid(message, "it has neither a method nor a result");
}

char *message_token(struct str source, const char *within, const char *name, const cJSON *node)
{
    struct buf text = { 0 };
    int64_t whole;

    /* 2^53 itself may be the rounding of a neighbour */
    if (cJSON_IsNumber(node) && !(json_integer(node, &whole) && llabs(whole) < (int64_t)1 << 53)) {
        struct str object = json_span_member(source, "params");
        struct str span;

        if (within)
            object = json_span_member(object, within);
        span = json_span_member(object, name);
        if (span.len)
            return mem_strndup(span.ptr, span.len);
    }
    json_write(&text, node);
    return buf_take(&text);
}
