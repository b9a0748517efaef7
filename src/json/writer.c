/* Writing JSON. Clean runs of text are copied whole; a tree is walked with a
 * stack of its own instead of recursion, so that its depth cannot hurt. */
#include "json/writer.h"

#include <math.h>
#include <stdlib.h>

#include "json/digits.h"
#include "json/number.h"
#include "json/plain.h"
#include "json/utf8.h"

/* --- strings ----------------------------------------------------------------- */

static void write_escape(struct buf *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";

    for (const char *name = names; *name; name += 2) {
        if ((unsigned char)name[0] == c) {
            buf_addc(out, '\\');
            buf_addc(out, name[1]);
            return;
        }
    }
    buf_lit(out, "\\u00");
    buf_addc(out, hex[c >> 4]);
    buf_addc(out, hex[c & 15]);
}

/* One byte or ill-formed part that cannot stay as it is; returns what follows it. */
static const char *write_replaced(struct buf *out, const char *p, const char *end, bool nul_form)
{
    if ((unsigned char)*p < 0x80) {
        write_escape(out, (unsigned char)*p);
        return p + 1;
    }
    if (nul_form && end - p >= 2 && p[0] == '\xC0' && p[1] == '\x80') {
        buf_lit(out, "\\u0000");
        return p + 2;
    }
    buf_lit(out, "\xEF\xBF\xBD");
    return p - utf8_sequence(p, end);
}

/* The first byte at or after p that cannot be written as it is, or end. */
static const char *skip_clean(const char *p, const char *end)
{
    for (;;) {
        const char *stop = plain_skip(p, end);

        if (stop == end || (unsigned char)*stop < 0x80)
            return stop;
        p = utf8_skip(stop, end);
        if (p == stop)
            return stop;
    }
}

/* nul_form: C0 80 stands for NUL. */
static void write_string_text(struct buf *out, const char *p, size_t len, bool nul_form)
{
    const char *end = len ? p + len : p; /* NULL + 0 is not defined */

    buf_reserve(out, len + 2);
    while (p < end) {
        const char *stop = skip_clean(p, end);

        buf_add(out, p, (size_t)(stop - p));
        p = stop < end ? write_replaced(out, stop, end, nul_form) : end;
    }
}

void json_write_string(struct buf *out, const char *text, size_t len)
{
    buf_addc(out, '"');
    write_string_text(out, text, len, false);
    buf_addc(out, '"');
}

static void write_quoted(struct buf *out, const char *text)
{
    buf_addc(out, '"');
    if (text)
        write_string_text(out, text, strlen(text), true);
    buf_addc(out, '"');
}

/* --- numbers ----------------------------------------------------------------- */

void json_write_number(struct buf *out, double value)
{
    if (!isfinite(value)) {
        buf_lit(out, "null");
        return;
    }
    out->len += number_text(buf_reserve(out, NUMBER_TEXT_MAX), value);
}

void json_write_integer(struct buf *out, int64_t value)
{
    out->len += integer_text(buf_reserve(out, NUMBER_TEXT_MAX), value);
}

/* --- trees ------------------------------------------------------------------- */

struct tree_walk {
    struct buf *out;
    int indent;         /* less than 0: no white space */
    const cJSON **open; /* the containers around the current node */
    size_t depth, room;
    const cJSON *small[64]; /* where `open` points first */
};

static void write_scalar(struct buf *out, const cJSON *node)
{
    switch (node->type & 0xFF) {
    case cJSON_True:
        buf_lit(out, "true");
        break;
    case cJSON_False:
        buf_lit(out, "false");
        break;
    case cJSON_Number:
        if (digits_of(node))
            buf_adds(out, digits_of(node));
        else
            json_write_number(out, node->valuedouble);
        break;
    case cJSON_String:
        write_quoted(out, node->valuestring);
        break;
    case cJSON_Raw:
        buf_adds(out, node->valuestring ? node->valuestring : "null");
        break;
    default:
        buf_lit(out, "null");
    }
}

static void new_line(const struct tree_walk *walk)
{
    size_t spaces = walk->depth * (size_t)(walk->indent > 0 ? walk->indent : 0);

    if (walk->indent < 0)
        return;
    buf_addc(walk->out, '\n');
    memset(buf_reserve(walk->out, spaces), ' ', spaces);
    walk->out->len += spaces;
}

static void write_member_name(const struct tree_walk *walk, const cJSON *member)
{
    write_quoted(walk->out, member->string);
    buf_addc(walk->out, ':');
    if (walk->indent >= 0)
        buf_addc(walk->out, ' ');
}

static bool is_object(const cJSON *node)
{
    return (node->type & 0xFF) == cJSON_Object;
}

static bool is_container(const cJSON *node)
{
    return (node->type & 0xFF) == cJSON_Array || is_object(node);
}

static void walk_push(struct tree_walk *walk, const cJSON *node)
{
    if (walk->depth == walk->room) {
        const cJSON **old = walk->open;

        walk->room *= 2;
        walk->open = mem_resize(old == walk->small ? NULL : (void *)old, walk->room * sizeof *old);
        if (old == walk->small)
            memcpy(walk->open, old, sizeof walk->small);
    }
    walk->open[walk->depth++] = node;
}

/* Writes what begins at this node; returns the node to go on with: its first
 * child, or NULL when it is written whole. */
static const cJSON *write_node(struct tree_walk *walk, const cJSON *node)
{
    if (walk->depth && is_object(walk->open[walk->depth - 1]))
        write_member_name(walk, node);
    if (!is_container(node)) {
        write_scalar(walk->out, node);
        return NULL;
    }
    buf_addc(walk->out, is_object(node) ? '{' : '[');
    if (!node->child) {
        buf_addc(walk->out, is_object(node) ? '}' : ']');
        return NULL;
    }
    walk_push(walk, node);
    new_line(walk);
    return node->child;
}

/* Goes from a written node to the next; NULL at the end of the tree. */
static const cJSON *write_between(struct tree_walk *walk, const cJSON *node)
{
    while (walk->depth && !node->next) {
        node = walk->open[--walk->depth];
        new_line(walk);
        buf_addc(walk->out, is_object(node) ? '}' : ']');
    }
    if (!walk->depth)
        return NULL;
    buf_addc(walk->out, ',');
    new_line(walk);
    return node->next;
}

static void write_tree(struct buf *out, const cJSON *node, int indent)
{
    struct tree_walk walk;

    if (!node) {
        buf_lit(out, "null");
        return;
    }
    walk.out = out;
    walk.indent = indent;
    walk.open = walk.small;
    walk.depth = 0;
    walk.room = countof(walk.small);
    while (node) {
        const cJSON *child = write_node(&walk, node);

        node = child ? child : write_between(&walk, node);
    }
    if (walk.open != walk.small)
        free(walk.open);
}

void json_write(struct buf *out, const cJSON *tree)
{
    write_tree(out, tree, -1);
}

void json_write_pretty(struct buf *out, const cJSON *tree, int indent)
{
    write_tree(out, tree, indent < 0 ? 0 : indent);
}
