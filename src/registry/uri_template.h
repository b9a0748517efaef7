/* URI templates (RFC 6570), read backwards: does a URI come from this template, and with which
 * values?
 *
 * Levels 1 to 3: {name}, {+name}, {#name}, {.name}, {/name}, {;name}, {?name}, {&name}, and lists
 * of names in them. Level 4 ({name*}, {name:3}) has no single way back and is refused. */
#ifndef PERIGEE_REGISTRY_URI_TEMPLATE_H
#define PERIGEE_REGISTRY_URI_TEMPLATE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/util.h"

struct uri_template;

enum { URI_BYTES = 8192, URI_NAMES = 32 };

/* NULL: err (code "bad_template") names what is wrong and where. */
struct uri_template *uri_template_new(const char *text, struct error *err);
void uri_template_free(struct uri_template *template); /* NULL is fine */

/* The variables, in the order of the text. */
size_t uri_template_count(const struct uri_template *template);
const char *uri_template_name(const struct uri_template *template, size_t index);

/* Where a variable's value stands in a URI; still percent-encoded. ptr NULL: it has none. */
struct uri_values {
    struct str at[URI_NAMES];
};

/* If a URI can be read in several ways, earlier variables take more. Query variables ({?a,b}) may
 * come in any order, may be absent, and others beside them are ignored. A URI longer than URI_BYTES
 * matches nothing, and so does one that takes very many tries. */
bool uri_template_match(const struct uri_template *template, struct str uri,
                        struct uri_values *values);

/* The other way: the template with these values, one for each variable, as they are. A variable
 * without one (ptr NULL) stays {name}, and in a query it is left out. */
void uri_template_fill(const struct uri_template *template, const struct str *values,
                       struct buf *out);

/* Undoes %XX; writes at most text.len bytes to `out` and returns how many. An incomplete %X stays.
 */
size_t uri_template_decode(char *out, struct str text);

#endif
