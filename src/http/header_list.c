/* Headers: lists of our own, and what may be in one. */
#include <stdlib.h>
#include <strings.h>

#include "http/client/request_impl.h"

void http_bag_add(struct http_bag *bag, const char *name, const char *value)
{
    if ((bag->count & (bag->count + 1)) == 0) /* full: sizes are 2^n - 1 */
        bag->items = mem_resize(bag->items, (2 * bag->count + 1) * sizeof *bag->items);
    bag->items[bag->count++] =
        (struct http_header){ .name = mem_strdup(name), .value = mem_strdup(value) };
}

void http_bag_free(struct http_bag *bag)
{
    for (size_t i = 0; i < bag->count; i++) {
        free((char *)(uintptr_t)bag->items[i].name);
        free((char *)(uintptr_t)bag->items[i].value);
    }
    free(bag->items);
    *bag = (struct http_bag){ 0 };
}

const char *http_header_value(const struct http_headers *headers, const char *name)
{
    for (size_t i = 0; i < headers->count; i++) {
        if (strcasecmp(headers->items[i].name, name) == 0)
            return headers->items[i].value;
    }
    return NULL;
}

/* A token of RFC 9110 section 5.6.2. */
static bool is_token(const char *text)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    if (!*text)
        return false;
    for (; *text; text++) {
        bool alnum = (*text >= '0' && *text <= '9') || (*text >= 'A' && *text <= 'Z') ||
                     (*text >= 'a' && *text <= 'z');

        if (!alnum && !strchr(marks, *text))
            return false;
    }
    return true;
}

/* A line break would begin a header of somebody else's choice. */
static bool is_value(const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return false;
    }
    return true;
}

bool http_check_headers(const struct http_headers *headers, struct error *err)
{
    for (size_t i = 0; i < headers->count; i++) {
        if (!is_token(headers->items[i].name))
            return error_set(err, "bad_argument", "\"%.100s\" cannot be the name of a header",
                             headers->items[i].name);
        if (!is_value(headers->items[i].value))
            return error_set(err, "bad_argument",
                             "the value of header \"%.100s\" contains a control character",
                             headers->items[i].name);
    }
    return true;
}

bool http_check_method(const char *method, struct error *err)
{
    if (is_token(method) && strlen(method) <= 32)
        return true;
    return error_set(err, "bad_argument", "\"%.40s\" is not an HTTP method", method);
}
