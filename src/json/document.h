/* JSON text into trees of cJSON nodes, and back (json/writer.h).
 *
 * Every text passes the strict scanner (json/scan.h) first. A document owns
 * its nodes: they live in one arena, are read only, and die together in
 * json_doc_free(). Never cJSON_Delete() or change a node of a document; json_take_out() is
 * all that may be done to it.
 * Trees built with cJSON_Create*() are ordinary cJSON trees on the heap and
 * may be made, changed and deleted while documents are alive.
 *
 * A number that a double cannot hold keeps its text (json/digits.h), and is written as it came.
 *
 * When an object names a member twice, the last one counts: json_get() and
 * json_id_text() agree on that. Main thread only. */
#ifndef PERIGEE_JSON_DOCUMENT_H
#define PERIGEE_JSON_DOCUMENT_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "json/scan.h"

/* A parsed text. */
struct json_doc;

/* Installs the allocation hooks. Call once at program start, before any other
 * use of cJSON; json_parse() does it itself when it was forgotten. */
void json_init(void);

/* limits: NULL for the default. Copies what it needs of the text. The error codes are
 * those of json_scan(). */
struct json_doc *json_parse(const char *text, size_t len, const struct json_limits *limits,
                            struct error *err);
void json_doc_free(struct json_doc *doc);           /* accepts NULL */
const cJSON *json_root(const struct json_doc *doc); /* NULL for NULL */

/* A document of its own with the same content as this tree (text written and
 * read again), in as little memory as it needs: for what is kept for long. NULL when the tree
 * breaks the limits (json_limits_default). */
struct json_doc *json_copy(const cJSON *tree, struct error *err);

/* The exact source text of the root object's "id" member: `"a\u0062"` stays
 * that, 1.0 does not become 1. Empty if there is none. Lives as long as the document. */
struct str json_id_text(const struct json_doc *doc);

/* The last member of this name, case and all; NULL if there is none or this
 * is not an object (or is NULL). */
const cJSON *json_get(const cJSON *object, const char *key);

/* The same, with null as if it were not there: many serializers write null for an optional
 * member that is not set. */
const cJSON *json_given(const cJSON *object, const char *key);

/* Takes a member or item out of its container, both of one document: nothing sees it any more. Its
 * memory, and its `next`, stay until the document goes. */
void json_take_out(cJSON *container, cJSON *item);

/* The bytes of a string, real NULs included; empty if the node is not a
 * string (or is NULL). Lives as long as the node's document.
 *
 * cJSON's strings end at a NUL, so in the nodes of a document \u0000 is the
 * two bytes C0 80, which UTF-8 never has; these functions give the NUL back.
 * A copy made by cJSON_Duplicate() keeps C0 80; json_copy() keeps the meaning.
 * The writers turn C0 80 back into \u0000. */
struct str json_string(const cJSON *node);

/* The same for a member's name. */
struct str json_name(const cJSON *member);

/* True if the node is a number with an exact integer value, |v| <= 2^53: 3.0 is one. */
bool json_integer(const cJSON *node, int64_t *out);

#endif
