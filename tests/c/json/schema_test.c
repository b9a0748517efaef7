/* Schemas: the messages about values that do not fit, and which schemas are refused and why.
 * schema_suite_test.c tests that values are judged right; the cases of that kind here remain when
 * the suite is absent. */
#include "schema_run.h"

#include "json/utf8.h"

struct sample {
    const char *schema, *value, *want;
};

static void check_samples(const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct schema *schema = compile(samples[i].schema);

        judged(schema, samples[i].value, samples[i].want);
        schema_free(schema);
    }
}

/* --- messages -------------------------------------------------------------------- */

#define RECTANGLE                                                                                  \
    "{\"type\":\"object\",\"required\":[\"x\",\"text\"],\"additionalProperties\":false,"           \
    "\"properties\":{\"x\":{\"type\":\"integer\"},\"text\":{\"type\":\"string\"},"                 \
    "\"mode\":{\"enum\":[\"a\",\"b\",\"c\"]},\"window\":{\"type\":\"object\",\"properties\":{"     \
    "\"bounds\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"x\"],"          \
    "\"properties\":{\"x\":{\"type\":\"number\"}}}}}}}}"

#define WINDOW                                                                                     \
    "{\"type\":\"object\",\"required\":[\"window\"],\"additionalProperties\":false,"               \
    "\"properties\":{\"window\":{\"x-also-called\":\"name\"},\"diff\":{}}}"

