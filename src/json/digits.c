/* Walks the text and the tree side by side: the nth number of the one is the nth of the other. */
#include "json/digits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "json/number.h"

struct walk {
    struct arena *arena;
    const char *at, *end; /* the text that is left */
};

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || (c | 0x20) == 'e';
}

static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++) {
        if (*p == '\\')
            p++;
    }
    return p + 1;
}

/* The next number of the text. A word has letters that a number has, but no digit begins one. */
static struct str next_number(struct walk *walk)
{
    const char *p = walk->at, *start;

    while (p < walk->end && *p != '-' && !(*p >= '0' && *p <= '9'))
        p = *p == '"' ? skip_string(p, walk->end) : p + 1;
    start = p;
    while (p < walk->end && is_of_number(*p))
        p++;
    walk->at = p;
    return (struct str){ start, (size_t)(p - start) };
}

static bool is_whole(struct str text)
{
    return !memchr(text.ptr, '.', text.len) && !memchr(text.ptr, 'e', text.len) &&
           !memchr(text.ptr, 'E', text.len);
}

static bool loses_digits(struct str text, double value)
{
    char printed[NUMBER_TEXT_MAX];
    size_t len;

    if (text.len < DIGITS_LONG)
        return false;
    if (is_whole(text) && fabs(value) > EXACT_INTEGERS)
        return true;
    len = number_text(printed, value);
    return !str_same(text, (struct str){ printed, len });
}

static void keep_number(struct walk *walk, cJSON *node)
{
    struct str text = next_number(walk);

    if (!loses_digits(text, node->valuedouble))
        return;
    node->valuestring = arena_alloc(walk->arena, text.len + 1);
    memcpy(node->valuestring, text.ptr, text.len);
    node->valuestring[text.len] = '\0';
}

/* As deep as the scanner let it be: at most JSON_DEPTH_MAX. */
static void walk_tree(struct walk *walk, cJSON *node)
{
    for (; node; node = node->next) {
        if (cJSON_IsNumber(node))
            keep_number(walk, node);
        walk_tree(walk, node->child);
    }
}

void digits_keep(struct arena *arena, cJSON *root, const char *text, size_t len)
{
    walk_tree(&(struct walk){ arena, text, text + len }, root);
}

const char *digits_of(const cJSON *number)
{
    return cJSON_IsNumber(number) ? number->valuestring : NULL;
}

bool digits_integer(const char *text, int64_t *out)
{
    long long value;
    char *end;

    errno = 0;
    value = strtoll(text, &end, 10);
    *out = value;
    return !errno && *end == '\0';
}
