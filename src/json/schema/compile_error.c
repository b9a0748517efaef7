/* Saying which part of a schema is wrong. */
#include "json/schema/compile_error.h"

#include <stdio.h>

#include "json/utf8.h"

/* Adds the token for one step of a JSON pointer as it is written in a URI fragment. */
static void add_token(struct buf *out, const cJSON *node, size_t index)
{
    if (!node->string) {
        buf_addf(out, "/%zu", index);
        return;
    }
    buf_addc(out, '/');
    for (const char *p = node->string; *p; p++) {
        if (*p == '~')
            buf_lit(out, "~0");
        else if (*p == '/')
            buf_lit(out, "~1");
        else
            buf_addc(out, *p);
    }
}

/* The pointer from one node to another below it; as deep as the parser allowed. */
static bool find_pointer(struct buf *out, const cJSON *from, const cJSON *to)
{
    size_t len = out->len, index = 0;

    if (from == to)
        return true;
    for (const cJSON *child = from->child; child; child = child->next, index++) {
        add_token(out, child, index);
        if (find_pointer(out, child, to))
            return true;
        out->len = len;
    }
    return false;
}

bool compile_fail(const struct compiler *c, const cJSON *node, const char *fmt, ...)
{
    struct buf pointer = { 0 }, clean = { 0 };
    char what[360];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    find_pointer(&pointer, c->root, node);
    utf8_clean(&clean, pointer.data, pointer.len); /* names may hold C0 80 */
    error_set(c->err, "invalid_schema", "at #%s: %s", buf_text(&clean), what);
    buf_free(&pointer);
    buf_free(&clean);
    return false;
}
