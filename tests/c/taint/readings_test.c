/* Text as shells and people read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "taint/readings.h"

static void note_reading(void *context, struct str reading)
{
    buf_add(context, reading.ptr, reading.len);
    buf_addc(context, '|');
}

static void reads(const char *text, const char *want)
{
    struct buf out = { 0 };

    taint_readings(str_from(text), note_reading, &out);
    assert_string_equal(buf_text(&out), want);
    buf_free(&out);
}

static void of_a_shell(void **state)
{
    (void)state;
    reads("to''uch al\"\"pha", "touch alpha|");
    reads("\"tou\"ch x", "touch x|");
    reads("t\\ouch \\alpha", "touch alpha|");
    reads("to$()uch al`:`pha be${x}ta g$@a", "touch alpha beta ga|");
    reads("rm${IFS}-rf$IFS$9notes", "rm -rf notes|");
    reads("$'\\x72m'", "x72m|rm|");
    reads("\\162m and \\u{72}m", "162m and u{72}m|rm and rm|");
    reads("to\\\nuch", "touch|");
    reads("cut off \\", "");
    reads("cut off $", "");
    reads("cut off a$(b", "");
    reads("\\ud800x \\U99999999x", "ud800x U99999999x|");
}

static void of_a_page(void **state)
{
    (void)state;
    reads("<b>evil</b>.example", "evil.example|");
    reads("one<br>two<!-- x -->three", "one twothree|");
    reads("evil&#46;example &#x41;", "evil.example A|");
    reads("evil[.]example (dot) x [at] y", "evil.example.x@y|");
    reads("evil dot example", "evil.example|");
    reads("**e**vil", "evil|");
    reads("cut off <b", "");
    reads("cut off &#", "");
    reads("cut off [", "");
    reads("cut off [.", "");
}

static void ordinary(void **state)
{
    (void)state;
    reads("", "");
    reads("she said \"it is so\", and 'left' (at once)", "");
    reads("price is $5 & tax, a < b > c, {x} [y]", "");
    reads("{\"a\":\"b\",\"c\":[\"d\"]}", "");
    reads("f(\"x\") * 2 = y", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(of_a_shell), cmocka_unit_test(of_a_page),
                                        cmocka_unit_test(ordinary) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
