/* A template is a list of parts: literal text, or one variable with what has to stand before it and
 * which characters it may hold. {?a,b} is one part of its own, read as a query. */
#include "registry/uri_template.h"

#include <ctype.h>
#include <stdlib.h>

enum { URI_PARTS_MAX = 2 * URI_NAMES + 1, TRIES_MAX = 100000, VARIABLE_MAX = 64 };

enum part_kind { PART_LITERAL, PART_VALUE, PART_QUERY };

struct uri_part {
    enum part_kind kind;
    struct str text;     /* literal: the text; else: what stands before the value, as "/" or ";a" */
    bool reserved;       /* value: it may hold any character */
    size_t first, count; /* variables: one for a value, all of a query */
};

struct uri_template {
    struct uri_part parts[URI_PARTS_MAX];
    size_t part_count;
    char *names[URI_NAMES];
    size_t name_count;
};

/* --- reading the template ------------------------------------------------------------ */

static bool add_variable_name(struct uri_template *template, struct str name, const char *text,
                              struct error *err)
{
    if (!name.len || name.len > VARIABLE_MAX)
        return error_set(err, "bad_template", "%s: a variable's name must have 1 to %d characters",
                         text, VARIABLE_MAX);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (c == '*' || c == ':')
            return error_set(err, "bad_template",
                             "%s: {%.*s} is not supported. Use {name}, {+name}, {/name} or {?name}",
                             text, (int)name.len, name.ptr);
        if (!isalnum((unsigned char)c) && c != '_' && c != '.')
            return error_set(err, "bad_template",
                             "%s: a variable's name may contain only A-Z a-z 0-9 _ and .", text);
    }
    if (template->name_count == URI_NAMES)
        return error_set(err, "bad_template", "%s: more than %d variables", text, URI_NAMES);
    for (size_t i = 0; i < template->name_count; i++)
        if (str_same(str_from(template->names[i]), name))
            return error_set(err, "bad_template", "%s: the variable %s occurs twice", text,
                             template->names[i]);
    template->names[template->name_count++] = mem_strndup(name.ptr, name.len);
    return true;
}

static void add_template_part(struct uri_template *template, struct uri_part part)
{
    template->parts[template->part_count++] = part; /* there is room: see URI_PARTS_MAX */
}

/* The text before a value: the operator's own character first, its separator after that. */
static struct str lead_of(char op, bool first)
{
    switch (op) {
    case '#':
        return first ? STR("#") : STR(",");
    case '.':
        return STR(".");
    case '/':
        return STR("/");
    case ';':
        return STR(";");
    default:
        return first ? STR("") : STR(",");
    }
}

/* The names in "a,b", the operator left out. */
static bool add_variables(struct uri_template *template, char op, struct str names,
                          const char *text, struct error *err)
{
    size_t first = template->name_count;

    for (bool at_first = true;; at_first = false) {
        const char *comma = memchr(names.ptr, ',', names.len);
        struct str name = { names.ptr, comma ? (size_t)(comma - names.ptr) : names.len };

        if (!add_variable_name(template, name, text, err))
            return false;
        if (op != '?' && op != '&')
            add_template_part(template, (struct uri_part){ .kind = PART_VALUE,
                                                           .text = lead_of(op, at_first),
                                                           .reserved = op == '+' || op == '#',
                                                           .first = template->name_count - 1,
                                                           .count = op == ';' ? 2 : 1 });
        if (!comma)
            break;
        names.len -= (size_t)(comma + 1 - names.ptr);
        names.ptr = comma + 1;
    }
    if (op == '?' || op == '&')
        add_template_part(template, (struct uri_part){ .kind = PART_QUERY,
                                                       .text = op == '?' ? STR("?") : STR("&"),
                                                       .first = first,
                                                       .count = template->name_count - first });
    return true;
}

