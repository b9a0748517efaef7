/* One pass over the pattern. Every character of the result that is not plainly a
 * letter or digit is written as an escape, so PCRE2 never sees a spelling that
 * it could read in its own way. */
#include "json/ecma.h"

#include <stdio.h>

#include "json/utf8.h"

enum { GROUPS_MAX = 250, REPEAT_MAX = 65535 }; /* PCRE2's own bounds */

/* White space and line ends of ECMA-262, and everything else. */
#define SPACES                                                                                     \
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"           \
    "\\x{205f}\\x{3000}\\x{feff}"
#define NOT_SPACES                                                                                 \
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"               \
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"                 \
    "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"
#define NOT_LINE_END "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]"

struct ecma {
    const char *start, *at, *end;
    struct buf *out;
    struct error *err;
    unsigned depth; /* open groups */
};

/* What an escape inside a class, or a plain character there, turned out to be. */
struct item {
    bool is_set;    /* \d and the like; already written to `set` */
    uint32_t point; /* if it is one character */
};

static bool fail(struct ecma *e, const char *what)
{
    return error_set(e->err, "invalid_pattern", "invalid pattern /%.*s/ at character %zu: %s",
                     (int)utf8_cut(e->start, (size_t)(e->end - e->start), 120), e->start,
                     utf8_length(e->start, (size_t)(e->at - e->start)) + 1, what);
}

/* The byte at this distance; 0 beyond the end. */
static char peek(const struct ecma *e, size_t ahead)
{
    return (size_t)(e->end - e->at) > ahead ? e->at[ahead] : '\0';
}