static const struct sample messages[] = {
    { WINDOW, "{}", "missing required property \"window\" (or \"name\")" },
    { WINDOW, "{\"window\":1,\"length\":1}",
      "unknown property \"length\" (known: window or name, diff)" },
    { RECTANGLE, "{\"x\":1,\"text\":\"\"}", "" },
    { RECTANGLE, "{\"x\":1.0,\"text\":\"\",\"mode\":\"c\",\"window\":{\"bounds\":[{\"x\":0.5}]}}",
      "" },
    { RECTANGLE, "{\"x\":\"abc\",\"text\":\"\"}", "x: expected integer, got string \"abc\"" },
    { RECTANGLE, "{\"x\":1.5,\"text\":\"\"}", "x: expected integer, got number 1.5" },
    { RECTANGLE, "{\"x\":null,\"text\":[]}",
      "x: expected integer, got null; text: expected string, got array" },
    { RECTANGLE, "{\"x\":true,\"text\":{}}",
      "x: expected integer, got boolean true; text: expected string, got object" },
    { RECTANGLE, "{\"x\":1}", "missing required property \"text\"" },
    { RECTANGLE, "{}", "missing required property \"x\"; missing required property \"text\"" },
    { RECTANGLE, "{\"x\":1,\"text\":\"\",\"colour\":1}",
      "unknown property \"colour\" (known: x, text, mode, window)" },
    { RECTANGLE, "{\"x\":1,\"text\":\"\",\"moed\":\"a\"}",
      "unknown property \"moed\" (did you mean \"mode\"?)" },
    { RECTANGLE, "{\"x\":1,\"text\":\"\",\"WINDOW\":1}",
      "unknown property \"WINDOW\" (did you mean \"window\"?)" },
    { RECTANGLE, "{\"x\":1,\"Text\":\"\"}",
      "unknown property \"Text\" (did you mean \"text\"?); missing required property \"text\"" },
    { RECTANGLE, "{\"x\":1,\"text\":\"\",\"mode\":\"d\"}",
      "mode: expected one of \"a\", \"b\", \"c\"; got \"d\"" },
    { RECTANGLE,
      "{\"x\":1,\"text\":\"\",\"window\":{\"bounds\":[{\"x\":1},{\"x\":2},{\"x\":\"3\"}]}}",
      "window.bounds[2].x: expected number, got string \"3\"" },
    { RECTANGLE, "{\"x\":1,\"text\":\"\",\"window\":{\"bounds\":[{}]}}",
      "window.bounds[0]: missing required property \"x\"" },
    { RECTANGLE, "[]", "arguments: expected object, got array" },
    { "{\"type\":[\"string\",\"null\"]}", "1",
      "arguments: expected string or null, got integer 1" },
    { "{\"type\":[\"boolean\",\"number\",\"string\",\"integer\",\"array\"]}", "{}",
      "arguments: expected number, string, array or boolean, got object" },
    { "{\"properties\":{\"a b\":{\"type\":\"null\"}}}", "{\"a b\":1}",
      "[\"a b\"]: expected null, got integer 1" },
    { "{\"properties\":{\"a\":{\"properties\":{\"b.c\":{\"type\":\"null\"}}}}}",
      "{\"a\":{\"b.c\":1}}", "a[\"b.c\"]: expected null, got integer 1" },
    { "{\"items\":{\"type\":\"null\"}}", "[null,[]]", "[1]: expected null, got array" },
    { "{\"additionalProperties\":{\"type\":\"null\"}}", "{\"a\":1}",
      "a: expected null, got integer 1" },
    { "{\"const\":5}", "6", "arguments: expected 5, got 6" },
    { "{\"enum\":[\"only\"]}", "\"other\"", "arguments: expected \"only\", got \"other\"" },
    { "{\"enum\":[]}", "1", "arguments: expected one of ; got 1" },
    { "{\"minimum\":3}", "2.5", "arguments: expected at least 3, got 2.5" },
    { "{\"maximum\":3}", "4", "arguments: expected at most 3, got 4" },
    { "{\"maximum\":3}", "9007199254740993",
      "arguments: expected at most 3, got 9007199254740993" },
    { "{\"exclusiveMinimum\":3}", "3", "arguments: expected more than 3, got 3" },
    { "{\"exclusiveMaximum\":3.5}", "3.5", "arguments: expected less than 3.5, got 3.5" },
    { "{\"minimum\":3,\"exclusiveMinimum\":3}", "3", "arguments: expected more than 3, got 3" },
    { "{\"minimum\":4,\"exclusiveMinimum\":3}", "3.5", "arguments: expected at least 4, got 3.5" },
    { "{\"exclusiveMaximum\":3,\"maximum\":2}", "2.5", "arguments: expected at most 2, got 2.5" },
    { "{\"multipleOf\":0.01}", "0.015", "arguments: expected a multiple of 0.01, got 0.015" },
    { "{\"multipleOf\":0.01}", "19.99", "" },
    { "{\"minLength\":2}", "\"\xc3\xa9\"", "arguments: expected at least 2 characters, got 1" },
    { "{\"maxLength\":2}", "\"\xc3\xa9\xc3\xa9\xc3\xa9\"",
      "arguments: expected at most 2 characters, got 3" },
    { "{\"maxLength\":2}", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "" },
    { "{\"maxLength\":2}", "\"a\\u0000b\"", "arguments: expected at most 2 characters, got 3" },
    { "{\"pattern\":\"^a+$\"}", "\"ab\"",
      "arguments: expected text that matches /^a+$/, got \"ab\"" },
    { "{\"minItems\":2}", "[1]", "arguments: expected at least 2 items, got 1" },
    { "{\"maxItems\":0}", "[1]", "arguments: expected at most 0 items, got 1" },
    { "{\"uniqueItems\":true}", "[1,{\"a\":1,\"b\":2},2,{\"b\":2,\"a\":1.0}]",
      "arguments: items 1 and 3 are equal, expected all different" },
    { "{\"minProperties\":1}", "{}", "arguments: expected at least 1 property, got 0" },
    { "{\"maxProperties\":1}", "{\"a\":1,\"b\":1}",
      "arguments: expected at most 1 property, got 2" },
    { "{\"contains\":{\"type\":\"null\"},\"minContains\":2}", "[null]",
      "arguments: expected at least 2 items that fit \"contains\", got 1" },
    { "{\"contains\":{\"type\":\"null\"},\"maxContains\":1}", "[null,null]",
      "arguments: expected at most 1 item that fits \"contains\", got 2" },
    { "{\"propertyNames\":{\"maxLength\":2}}", "{\"abc\":1}",
      "property name \"abc\" is not allowed" },
    { "{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
      "missing property \"b\", required with \"a\"" },
    { "{\"properties\":{\"a\":{\"dependentSchemas\":{\"b\":{\"required\":[\"c\"]}}}}}",
      "{\"a\":{\"b\":1}}", "a: missing required property \"c\"" },
    { "{\"properties\":{\"a\":false}}", "{\"a\":1}", "a: nothing is allowed here" },
    { "false", "1", "arguments: nothing is allowed here" },
    { "true", "1", "" },
    { "{\"not\":{\"type\":\"null\"}}", "null",
      "arguments: matches what \"not\" in the schema excludes" },
    { "{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},\"else\":{\"required\":["
      "\"c\"]}}",
      "{\"a\":1}", "missing required property \"b\"" },
    { "{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},\"else\":{\"required\":["
      "\"c\"]}}",
      "{}", "missing required property \"c\"" },
    { "{\"properties\":{\"a\":true},\"unevaluatedProperties\":false}", "{\"b\":1}",
      "unknown property \"b\"" },
    { "{\"prefixItems\":[true],\"unevaluatedItems\":{\"type\":\"null\"}}", "[1,2]",
      "[1]: expected null, got integer 2" },
    { "{\"patternProperties\":{\"^a\":{\"type\":\"null\"}},\"additionalProperties\":false}",
      "{\"a1\":null,\"a2\":2,\"b\":3}",
      "a2: expected null, got integer 2; unknown property \"b\"" },
    { "{\"format\":\"email\"}", "\"not an address\"", "" },
    { "{\"unknownKeyword\":{\"type\":5}}", "1", "" },
};

