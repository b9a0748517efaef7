/* Requests out, answers in. Answers are not parsed: the id is looked for where servers write it,
 * so that what is measured is the server and not this program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char envelope[] =
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcpbench\",\"version\":\"1\"},"
    "\"io.modelcontextprotocol/clientCapabilities\":{}}";

/* A line to send, owned by the caller. `params` is an object without its closing brace. */
static char *compose(long id, const char *method, const char *params)
{
    const char *comma = options.stateless && params[1] ? "," : "";
    char *line;

    if (asprintf(&line, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"%s\",\"params\":%s%s%s}}\n",
                 id, method, params, comma, options.stateless ? envelope : "") < 0)
        abort();
    return line;
}

char *compose_call(long id, const char *message)
{
    char *params, *line;

    if (asprintf(&params, "{\"name\":\"%s\",\"arguments\":{\"message\":\"%s\"}", options.tool,
                 message) < 0)
        abort();
    line = compose(id, "tools/call", params);
    free(params);
    return line;
}

bool send_line(struct child *child, char *line)
{
    bool sent = child_send(child, line, strlen(line));

    free(line);
    return sent;
}

bool request(struct child *child, long id, const char *method, const char *params)
{
    return send_line(child, compose(id, method, params));
}

bool call(struct child *child, long id, const char *message)
{
    return send_line(child, compose_call(id, message));
}

/* The id of an answer: near the front, or last, as servers write it. -1: no answer. */
static long answer_id(const char *line, size_t len)
{
    static const char key[] = "\"id\":";
    const char *at = memmem(line, len < 64 ? len : 64, key, sizeof key - 1);
    size_t tail = len < 64 ? len : 64;

    if (memmem(line, len < 256 ? len : 256, "\"method\":", 9))
        return -1;
    if (!at)
        at = memmem(line + len - tail, tail, key, sizeof key - 1);
    return at ? strtol(at + sizeof key - 1, NULL, 10) : -1;
}

char *next_answer(struct child *child, long *id, size_t *len)
{
    char *line;

    while ((line = child_line(child, len, LIMIT_MS)) && (*id = answer_id(line, *len)) < 0)
        ;
    if (line && memmem(line, *len < 256 ? *len : 256, "\"error\":", 8))
        figures.failed++;
    return line;
}

char *await(struct child *child, long id, size_t *len)
{
    long got;
    char *line;

    while ((line = next_answer(child, &got, len)) && got != id)
        ;
    return line;
}
