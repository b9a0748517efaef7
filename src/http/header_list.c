/* Lists of headers, and what may be in one. */
#include "http/header_list.h"

#include <stdlib.h>
#include <strings.h>

void header_list_add_str(struct header_list *list, struct str name, struct str value)
{
    if ((list->count & (list->count + 1)) == 0) /* full: sizes are 2^n - 1 */
        list->items = mem_resize(list->items, (2 * list->count + 1) * sizeof *list->items);
    list->items[list->count++] = (struct http_header){ .name = mem_strndup(name.ptr, name.len),
                                                       .value = mem_strndup(value.ptr, value.len) };
}

void header_list_add(struct header_list *list, const char *name, const char *value)
{
    header_list_add_str(list, str_from(name), str_from(value));
}

void header_list_add_all(struct header_list *list, struct http_headers headers)
{
    for (size_t i = 0; i < headers.count; i++)
        header_list_add(list, headers.items[i].name, headers.items[i].value);
}

void header_list_free(struct header_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free((char *)(uintptr_t)list->items[i].name);
        free((char *)(uintptr_t)list->items[i].value);
    }
    free(list->items);
    *list = (struct header_list){ 0 };
}

struct http_headers header_list_view(const struct header_list *list)
{
    return (struct http_headers){ list->items, list->count };
}

const char *http_header_value(const struct http_headers *headers, const char *name)
{
    for (size_t i = 0; i < headers->count; i++) {
        if (strcasecmp(headers->items[i].name, name) == 0)
            return headers->items[i].value;
    }
    return NULL;
}

bool http_is_token(const char *text)
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

/* A line break would begin another header, of the sender's choice. */
static bool is_header_value(const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return false;
    }
    return true;
}

bool http_headers_check(const struct http_headers *headers, struct error *err)
{
    for (size_t i = 0; i < headers->count; i++) {
        if (!http_is_token(headers->items[i].name))
            return error_set(
                err, "bad_argument",
                "\"%.100s\" is not a valid header name. Use letters, digits and hyphens",
                headers->items[i].name);
        if (!is_header_value(headers->items[i].value))
            return error_set(
                err, "bad_argument",
                "the value of header \"%.100s\" contains a control character. Remove it",
                headers->items[i].name);
    }
    return true;
}
