/* Names the application with whose terms a script is compiled.
 *
 * `using terms from application id "..."` takes a literal and nothing else, so it cannot come as an
 * argument. It is the only change that is ever made to a script's text, and only in a line of code:
 * the same words inside a string or a comment stay. */
#include "platform/osascript/osascript.h"

enum place { IN_CODE, IN_STRING, IN_LINE_COMMENT, IN_COMMENT };

struct osascript_lexer {
    const char *at, *end;
    enum place place;
    unsigned depth; /* nesting of (* comments *) */
};

static bool ahead(const struct osascript_lexer *lexer, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(lexer->end - lexer->at) >= len && memcmp(lexer->at, text, len) == 0;
}

static bool read_in_comment(struct osascript_lexer *lexer)
{
    if (ahead(lexer, "(*"))
        lexer->depth++;
    else if (!ahead(lexer, "*)"))
        return false;
    else if (--lexer->depth == 0)
        lexer->place = IN_CODE;
    return true;
}

static bool read_in_code(struct osascript_lexer *lexer)
{
    bool pair = ahead(lexer, "--") || ahead(lexer, "(*");

    if (*lexer->at == '"')
        lexer->place = IN_STRING;
    else if (*lexer->at == '#' || ahead(lexer, "--"))
        lexer->place = IN_LINE_COMMENT;
    else if (pair) {
        lexer->place = IN_COMMENT;
        lexer->depth = 1;
    }
    return pair;
}

/* Reads one character, or two that belong together; true when a line ended. */
static bool read_on(struct osascript_lexer *lexer)
{
    bool newline = *lexer->at == '\n' || *lexer->at == '\r', pair = false;

    if (lexer->place == IN_CODE)
        pair = read_in_code(lexer);
    else if (lexer->place == IN_COMMENT)
        pair = read_in_comment(lexer);
    else if (lexer->place == IN_LINE_COMMENT && newline)
        lexer->place = IN_CODE;
    else if (lexer->place == IN_STRING && *lexer->at == '"')
        lexer->place = IN_CODE;
    else if (lexer->place == IN_STRING)
        pair = *lexer->at == '\\' && lexer->end - lexer->at > 1;
    lexer->at += pair ? 2 : 1;
    return newline;
}

/* Finds the id in a line of code that starts here. */
static bool find_id(struct osascript_lexer line, struct str *id)
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
    struct osascript_lexer lexer = { .at = text.ptr, .end = text.ptr + text.len };
    bool line_starts = true;
    struct str id;

    while (lexer.at < lexer.end) {
        const char *start = lexer.at;

        if (line_starts && find_id(lexer, &id)) {
            buf_add(out, start, (size_t)(id.ptr - start));
            buf_adds(out, terms);
            buf_addc(out, '"');
            lexer.at = id.ptr + id.len + 1;
            line_starts = false;
            continue;
        }
        line_starts = read_on(&lexer);
        buf_add(out, start, (size_t)(lexer.at - start));
    }
}
