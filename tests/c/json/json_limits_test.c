/* How large and deep a JSON text may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "json/document.h"

static bool fits(const char *text, struct json_limits limits, const char *code)
{
    struct error err = { "", "" };
    struct json_doc *doc = json_parse(text, strlen(text), &limits, &err);
    bool fine = doc != NULL;

    assert_string_equal(err.code, fine ? "" : code);
    json_doc_free(doc);
    return fine;
}

static void depth_is_limited(void **state)
{
    struct json_limits limits = { 1000, 3, 1000 };

    (void)state;
    assert_true(fits("[[[1]]]", limits, ""));
    assert_true(fits("{\"a\":[{}]}", limits, ""));
    assert_true(fits("[[[]],[[]],[[]]]", limits, ""));
    assert_false(fits("[[[[]]]]", limits, "json_depth"));
    assert_false(fits("{\"a\":{\"a\":{\"a\":{", limits, "json_depth"));
}

static void size_is_limited(void **state)
{
    struct json_limits limits = { 5, 3, 1000 };

    (void)state;
    assert_true(fits("[1,2]", limits, ""));
    assert_false(fits("[1,2] ", limits, "json_size"));
}

static void nodes_are_limited(void **state)
{
    struct json_limits limits = { 1000, 3, 4 };

    (void)state;
    assert_true(fits("[1,2,3]", limits, ""));
    assert_true(fits("{\"a\":1,\"b\":[2]}", limits, ""));
    assert_false(fits("[1,2,3,4]", limits, "json_nodes"));
    assert_false(fits("{\"a\":1,\"b\":[2,3]}", limits, "json_nodes"));
}

static struct buf brackets(size_t depth)
{
    struct buf text = { 0 };

    memset(buf_reserve(&text, 2 * depth), '[', depth);
    memset(text.data + depth, ']', depth);
    text.len = 2 * depth;
    return text;
}

static bool nests(size_t depth, const struct json_limits *limits)
{
    struct buf text = brackets(depth);
    struct error err = { "", "" };
    struct json_doc *doc = json_parse(text.data, text.len, limits, &err);
    bool fine = doc != NULL;

    assert_string_equal(err.code, fine ? "" : "json_depth");
    json_doc_free(doc);
    buf_free(&text);
    return fine;
}

static void default_limits_hold(void **state)
{
    const struct json_limits deep = { SIZE_MAX, 100000, 1000000 };

    (void)state;
    assert_int_equal(json_limits_default.bytes, 10 * 1024 * 1024);
    assert_int_equal(json_limits_default.depth, 128);
    assert_int_equal(json_limits_default.nodes, 1000000);
    assert_true(nests(128, NULL));
    assert_false(nests(129, NULL));
    assert_false(nests(100000, NULL));
    assert_true(nests(JSON_DEPTH_MAX, &deep));
    assert_false(nests(JSON_DEPTH_MAX + 1, &deep));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(size_is_limited),
        cmocka_unit_test(nodes_are_limited),
        cmocka_unit_test(default_limits_hold),
    };

    return cmocka_run_group_tests_name("json_limits", tests, NULL, NULL);
}
