/* Any input is written as JSON, in UTF-8, and means the same. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json/document.h"
#include "json/writer.h"

static struct buf out;

static void wrote(const char *want)
{
    assert_string_equal(buf_text(&out), want);
    out.len = 0;
}

/* --- strings ----------------------------------------------------------------- */

#define STRING(text, want)                                                                         \
    do {                                                                                           \
        json_write_string(&out, text, sizeof(text) - 1);                                           \
        wrote(want);                                                                               \
    } while (0)

static void strings_are_escaped_as_little_as_possible(void **state)
{
    (void)state;
    STRING("", "\"\"");
    STRING("plain / text \x7f", "\"plain / text \x7f\"");
    STRING("\"\\", "\"\\\"\\\\\"");
    STRING("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
    STRING("\x01\x1f\v", "\"\\u0001\\u001f\\u000b\"");
    STRING("a\0b\0", "\"a\\u0000b\\u0000\"");
    STRING("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xe2\x80\xa8",
           "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xe2\x80\xa8\"");
    STRING("long enough to be copied in words\nand \"more\" of it",
           "\"long enough to be copied in words\\nand \\\"more\\\" of it\"");
}

static void what_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    STRING("a\xff", "\"a\xef\xbf\xbd\"");
    STRING("\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    STRING("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    STRING("\xe2\x82", "\"\xef\xbf\xbd\"");
    STRING("\xf0\x9f\x98z", "\"\xef\xbf\xbdz\"");
    STRING("\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void no_string_is_an_empty_one(void **state)
{
    (void)state;
    json_write_string(&out, NULL, 0);
    wrote("\"\"");
}

static void every_byte_alone_and_in_company_gives_json(void **state)
{
    char text[24];

    (void)state;
    for (int c = 0; c < 256; c++) {
        for (size_t at = 0; at < sizeof text; at++) {
            struct json_doc *doc;

            memset(text, 'a', sizeof text);
            text[at] = (char)c;
            json_write_string(&out, text, sizeof text);
            doc = json_parse(out.data, out.len, NULL, NULL);
            assert_non_null(doc);
            if (c < 0x80)
                assert_memory_equal(json_string(json_root(doc)).ptr, text, sizeof text);
            json_doc_free(doc);
            out.len = 0;
        }
    }
}

/* --- numbers ----------------------------------------------------------------- */

static void number(double value, const char *want)
{
    json_write_number(&out, value);
    wrote(want);
}

static void numbers_are_as_short_as_they_can_be(void **state)
{
    (void)state;
    number(0, "0");
    number(-0.0, "-0");
    number(1, "1");
    number(-17, "-17");
    number(0.1, "0.1");
    number(-0.5, "-0.5");
    number(1.5, "1.5");
    number(100.25, "100.25");
    number(0.000001, "0.000001");
    number(123456.789012, "123456.789012");
    number(0.1 + 0.2, "0.30000000000000004");
    number(1.0 / 3, "0.3333333333333333");
    number(1e15, "1000000000000000");
    number(9007199254740991.0, "9007199254740991");
    number(9007199254740992.0, "9007199254740992");
    number(-9007199254740992.0, "-9007199254740992");
    number(1e22, "1e+22");
    number(1.5e300, "1.5e+300");
    number(5e-324, "4.94065645841247e-324");
    number(1.7976931348623157e308, "1.7976931348623157e+308");
    number(1e-7, "1e-07");
    number(NAN, "null");
    number(INFINITY, "null");
    number(-INFINITY, "null");
}

static void integers_of_any_size_are_written(void **state)
{
    (void)state;
    json_write_integer(&out, 0);
    wrote("0");
    json_write_integer(&out, INT64_MAX);
    wrote("9223372036854775807");
    json_write_integer(&out, INT64_MIN);
    wrote("-9223372036854775808");
}

static void numbers_read_back_as_themselves(void **state)
{
    uint64_t seed = 88172645463325252u;
    unsigned tried = 0;

    (void)state;
    for (int i = 0; i < 40000; i++) {
        struct json_doc *doc;
        double value;

        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        memcpy(&value, &seed, sizeof value);
        if (i % 2) /* numbers as people use them */
            value = (double)(int64_t)(seed % 20000000) / (double)(1 + seed % 1000) - 5000;
        if (!isfinite(value))
            continue;
        tried++;
        json_write_number(&out, value);
        doc = json_parse(out.data, out.len, NULL, NULL);
        assert_non_null(doc);
        if (json_root(doc)->valuedouble != value)
            fail_msg("%.17g came back from %s", value, buf_text(&out));
        json_doc_free(doc);
        out.len = 0;
    }
    assert_true(tried > 30000);
}

static void the_decimal_point_is_a_point_in_every_locale(void **state)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE" };
    const char *set = NULL;
    struct json_doc *doc;

    (void)state;
    for (size_t i = 0; i < countof(names) && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        skip(); /* no locale with a decimal comma is installed */
    number(1.0 / 3, "0.3333333333333333");
    number(2.5, "2.5");
    doc = json_parse("2.5", 3, NULL, NULL);
    assert_true(json_root(doc)->valuedouble == 2.5);
    json_doc_free(doc);
    setlocale(LC_NUMERIC, "C");
}

/* --- trees ------------------------------------------------------------------- */

static void trees_are_written_as_they_were_read(void **state)
{
    static const char *const texts[] = {
        "null",
        "true",
        "[]",
        "{}",
        "[[],{},[{}]]",
        "{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":\"e\"}}",
        "[1,-2.5,\"x\\n\",\"\\u0000\"]",
        "{\"a\\u0000\":\"\\u0000b\",\"\":0,\"a\\\"\":1}",
    };

    (void)state;
    for (size_t i = 0; i < countof(texts); i++) {
        struct json_doc *doc = json_parse(texts[i], strlen(texts[i]), NULL, NULL);

        json_write(&out, json_root(doc));
        wrote(texts[i]);
        json_doc_free(doc);
    }
}

static void a_part_is_written_without_what_follows_it(void **state)
{
    struct json_doc *doc = json_parse("{\"a\":[1],\"b\":2}", 15, NULL, NULL);

    (void)state;
    json_write(&out, json_get(json_root(doc), "a"));
    wrote("[1]");
    json_write(&out, json_get(json_root(doc), "a")->child);
    wrote("1");
    json_doc_free(doc);
}

static void trees_made_by_hand_are_written(void **state)
{
    cJSON *tree = cJSON_CreateObject();

    (void)state;
    cJSON_AddItemToObject(tree, "raw", cJSON_CreateRaw("[1, 2]"));
    cJSON_AddStringToObject(tree, "bad", "\xff");
    cJSON_AddNumberToObject(tree, "nan", NAN);
    cJSON_AddNullToObject(tree, "nul\xc0\x80");
    json_write(&out, tree);
    wrote("{\"raw\":[1, 2],\"bad\":\"\xef\xbf\xbd\",\"nan\":null,\"nul\\u0000\":null}");
    cJSON_Delete(tree);
    json_write(&out, NULL);
    wrote("null");
}

static void depth_does_not_hurt(void **state)
{
    enum { DEPTH = 200000 };
    cJSON *nodes = calloc(DEPTH, sizeof *nodes); /* made by hand: cJSON_Delete() would recurse */

    (void)state;
    for (int i = 0; i < DEPTH; i++) {
        nodes[i].type = cJSON_Array;
        nodes[i].child = i + 1 < DEPTH ? &nodes[i + 1] : NULL;
    }
    json_write(&out, nodes);
    assert_int_equal(out.len, 2 * DEPTH);
    assert_int_equal(out.data[DEPTH - 1], '[');
    assert_int_equal(out.data[DEPTH], ']');
    out.len = 0;
    free(nodes);
}

static void pretty_text_is_indented(void **state)
{
    static const char text[] = "{\"a\":[1,{\"b\":[]},{}],\"c\":\"x\"}";
    struct json_doc *doc = json_parse(text, sizeof text - 1, NULL, NULL);

    (void)state;
    json_write_pretty(&out, json_root(doc), 2);
    wrote("{\n"
          "  \"a\": [\n"
          "    1,\n"
          "    {\n"
          "      \"b\": []\n"
          "    },\n"
          "    {}\n"
          "  ],\n"
          "  \"c\": \"x\"\n"
          "}");
    json_write_pretty(&out, json_get(json_root(doc), "c"), 4);
    wrote("\"x\"");
    json_write_pretty(&out, json_get(json_root(doc), "a")->child->next, 0);
    wrote("{\n\"b\": []\n}");
    json_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped_as_little_as_possible),
        cmocka_unit_test(what_is_not_utf8_is_replaced),
        cmocka_unit_test(no_string_is_an_empty_one),
        cmocka_unit_test(every_byte_alone_and_in_company_gives_json),
        cmocka_unit_test(numbers_are_as_short_as_they_can_be),
        cmocka_unit_test(integers_of_any_size_are_written),
        cmocka_unit_test(numbers_read_back_as_themselves),
        cmocka_unit_test(the_decimal_point_is_a_point_in_every_locale),
        cmocka_unit_test(trees_are_written_as_they_were_read),
        cmocka_unit_test(a_part_is_written_without_what_follows_it),
        cmocka_unit_test(trees_made_by_hand_are_written),
        cmocka_unit_test(depth_does_not_hurt),
        cmocka_unit_test(pretty_text_is_indented),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    buf_free(&out);
    return failed;
}