static void problems_name_the_place_and_what_was_expected(void **state)
{
    (void)state;
    check_samples(messages, countof(messages));
}

/* --- alternatives ------------------------------------------------------------ */

#define SHAPES                                                                                     \
    "{\"oneOf\":[{\"type\":\"object\",\"required\":[\"r\"],\"properties\":{\"kind\":"              \
    "{\"const\":\"circle\"},\"r\":{\"type\":\"number\"}}},{\"type\":\"object\",\"required\":"      \
    "[\"w\"],\"properties\":{\"kind\":{\"enum\":[\"box\",\"card\"]},\"w\":"                        \
    "{\"type\":\"number\"}}}]}"

static const struct sample alternatives[] = {
    { "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}", "\"x\"",
      "arguments: expected integer or null, got string \"x\"" },
    { "{\"anyOf\":[{\"const\":\"a\"},{\"const\":\"b\"},{\"enum\":[1,2]}]}", "3",
      "arguments: expected one of \"a\", \"b\", 1, 2; got 3" },
    { "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}",
      "[\"a\",1]", "[1]: expected string, got integer 1" },
    { "{\"anyOf\":[{\"minimum\":5},{\"multipleOf\":2}]}", "3",
      "arguments: fits none of 2 alternatives: (1) expected at least 5, got 3 or (2) "
      "expected a multiple of 2, got 3" },
    { "{\"properties\":{\"a\":{\"anyOf\":[{\"required\":[\"b\"]},{\"properties\":{\"c\":false}},"
      "{\"type\":\"null\"}]}}}",
      "{\"a\":{\"c\":1}}",
      "a: fits none of 3 alternatives: (1) missing required property \"b\" or (2) a.c: nothing is "
      "allowed here" },
    { "{\"enum\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14]}", "0",
      "arguments: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14; got 0" },
    { "{\"oneOf\":[{\"minimum\":5},{\"multipleOf\":2}]}", "6",
      "arguments: fits both alternative 1 and 2, expected exactly one" },
    { SHAPES, "{\"kind\":\"circle\",\"r\":\"1\"}", "r: expected number, got string \"1\"" },
    { SHAPES, "{\"kind\":\"card\"}", "missing required property \"w\"" },
    { SHAPES, "{\"kind\":\"cone\",\"r\":1}",
      "kind: expected one of \"circle\", \"box\", \"card\"; got \"cone\"" },
    { SHAPES, "7", "arguments: expected object, got integer 7" },
    { "{\"$defs\":{\"s\":{\"type\":\"string\"}},\"anyOf\":[{\"$ref\":\"#/$defs/s\"},"
      "{\"type\":\"null\"}]}",
      "1", "arguments: expected string or null, got integer 1" },
};

static void of_alternatives_the_likeliest_is_explained(void **state)
{
    (void)state;
    check_samples(alternatives, countof(alternatives));
}

static void no_value_is_an_empty_object(void **state)
{
    struct schema *any = compile("{\"type\":\"object\"}");
    struct schema *some = compile("{\"type\":\"object\",\"required\":[\"x\"]}");
    struct error err;

    (void)state;
    assert_true(schema_check(any, NULL, &err));
    assert_false(schema_check(some, NULL, &err));
    assert_string_equal(err.text, "missing required property \"x\"");
    schema_free(any);
    schema_free(some);
}