static bool looking_at(const struct ecma *e, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(e->end - e->at) >= len && memcmp(e->at, text, len) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static void add_point(struct ecma *e, uint32_t point)
{
    if (point < 0x80 && (is_digit((char)point) || is_letter((char)point)))
        buf_addc(e->out, (char)point);
    else
        buf_addf(e->out, "\\x{%x}", (unsigned)point);
}

/* --- escapes ----------------------------------------------------------------- */

/* `digits` hexadecimal digits; -1 if they are not there. */
static long read_hex(struct ecma *e, int digits)
{
    long value = 0;

    for (int i = 0; i < digits; i++, e->at++) {
        char c = peek(e, 0), lower = (char)(c | 0x20);

        if (is_digit(c))
            value = value * 16 + c - '0';
        else if (lower >= 'a' && lower <= 'f')
            value = value * 16 + lower - 'a' + 10;
        else
            return -1;
    }
    return value;
}

static bool read_braced(struct ecma *e, uint32_t *point)
{
    long value = 0, digit;

    e->at++;
    if (peek(e, 0) == '}')
        return fail(e, "\\u{} needs hexadecimal digits");
    while (peek(e, 0) != '}') {
        digit = read_hex(e, 1);
        if (digit < 0)
            return fail(e, "\\u{ needs hexadecimal digits and a }");
        value = value * 16 + digit;
        if (value > 0x10FFFF)
            return fail(e, "no character is above U+10FFFF");
    }
    e->at++;
    *point = (uint32_t)value;
    return true;
}

/* Behind "\u". */
static bool read_unicode(struct ecma *e, uint32_t *point)
{
    long unit, low;

    if (peek(e, 0) == '{') {
        if (!read_braced(e, point))
            return false;
    } else {
        unit = read_hex(e, 4);
        if (unit < 0)
            return fail(e, "\\u needs four hexadecimal digits");
        *point = (uint32_t)unit;
        if ((unit & 0xFC00) == 0xD800 && looking_at(e, "\\u")) {
            e->at += 2;
            low = read_hex(e, 4);
            if ((low & ~0x3FFL) == 0xDC00)
                *point = 0x10000u + ((uint32_t)(unit & 0x3FF) << 10) + (uint32_t)(low & 0x3FF);
        }
    }
    if (*point >= 0xD800 && *point <= 0xDFFF)
        return fail(e, "half of a surrogate pair is no character");
    return true;
}

/* Behind a backslash: an escape that stands for one character. *known: was it one? */
static bool read_character(struct ecma *e, uint32_t *point, bool *known)
{
    static const char names[] = "t\tn\nv\vf\fr\r";
    char c = peek(e, 0);
    const char *name = c ? strchr(names, c) : NULL;
    long value;

    *known = true;
    if (name && (name - names) % 2 == 0) {
        *point = (uint32_t)name[1];
        e->at++;
    } else if (c == 'x') {
        e->at++;
        value = read_hex(e, 2);
        if (value < 0)
            return fail(e, "\\x needs two hexadecimal digits");
        *point = (uint32_t)value;
    } else if (c == 'u') {
        e->at++;
        return read_unicode(e, point);
    } else if (c == 'c') {
        if (!is_letter(peek(e, 1)))
            return fail(e, "\\c needs a letter");
        *point = (uint32_t)peek(e, 1) & 31;
        e->at += 2;
    } else if (c == '0' && !is_digit(peek(e, 1))) {
        *point = 0;
        e->at++;
    } else if (c > ' ' && c < 0x7F && !is_digit(c) && !is_letter(c)) {
        *point = (uint32_t)c;
        e->at++;
    } else {
        *known = false;
    }
    return true;
}

/* Names of general categories that PCRE2 knows by their short form only. */
static const char *short_category(const char *name, size_t len)
{
    static const char *const names[][2] = {
        { "Letter", "L" },
        { "Cased_Letter", "L&" },
        { "Uppercase_Letter", "Lu" },
        { "Lowercase_Letter", "Ll" },
        { "Titlecase_Letter", "Lt" },
        { "Modifier_Letter", "Lm" },
        { "Other_Letter", "Lo" },
        { "Mark", "M" },
        { "Combining_Mark", "M" },
        { "Nonspacing_Mark", "Mn" },
        { "Spacing_Mark", "Mc" },
        { "Enclosing_Mark", "Me" },
        { "Number", "N" },
        { "Decimal_Number", "Nd" },
        { "digit", "Nd" },
        { "Letter_Number", "Nl" },
        { "Other_Number", "No" },
        { "Symbol", "S" },
        { "Math_Symbol", "Sm" },
        { "Currency_Symbol", "Sc" },
        { "Modifier_Symbol", "Sk" },
        { "Other_Symbol", "So" },
        { "Punctuation", "P" },
        { "punct", "P" },
        { "Connector_Punctuation", "Pc" },
        { "Dash_Punctuation", "Pd" },
        { "Open_Punctuation", "Ps" },
        { "Close_Punctuation", "Pe" },
        { "Initial_Punctuation", "Pi" },
        { "Final_Punctuation", "Pf" },
        { "Other_Punctuation", "Po" },
        { "Separator", "Z" },
        { "Space_Separator", "Zs" },
        { "Line_Separator", "Zl" },
        { "Paragraph_Separator", "Zp" },
        { "Other", "C" },
        { "Control", "Cc" },
        { "cntrl", "Cc" },
        { "Format", "Cf" },
        { "Surrogate", "Cs" },
        { "Private_Use", "Co" },
        { "Unassigned", "Cn" },
    };

    for (size_t i = 0; i < countof(names); i++) {
        if (strlen(names[i][0]) == len && memcmp(names[i][0], name, len) == 0)
            return names[i][1];
    }
    return NULL;
}

/* Behind "p" or "P": {name} or {key=name}. */
static bool write_property(struct ecma *e, char letter)
{
    static const char *const keys[][2] = {
        { "Script_Extensions=", "scx:" },
        { "scx=", "scx:" },
        { "Script=", "sc:" },
        { "sc=", "sc:" },
        { "General_Category=", "" },
        { "gc=", "" },
    };
    const char *prefix = "", *name, *known;
    size_t len;

    if (peek(e, 0) != '{')
        return fail(e, "\\p needs a property in braces");
    e->at++;
    for (size_t i = 0; i < countof(keys); i++) {
        if (looking_at(e, keys[i][0])) {
            e->at += strlen(keys[i][0]);
            prefix = keys[i][1];
            break;
        }
    }
    for (name = e->at; is_letter(peek(e, 0)) || is_digit(peek(e, 0)) || peek(e, 0) == '_';)
        e->at++;
    len = (size_t)(e->at - name);
    if (!len || peek(e, 0) != '}')
        return fail(e, "\\p needs a property in braces");
    e->at++;
    known = short_category(name, len);
    if (known)
        buf_addf(e->out, "\\%c{%s%s}", letter, prefix, known);
    else
        buf_addf(e->out, "\\%c{%s%.*s}", letter, prefix, (int)len, name);
    return true;
}

/* Behind a backslash: a set of characters, written as it reads inside a class.
 * *known: was it one? */
static bool write_set(struct ecma *e, bool *known)
{
    char c = peek(e, 0);

    *known = true;
    switch (c) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
        buf_addf(e->out, "\\%c", c);
        break;
    case 's':
        buf_lit(e->out, SPACES);
        break;
    case 'S':
        buf_lit(e->out, NOT_SPACES);
        break;
    case 'p':
    case 'P':
        e->at++;
        return write_property(e, c);
    default:
        *known = false;
        return true;
    }
    e->at++;
    return true;
}

