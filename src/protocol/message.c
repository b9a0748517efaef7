/* Sorts a JSON value into request, notification, response, batch or nothing. */
#include "protocol/message.h"

#include <math.h>

static bool id_ok(const cJSON *id)
{
    if (cJSON_IsString(id))
        return true;
    return cJSON_IsNumber(id) && floor(id->valuedouble) == id->valuedouble;
}

static void invalid(struct message *message, const char *text)
{
    message->kind = MESSAGE_INVALID;
    message->id = (struct str){ 0 };
    error_set(&message->error, "invalid_request", "Invalid Request: %s", text);
}

static void read_call(struct message *message, const cJSON *method, const cJSON *id)
{
    const cJSON *params = json_get(message->root, "params");

    if (!cJSON_IsString(method)) {
        invalid(message, "\"method\" must be a string");
    } else if (params && !cJSON_IsObject(params) && !cJSON_IsArray(params)) {
        invalid(message, "\"params\" must be an object");
    } else if (id && !id_ok(id)) {
        invalid(message, "\"id\" must be a string or a whole number");
    } else {
        message->kind = id ? MESSAGE_REQUEST : MESSAGE_NOTIFICATION;
        message->method = method->valuestring;
        message->params = params;
    }
}

void message_read(struct message *message, const cJSON *root, struct str id_text)
{
    const cJSON *version = json_get(root, "jsonrpc");
    const cJSON *method = json_get(root, "method");
    const cJSON *id = json_get(root, "id");

    *message = (struct message){ .root = root, .id = id_text };
    if (cJSON_IsArray(root))
        message->kind = MESSAGE_BATCH;
    else if (!cJSON_IsObject(root))
        invalid(message, "a message is a JSON object");
    else if (!cJSON_IsString(version) || strcmp(version->valuestring, "2.0") != 0)
        invalid(message, "\"jsonrpc\" must be \"2.0\"");
    else if (method)
        read_call(message, method, id);
    else if (id && (json_get(root, "result") || json_get(root, "error")))
        message->kind = MESSAGE_RESPONSE;
    else
        invalid(message, "neither a method nor a result");
}
