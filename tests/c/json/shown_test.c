/* JSON without characters that hide words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/util.h"
#include "json/shown.h"

static void shows(const char *json, const char *want, size_t hidden)
{
    size_t len = strlen(json);
    char *text = mem_strdup(json);

    assert_int_equal(json_show(text, &len), hidden);
    text[len] = '\0';
    assert_string_equal(text, want);
    free(text);
}

static void what_is_shown_stays(void **state)
{
    const char *same[] = {
        "", "{\"a\":[1,true,null],\"b\":\"x\"}",
        "\"Gr\xc3\xbc\xc3\x9f"
        "e \xe4\xb8\x96\xe7\x95\x8c \xf0\x9f\x98\x80\"",
        "\"a\\nb\\tc\\r\\nd \\\\u200b \\\" \\/\"", "\"\\u00e9\\ud83d\\ude00\"",
        /* a family, a keycap, and a word of Persian */
        "\"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 1\xef\xb8\x8f\xe2\x83\xa3 "
        "\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae\""
    };

    (void)state;
    for (size_t i = 0; i < countof(same); i++)
        shows(same[i], same[i], 0);
}

static void what_is_hidden_goes(void **state)
{
    (void)state;
    shows("\"a\xe2\x80\xae"
          "b\xe2\x80\x8b"
          "c\xf3\xa0\x81\x81"
          "d\"",
          "\"abcd\"", 3);
    shows("\"a\\u001b[31mb\\u202e\\ud800\\udb40\\udc41c\\u0000\"", "\"a[31mb\\ud800c\"", 4);
    shows("\"\\b\\f\x7f\xc2\x9b\xc2\xad\xef\xbb\xbf\"", "\"\"", 6);
    shows("\"a\xe2\x80\x8d"
          "b\\u200cc\"",
          "\"abc\"", 2); /* joiners that join nothing */
    shows("\"\\\\\\u200b\"", "\"\\\\\"", 1);
}

static void line_ends_stay_line_ends(void **state)
{
    (void)state;
    shows("\"a\\rb\\r\\nc\\u2028d\xe2\x80\xa9"
          "e\xc2\x85"
          "f\"",
          "\"a\\nb\\r\\nc\\nd\\ne\\nf\"", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown_stays),
        cmocka_unit_test(what_is_hidden_goes),
        cmocka_unit_test(line_ends_stay_line_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
