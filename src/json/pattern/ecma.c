/* One pass that reads the pattern as ECMA-262 does and refuses what is not in it. The pattern is
 * copied, but for what PCRE2 would read in its own way in spite of its options:
 *
 *     .             does not match U+2028 and U+2029 either
 *     \s \S         include the white space of Unicode, while \d and \w are ASCII
 *     \v            is one character, not all vertical space
 *     \1            is never octal
 *     \ud83d\ude00  is one character
 *     \p{Letter}    categories have long names and a key: \p{gc=Letter}
 *     []            may be repeated, which older versions forget
 *     {             is itself where it begins no quantifier: newer versions read {,3} as one
 *     [:.=          are themselves in a class: [[:alpha:]], [.a.]; so is - that begins no range */
#include "json/pattern/ecma.h"

#include <stdio.h>

#include "json/utf8.h"

enum { GROUPS_MAX = 250, REPEAT_MAX = 65535, NAME_CHARS = 32 }; /* as every PCRE2 allows */

#define NOT_LINE_END "[^\\n\\r\\u2028\\u2029]"
#define SPACES       "\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
#define NOT_SPACES                                                                                 \
    "\\0-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e"        \
    "\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\u{10ffff}"

struct pass {
    const char *start, *at, *end;
    const char *written; /* up to here */
    struct buf *out;
    struct error *err;
    unsigned depth; /* open groups */
};

static bool pass_fail(struct pass *p, const char *what)
{
    return error_set(p->err, "invalid_pattern", "invalid pattern /%.*s/ at character %zu: %s",
                     (int)utf8_cut(p->start, (size_t)(p->end - p->start), 120), p->start,
                     utf8_length(p->start, (size_t)(p->at - p->start)) + 1, what);
}

/* Writes the text instead of what was read since `from`. */
static void pass_rewrite(struct pass *p, const char *from, const char *text)
{
    buf_add(p->out, p->written, (size_t)(from - p->written));
    buf_adds(p->out, text);
    p->written = p->at;
}

/* The byte at this distance; 0 beyond the end. */
static char pass_peek(const struct pass *p, size_t ahead)
{
    return (size_t)(p->end - p->at) > ahead ? p->at[ahead] : '\0';
}