/* The syntax is checked at once, PCRE2's abilities at the first use. */
static void a_pattern_beyond_pcre2_fails_the_check(void **state)
{
    struct schema *odd = compile("{\"pattern\":\"(?<=a*)b\"}");
    struct json_doc *doc = parse("\"b\"");
    struct error err = { "", "" };

    (void)state;
    assert_false(schema_check(odd, json_root(doc), &err));
    assert_string_equal(err.code, "invalid_pattern");
    json_doc_free(doc);
    schema_free(odd);
}

static void at_most_five_problems_are_listed(void **state)
{
    struct schema *schema = compile("{\"items\":{\"type\":\"null\"}}");

    (void)state;
    judged(schema, "[1,2,null,3,4,5,6,7]",
           "[0]: expected null, got integer 1; [1]: expected null, got integer 2; "
           "[3]: expected null, got integer 3; [4]: expected null, got integer 4; "
           "[5]: expected null, got integer 5");
    schema_free(schema);
}

static void long_values_are_cut_and_stay_utf8(void **state)
{
    struct schema *schema = compile("{\"type\":\"null\"}");
    struct buf text = { 0 };
    struct json_doc *doc;
    struct error err;

    (void)state;
    buf_addc(&text, '"');
    for (int i = 0; i < 100000; i++)
        buf_lit(&text, "\xe2\x82\xac");
    buf_addc(&text, '"');
    doc = parse(buf_text(&text));
    assert_false(schema_check(schema, json_root(doc), &err));
    assert_true(strlen(err.text) < 120);
    assert_true(utf8_valid(err.text, strlen(err.text), NULL));
    assert_non_null(strstr(err.text, "..."));
    json_doc_free(doc);
    buf_free(&text);
    schema_free(schema);
}

static void names_with_nul_are_told_apart_and_printed_as_utf8(void **state)
{
    struct schema *schema = compile(
        "{\"properties\":{\"a\\u0000\":{\"type\":\"null\"}},\"additionalProperties\":false}");
    struct json_doc *doc = parse("{\"a\\u0000\":1,\"a\":1}");
    struct error err;

    (void)state;
    assert_false(schema_check(schema, json_root(doc), &err));
    assert_true(utf8_valid(err.text, strlen(err.text), NULL));
    assert_non_null(strstr(err.text, "expected null, got integer 1; unknown property \"a\""));
    json_doc_free(doc);
    schema_free(schema);
}

/* --- references -------------------------------------------------------------- */

static const struct sample references[] = {
    { "{\"$defs\":{\"n\":{\"type\":\"null\"}},\"items\":{\"$ref\":\"#/$defs/n\"}}", "[null,1]",
      "[1]: expected null, got integer 1" },
    { "{\"definitions\":{\"a/b~c "
      "%\":{\"type\":\"null\"}},\"$ref\":\"#/definitions/a~1b~0c%20%25\"}",
      "1", "arguments: expected null, got integer 1" },
    { "{\"properties\":{\"next\":{\"$ref\":\"#\"},\"v\":{\"type\":\"null\"}}}",
      "{\"next\":{\"next\":{\"v\":1}}}", "next.next.v: expected null, got integer 1" },
    { "{\"$defs\":{\"x\":{\"$anchor\":\"n\",\"type\":\"null\"}},\"$ref\":\"#n\"}", "1",
      "arguments: expected null, got integer 1" },
    { "{\"anyOf\":[{\"$ref\":\"#/anyOf/1\"},{\"type\":\"null\"}]}", "1",
      "arguments: expected null, got integer 1" },
    { "{\"$id\":\"http://x/root\",\"$defs\":{\"a\":{\"$id\":\"part\",\"type\":\"null\"}},"
      "\"$ref\":\"part\"}",
      "1", "arguments: expected null, got integer 1" },
    { "{\"odd\":{\"deep\":[{\"type\":\"null\"}]},\"$ref\":\"#/odd/deep/0\"}", "1",
      "arguments: expected null, got integer 1" },
    { "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"definitions\":{\"n\":"
      "{\"type\":\"null\"}},\"$ref\":\"#/definitions/n\"}",
      "1", "arguments: expected null, got integer 1" },
};

