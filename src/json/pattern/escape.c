/* What stands behind a backslash, and how one character is written. */
#include <stdio.h>

#include "json/pattern/translation.h"

/* White space and line ends of ECMA-262, and everything else. */
#define SPACES                                                                                     \
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"           \
    "\\x{205f}\\x{3000}\\x{feff}"
#define NOT_SPACES                                                                                 \
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"               \
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"                 \
    "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

void ecma_add_point(struct ecma *e, uint32_t point)
{
    if (point < 0x80 && (is_digit((char)point) || is_letter((char)point)))
        buf_addc(e->out, (char)point);
    else
        buf_addf(e->out, "\\x{%x}", (unsigned)point);
}

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
        return ecma_fail(e, "\\u{} needs hexadecimal digits");
    while (peek(e, 0) != '}') {
        digit = read_hex(e, 1);
        if (digit < 0)
            return ecma_fail(e, "\\u{ needs hexadecimal digits and a }");
        value = value * 16 + digit;
        if (value > 0x10FFFF)
            return ecma_fail(e, "no character is above U+10FFFF");
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
            return ecma_fail(e, "\\u needs four hexadecimal digits");
        *point = (uint32_t)unit;
        if ((unit & 0xFC00) == 0xD800 && looking_at(e, "\\u")) {
            e->at += 2;
            low = read_hex(e, 4);
            if ((low & ~0x3FFL) == 0xDC00)
                *point = 0x10000u + ((uint32_t)(unit & 0x3FF) << 10) + (uint32_t)(low & 0x3FF);
        }
    }
    if (*point >= 0xD800 && *point <= 0xDFFF)
        return ecma_fail(e, "half of a surrogate pair is no character");
    return true;
}

bool ecma_character(struct ecma *e, uint32_t *point, bool *known)
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
            return ecma_fail(e, "\\x needs two hexadecimal digits");
        *point = (uint32_t)value;
    } else if (c == 'u') {
        e->at++;
        return read_unicode(e, point);
    } else if (c == 'c') {
        if (!is_letter(peek(e, 1)))
            return ecma_fail(e, "\\c needs a letter");
        *point = (uint32_t)peek(e, 1) & 31;
        e->at += 2;
    } else if (c == '0' && !is_digit(peek(e, 1))) {
        *point = 0;
        e->at++;
    } else if (c >= ' ' && c < 0x7F && !is_digit(c) && !is_letter(c)) {
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
        return ecma_fail(e, "\\p needs a property in braces");
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
        return ecma_fail(e, "\\p needs a property in braces");
    e->at++;
    known = short_category(name, len);
    if (known)
        buf_addf(e->out, "\\%c{%s%s}", letter, prefix, known);
    else
        buf_addf(e->out, "\\%c{%s%.*s}", letter, prefix, (int)len, name);
    return true;
}

bool ecma_set(struct ecma *e, bool *known)
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

bool ecma_fail_escape(struct ecma *e)
{
    char what[80];

    if (e->at == e->end)
        return ecma_fail(e, "nothing after the backslash");
    if (!is_letter(*e->at) && !is_digit(*e->at))
        return ecma_fail(e, "this character needs no backslash");
    snprintf(what, sizeof what, "\\%c is not an escape of ECMA-262", *e->at);
    return ecma_fail(e, what);
}
