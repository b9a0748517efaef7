/* Each reading walks through the text once. It is given only if it differs within a word: most text
 * has quotes around words, which part these anyway. */
#include "taint/readings.h"

#include <stdlib.h>
#include <strings.h>

#include "json/hex.h"
#include "json/utf8.h"

enum {
    HOLE_MAX = 64, /* bytes of what a shell replaces by nothing */
    TAG_MAX = 512,
    NAME_MAX_LEN = 8, /* bytes of the name of a sign */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Is it a character of commands, paths and hosts? */
static bool is_of_word(char c)
{
    return is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80 || (c && strchr("_-./~@+%", c));
}

struct reading {
    struct buf out;
    bool parted; /* something was left out behind the last character */
    bool joins;  /* it joins what was parted */
    bool coded;  /* a character was written by its number */
};

static void reading_begin(struct reading *reading)
{
    reading->out.len = 0;
    reading->parted = reading->joins = reading->coded = false;
}

static void add_char(struct reading *reading, char c)
{
    struct buf *out = &reading->out;

    reading->joins |=
        reading->parted && is_of_word(c) && out->len && is_of_word(out->data[out->len - 1]);
    reading->parted = false;
    buf_addc(out, c);
}

static void add_code(struct reading *reading, uint32_t code)
{
    char bytes[4];
    size_t len = utf8_encode(bytes, code);

    for (size_t i = 0; i < len; i++)
        add_char(reading, bytes[i]);
    reading->joins = reading->coded = true;
}

static struct str text_behind(struct str text, size_t at)
{
    return (struct str){ text.ptr + at, text.len - at };
}

static bool begins_with(struct str text, const char *with)
{
    size_t len = strlen(with);

    return text.len >= len && strncasecmp(text.ptr, with, len) == 0;
}

/* The length of the text up to the sign and with it; 0: it is not within that many bytes. */
static size_t length_to(struct str text, const char *sign, size_t most)
{
    const char *end = memmem(text.ptr, text.len < most ? text.len : most, sign, strlen(sign));

    return end ? (size_t)(end - text.ptr) + strlen(sign) : 0;
}

/* Adds a sign without the blanks before it; returns how many are behind it. */
static size_t add_sign(struct reading *reading, struct str behind, char sign)
{
    size_t blanks = 0;

    while (reading->out.len && is_blank(reading->out.data[reading->out.len - 1]))
        reading->out.len--;
    add_char(reading, sign);
    reading->joins = true;
    while (blanks < behind.len && is_blank(behind.ptr[blanks]))
        blanks++;
    return blanks;
}

/* --- of a shell ------------------------------------------------------------------------------- */

/* The length of what stands there for nothing: $() and the like with a command that prints nothing,
 * a variable that nobody set, or the signs of a quote in which escapes are read. */
static size_t hole_length(struct str text)
{
    size_t len = 1;

    if (*text.ptr == '`')
        return text.len > 1 ? 1 + length_to(text_behind(text, 1), "`", HOLE_MAX) : 1;
    if (*text.ptr != '$' || text.len < 2)
        return 0;
    if (text.ptr[1] == '(')
        return length_to(text, ")", HOLE_MAX);
    if (text.ptr[1] == '{')
        return length_to(text, "}", HOLE_MAX);
    if (strchr("@*#!?-'\"0123456789", text.ptr[1]))
        return text.ptr[1] == '\'' || text.ptr[1] == '"' ? 1 : 2;
    while (len < text.len &&
           (is_letter(text.ptr[len]) || is_digit(text.ptr[len]) || text.ptr[len] == '_'))
        len++;
    return len > 1 ? len : 0;
}

/* Is it the variable by which shells part words? */
static bool is_blank_variable(struct str text)
{
    return begins_with(text, "$IFS") || begins_with(text, "${IFS");
}

/* The number at the beginning, of at most `most` digits; returns how many there are. */
static size_t take_number(struct str text, int base, size_t most, uint32_t *value)
{
    size_t count = 0;

    for (*value = 0; count < text.len && count < most; count++) {
        int digit = hex_value(text.ptr[count]);

        if (digit < 0 || digit >= base)
            break;
        *value = *value * (uint32_t)base + (uint32_t)digit;
    }
    return count;
}

/* Adds the character that an escape by its number stands for; returns the length of the escape. */
static size_t add_escape(struct reading *reading, struct str text)
{
    char kind = text.len > 1 ? text.ptr[1] : '\0';
    uint32_t code = 0;
    size_t from = 2, digits, end;

    if (kind >= '0' && kind <= '7') {
        digits = take_number(text_behind(text, from = 1), 8, kind == '0' ? 4 : 3, &code);
    } else if (kind == 'x' || kind == 'u' || kind == 'U') {
        from += text.len > 2 && text.ptr[2] == '{';
        digits = take_number(text_behind(text, from), 16,
                             kind == 'x' && from == 2   ? 2
                             : kind == 'u' && from == 2 ? 4
                                                        : 8,
                             &code);
    } else {
        return 0;
    }
    end = from + digits;
    if (!digits || code < ' ' || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    add_code(reading, code);
    return end + (from == 3 && end < text.len && text.ptr[end] == '}');
}

/* As a shell reads it; `escapes`: characters may be written by their numbers. */
static void read_as_shell(struct reading *reading, struct str text, bool escapes)
{
    reading_begin(reading);
    for (size_t i = 0, len; i < text.len;) {
        struct str rest = text_behind(text, i);
        char c = text.ptr[i];

        if (escapes && c == '\\' && (len = add_escape(reading, rest))) {
            i += len;
        } else if (c == '\\' && rest.len > 1) {
            reading->parted = true;
            reading->joins |= is_of_word(rest.ptr[1]);
            if (rest.ptr[1] != '\n')
                add_char(reading, rest.ptr[1]);
            i += 2;
        } else if (c == '\'' || c == '"') {
            reading->parted = true;
            i++;
        } else if ((c == '$' || c == '`') && (len = hole_length(rest))) {
            reading->parted = true;
            if (is_blank_variable(rest))
                add_sign(reading, STR(""), ' ');
            i += len;
        } else {
            add_char(reading, c);
            i++;
        }
    }
}

/* --- of a page -------------------------------------------------------------------------------- */

/* The length of a tag or a comment there; 0: none. */
static size_t tag_length(struct str text)
{
    size_t len;

    if (begins_with(text, "<!--"))
        return length_to(text, "-->", TAG_MAX);
    if (text.len < 3 || !(is_letter(text.ptr[1]) || text.ptr[1] == '/'))
        return 0;
    len = length_to(text, ">", TAG_MAX);
    return len && !memchr(text.ptr + 1, '<', len - 1) ? len : 0;
}

/* Is it a tag that begins or ends a line, or a cell? */
static bool parts_lines(struct str tag)
{
    static const char *const names[] = { "br",    "p",   "div",    "td",      "th", "tr",
                                         "li",    "ul",  "ol",     "hr",      "dt", "dd",
                                         "table", "pre", "option", "section", "h1", "h2",
                                         "h3",    "h4",  "h5",     "h6",      NULL };
    size_t from = tag.ptr[1] == '/' ? 2 : 1, len = from;

    while (len < tag.len && (is_letter(tag.ptr[len]) || is_digit(tag.ptr[len])))
        len++;
    for (size_t i = 0; names[i]; i++)
        if (strlen(names[i]) == len - from &&
            strncasecmp(tag.ptr + from, names[i], len - from) == 0)
            return true;
    return false;
}

/* Adds the character that &name; or &#number; stands for; returns its length. */
static size_t add_entity(struct reading *reading, struct str text)
{
    static const struct {
        const char *name;
        char sign;
    } named[] = { { "&amp;", '&' },    { "&lt;", '<' },    { "&gt;", '>' },
                  { "&quot;", '"' },   { "&apos;", '\'' }, { "&nbsp;", ' ' },
                  { "&period;", '.' }, { "&sol;", '/' },   { "&colon;", ':' },
                  { "&commat;", '@' }, { "&bsol;", '\\' }, { "&lowbar;", '_' },
                  { "&hyphen;", '-' }, { "&dash;", '-' },  { "&equals;", '=' },
                  { "&shy;", '\0' } };
    uint32_t code = 0;
    size_t from = 2, digits;

    for (size_t i = 0; i < countof(named); i++) {
        if (!begins_with(text, named[i].name))
            continue;
        if (named[i].sign)
            add_code(reading, (unsigned char)named[i].sign);
        reading->parted |= !named[i].sign;
        return strlen(named[i].name);
    }
    if (text.len < 4 || text.ptr[1] != '#')
        return 0;
    from += text.ptr[2] == 'x' || text.ptr[2] == 'X';
    digits = take_number(text_behind(text, from), from == 3 ? 16 : 10, NAME_MAX_LEN, &code);
    if (!digits || code < ' ' || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    add_code(reading, code);
    return from + digits + (from + digits < text.len && text.ptr[from + digits] == ';');
}

/* The length of a sign of hosts and addresses in brackets, as in "host[.]example"; 0: none. */
static size_t sign_length(struct str text, char *sign)
{
    static const struct {
        const char *name;
        char sign;
    } names[] = { { ".", '.' },  { "dot", '.' }, { "@", '@' },
                  { "at", '@' }, { ":", ':' },   { "/", '/' } };
    size_t close;

    for (size_t i = 0; i < countof(names); i++) {
        if (!begins_with(text_behind(text, 1), names[i].name))
            continue;
        close = 1 + strlen(names[i].name);
        *sign = names[i].sign;
        if (close < text.len && text.ptr[close] && strchr(")]}", text.ptr[close]))
            return close + 1;
    }
    return 0;
}

/* Is the word "dot" there, with blanks around it? */
static bool is_dot_word(struct str text)
{
    return begins_with(text, " dot ") && text.len > 5 && is_of_word(text.ptr[5]);
}

/* As a person reads a page, or a note with Markdown in it. */
static void read_as_page(struct reading *reading, struct str text)
{
    char sign = '.';

    reading_begin(reading);
    for (size_t i = 0, len; i < text.len;) {
        struct str rest = text_behind(text, i);
        char c = text.ptr[i];

        if (c == '<' && (len = tag_length(rest))) {
            if (parts_lines((struct str){ rest.ptr, len }))
                buf_addc(&reading->out, ' ');
            reading->parted = reading->joins = true;
            i += len;
        } else if (c == '&' && (len = add_entity(reading, rest))) {
            i += len;
        } else if ((c == '[' || c == '(' || c == '{') && (len = sign_length(rest, &sign))) {
            i += len;
            i += add_sign(reading, text_behind(text, i), sign);
        } else if (c == ' ' && is_dot_word(rest)) {
            i += 5;
            add_sign(reading, STR(""), '.');
        } else if (c == '*' || c == '`') {
            reading->parted = true;
            i++;
        } else {
            add_char(reading, c);
            i++;
        }
    }
}

/* --- all -------------------------------------------------------------------------------------- */

enum { SHELLS = 1, ESCAPES = 2, PAGES = 4 };

/* The readings that may differ from the text. */
static unsigned readings_of(struct str text)
{
    static const unsigned char kinds[256] = { ['\''] = SHELLS,
                                              ['"'] = SHELLS,
                                              ['$'] = SHELLS,
                                              ['`'] = SHELLS | PAGES,
                                              ['\\'] = SHELLS | ESCAPES,
                                              ['<'] = PAGES,
                                              ['&'] = PAGES,
                                              ['*'] = PAGES,
                                              [']'] = PAGES,
                                              [')'] = PAGES,
                                              ['}'] = PAGES };
    unsigned all = 0;

    for (size_t i = 0; i < text.len; i++)
        all |= kinds[(unsigned char)text.ptr[i]];
    if (memmem(text.ptr, text.len, " dot ", 5) || memmem(text.ptr, text.len, " DOT ", 5))
        all |= PAGES;
    return all;
}

void taint_readings(struct str text, void (*fn)(void *context, struct str reading), void *context)
{
    struct reading reading = { .out = { 0 } };
    unsigned wanted = text.len ? readings_of(text) : 0;

    for (unsigned kind = SHELLS; kind <= PAGES; kind <<= 1) {
        if (!(wanted & kind))
            continue;
        if (kind == PAGES)
            read_as_page(&reading, text);
        else
            read_as_shell(&reading, text, kind == ESCAPES);
        if (reading.joins && (kind != ESCAPES || reading.coded))
            fn(context, buf_str(&reading.out));
    }
    buf_free(&reading.out);
}