static bool fail_escape(struct ecma *e)
{
    char what[80];

    if (e->at == e->end)
        return fail(e, "nothing after the backslash");
    if (!is_letter(*e->at) && !is_digit(*e->at))
        return fail(e, "this character needs no backslash");
    snprintf(what, sizeof what, "\\%c is not an escape of ECMA-262", *e->at);
    return fail(e, what);
}

/* --- classes ----------------------------------------------------------------- */

static bool class_item(struct ecma *e, struct item *item)
{
    bool known;
    int size;

    item->is_set = false;
    if (peek(e, 0) != '\\') {
        size = utf8_sequence(e->at, e->end);
        item->point = utf8_decode(e->at, size);
        e->at += size;
        return true;
    }
    e->at++;
    if (peek(e, 0) == 'b') {
        item->point = '\b';
        e->at++;
        return true;
    }
    if (!write_set(e, &item->is_set))
        return false;
    if (item->is_set)
        return true;
    return read_character(e, &item->point, &known) && (known || fail_escape(e));
}

static bool set_follows(const struct ecma *e)
{
    return peek(e, 0) == '\\' && peek(e, 1) && strchr("dDwWsSpP", peek(e, 1));
}

/* One character, set or range. A hyphen beside a set is itself: [\w-.] */
static bool class_part(struct ecma *e)
{
    struct item first, last;

    if (!class_item(e, &first))
        return false;
    if (!first.is_set)
        add_point(e, first.point);
    if (peek(e, 0) != '-' || e->end - e->at < 2 || e->at[1] == ']')
        return true;
    e->at++;
    if (first.is_set || set_follows(e)) {
        add_point(e, '-');
        return true;
    }
    if (!class_item(e, &last))
        return false;
    if (last.point < first.point)
        return fail(e, "a range that ends before it begins");
    buf_addc(e->out, '-');
    add_point(e, last.point);
    return true;
}

static bool write_class(struct ecma *e)
{
    e->at++;
    if (looking_at(e, "]")) { /* nothing fits */
        e->at++;
        buf_lit(e->out, "(?!)");
        return true;
    }
    if (looking_at(e, "^]")) { /* anything does */
        e->at += 2;
        buf_lit(e->out, "[\\x{0}-\\x{10ffff}]");
        return true;
    }
    buf_addc(e->out, '[');
    if (peek(e, 0) == '^') {
        e->at++;
        buf_addc(e->out, '^');
    }
    while (e->at < e->end && *e->at != ']') {
        if (!class_part(e))
            return false;
    }
    if (e->at == e->end)
        return fail(e, "[ without ]");
    e->at++;
    buf_addc(e->out, ']');
    return true;
}

/* --- groups and quantifiers -------------------------------------------------- */

/* <name>, copied. */
static bool write_name(struct ecma *e)
{
    const char *start = e->at++;

    while (is_letter(peek(e, 0)) || peek(e, 0) == '_' ||
           (is_digit(peek(e, 0)) && e->at > start + 1))
        e->at++;
    if (peek(e, 0) != '>' || e->at == start + 1)
        return fail(e, "a group's name is letters, digits and _ between < and >");
    e->at++;
    buf_add(e->out, start, (size_t)(e->at - start));
    return true;
}

static bool write_open(struct ecma *e)
{
    static const char *const kinds[] = { "(?:", "(?=", "(?!", "(?<=", "(?<!" };

    if (++e->depth > GROUPS_MAX)
        return fail(e, "groups nested too deep");
    for (size_t i = 0; i < countof(kinds); i++) {
        if (looking_at(e, kinds[i])) {
            buf_adds(e->out, kinds[i]);
            e->at += strlen(kinds[i]);
            return true;
        }
    }
    if (looking_at(e, "(?<")) {
        buf_lit(e->out, "(?");
        e->at += 2;
        return write_name(e);
    }
    if (looking_at(e, "(?"))
        return fail(e, "a group of this kind is not in ECMA-262");
    buf_addc(e->out, '(');
    e->at++;
    return true;
}

/* Digits as a number; more than REPEAT_MAX for anything that is more. */
static unsigned long read_count(struct ecma *e)
{
    unsigned long count = 0;

    for (; is_digit(peek(e, 0)); e->at++) {
        if (count <= REPEAT_MAX)
            count = count * 10 + (unsigned long)(*e->at - '0');
    }
    return count;
}