static void references_inside_the_document_are_followed(void **state)
{
    (void)state;
    check_samples(references, countof(references));
}

/* --- schemas that are refused ------------------------------------------------------ */

static const struct {
    const char *schema, *want;
} malformed[] = {
    { "5", "at #: expected a schema: an object, true or false" },
    { "[]", "at #: expected a schema: an object, true or false" },
    { "{\"properties\":{\"x\":{\"type\":\"strng\"}}}",
      "at #/properties/x/type: expected one of \"null\", \"boolean\", \"integer\", \"number\", "
      "\"string\", \"array\", \"object\", not \"strng\" (did you mean 'string'?)" },
    { "{\"type\":[]}", "at #/type: expected at least one type" },
    { "{\"type\":[\"null\",5]}",
      "at #/type/1: expected one of \"null\", \"boolean\", \"integer\", \"number\", \"string\", "
      "\"array\", \"object\"" },
    { "{\"type\":null}",
      "at #/type: expected one of \"null\", \"boolean\", \"integer\", \"number\", \"string\", "
      "\"array\", \"object\"" },
    { "{\"enum\":1}", "at #/enum: expected a list of values" },
    { "{\"required\":\"x\"}", "at #/required: expected a list of property names" },
    { "{\"required\":[\"x\",1]}", "at #/required/1: expected a string" },
    { "{\"properties\":[]}", "at #/properties: expected an object of schemas" },
    { "{\"properties\":{\"a/b~\":1}}",
      "at #/properties/a~1b~0: expected a schema: an object, true or false" },
    { "{\"items\":[{}]}",
      "at #/items: expected one schema. For a list of schemas, use \"prefixItems\"" },
    { "{\"prefixItems\":{}}", "at #/prefixItems: expected a list of one schema or more" },
    { "{\"prefixItems\":[]}", "at #/prefixItems: expected a list of one schema or more" },
    { "{\"allOf\":[1]}", "at #/allOf/0: expected a schema: an object, true or false" },
    { "{\"not\":null}", "at #/not: expected a schema: an object, true or false" },
    { "{\"minLength\":-1}", "at #/minLength: expected a whole number, 0 or more" },
    { "{\"minLength\":1.5}", "at #/minLength: expected a whole number, 0 or more" },
    { "{\"maxItems\":\"3\"}", "at #/maxItems: expected a whole number, 0 or more" },
    { "{\"minimum\":\"3\"}", "at #/minimum: expected a number" },
    { "{\"exclusiveMinimum\":true}", "at #/exclusiveMinimum: expected a number" },
    { "{\"multipleOf\":0}", "at #/multipleOf: expected a number above 0" },
    { "{\"uniqueItems\":1}", "at #/uniqueItems: expected true or false" },
    { "{\"format\":1}", "at #/format: expected a string" },
    { "{\"pattern\":5}", "at #/pattern: expected a string" },
    { "{\"pattern\":\"a(\"}", "at #/pattern: invalid pattern /a(/ at character 3: ( without )" },
    { "{\"patternProperties\":{\"[\":true}}",
      "at #/patternProperties/[: invalid pattern /[/ at character 2: [ without ]" },
    { "{\"dependentRequired\":{\"a\":\"b\"}}",
      "at #/dependentRequired/a: expected a list of property names" },
    { "{\"dependentRequired\":[]}",
      "at #/dependentRequired: expected an object of lists of property names" },
    { "{\"$defs\":{\"unused\":{\"type\":1}}}",
      "at #/$defs/unused/type: expected one of \"null\", \"boolean\", \"integer\", \"number\", "
      "\"string\", \"array\", \"object\"" },
    { "{\"$defs\":{\"a\":[]}}", "at #/$defs/a: expected a schema: an object, true or false" },
    { "{\"$ref\":5}", "at #/$ref: expected a string" },
    { "{\"$ref\":\"#/$defs/none\"}", "at #/$ref: \"#/$defs/none\" points to nothing" },
    { "{\"$ref\":\"#none\"}", "at #/$ref: \"#none\" points to nothing" },
    { "{\"$ref\":\"#/%zz\"}", "at #/$ref: \"#/%zz\" points to nothing" },
    { "{\"$ref\":\"#/title\",\"title\":\"x\"}",
      "at #/$ref: \"#/title\" does not point to a schema" },
    { "{\"items\":{\"$ref\":\"http://example.com/x.json#/a\"}}",
      "at #/items/$ref: \"http://example.com/x.json\" is not in this document, and network "
      "references are never fetched. Put its target under \"$defs\"" },
    { "{\"$ref\":\"other.json\"}",
      "at #/$ref: \"other.json\" is not in this document, and network references are never "
      "fetched. Put its target under \"$defs\"" },
    { "{\"$dynamicRef\":\"#x\"}",
      "at #/$dynamicRef: references with dynamic scope are not supported. Use \"$ref\"" },
    { "{\"$recursiveRef\":\"#\"}",
      "at #/$recursiveRef: references with dynamic scope are not supported. Use \"$ref\"" },
    { "{\"$anchor\":\"1\"}", "at #/$anchor: expected a letter or _, then letters, digits, - _ ." },
    { "{\"$id\":\"x#y\"}",
      "at #/$id: an identifier must not have a fragment. Use \"$anchor\" for \"y\"" },
    { "{\"$defs\":{\"a\":{\"$anchor\":\"n\"},\"b\":{\"$anchor\":\"n\"}}}",
      "at #/$defs/a/$anchor: two schemas have this anchor" },
    { "{\"$defs\":{\"a\":{\"$id\":\"n\"},\"b\":{\"$id\":\"n\"}}}",
      "at #/$defs/a/$id: two schemas have this identifier" },
    { "{\"$schema\":\"http://example.com/own\"}",
      "at #/$schema: \"http://example.com/own\" is not a known dialect. Use "
      "\"https://json-schema.org/draft/2020-12/schema\"" },
    { "{\"$ref\":\"#\"}", "at #: references lead back here without reaching a part of the value, "
                          "so the check would never end" },
    { "{\"$defs\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"anyOf\":[true,"
      "{\"not\":{\"$ref\":\"#/$defs/a\"}}]}}}",
      NULL },
    { "{\"if\":{\"$ref\":\"#\"}}", NULL },
    { "{\"dependentSchemas\":{\"a\":{\"$ref\":\"#\"}}}", NULL },
};

