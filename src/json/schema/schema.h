/* JSON Schema 2020-12 for the arguments of tools: compiled once, checked often.
 *
 * Understood: all of the applicator, validation and unevaluated vocabularies,
 * $defs, $anchor, embedded $id, and $ref to anything inside the document.
 * `format` and other annotations assert nothing; unknown keywords are ignored,
 * as the specification asks. What would need the network ($ref to another
 * document) or dynamic scope ($dynamicRef) is an error when the schema is
 * compiled, never silently skipped. So is a loop of references that could
 * not end. Main thread only. */
#ifndef PERIGEE_JSON_SCHEMA_SCHEMA_H
#define PERIGEE_JSON_SCHEMA_SCHEMA_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* A property's annotation, text: the other name under which callers may pass it. A check does not
 * know that name, its messages do; lua/lib/border/arguments.lua settles it. */
#define SCHEMA_ALSO "x-also-called"

struct schema;

/* Keeps a copy; `root` may go. NULL with "invalid_schema" and the JSON pointer of
 * the offending keyword: `at #/properties/x/type: ...`. Regular expressions are
 * checked for ECMA-262 syntax here and compiled when they are first needed. */
struct schema *schema_compile(const cJSON *root, struct error *err);

/* The same for a schema that somebody here wrote: a keyword that JSON Schema does not have is an
 * error, too, because it asserts nothing and is likely a typo (names that begin with "x-" or have a
 * '/', ':' or '.' are the author's own); so is a "default" that its own schema refuses, or of a
 * property that is required. */
struct schema *schema_compile_strict(const cJSON *root, struct error *err);

void schema_free(struct schema *schema); /* accepts NULL */

/* Does the value fit (NULL: an empty object)? If not, err has the code "invalid_arguments" and up
 * to five problems joined by "; ", each naming the place and what was expected there:
 *
 *   x: expected integer, got string "abc"; unknown property "foo" (did you mean "food"?)
 *
 * or `(known: a, b, c)` when no known name is near. Places read like window.bounds[2].x; the
 * value itself is "arguments", where it has to be named at all. Other codes: "schema_too_costly"
 * and "pattern_too_costly" when the check was given up, and those of module_symbol(). */
bool schema_check(const struct schema *schema, const cJSON *value, struct error *err);

#endif
