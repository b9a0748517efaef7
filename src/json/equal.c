/* Equality and hashing. Objects whose members come in the same order, which is
 * nearly always, are compared side by side; others are sorted first, so that
 * even a hostile pair costs n log n. */
#include "json/equal.h"

#include <stdlib.h>

struct member {
    const cJSON *node;
    size_t place;
};

static int node_type(const cJSON *node)
{
    return node->type & 0xFF;
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static int member_order(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int order = strcmp(text_or_empty(a->node->string), text_or_empty(b->node->string));

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static size_t count_children(const cJSON *node)
{
    size_t count = 0;

    for (const cJSON *child = node->child; child; child = child->next)
        count++;
    return count;
}

/* The members by name; the caller frees. */
static struct member *sorted_members(const cJSON *object, size_t count)
{
    struct member *members = mem_alloc(count * sizeof *members);
    size_t i = 0;

    for (const cJSON *child = object->child; child; child = child->next, i++)
        members[i] = (struct member){ child, i };
    qsort(members, count, sizeof *members, member_order);
    return members;
}

static bool same_sorted(const cJSON *a, const cJSON *b)
{
    size_t count = count_children(a);
    struct member *left, *right;
    bool same = true;

    if (count != count_children(b))
        return false;
    left = sorted_members(a, count);
    right = sorted_members(b, count);
    for (size_t i = 0; same && i < count; i++) {
        same = strcmp(text_or_empty(left[i].node->string), text_or_empty(right[i].node->string)) ==
                   0 &&
               json_equal(left[i].node, right[i].node);
    }
    free(left);
    free(right);
    return same;
}

static bool same_names(const cJSON *a, const cJSON *b)
{
    for (a = a->child, b = b->child; a && b; a = a->next, b = b->next) {
        if (strcmp(text_or_empty(a->string), text_or_empty(b->string)) != 0)
            return false;
    }
    return !a && !b;
}

static bool same_children(const cJSON *a, const cJSON *b)
{
    for (a = a->child, b = b->child; a && b; a = a->next, b = b->next) {
        if (!json_equal(a, b))
            return false;
    }
    return !a && !b;
}

bool json_equal(const cJSON *a, const cJSON *b)
{
    if (node_type(a) != node_type(b))
        return false;
    switch (node_type(a)) {
    case cJSON_Number:
        return a->valuedouble == b->valuedouble;
    case cJSON_String:
        return strcmp(text_or_empty(a->valuestring), text_or_empty(b->valuestring)) == 0;
    case cJSON_Array:
        return same_children(a, b);
    case cJSON_Object:
        return same_names(a, b) ? same_children(a, b) : same_sorted(a, b);
    default:
        return true;
    }
}

/* --- hashing ----------------------------------------------------------------- */

static uint64_t mix_hash(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return mix_hash(hash);
}

static uint64_t hash_number(double value)
{
    uint64_t bits;

    value += 0.0; /* -0 equals 0 */
    memcpy(&bits, &value, sizeof bits);
    return mix_hash(bits + 1);
}

uint64_t json_hash(const cJSON *value)
{
    uint64_t hash = (uint64_t)node_type(value);

    switch (node_type(value)) {
    case cJSON_Number:
        return hash_number(value->valuedouble);
    case cJSON_String:
        return hash_text(text_or_empty(value->valuestring));
    case cJSON_Array:
        for (const cJSON *child = value->child; child; child = child->next)
            hash = mix_hash(hash + json_hash(child));
        return hash;
    case cJSON_Object: /* a sum, which does not depend on the order */
        for (const cJSON *child = value->child; child; child = child->next)
            hash += mix_hash(hash_text(text_or_empty(child->string)) + 3 * json_hash(child));
        return mix_hash(hash);
    default:
        return mix_hash(hash);
    }
}
