/* One pass over the pattern. Every character of the result that is not plainly a
 * letter or digit is written as an escape, so PCRE2 never sees a spelling that
 * it could read in its own way. */
#include "json/pattern/translation.h"
#include "json/utf8.h"

enum { GROUPS_MAX = 250, REPEAT_MAX = 65535 }; /* PCRE2's own bounds */

#define NOT_LINE_END "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]"

bool ecma_fail(struct ecma *e, const char *what)
{
    return error_set(e->err, "invalid_pattern", "invalid pattern /%.*s/ at character %zu: %s",
                     (int)utf8_cut(e->start, (size_t)(e->end - e->start), 120), e->start,
                     utf8_length(e->start, (size_t)(e->at - e->start)) + 1, what);
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
        return ecma_fail(e, "a group's name is letters, digits and _ between < and >");
    e->at++;
    buf_add(e->out, start, (size_t)(e->at - start));
    return true;
}

static bool write_open(struct ecma *e)
{
    static const char *const kinds[] = { "(?:", "(?=", "(?!", "(?<=", "(?<!" };

    if (++e->depth > GROUPS_MAX)
        return ecma_fail(e, "groups nested too deep");
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
        return ecma_fail(e, "a group of this kind is not in ECMA-262");
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
        return ecma_fail(e, "more than 65535 repetitions");
    if (least > most && e->out->data[e->out->len - 1] != ',')
        return ecma_fail(e, "a quantifier whose numbers are out of order");
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
    if (!ecma_set(e, &known))
        return false;
    if (known) {
        buf_addc(e->out, ']');
        return true;
    }
    e->out->len = mark;
    if (!ecma_character(e, &point, &known))
        return false;
    if (!known)
        return ecma_fail_escape(e);
    ecma_add_point(e, point);
    return true;
}

static void write_character(struct ecma *e)
{
    int size = utf8_sequence(e->at, e->end);

    ecma_add_point(e, utf8_decode(e->at, size));
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
        if (!ecma_class(e))
            return false;
        break;
    case '\\':
        if (!write_escape(e, &atom))
            return false;
        break;
    case ')':
        if (!e->depth)
            return ecma_fail(e, ") without (");
        e->depth--;
        buf_addc(e->out, ')');
        e->at++;
        break;
    case '*':
    case '+':
    case '?':
        return ecma_fail(e, "nothing to repeat");
    default:
        if (c == '{' && at_braces(e))
            return ecma_fail(e, "nothing to repeat");
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
    return !e.depth || ecma_fail(&e, "( without )");
}
