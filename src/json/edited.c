#include "json/edited.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* Behind a comment that begins at `at`, or `at`. One that does not end is left for the parser. */
static size_t comment_end(const char *text, size_t len, size_t at)
{
    const char *end;

    if (at + 1 >= len || text[at] != '/')
        return at;
    if (text[at + 1] == '/') {
        end = memchr(text + at, '\n', len - at);
        return end ? (size_t)(end - text) : len;
    }
    for (size_t i = at + 2; text[at + 1] == '*' && i + 1 < len; i++)
        if (text[i] == '*' && text[i + 1] == '/')
            return i + 2;
    return at;
}

static size_t string_end(const char *text, size_t len, size_t at)
{
    for (at++; at < len && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < len ? at + 1 : len;
}

/* Blanks in the places of what JSON does not have leave every line and column as it is. */
static char *plain_json(const char *text, size_t len)
{
    char *plain = mem_strndup(text, len), before = '[';
    size_t comma = len; /* one behind a value, that nothing has followed yet; len: none */

    for (size_t i = 0; i < len;) {
        size_t end = comment_end(text, len, i);
        char c = text[i];

        if (end > i) {
            for (; i < end; i++)
                if (plain[i] != '\n')
                    plain[i] = ' ';
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            if ((c == '}' || c == ']') && comma < len)
                plain[comma] = ' ';
            comma = c == ',' && !strchr("[{,:", before) ? i : len;
            before = c ? c : '[';
        }
        i = c == '"' ? string_end(text, len, i) : i + 1;
    }
    return plain;
}

struct json_doc *json_parse_edited(const char *text, size_t len, struct error *err)
{
    size_t skip = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* as Windows does */
    char *plain = plain_json(text + skip, len - skip);
    struct json_doc *doc = json_parse(plain, len - skip, NULL, err);

    free(plain);
    return doc;
}
