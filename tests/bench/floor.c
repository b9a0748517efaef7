/* The least that can answer MCP over stdio: for each line read, a canned result with the line's id
 * and its "message" argument, written back. No JSON is parsed and nothing is checked. What remains
 * is pipes and the scheduler, which no server can be quicker than. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bytes {
    char *ptr;
    size_t len, cap;
};

static void reserve(struct bytes *bytes, size_t more)
{
    if (bytes->len + more <= bytes->cap)
        return;
    while (bytes->cap < bytes->len + more)
        bytes->cap = bytes->cap ? bytes->cap * 2 : 65536;
    bytes->ptr = realloc(bytes->ptr, bytes->cap);
    if (!bytes->ptr)
        exit(1);
}

static void add(struct bytes *out, const char *text, size_t len)
{
    reserve(out, len);
    memcpy(out->ptr + out->len, text, len);
    out->len += len;
}

/* The text between the quotes after "message": as it stands, escapes and all. */
static size_t find_message(const char *line, size_t len, const char **message)
{
    static const char key[] = "\"message\":\"";
    const char *begin = memmem(line, len, key, sizeof key - 1), *end;

    *message = "ok";
    if (!begin)
        return 2;
    begin += sizeof key - 1;
    end = begin;
    while ((end = memchr(end, '"', (size_t)(line + len - end))) && end[-1] == '\\')
        end++;
    if (!end)
        return 2;
    *message = begin;
    return (size_t)(end - begin);
}

static void answer(struct bytes *out, const char *line, size_t len)
{
    static const char key[] = "\"id\":", tail[] = "\"}]}}\n";
    const char *id = memmem(line, len, key, sizeof key - 1), *message;
    char head[128];
    size_t text;

    if (!id)
        return;
    text = find_message(line, len, &message);
    add(out, head,
        (size_t)snprintf(head, sizeof head,
                         "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"content\":[{\"type\":"
                         "\"text\",\"text\":\"",
                         strtol(id + sizeof key - 1, NULL, 10)));
    add(out, message, text);
    add(out, tail, sizeof tail - 1);
}

static bool write_all(struct bytes *out)
{
    for (size_t at = 0; at < out->len;) {
        ssize_t n = write(STDOUT_FILENO, out->ptr + at, out->len - at);

        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    out->len = 0;
    return true;
}

int main(void)
{
    struct bytes in = { 0 }, out = { 0 };
    size_t searched = 0;

    for (;;) {
        char *line = in.ptr, *newline;
        ssize_t n;

        while (in.len && (newline = memchr(line + searched, '\n',
                                           (size_t)(in.ptr + in.len - line) - searched))) {
            answer(&out, line, (size_t)(newline - line));
            line = newline + 1;
            searched = 0;
        }
        if (!write_all(&out))
            return 1;
        in.len -= (size_t)(line - in.ptr);
        if (in.len)
            memmove(in.ptr, line, in.len);
        searched = in.len;
        reserve(&in, 65536);
        n = read(STDIN_FILENO, in.ptr + in.len, in.cap - in.len);
        if (n <= 0) {
            free(in.ptr);
            free(out.ptr);
            return 0;
        }
        in.len += (size_t)n;
    }
}
