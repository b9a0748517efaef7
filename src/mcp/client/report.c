/* The client's lines in its log: other people's bytes, made harmless. */
#include "mcp/client/report.h"

#include "json/utf8.h"
#include "json/writer.h"

enum { QUOTE_MAX = 200 }; /* bytes of the server's output shown in a message */

void client_add_quoted(struct buf *out, const char *text, size_t len, size_t max)
{
    size_t start = out->len;
    size_t cut = len > max ? utf8_cut(text, len, max) : len;

    if (cut > 0)
        utf8_clean(out, text, cut);
    for (size_t i = start; i < out->len; i++) {
        unsigned char c = (unsigned char)out->data[i];

        if (c < 0x20 || c == 0x7F)
            out->data[i] = ' ';
    }
    if (cut < len)
        buf_addf(out, "... (%zu bytes)", len);
}

static void emit_report(struct client *c, enum client_source source, const char *level,
                        struct buf *text)
{
    if (!c->freed && c->events.log)
        c->events.log(c->arg, source, level, buf_text(text), text->len);
    buf_free(text);
}

void client_problem(struct client *c, const char *fmt, ...)
{
    struct error problem;
    struct buf text = { 0 };
    va_list args;

    va_start(args, fmt);
    error_vset(&problem, "", fmt, args);
    va_end(args);
    client_add_quoted(&text, problem.text, strlen(problem.text), SIZE_MAX);
    emit_report(c, CLIENT_PROBLEM, "warning", &text);
}

void client_report(struct client *c, const char *text)
{
    client_problem(c, "%s", text);
}

void client_problem_quoting(struct client *c, const char *what, const char *text, size_t len)
{
    struct buf line = { 0 };

    buf_addf(&line, "%s: ", what);
    client_add_quoted(&line, text, len, QUOTE_MAX);
    emit_report(c, CLIENT_PROBLEM, "warning", &line);
}

void client_receive_stderr(struct client *c, const char *line, size_t len)
{
    struct buf text = { 0 };

    client_add_quoted(&text, line, len, SIZE_MAX);
    emit_report(c, CLIENT_STDERR, NULL, &text);
}

void client_log_message(struct client *c, const cJSON *params)
{
    const char *level = cJSON_GetStringValue(json_given(params, "level"));
    const char *logger = cJSON_GetStringValue(json_given(params, "logger"));
    const cJSON *data = json_given(params, "data");
    struct buf raw = { 0 };
    struct buf text = { 0 };

    if (logger)
        buf_addf(&raw, "%s: ", logger);
    if (cJSON_IsString(data))
        buf_add(&raw, json_string(data).ptr, json_string(data).len);
    else if (data)
        json_write(&raw, data);
    client_add_quoted(&text, raw.data, raw.len, SIZE_MAX);
    buf_free(&raw);
    emit_report(c, CLIENT_MESSAGE, level ? level : "info", &text);
}
