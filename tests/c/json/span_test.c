/* Finding values in JSON text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/span.h"

static void same(struct str got, const char *want)
{
    assert_int_equal(got.len, strlen(want));
    assert_memory_equal(got.ptr, want, got.len);
}

static void finds_a_member_of_any_kind(void **state)
{
    struct str text =
        STR(" { \"a\" : 9007199254740993 , \"b\":\"x\\\"}\", \"c\":{\"a\":[1,{}]},\"d\":null}");

    (void)state;
    same(json_span_member(text, "a"), "9007199254740993");
    same(json_span_member(text, "b"), "\"x\\\"}\"");
    same(json_span_member(text, "c"), "{\"a\":[1,{}]}");
    same(json_span_member(text, "d"), "null");
    same(json_span_member(json_span_member(text, "c"), "a"), "[1,{}]");
    assert_int_equal(json_span_member(text, "e").len, 0);
    assert_int_equal(json_span_member(STR("[1]"), "a").len, 0);
    assert_int_equal(json_span_member(STR("{}"), "a").len, 0);
    assert_int_equal(json_span_member((struct str){ 0 }, "a").len, 0);
}

static void takes_the_last_of_two(void **state)
{
    (void)state;
    same(json_span_member(STR("{\"a\":1,\"a\":2}"), "a"), "2");
}

static void walks_an_array(void **state)
{
    struct str rest = STR(" [ 1, \"a,]\" ,{\"x\":[2]},[3] ,true ] "), item;

    (void)state;
    assert_true(json_span_next(&rest, &item));
    same(item, "1");
    assert_true(json_span_next(&rest, &item));
    same(item, "\"a,]\"");
    assert_true(json_span_next(&rest, &item));
    same(item, "{\"x\":[2]}");
    assert_true(json_span_next(&rest, &item));
    same(item, "[3]");
    assert_true(json_span_next(&rest, &item));
    same(item, "true");
    assert_false(json_span_next(&rest, &item));
}

static void an_empty_array_has_no_element(void **state)
{
    struct str rest = STR("[ ]"), item;

    (void)state;
    assert_false(json_span_next(&rest, &item));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_member_of_any_kind),
        cmocka_unit_test(takes_the_last_of_two),
        cmocka_unit_test(walks_an_array),
        cmocka_unit_test(an_empty_array_has_no_element),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
