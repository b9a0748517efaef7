/* Which application's terms a script is compiled with.
 *
 * `using terms from application id "..."` takes a literal and nothing else, so
 * it cannot come as an argument. It is the one thing that is ever changed in a
 * script's text, and only where it stands as a line of code: what looks like it
 * inside a string or a comment stays. */
#include "platform/osascript/osascript.h"

enum place { IN_CODE, IN_STRING, IN_LINE_COMMENT, IN_COMMENT };

struct reader {
    const char *at, *end;
    enum place place;
    unsigned depth; /* of (* nested comments *) */
};

static bool ahead(const struct reader *reader, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(reader->end - reader->at) >= len && memcmp(reader->at, text, len) == 0;
}

static bool read_in_comment(struct reader *reader)
{
    if (ahead(reader, "(*"))
        reader->depth++;
    else if (!ahead(reader, "*)"))
        return false;
    else if (--reader->depth == 0)
        reader->place = IN_CODE;
    return true;
}

static bool read_in_code(struct reader *reader)
{
    bool pair = ahead(reader, "--") || ahead(reader, "(*");

    if (*reader->at == '"')
        reader->place = IN_STRING;
    else if (*reader->at == '#' || ahead(reader, "--"))
        reader->place = IN_LINE_COMMENT;
    else if (pair) {
        reader->place = IN_COMMENT;
        reader->depth = 1;
    }
    return pair;
}

/* One character, or two that belong together; true when a line ended. */
static bool read_on(struct reader *reader)
{
    bool newline = *reader->at == '\n' || *reader->at == '\r', pair = false;

    if (reader->place == IN_CODE)
        pair = read_in_code(reader);
    else if (reader->place == IN_COMMENT)
        pair = read_in_comment(reader);
    else if (reader->place == IN_LINE_COMMENT && newline)
        reader->place = IN_CODE;
    else if (reader->place == IN_STRING && *reader->at == '"')
        reader->place = IN_CODE;
    else if (reader->place == IN_STRING)
        pair = *reader->at == '\\' && reader->end - reader->at > 1;
    reader->at += pair ? 2 : 1;
    return newline;
}

/* The id in a line of code that starts here. */
static bool find_id(struct reader line, struct str *id)
{
    static const char words[] = "using terms from application id \"";

    while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
        line.at++;
    if (line.place != IN_CODE || !ahead(&line, words))
        return false;
    id->ptr = line.at += sizeof words - 1;
    while (line.at < line.end && !strchr("\"\\\r\n", *line.at))
        line.at++;
    id->len = (size_t)(line.at - id->ptr);
    return line.at < line.end && *line.at == '"';
}

void osascript_set_terms(struct str text, const char *terms, struct buf *out)
{
    struct reader reader = { .at = text.ptr, .end = text.ptr + text.len };
    bool line_starts = true;
    struct str id;

    while (reader.at < reader.end) {
        const char *start = reader.at;

        if (line_starts && find_id(reader, &id)) {
            buf_add(out, start, (size_t)(id.ptr - start));
            buf_adds(out, terms);
            buf_addc(out, '"');
            reader.at = id.ptr + id.len + 1;
            line_starts = false;
            continue;
        }
        line_starts = read_on(&reader);
        buf_add(out, start, (size_t)(reader.at - start));
    }
}