static bool read_template(struct uri_template *template, const char *text, struct error *err)
{
    for (const char *at = text; *at;) {
        const char *open = strchr(at, '{');
        size_t plain = open ? (size_t)(open - at) : strlen(at);
        const char *close;
        char op;

        if (memchr(at, '}', plain))
            return error_set(err, "bad_template", "%s: a } without its {", text);
        if (plain)
            add_template_part(template, (struct uri_part){ .kind = PART_LITERAL,
                                                           .text = (struct str){ at, plain } });
        if (!open)
            return true;
        close = strchr(open, '}');
        if (!close)
            return error_set(err, "bad_template", "%s: a { without its }", text);
        op = open[1] && strchr("+#./;?&", open[1]) ? open[1] : '\0';
        open += op ? 2 : 1;
        if (!add_variables(template, op, (struct str){ open, (size_t)(close - open) }, text, err))
            return false;
        at = close + 1;
    }
    return true;
}

struct uri_template *uri_template_new(const char *text, struct error *err)
{
    struct uri_template *template = mem_zero(sizeof *template);

    if (strlen(text) > URI_BYTES)
        error_set(err, "bad_template", "a template must have at most %d bytes", URI_BYTES);
    else if (read_template(template, text, err)) {
        for (size_t i = 0; i < template->part_count; i++) /* literals outlive the text */
            if (template->parts[i].kind == PART_LITERAL)
                template->parts[i].text.ptr =
                    mem_strndup(template->parts[i].text.ptr, template->parts[i].text.len);
        return template;
    }
    for (size_t i = 0; i < template->part_count; i++)
        if (template->parts[i].kind == PART_LITERAL)
            template->parts[i] = (struct uri_part){ .kind = PART_VALUE };
    uri_template_free(template);
    return NULL;
}

void uri_template_free(struct uri_template *template)
{
    if (!template)
        return;
    for (size_t i = 0; i < template->part_count; i++)
        if (template->parts[i].kind == PART_LITERAL)
            free((char *)template->parts[i].text.ptr);
    for (size_t i = 0; i < template->name_count; i++)
        free(template->names[i]);
    free(template);
}

size_t uri_template_count(const struct uri_template *template)
{
    return template->name_count;
}

const char *uri_template_name(const struct uri_template *template, size_t index)
{
    return template->names[index];
}

/* --- matching ------------------------------------------------------------------------- */

struct uri_match {
    const struct uri_template *template;
    struct uri_values *values;
    int tries;
};

static bool match_parts_from(struct uri_match *match, size_t index, struct str rest);

static struct str text_after(struct str text, size_t n)
{
    return (struct str){ text.ptr + n, text.len - n };
}

static bool text_begins(struct str text, struct str start)
{
    return text.len >= start.len && (!start.len || memcmp(text.ptr, start.ptr, start.len) == 0);
}

/* RFC 6570 section 3.2.2: a simple value holds unreserved characters and %XX, and what a lenient
 * client leaves unencoded; what separates the parts of a URI ends it. */
static bool ends_value(char c)
{
    return c == '/' || c == '?' || c == '#' || c == '&' || c == '=';
}

static bool match_value(struct uri_match *match, size_t index, struct str rest)
{
    const struct uri_part *part = &match->template->parts[index];
    size_t longest = 0;

    if (!text_begins(rest, part->text))
        return false;
    rest = text_after(rest, part->text.len);
    if (part->count == 2) { /* ;name=value, or ;name */
        struct str name = str_from(match->template->names[part->first]);

        if (!text_begins(rest, name))
            return false;
        rest = text_after(rest, name.len);
        if (text_begins(rest, STR("=")))
            rest = text_after(rest, 1);
    }
    while (longest < rest.len && (part->reserved || !ends_value(rest.ptr[longest])))
        longest++;
    for (size_t n = longest;; n--) {
        match->values->at[part->first] = (struct str){ rest.ptr, n };
        if (n || part->reserved)
            if (match_parts_from(match, index + 1, text_after(rest, n)))
                return true;
        if (!n || ++match->tries > TRIES_MAX)
            return false;
    }
}

/* name=value&name=value up to the end or a fragment. */
static void read_query_values(struct uri_match *match, const struct uri_part *part,
                              struct str query)
{
    while (query.len) {
        const char *amp = memchr(query.ptr, '&', query.len);
        struct str pair = { query.ptr, amp ? (size_t)(amp - query.ptr) : query.len };
        const char *equals = memchr(pair.ptr, '=', pair.len);
        struct str name = { pair.ptr, equals ? (size_t)(equals - pair.ptr) : pair.len };

        for (size_t i = part->first; i < part->first + part->count; i++)
            if (str_same(str_from(match->template->names[i]), name))
                match->values->at[i] = equals ? text_after(pair, name.len + 1)
                                              : (struct str){ pair.ptr + pair.len, 0 };
        query = text_after(query, pair.len + (amp ? 1 : 0));
    }
}

