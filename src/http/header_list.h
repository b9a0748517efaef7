/* Headers of HTTP: a list that is borrowed (struct http_headers), and one that owns its strings. */
#ifndef PERIGEE_HTTP_HEADER_LIST_H
#define PERIGEE_HTTP_HEADER_LIST_H

#include "base/error.h"
#include "base/util.h"

struct http_header {
    const char *name;
    const char *value;
};

struct http_headers {
    const struct http_header *items;
    size_t count;
};

/* Owns its names and values. Zero is an empty one. */
struct header_list {
    struct http_header *items;
    size_t count;
};

/* Appends copies. A name may occur twice. */
void header_list_add(struct header_list *list, const char *name, const char *value);
void header_list_add_str(struct header_list *list, struct str name, struct str value);
void header_list_add_all(struct header_list *list, struct http_headers headers);

/* Frees what it owns and empties it. */
void header_list_free(struct header_list *list);

/* The list to be read; valid until it is changed. */
struct http_headers header_list_view(const struct header_list *list);

/* The first value of that name, any case; NULL. Borrowed. */
const char *http_header_value(const struct http_headers *headers, const char *name);

/* Checks that these may be sent. False: err, code "bad_argument", names the first that may not. */
bool http_headers_check(const struct http_headers *headers, struct error *err);

/* A token of RFC 9110, section 5.6.2: a header's name, a method. */
bool http_is_token(const char *text);

#endif
