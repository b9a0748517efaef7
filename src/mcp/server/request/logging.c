/* notifications/message. */
#include "mcp/server/request/logging.h"

#include "json/shown.h"
#include "json/writer.h"
#include "mcp/server/request/reply.h"
#include "script/bind.h"
#include "script/value.h"

static const char *const levels[] = { "debug", "info",     "notice", "warning",
                                      "error", "critical", "alert",  "emergency" };

int log_level_index(const char *name)
{
    for (size_t i = 0; i < countof(levels); i++)
        if (strcmp(levels[i], name) == 0)
            return (int)i;
    return -1;
}

void send_log_json(struct sink *sink, const char *level, const char *logger, struct str data,
                   const char *task)
{
    struct buf *out = notify_begin(sink, "notifications/message");
    size_t from;

    buf_addf(out, "\"level\":\"%s\",", level);
    if (logger) {
        buf_lit(out, "\"logger\":");
        write_shown(out, logger);
        buf_addc(out, ',');
    }
    buf_lit(out, "\"data\":");
    from = out->len;
    buf_add(out, data.ptr, data.len);
    json_show_from(out, from);
    if (task)
        write_related_task(out, task);
    notify_end(sink, out);
}

void send_log(struct sink *sink, const char *level, const char *logger, lua_State *L, int data,
              const char *task)
{
    struct buf *json = bind_buffer(L); /* json */
    struct error err;

    if (!value_write_json(L, data, json, &err)) {
        json->len = 0;
        json_write_string(json, err.text, strlen(err.text));
    }
    send_log_json(sink, level, logger, buf_str(json), task);
    lua_pop(L, 1); /* - */
}