static bool match_query(struct uri_match *match, size_t index, struct str rest)
{
    const struct uri_part *part = &match->template->parts[index];
    size_t len = 0;

    if (!text_begins(rest, part->text))
        return match_parts_from(match, index + 1, rest); /* every variable is absent */
    while (len < rest.len && rest.ptr[len] != '#')
        len++;
    read_query_values(match, part, (struct str){ rest.ptr + 1, len - 1 });
    return match_parts_from(match, index + 1, text_after(rest, len));
}

static bool match_parts_from(struct uri_match *match, size_t index, struct str rest)
{
    const struct uri_part *part = &match->template->parts[index];

    if (index == match->template->part_count)
        return rest.len == 0;
    switch (part->kind) {
    case PART_LITERAL:
        return text_begins(rest, part->text) &&
               match_parts_from(match, index + 1, text_after(rest, part->text.len));
    case PART_VALUE:
        return match_value(match, index, rest);
    default:
        return match_query(match, index, rest);
    }
}

bool uri_template_match(const struct uri_template *template, struct str uri,
                        struct uri_values *values)
{
    struct uri_match match = { template, values, 0 };

    *values = (struct uri_values){ 0 };
    return uri.len <= URI_BYTES && match_parts_from(&match, 0, uri);
}

static int hex_digit_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

size_t uri_template_decode(char *out, struct str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        bool escape = text.ptr[i] == '%' && i + 2 < text.len &&
                      hex_digit_value(text.ptr[i + 1]) >= 0 &&
                      hex_digit_value(text.ptr[i + 2]) >= 0;

        out[n++] =
            escape
                ? (char)(hex_digit_value(text.ptr[i + 1]) << 4 | hex_digit_value(text.ptr[i + 2]))
                : text.ptr[i];
        i += escape ? 2 : 0;
    }
    return n;
}

/* --- filling in ----------------------------------------------------------------------- */

/* RFC 3986, section 2: reserved characters stay only where a variable may hold them. */
static bool char_stays(char c, bool reserved)
{
    return isalnum((unsigned char)c) || (c && strchr("-._~", c)) ||
           (reserved && c && strchr(":/?#[]@!$&'()*+,;=", c));
}

static void add_encoded_value(struct buf *out, struct str value, bool reserved)
{
    for (size_t i = 0; i < value.len; i++)
        if (char_stays(value.ptr[i], reserved))
            buf_addc(out, value.ptr[i]);
        else
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)value.ptr[i]);
}

static void fill_value(const struct uri_template *template, const struct uri_part *part,
                       struct str value, struct buf *out)
{
    const char *name = template->names[part->first];

    buf_add(out, part->text.ptr, part->text.len);
    if (part->count == 2)
        buf_addf(out, "%s=", name);
    if (value.ptr)
        add_encoded_value(out, value, part->reserved);
    else
        buf_addf(out, "{%s}", name);
}

static void fill_query(const struct uri_template *template, const struct uri_part *part,
                       const struct str *values, struct buf *out)
{
    bool first = true;

    for (size_t i = part->first; i < part->first + part->count; i++) {
        if (!values[i].ptr)
            continue;
        if (first)
            buf_add(out, part->text.ptr, part->text.len);
        else
            buf_addc(out, '&');
        buf_addf(out, "%s=", template->names[i]);
        add_encoded_value(out, values[i], false);
        first = false;
    }
}

void uri_template_fill(const struct uri_template *template, const struct str *values,
                       struct buf *out)
{
    for (size_t i = 0; i < template->part_count; i++) {
        const struct uri_part *part = &template->parts[i];

        if (part->kind == PART_LITERAL)
            buf_add(out, part->text.ptr, part->text.len);
        else if (part->kind == PART_VALUE)
            fill_value(template, part, values[part->first], out);
        else
            fill_query(template, part, values, out);
    }
}
