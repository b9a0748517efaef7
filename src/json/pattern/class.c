/* Classes: [a-z\d] and the like. */
#include "json/pattern/translation.h"
#include "json/utf8.h"

/* What an escape inside a class, or a plain character there, turned out to be. */
struct item {
    bool is_set;    /* \d and the like; already written to `set` */
    uint32_t point; /* if it is one character */
};

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
    if (!ecma_set(e, &item->is_set))
        return false;
    if (item->is_set)
        return true;
    return ecma_character(e, &item->point, &known) && (known || ecma_fail_escape(e));
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
        ecma_add_point(e, first.point);
    if (peek(e, 0) != '-' || e->end - e->at < 2 || e->at[1] == ']')
        return true;
    e->at++;
    if (first.is_set || set_follows(e)) {
        ecma_add_point(e, '-');
        return true;
    }
    if (!class_item(e, &last))
        return false;
    if (last.point < first.point)
        return ecma_fail(e, "a range that ends before it begins");
    buf_addc(e->out, '-');
    ecma_add_point(e, last.point);
    return true;
}

bool ecma_class(struct ecma *e)
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
        return ecma_fail(e, "[ without ]");
    e->at++;
    buf_addc(e->out, ']');
    return true;
}