static void malformed_schemas_are_refused_where_they_are_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(malformed); i++) {
        const char *want = malformed[i].want;
        struct json_doc *doc = parse(malformed[i].schema);
        struct error err = { "", "" };
        struct schema *schema = schema_compile(json_root(doc), &err);

        if (schema || strcmp(err.code, "invalid_schema") != 0 ||
            (want ? strcmp(err.text, want) != 0 : !strstr(err.text, "would never end")))
            fail_msg("%s:\n   got \"%s\"\nwanted \"%s\"", malformed[i].schema, err.text,
                     want ? want : "...would never end");
        assert_null(schema_compile(json_root(doc), NULL));
        schema_free(schema);
        json_doc_free(doc);
    }
}

static void of_a_keyword_given_twice_the_last_counts(void **state)
{
    struct schema *schema = compile("{\"type\":\"null\",\"properties\":{\"a\":{\"type\":\"null\"}},"
                                    "\"type\":\"object\",\"properties\":{\"b\":false}}");

    (void)state;
    judged(schema, "{\"a\":1}", "");
    judged(schema, "{\"b\":1}", "b: nothing is allowed here");
    schema_free(schema);
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    schema_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problems_name_the_place_and_what_was_expected),
        cmocka_unit_test(of_alternatives_the_likeliest_is_explained),
        cmocka_unit_test(no_value_is_an_empty_object),
        cmocka_unit_test(a_pattern_beyond_pcre2_fails_the_check),
        cmocka_unit_test(at_most_five_problems_are_listed),
        cmocka_unit_test(long_values_are_cut_and_stay_utf8),
        cmocka_unit_test(names_with_nul_are_told_apart_and_printed_as_utf8),
        cmocka_unit_test(references_inside_the_document_are_followed),
        cmocka_unit_test(malformed_schemas_are_refused_where_they_are_wrong),
        cmocka_unit_test(of_a_keyword_given_twice_the_last_counts),
        cmocka_unit_test(freeing_nothing_is_fine),
    };

    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