/* Does a quantifier in braces begin here? */
static bool at_braces(const struct ecma *e)
{
    size_t i = 1;

    if (!is_digit(peek(e, 1)))
        return false;
    while (is_digit(peek(e, i)))
        i++;
    if (peek(e, i) == ',') {
        i++;
        while (is_digit(peek(e, i)))
            i++;
    }
    return peek(e, i) == '}';
}

static bool write_braces(struct ecma *e)
{
    unsigned long least, most;

    e->at++;
    least = most = read_count(e);
    buf_addf(e->out, "{%lu", least);
    if (peek(e, 0) == ',') {
        e->at++;
        buf_addc(e->out, ',');
        if (is_digit(peek(e, 0))) {
            most = read_count(e);
            buf_addf(e->out, "%lu", most);
        }
    }
    if (least > REPEAT_MAX || most > REPEAT_MAX)
        return fail(e, "more than 65535 repetitions");
    if (least > most && e->out->data[e->out->len - 1] != ',')
        return fail(e, "a quantifier whose numbers are out of order");
    buf_addc(e->out, '}');
    e->at++;
    return true;
}

/* What may follow an atom; none is fine. */
static bool write_quantifier(struct ecma *e)
{
    char c = peek(e, 0);

    if (c == '{' && at_braces(e)) {
        if (!write_braces(e))
            return false;
    } else if (c && strchr("*+?", c)) {
        buf_addc(e->out, c);
        e->at++;
    } else {
        return true;
    }
    if (peek(e, 0) == '?') {
        buf_addc(e->out, '?');
        e->at++;
    }
    return true;
}

/* --- the pattern ------------------------------------------------------------- */

/* An escape outside a class; *atom: can it be repeated? */
static bool write_escape(struct ecma *e, bool *atom)
{
    size_t mark = e->out->len;
    char c = peek(e, 1);
    uint32_t point;
    bool known;

    e->at++;
    *atom = true;
    if (c == 'b' || c == 'B') {
        buf_addf(e->out, "\\%c", c);
        *atom = false;
        e->at++;
        return true;
    }
    if (c >= '1' && c <= '9') {
        buf_addf(e->out, "\\g{%lu}", read_count(e));
        return true;
    }
    if (c == 'k' && peek(e, 1) == '<') {
        buf_lit(e->out, "\\k");
        e->at++;
        return write_name(e);
    }
    buf_addc(e->out, '[');
    if (!write_set(e, &known))
        return false;
    if (known) {
        buf_addc(e->out, ']');
        return true;
    }
    e->out->len = mark;
    if (!read_character(e, &point, &known))
        return false;
    if (!known)
        return fail_escape(e);
    add_point(e, point);
    return true;
}

static void write_character(struct ecma *e)
{
    int size = utf8_sequence(e->at, e->end);

    add_point(e, utf8_decode(e->at, size));
    e->at += size;
}

/* Something that is matched, and how often. */
static bool write_term(struct ecma *e)
{
    bool atom = true;
    char c = *e->at;

    switch (c) {
    case '^':
    case '$':
        buf_addc(e->out, c);
        e->at++;
        atom = false;
        break;
    case '.':
        buf_lit(e->out, NOT_LINE_END);
        e->at++;
        break;
    case '[':
        if (!write_class(e))
            return false;
        break;
    case '\\':
        if (!write_escape(e, &atom))
            return false;
        break;
    case ')':
        if (!e->depth)
            return fail(e, ") without (");
        e->depth--;
        buf_addc(e->out, ')');
        e->at++;
        break;
    case '*':
    case '+':
    case '?':
        return fail(e, "nothing to repeat");
    default:
        if (c == '{' && at_braces(e))
            return fail(e, "nothing to repeat");
        write_character(e);
    }
    return !atom || write_quantifier(e);
}

bool ecma_translate(struct buf *out, const char *pattern, size_t len, struct error *err)
{
    struct ecma e = { pattern, pattern, pattern + len, out, err, 0 };
    size_t bad;

    if (!utf8_valid(pattern, len, &bad))
        return error_set(err, "invalid_pattern", "the pattern is not UTF-8 at byte %zu", bad);
    while (e.at < e.end) {
        bool fine = true;

        if (*e.at == '|') {
            buf_addc(out, '|');
            e.at++;
        } else {
            fine = *e.at == '(' ? write_open(&e) : write_term(&e);
        }
        if (!fine)
            return false;
    }
    return !e.depth || fail(&e, "( without )");
}
