/* UTF-8 against a plain, slow decoder and the examples of the Unicode standard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json/utf8.h"

/* True if these bytes are one character in its shortest form. */
static bool is_character(const unsigned char *p, int size)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    uint32_t point = size == 1 ? p[0] : p[0] & (0x7Fu >> size);

    for (int i = 1; i < size; i++) {
        if (p[i] >> 6 != 2)
            return false;
        point = point << 6 | (p[i] & 0x3Fu);
    }
    return point >= least[size] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
}

static int slow_sequence(const unsigned char *p)
{
    int size = p[0] < 0x80         ? 1
               : p[0] >> 5 == 0x06 ? 2
               : p[0] >> 4 == 0x0E ? 3
               : p[0] >> 3 == 0x1E ? 4
                                   : 0;

    return size && is_character(p, size) ? size : 0;
}

static void every_lead_and_second_byte_is_judged_right(void **state)
{
    static const unsigned char tails[] = { 0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90,
                                           0x9F, 0xA0, 0xBF, 0xC0, 0xFF };

    (void)state;
    for (int lead = 0; lead < 256; lead++) {
        for (int second = 0; second < 256; second++) {
            for (size_t i = 0; i < countof(tails) * countof(tails); i++) {
                unsigned char text[4] = { (unsigned char)lead, (unsigned char)second,
                                          tails[i / countof(tails)], tails[i % countof(tails)] };
                int want = slow_sequence(text);
                int got = utf8_sequence((char *)text, (char *)text + 4);

                if (want ? got != want : got >= 0)
                    fail_msg("%02X %02X %02X %02X: %d", text[0], text[1], text[2], text[3], got);
            }
        }
    }
}

static void every_character_goes_there_and_back(void **state)
{
    char text[4];

    (void)state;
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        size_t size;

        if (point >= 0xD800 && point <= 0xDFFF)
            continue;
        size = utf8_encode(text, point);
        if (utf8_sequence(text, text + size) != (int)size || utf8_decode(text, (int)size) != point)
            fail_msg("U+%04X", (unsigned)point);
    }
}

static void a_bad_byte_is_found_wherever_it_is(void **state)
{
    char text[40];

    (void)state;
    for (size_t len = 1; len <= sizeof text; len++) {
        for (size_t at = 0; at < len; at++) {
            size_t bad = 99;

            memset(text, 'x', len);
            assert_true(utf8_valid(text, len, &bad));
            assert_int_equal(bad, 99);
            text[at] = (char)0x80;
            assert_false(utf8_valid(text, len, &bad));
            assert_int_equal(bad, at);
            assert_false(utf8_valid(text, len, NULL));
        }
    }
    assert_true(utf8_valid(NULL, 0, NULL));
}

static void cleans(const char *text, size_t len, const char *want)
{
    struct buf out = { 0 };

    utf8_clean(&out, text, len);
    assert_string_equal(buf_text(&out), want);
    assert_true(utf8_valid(out.data, out.len, NULL));
    buf_free(&out);
}

#define CLEAN(text, want) cleans(text, sizeof(text) - 1, want)
#define R                 "\xef\xbf\xbd"

/* Tables 3-8 to 3-11 of the Unicode standard, version 15. */
static void ill_formed_parts_are_replaced_as_unicode_recommends(void **state)
{
    (void)state;
    CLEAN("", "");
    CLEAN("plain text of some length", "plain text of some length");
    CLEAN("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", R R R R R R R R "A");
    CLEAN("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", R R R R R R R R "A");
    CLEAN("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", R R R R R "A" R R "B");
    CLEAN("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A");
    CLEAN("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64", "a" R R R "b" R "c" R R "d");
    CLEAN("\xf0\x9f\x98", R);
    CLEAN("\xf0\x9f\x98\x80\xf0", "\xf0\x9f\x98\x80" R);
}

static void length_counts_characters(void **state)
{
    (void)state;
    assert_int_equal(utf8_length("", 0), 0);
    assert_int_equal(utf8_length("abc", 3), 3);
    assert_int_equal(utf8_length("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9), 3);
    assert_int_equal(utf8_length("0123456789\xc3\xa9"
                                 "0123456789\xf0\x9f\x98\x80x",
                                 27),
                     23);
    assert_int_equal(utf8_length("a\xff\xe2\x82z", 5), 4);
    assert_int_equal(utf8_length("e\xcc\x81", 3), 2); /* a letter and a combining accent */
}

static void a_cut_never_splits_a_character(void **state)
{
    static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const size_t want[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11, 11 };

    (void)state;
    for (size_t max = 0; max < countof(want); max++)
        assert_int_equal(utf8_cut(text, sizeof text - 1, max), want[max]);
    assert_int_equal(utf8_cut("\x80\x80\x80\x80\x80\x80", 6, 5),
                     5); /* stray bytes are cut anywhere */
    assert_int_equal(utf8_cut("\xe2\x28\x80\x80", 4, 3), 3);
    assert_int_equal(utf8_cut("", 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lead_and_second_byte_is_judged_right),
        cmocka_unit_test(every_character_goes_there_and_back),
        cmocka_unit_test(a_bad_byte_is_found_wherever_it_is),
        cmocka_unit_test(ill_formed_parts_are_replaced_as_unicode_recommends),
        cmocka_unit_test(length_counts_characters),
        cmocka_unit_test(a_cut_never_splits_a_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