static bool pass_skip(struct pass *p, const char *text)
{
    size_t len = strlen(text);

    if ((size_t)(p->end - p->at) < len || memcmp(p->at, text, len) != 0)
        return false;
    p->at += len;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_word_char(char c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

/* --- escapes --------------------------------------------------------------------------------- */

#define SETS "dDwWsSpP" /* letters of escapes that are more than one character */
enum { A_SET = -1 };    /* their value */

/* The value of `digits` hexadecimal digits; -1, at the one that is missing. */
static long read_hex(struct pass *p, int digits)
{
    long value = 0;

    for (; digits; digits--, p->at++) {
        char c = pass_peek(p, 0), lower = (char)(c | 0x20);

        if (!is_digit(c) && (lower < 'a' || lower > 'f'))
            return -1;
        value = value * 16 + (is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return value;
}

/* Behind "\u{". */
static bool read_braced(struct pass *p, long *point)
{
    if (pass_peek(p, 0) == '}')
        return pass_fail(p, "\\u{} needs hexadecimal digits");
    for (*point = 0; !pass_skip(p, "}");) {
        long digit = read_hex(p, 1);

        if (digit < 0)
            return pass_fail(p, "\\u{ needs hexadecimal digits and a }");
        *point = *point * 16 + digit;
        if (*point > 0x10FFFF)
            return pass_fail(p, "no character is above U+10FFFF");
    }
    return true;
}

/* Behind "\u". Two halves of a pair are one character. */
static bool read_unicode(struct pass *p, long *point)
{
    const char *from = p->at - 2;
    char pair[16];
    long low;

    if (pass_skip(p, "{")) {
        if (!read_braced(p, point))
            return false;
    } else {
        *point = read_hex(p, 4);
        if (*point < 0)
            return pass_fail(p, "\\u needs four hexadecimal digits");
        low = *point >> 10 == 0xD800 >> 10 && pass_skip(p, "\\u") ? read_hex(p, 4) : 0;
        if (low >> 10 == 0xDC00 >> 10) {
            *point = 0x10000 + ((*point & 0x3FF) << 10) + (low & 0x3FF);
            snprintf(pair, sizeof pair, "\\u{%lx}", *point);
            pass_rewrite(p, from, pair);
        }
    }
    if (*point >= 0xD800 && *point <= 0xDFFF)
        return pass_fail(p, "half of a surrogate pair is not a character");
    return true;
}

/* Behind "\p": {name} or {key=name}. Of categories PCRE2 has the short names only, and no key. */
static bool read_property(struct pass *p)
{
    static const char categories[] =
        " Letter=L Cased_Letter=L& Uppercase_Letter=Lu Lowercase_Letter=Ll Titlecase_Letter=Lt"
        " Modifier_Letter=Lm Other_Letter=Lo Mark=M Combining_Mark=M Nonspacing_Mark=Mn"
        " Spacing_Mark=Mc Enclosing_Mark=Me Number=N Decimal_Number=Nd digit=Nd Letter_Number=Nl"
        " Other_Number=No Symbol=S Math_Symbol=Sm Currency_Symbol=Sc Modifier_Symbol=Sk"
        " Other_Symbol=So Punctuation=P punct=P Connector_Punctuation=Pc Dash_Punctuation=Pd"
        " Open_Punctuation=Ps Close_Punctuation=Pe Initial_Punctuation=Pi Final_Punctuation=Pf"
        " Other_Punctuation=Po Separator=Z Space_Separator=Zs Line_Separator=Zl"
        " Paragraph_Separator=Zp Other=C Control=Cc cntrl=Cc Format=Cf Surrogate=Cs Private_Use=Co"
        " Unassigned=Cn ";
    const char *from = p->at + 1, *known;
    char text[32];

    if (!pass_skip(p, "{"))
        return pass_fail(p, "\\p needs a property in braces");
    if (pass_skip(p, "gc=") || pass_skip(p, "General_Category="))
        pass_rewrite(p, from, "");
    else if (!pass_skip(p, "sc=") && !pass_skip(p, "scx=") && !pass_skip(p, "Script="))
        pass_skip(p, "Script_Extensions=");
    for (from = p->at; is_word_char(pass_peek(p, 0));)
        p->at++;
    snprintf(text, sizeof text, " %.*s=", (int)(p->at - from), from);
    known = strstr(categories, text);
    if (known) {
        known += strlen(text);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(known, " "), known);
        pass_rewrite(p, from, text);
    }
    return (p->at > from && pass_skip(p, "}")) || pass_fail(p, "\\p needs a property in braces");
}

/* Behind the letter of a set. */
static bool read_set(struct pass *p, bool in_class)
{
    const char *from = p->at - 2;

    switch (from[1]) {
    case 's':
        pass_rewrite(p, from, in_class ? SPACES : "[" SPACES "]");
        return true;
    case 'S':
        pass_rewrite(p, from, in_class ? NOT_SPACES : "[^" SPACES "]");
        return true;
    case 'p':
    case 'P':
        return read_property(p);
    default:
        return true;
    }
}

static bool fail_escape(struct pass *p, char c)
{
    char what[80];

    if (!is_letter(c) && !is_digit(c))
        return pass_fail(p, "this character needs no backslash");
    snprintf(what, sizeof what, "\\%c %s", c,
             c == 'c' ? "needs a letter" : "is not an escape of ECMA-262");
    return pass_fail(p, what);
}

/* At a backslash: what is the same in a class and outside. *point: the character, or A_SET. */
static bool read_escape(struct pass *p, bool in_class, long *point)
{
    static const char controls[] = "t\tn\nf\fr\rv\v";
    const char *from = p->at++, *control;
    char c = pass_peek(p, 0), next = pass_peek(p, 1);

    if (p->at == p->end)
        return pass_fail(p, "nothing after the backslash");
    p->at++;
    control = is_letter(c) ? strchr(controls, c) : NULL;
    if (control) {
        *point = (unsigned char)control[1];
        if (c == 'v')
            pass_rewrite(p, from, "\\x0b");
    } else if (c == 'u') {
        return read_unicode(p, point);
    } else if (c == 'x') {
        *point = read_hex(p, 2);
        return *point >= 0 || pass_fail(p, "\\x needs two hexadecimal digits");
    } else if (c == 'c' && is_letter(next)) {
        *point = next & 31;
        p->at++;
    } else if (c == '0' && !is_digit(next)) {
        *point = 0;
    } else if (c >= ' ' && c < 0x7F && !is_letter(c) && !is_digit(c)) {
        *point = (unsigned char)c;
    } else if (c && strchr(SETS, c)) {
        *point = A_SET;
        return read_set(p, in_class);
    } else {
        p->at--;
        return fail_escape(p, c);
    }
    return true;
}

/* --- classes: [a-z\d] ------------------------------------------------------------------------ */

static bool read_class_item(struct pass *p, long *point)
{
    const char *from = p->at;
    char escaped[] = { '\\', *from, '\0' };

    if (pass_skip(p, "\\b")) {
        *point = '\b';
        return true;
    }
    if (*from == '\\')
        return read_escape(p, true, point);
    p->at += utf8_sequence(from, p->end);
    *point = utf8_decode(from, (int)(p->at - from));
    if (*from && strchr("-[:.=", *from))
        pass_rewrite(p, from, escaped);
    return true;
}

/* One character, set or range. A hyphen beside a set is itself. */
static bool read_class_part(struct pass *p)
{
    const char *hyphen;
    long first, last;

    if (!read_class_item(p, &first))
        return false;
    if (pass_peek(p, 0) != '-' || p->end - p->at < 2 || p->at[1] == ']')
        return true;
    hyphen = p->at++;
    if (first == A_SET || (*p->at == '\\' && pass_peek(p, 1) && strchr(SETS, pass_peek(p, 1)))) {
        pass_rewrite(p, hyphen, "\\-");
        return true;
    }
    return read_class_item(p, &last) &&
           (last >= first || pass_fail(p, "a range that ends before it begins"));
}

/* Behind "[". */
static bool read_class(struct pass *p)
{
    const char *from = p->at - 1;

    if (pass_skip(p, "]")) {
        pass_rewrite(p, from, "(?!)");
        return true;
    }
    pass_skip(p, "^");
    while (!pass_skip(p, "]")) {
        if (p->at == p->end)
            return pass_fail(p, "[ without ]");
        if (!read_class_part(p))
            return false;
    }
    return true;
}

/* --- groups and quantifiers ------------------------------------------------------------------ */

/* Behind "<". */
static bool read_name(struct pass *p)
{
    const char *from = p->at;

    while (is_word_char(pass_peek(p, 0)) && (p->at > from || !is_digit(*from)))
        p->at++;
    if (p->at == from || pass_peek(p, 0) != '>')
        return pass_fail(p, "a group's name is letters, digits and _ between < and >");
    if (p->at - from > NAME_CHARS)
        return pass_fail(p, "a group's name has more than 32 characters");
    p->at++;
    return true;
}

/* At "(". */
static bool read_group_open(struct pass *p)
{
    if (++p->depth > GROUPS_MAX)
        return pass_fail(p, "groups nested too deep");
    if (pass_skip(p, "(?:") || pass_skip(p, "(?=") || pass_skip(p, "(?!") || pass_skip(p, "(?<=") ||
        pass_skip(p, "(?<!"))
        return true;
    if (pass_skip(p, "(?<"))
        return read_name(p);
    if (pass_peek(p, 1) == '?')
        return pass_fail(p, "a group of this kind is not in ECMA-262");
    p->at++;
    return true;
}

/* Digits as a number; more than REPEAT_MAX for anything that is more. */
static long read_count(struct pass *p)
{
    long count = 0;

    for (; is_digit(pass_peek(p, 0)); p->at++)
        if (count <= REPEAT_MAX)
            count = count * 10 + (*p->at - '0');
    return count;
}

/* {2}, {2,} or {2,3}. False, and nothing is read: other braces are characters. */
static bool skip_braces(struct pass *p, long *least, long *most)
{
    const char *from = p->at;

    if (pass_skip(p, "{") && is_digit(pass_peek(p, 0))) {
        *least = *most = read_count(p);
        if (pass_skip(p, ",") && is_digit(pass_peek(p, 0)))
            *most = read_count(p);
        if (pass_skip(p, "}"))
            return true;
    }
    p->at = from;
    return false;
}

/* Reads the quantifier that an atom may have. */
static bool read_quantifier(struct pass *p)
{
    long least = 0, most = 0;

    if (!skip_braces(p, &least, &most) && !pass_skip(p, "*") && !pass_skip(p, "+") &&
        !pass_skip(p, "?"))
        return true;
    p->at--; /* errors are at the brace */
    if (least > REPEAT_MAX || most > REPEAT_MAX)
        return pass_fail(p, "more than 65535 repetitions");
    if (least > most)
        return pass_fail(p, "a quantifier whose numbers are out of order");
    p->at++;
    pass_skip(p, "?");
    return true;
}

/* --- the pattern ----------------------------------------------------------------------------- */

/* At a backslash outside a class; *atom: can it be repeated? */
static bool read_backslash(struct pass *p, bool *atom)
{
    char c = pass_peek(p, 1), number[32];
    const char *from = p->at;
    long point;

    *atom = !pass_skip(p, "\\b") && !pass_skip(p, "\\B");
    if (!*atom)
        return true;
    if (pass_skip(p, "\\k<"))
        return read_name(p);
    if (c < '1' || c > '9')
        return read_escape(p, false, &point);
    p->at++;
    snprintf(number, sizeof number, "\\g{%ld}", read_count(p));
    pass_rewrite(p, from, number);
    return true;
}

/* Something that is matched, and how often; or what stands between. */
static bool read_term(struct pass *p)
{
    const char *from = p->at;
    bool atom = true;
    long least, most;

    if (*from == '\\')
        return read_backslash(p, &atom) && (!atom || read_quantifier(p));
    if (*from == '*' || *from == '+' || *from == '?' || skip_braces(p, &least, &most)) {
        p->at = from;
        return pass_fail(p, "nothing to repeat");
    }
    if (*from == ')' && !p->depth)
        return pass_fail(p, ") without (");
    p->at++;
    switch (*from) {
    case '^':
    case '$':
    case '|':
        return true;
    case '[':
        return read_class(p) && read_quantifier(p);
    case '.':
        pass_rewrite(p, from, NOT_LINE_END);
        break;
    case '{':
        pass_rewrite(p, from, "\\{");
        break;
    case ')':
        p->depth--;
        break;
    }
    return read_quantifier(p);
}

bool ecma_translate(struct buf *out, const char *pattern, size_t len, struct error *err)
{
    struct pass p = { pattern, pattern, pattern + len, pattern, out, err, 0 };
    size_t bad;

    if (!utf8_valid(pattern, len, &bad))
        return error_set(err, "invalid_pattern", "the pattern is not UTF-8 at byte %zu", bad);
    while (p.at < p.end)
        if (!(*p.at == '(' ? read_group_open(&p) : read_term(&p)))
            return false;
    pass_rewrite(&p, p.end, "");
    return !p.depth || pass_fail(&p, "( without )");
}
