/* Schemas that are large, and hostile ones: none costs more than the budget. */
#include "schema_run.h"

#include "base/buf.h"

static void many_properties_are_told_apart(void **state)
{
    struct buf text = { 0 }, value = { 0 };
    struct schema *schema;

    (void)state;
    buf_lit(&text, "{\"required\":[\"p0\"");
    for (int i = 1; i < 1000; i++)
        buf_addf(&text, ",\"p%d\"", i);
    buf_lit(&text, "],\"additionalProperties\":false,\"properties\":{\"p0\":{\"const\":0}");
    for (int i = 1; i < 1000; i++)
        buf_addf(&text, ",\"p%d\":{\"const\":%d}", i, i);
    buf_lit(&text, "}}");
    buf_lit(&value, "{\"p999\":999");
    for (int i = 0; i < 999; i++)
        buf_addf(&value, ",\"p%d\":%d", i, i);
    buf_lit(&value, "}");
    schema = compile(buf_text(&text));
    judged(schema, buf_text(&value), "");
    value.len -= strlen(",\"p998\":998}");
    buf_lit(&value, ",\"p1000\":1}");
    judged(
        schema, buf_text(&value),
        "unknown property \"p1000\" (did you mean \"p100\"?); missing required property \"p998\"");
    schema_free(schema);
    buf_free(&text);
    buf_free(&value);
}

/* A chain of definitions, each only a reference to the next. */
static void long_chains_of_references_are_followed(void **state)
{
    struct buf text = { 0 };
    struct schema *schema;

    (void)state;
    buf_lit(&text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 500; i++)
        buf_addf(&text, "\"d%d\":{\"$ref\":\"#/$defs/d%d\"},", i, i + 1);
    buf_lit(&text, "\"d500\":{\"type\":\"null\"}}}");
    schema = compile(buf_text(&text));
    judged(schema, "null", "");
    judged(schema, "1", "arguments: expected null, got integer 1");
    schema_free(schema);
    buf_free(&text);
}

static void gives_up(const char *schema_text, const char *value, const char *code)
{
    struct schema *schema = compile(schema_text);
    struct json_doc *doc = parse(value);
    struct error err = { "", "" };

    assert_false(schema_check(schema, json_root(doc), &err));
    assert_string_equal(err.code, code);
    json_doc_free(doc);
    schema_free(schema);
}

/* Each level checks the next one twice: two to the power of 40 checks. */
static void a_check_that_explodes_is_given_up(void **state)
{
    struct buf text = { 0 };

    (void)state;
    buf_lit(&text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 40; i++)
        buf_addf(&text,
                 "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]},", i,
                 i + 1, i + 1);
    buf_lit(&text, "\"d40\":{\"type\":\"null\"}}}");
    gives_up(buf_text(&text), "null", "schema_too_costly");
    buf_free(&text);
}

static void a_chain_too_long_for_the_stack_is_given_up(void **state)
{
    struct buf text = { 0 };

    (void)state;
    buf_lit(&text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 2000; i++)
        buf_addf(&text, "\"d%d\":{\"$ref\":\"#/$defs/d%d\"},", i, i + 1);
    buf_lit(&text, "\"d2000\":{\"type\":\"null\"}}}");
    gives_up(buf_text(&text), "null", "schema_too_costly");
    buf_free(&text);
}

/* A check that is given up is neither passed nor failed, whatever schema is around it. */
static void a_check_given_up_is_no_answer_for_not(void **state)
{
    (void)state;
    gives_up("{\"not\":{\"pattern\":\"^(a+)+$\"}}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"",
             "pattern_too_costly");
    gives_up("{\"anyOf\":[{\"pattern\":\"^(a+)+$\"},true]}",
             "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"", "pattern_too_costly");
}

static void many_equal_objects_are_compared_quickly(void **state)
{
    struct schema *schema = compile("{\"uniqueItems\":true}");
    struct buf text = { 0 };

    (void)state;
    buf_addc(&text, '[');
    for (int i = 0; i < 20000; i++)
        buf_addf(&text, "{\"kind\":\"row\",\"number\":%d,\"tags\":[\"a\",%d]},", i, i % 7);
    buf_lit(&text, "{\"tags\":[\"a\",6],\"number\":13,\"kind\":\"row\"}]");
    judged(schema, buf_text(&text),
           "arguments: items 13 and 20000 are equal, expected all different");
    buf_free(&text);
    schema_free(schema);
}

/* Two large objects with the same members in opposite order. */
static void large_objects_are_compared_quickly(void **state)
{
    struct schema *schema = compile("{\"uniqueItems\":true}");
    struct buf text = { 0 };

    (void)state;
    buf_lit(&text, "[{");
    for (int i = 0; i < 50000; i++)
        buf_addf(&text, "%s\"m%d\":%d", i ? "," : "", i, i);
    buf_lit(&text, "},{");
    for (int i = 49999; i >= 0; i--)
        buf_addf(&text, "\"m%d\":%d%s", i, i, i ? "," : "");
    buf_lit(&text, "}]");
    judged(schema, buf_text(&text), "arguments: items 0 and 1 are equal, expected all different");
    buf_free(&text);
    schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_properties_are_told_apart),
        cmocka_unit_test(long_chains_of_references_are_followed),
        cmocka_unit_test(a_check_that_explodes_is_given_up),
        cmocka_unit_test(a_chain_too_long_for_the_stack_is_given_up),
        cmocka_unit_test(a_check_given_up_is_no_answer_for_not),
        cmocka_unit_test(many_equal_objects_are_compared_quickly),
        cmocka_unit_test(large_objects_are_compared_quickly),
    };

    return cmocka_run_group_tests_name("schema_cost", tests, NULL, NULL);
}
