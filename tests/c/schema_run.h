/* Schemas and values from text, for cases about the messages. */
#ifndef PERIGEE_TESTS_SCHEMA_RUN_H
#define PERIGEE_TESTS_SCHEMA_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json/document.h"
#include "json/schema/schema.h"

static inline struct json_doc *parse(const char *text)
{
    struct error err = { "", "" };
    struct json_doc *doc = json_parse(text, strlen(text), NULL, &err);

    if (!doc)
        fail_msg("%s: %s", text, err.text);
    return doc;
}

static inline struct schema *compile(const char *text)
{
    struct json_doc *doc = parse(text);
    struct error err = { "", "" };
    struct schema *schema = schema_compile(json_root(doc), &err);

    json_doc_free(doc); /* the schema does not need it any more */
    if (!schema)
        fail_msg("%s: %s", text, err.text);
    return schema;
}

/* want: the problems; "" if the value fits. */
static inline void judged(const struct schema *schema, const char *value, const char *want)
{
    struct json_doc *doc = parse(value);
    struct error err = { "", "" };
    bool fits = schema_check(schema, json_root(doc), &err);

    if (fits != !*want || strcmp(err.text, want) != 0)
        fail_msg("%s:\n   got \"%s\"\nwanted \"%s\"", value, err.text, want);
    if (!fits)
        assert_string_equal(err.code, "invalid_arguments");
    assert_true(schema_check(schema, json_root(doc), NULL) == fits);
    json_doc_free(doc);
}

#endif
