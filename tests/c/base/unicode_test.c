/* Cases and forms, and the characters of a text within limits. The rest is
 * tests/lua/sys_text_test.lua. Needs the module "utf8proc" in the build folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/unicode.h"

static void assert_form(const char *text, enum unicode_form form, const char *wanted)
{
    struct buf out = { 0 };
    struct error err = { "", "" };

    buf_adds(&out, "before ");
    assert_true(unicode_convert(&out, str_from(text), form, &err));
    assert_int_equal(out.len, strlen(wanted) + 7);
    assert_string_equal(buf_text(&out) + 7, wanted);
    buf_free(&out);
}

static void forms_are_appended(void **state)
{
    (void)state;
    assert_form("", UNICODE_LOWER, "");
    assert_form("", UNICODE_NFC, "");
    assert_form("\xC3\x84", UNICODE_LOWER, "\xC3\xA4");
    assert_form("a\xC5\xBF", UNICODE_UPPER, "AS"); /* a long s: shorter than it was */
    assert_form("\xEF\xAC\x81", UNICODE_FOLD, "fi");
    assert_form("e\xCC\x81", UNICODE_NFC, "\xC3\xA9");
    assert_form("\xC3\xA9", UNICODE_NFD, "e\xCC\x81");
    assert_form("\xC2\xB2", UNICODE_NFKC, "2");
}

static void bytes_that_are_not_utf8_stay(void **state)
{
    (void)state;
    for (int form = UNICODE_LOWER; form <= UNICODE_NFKD; form++) {
        assert_form("\xFF", (enum unicode_form)form, "\xFF");
        assert_form("\xE2\x82\x80\xFE", (enum unicode_form)form,
                    form == UNICODE_FOLD || form >= UNICODE_NFKC ? "0\xFE" : "\xE2\x82\x80\xFE");
        assert_form("\xED\xA0\x80\xC0\x80\xE2\x82", (enum unicode_form)form,
                    "\xED\xA0\x80\xC0\x80\xE2\x82");
    }
}

static struct unicode_extent walk(const char *text, size_t bytes, size_t characters, size_t columns)
{
    struct unicode_extent walked = { 99, 99, 99 }, most = { bytes, characters, columns };
    struct error err = { "", "" };

    assert_true(unicode_walk(str_from(text), &most, &walked, &err));
    return walked;
}

static void assert_walk(struct unicode_extent walked, size_t bytes, size_t characters,
                        size_t columns)
{
    assert_int_equal(walked.bytes, bytes);
    assert_int_equal(walked.characters, characters);
    assert_int_equal(walked.columns, columns);
}

static void a_walk_keeps_to_its_limits(void **state)
{
    const char *wide = "a\xE6\x97\xA5\xE6\x97\xA5"; /* widths 1, 2, 2 */

    (void)state;
    assert_walk(walk(wide, 99, 99, 99), 7, 3, 5);
    assert_walk(walk(wide, 99, 2, 99), 4, 2, 3);
    assert_walk(walk(wide, 99, 0, 99), 0, 0, 0);
    assert_walk(walk(wide, 99, 99, 4), 4, 2, 3); /* a character is not halved */
    assert_walk(walk(wide, 99, 99, 0), 0, 0, 0);
    assert_walk(walk(wide, 2, 99, 99), 4, 2, 3); /* a character that was begun is finished */
    assert_walk(walk("", 99, 99, 99), 0, 0, 0);
    assert_walk(walk("\t\n", 99, 99, 0), 2, 2, 0); /* characters without a width fit */
}

static void a_character_is_never_cut(void **state)
{
    /* A family, a flag, a flag and a half, a letter with two marks, a line end, and broken
     * bytes. */
    static const struct {
        const char *text;
        size_t bytes;
    } samples[] = {
        { "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBBx", 11 },
        { "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", 8 },
        { "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xA9", 8 },
        { "e\xCC\x81\xCC\xA3x", 5 },
        { "\r\nx", 2 },
        { "\xFF\xCC\x81", 1 },
        { "e\xCC\xFF", 1 },
        { "a\xCC\x81", 3 },
    };

    (void)state;
    for (size_t i = 0; i < countof(samples); i++)
        assert_int_equal(walk(samples[i].text, 99, 1, 99).bytes, samples[i].bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_appended),
        cmocka_unit_test(bytes_that_are_not_utf8_stay),
        cmocka_unit_test(a_walk_keeps_to_its_limits),
        cmocka_unit_test(a_character_is_never_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
