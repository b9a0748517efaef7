/* Regular expressions: their meaning in ECMA-262, refused ones, and that a hostile one is given up.
 * Needs the module "pcre2" in the build folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json/pattern/regex.h"

struct sample {
    const char *pattern, *text;
    size_t len;
    bool matches;
};

#define YES(pattern, text)                                                                         \
    {                                                                                              \
        pattern, text, sizeof(text) - 1, true                                                      \
    }
#define NO(pattern, text)                                                                          \
    {                                                                                              \
        pattern, text, sizeof(text) - 1, false                                                     \
    }

static const struct sample samples[] = {
    YES("", ""),
    YES("", "x"),
    YES("b", "abc"),
    NO("^b", "abc"),
    YES("^abc$", "abc"),
    NO("^abc$", "abc\n"), /* $ is the end, not before a last line feed */
    NO("^b$", "a\nb\nc"),
    YES("a|b", "b"),
    YES("(?:ab)+c", "ababc"),
    YES("(a)(b)\\2\\1", "abba"),
    YES("(?<x>a)\\k<x>", "aa"),
    YES("^(?:(a)|b)\\1$", "b"), /* a group that took no part matches nothing at all */
    YES("^(?=.*\\d)(?=.*[a-z]).{4,}$", "ab1c"),
    NO("^(?=.*\\d)(?=.*[a-z]).{4,}$", "abcd"),
    YES("(?<=\\$)\\d+", "$42"),
    YES("(?<!\\$)\\b\\d+", "x 42"),
    YES("a{2}", "aa"),
    YES("^a{2,3}$", "aaa"),
    NO("^a{2,3}$", "aaaa"),
    YES("^a{2,}?$", "aaaa"),
    YES("^a*?b+?c??$", "aabb"),
    /* A brace that opens no quantifier is a brace. */
    YES("^a{$", "a{"),
    YES("^{}$", "{}"),
    YES("^a{,3}$", "a{,3}"),
    YES("^a{x}$", "a{x}"),
    YES("^a{ 1 }$", "a{ 1 }"),
    NO("^a{,3}$", "aa"),
    YES("^]}$", "]}"),
    /* Sets mean ASCII, except white space. */
    YES("^\\d+$", "0123456789"),
    NO("^\\d$", "\xd9\xa3"), /* a digit of another script */
    YES("^\\w+$", "aZ_9"),
    NO("^\\w$", "\xc3\xa9"),
    YES("^\\W$", "\xc3\xa9"),
    YES("^\\D$", "\xd9\xa3"),
    YES("^\\s+$", " \t\n\v\f\r\xc2\xa0\xef\xbb\xbf\xe2\x80\xa8\xe3\x80\x80"),
    NO("\\s", "\xe2\x80\x8b"), /* a zero-width space is none */
    NO("\\S", "\xc2\xa0"),
    YES("^\\S$", "\xc2\x85"),
    YES("^[\\s]$", "\xc2\xa0"),
    NO("^[\\S]$", "\xc2\xa0"),
    YES("^[^\\S]$", "\xef\xbb\xbf"),
    YES("^[\\s\\S]$", "\xf0\x9f\x98\x80"),
    YES("\\bfoo\\b", "a foo b"),
    NO("\\Boo\\b", "oo"),
    /* Any character but the ends of lines. */
    YES("^.$", "\xf0\x9f\x98\x80"),
    YES("^.$", "\xc2\x85"),
    YES("^.$", "\v"),
    NO(".", "\n"),
    NO(".", "\r"),
    NO(".", "\xe2\x80\xa8"),
    NO(".", "\xe2\x80\xa9"),
    YES("^[^x]$", "\n"),
    /* characters */
    YES("^\\t\\n\\v\\f\\r\\0$", "\t\n\v\f\r\0"),
    YES("^\\x41\\u0042\\u{43}\\u{1F600}$", "ABC\xf0\x9f\x98\x80"),
    YES("^\\ud83d\\ude00$", "\xf0\x9f\x98\x80"),
    YES("^[\\u{1F600}-\\u{1F64F}]$", "\xf0\x9f\x98\x8a"),
    YES("^[\xf0\x9f\x98\x80-\xf0\x9f\x98\x8f]$", "\xf0\x9f\x98\x8a"),
    YES("^\\cA\\cz$", "\x01\x1a"),
    YES("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", "^$\\.*+?()[]{}|/"),
    YES("^\\-\\@\\\"\\'\\_\\#\\:$", "-@\"'_#:"),
    YES("^a b\\ #c$", "a b #c"),
    YES("^caf\xc3\xa9$", "caf\xc3\xa9"),
    YES("^~`!@%&=;:'\",<>/$", "~`!@%&=;:'\",<>/"),
    /* classes */
    YES("^[a-c]+$", "abc"),
    NO("^[^a-c]+$", "abc"),
};

/* Classes, where ECMA-262 and PCRE2 differ most. */
static const struct sample classes[] = {
    NO("[]", "a"),
    YES("^a[]*b[]?[]{0,2}$", "ab"), /* PCRE2 10.42 would not repeat a set that never matches */
    NO("^a[]*[]$", "a"),
    YES("^[^]$", "\n"),
    YES("^x[^]y$", "x\xf0\x9f\x98\x80y"),
    YES("^[\\w-.]+$", "a-b.c"),
    NO("^[\\w-.]+$", "a,b"),
    YES("^[a-\\d]+$", "a-5"),
    NO("^[a-\\d]+$", "b"),
    YES("^[-a]+$", "-a"),
    YES("^[a-]+$", "a-"),
    YES("^[+--]+$", "+,-"),
    YES("^[[:alpha:]]$", "a]"),
    NO("^[[:alpha:]]$", "z"),
    YES("^[:alpha:]+$", "la:"), /* PCRE2 would refuse these three */
    YES("^[.a.]+$", "a."),
    YES("^[^=a=]$", "b"),
    YES("^[[]$", "["),
    YES("^[.]$", "."),
    NO("^[.]$", "a"),
    YES("^[\\b]$", "\b"),
    YES("^[\\]\\\\]+$", "]\\"),
    YES("^[a&&b]+$", "a&b"),
    YES("^[\\x00-\\x1f]$", "\x05"),
    YES("^[^\\x00-\\x7f]$", "\xc3\xa9"),
    YES("^[\\cA-\\cC]$", "\x02"),
    YES("^\\p{L}\\p{Lu}\\P{L}$", "\xc3\xa9\xc3\x89"
                                 "1"),
    YES("^\\p{Letter}\\p{Uppercase_Letter}\\p{gc=Decimal_Number}$", "\xc3\xa9\xc3\x89"
                                                                    "1"),
    YES("^\\p{Script=Greek}\\p{sc=Cyrillic}\\p{scx=Han}$", "\xce\xb1\xd0\xb6\xe6\xbc\xa2"),
    YES("^[\\p{L}\\d]+$", "\xc3\xa9"
                          "1"),
    NO("^\\p{Script=Greek}$", "a"),
};

static void check_samples(const struct sample *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct error err = { "", "" };
        struct regex *regex = regex_compile(list[i].pattern, strlen(list[i].pattern), &err);

        if (!regex)
            fail_msg("/%s/: %s", list[i].pattern, err.text);
        assert_true(regex_check(list[i].pattern, strlen(list[i].pattern), &err));
        if (regex_match(regex, list[i].text, list[i].len, &err) !=
            (list[i].matches ? REGEX_YES : REGEX_NO))
            fail_msg("/%s/ on \"%s\": %s", list[i].pattern, list[i].text, err.text);
        regex_free(regex);
    }
}

static void patterns_mean_what_ecma_262_says(void **state)
{
    (void)state;
    check_samples(samples, countof(samples));
}

static void classes_mean_what_ecma_262_says(void **state)
{
    (void)state;
    check_samples(classes, countof(classes));
}

static const struct {
    const char *pattern, *want;
} refused[] = {
    { "a(", "invalid pattern /a(/ at character 3: ( without )" },
    { "a)", "invalid pattern /a)/ at character 2: ) without (" },
    { "\xc3\xa9[a", "invalid pattern /\xc3\xa9[a/ at character 4: [ without ]" },
    { "[z-a]", "invalid pattern /[z-a]/ at character 5: a range that ends before it begins" },
    { "*a", "invalid pattern /*a/ at character 1: nothing to repeat" },
    { "a|+", "invalid pattern /a|+/ at character 3: nothing to repeat" },
    { "a**", "invalid pattern /a**/ at character 3: nothing to repeat" },
    { "a++", "invalid pattern /a++/ at character 3: nothing to repeat" },
    { "a{1}{2}", "invalid pattern /a{1}{2}/ at character 5: nothing to repeat" },
    { "^*", "invalid pattern /^*/ at character 2: nothing to repeat" },
    { "(*ACCEPT)", "invalid pattern /(*ACCEPT)/ at character 2: nothing to repeat" },
    { "a{3,2}",
      "invalid pattern /a{3,2}/ at character 6: a quantifier whose numbers are out of order" },
    { "a{99999}", "invalid pattern /a{99999}/ at character 8: more than 65535 repetitions" },
    { "\\", "invalid pattern /\\/ at character 2: nothing after the backslash" },
    { "[\\", "invalid pattern /[\\/ at character 3: nothing after the backslash" },
    { "\\\xc3\xa9",
      "invalid pattern /\\\xc3\xa9/ at character 2: this character needs no backslash" },
    { "\\u{4x}",
      "invalid pattern /\\u{4x}/ at character 5: \\u{ needs hexadecimal digits and a }" },
    { "[\\ud800]",
      "invalid pattern /[\\ud800]/ at character 8: half of a surrogate pair is not a character" },
    { "[a-\\q]", "invalid pattern /[a-\\q]/ at character 5: \\q is not an escape of ECMA-262" },
    { "[\\p]", "invalid pattern /[\\p]/ at character 4: \\p needs a property in braces" },
    { "\\A", "invalid pattern /\\A/ at character 2: \\A is not an escape of ECMA-262" },
    { "\\Qa\\E", "invalid pattern /\\Qa\\E/ at character 2: \\Q is not an escape of ECMA-262" },
    { "\\h", "invalid pattern /\\h/ at character 2: \\h is not an escape of ECMA-262" },
    { "[\\B]", "invalid pattern /[\\B]/ at character 3: \\B is not an escape of ECMA-262" },
    { "\\00", "invalid pattern /\\00/ at character 2: \\0 is not an escape of ECMA-262" },
    { "\\u12", "invalid pattern /\\u12/ at character 5: \\u needs four hexadecimal digits" },
    { "\\x1", "invalid pattern /\\x1/ at character 4: \\x needs two hexadecimal digits" },
    { "\\u{110000}",
      "invalid pattern /\\u{110000}/ at character 10: no character is above U+10FFFF" },
    { "\\u{}", "invalid pattern /\\u{}/ at character 4: \\u{} needs hexadecimal digits" },
    { "\\ud800",
      "invalid pattern /\\ud800/ at character 7: half of a surrogate pair is not a character" },
    { "\\c1", "invalid pattern /\\c1/ at character 2: \\c needs a letter" },
    { "\\p", "invalid pattern /\\p/ at character 3: \\p needs a property in braces" },
    { "\\p{", "invalid pattern /\\p{/ at character 4: \\p needs a property in braces" },
    { "\\pL", "invalid pattern /\\pL/ at character 3: \\p needs a property in braces" },
    { "(?>a)", "invalid pattern /(?>a)/ at character 1: a group of this kind is not in ECMA-262" },
    { "(?i)a", "invalid pattern /(?i)a/ at character 1: a group of this kind is not in ECMA-262" },
    { "(?R)", "invalid pattern /(?R)/ at character 1: a group of this kind is not in ECMA-262" },
    { "(?P<x>a)",
      "invalid pattern /(?P<x>a)/ at character 1: a group of this kind is not in ECMA-262" },
    { "(?<1>a)", "invalid pattern /(?<1>a)/ at character 4: a group's name is letters, digits and "
                 "_ between < and >" },
    { "(?<a123456789a123456789a123456789ab3>a)",
      "invalid pattern /(?<a123456789a123456789a123456789ab3>a)/ at character 37: a group's name "
      "has more than 32 characters" },
    { "\\k<", "invalid pattern /\\k</ at character 4: a group's name is letters, digits and _ "
              "between < and >" },
    { "\xff", "the pattern is not UTF-8 at byte 0" },
};

static void what_is_not_ecma_262_is_refused_with_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(refused); i++) {
        struct error err = { "", "" };
        bool valid = regex_check(refused[i].pattern, strlen(refused[i].pattern), &err);

        if (valid || strcmp(err.code, "invalid_pattern") != 0 ||
            strcmp(err.text, refused[i].want) != 0)
            fail_msg("/%s/:\n   got \"%s\"\nwanted \"%s\"", refused[i].pattern, err.text,
                     refused[i].want);
        assert_null(regex_compile(refused[i].pattern, strlen(refused[i].pattern), NULL));
    }
}

/* The syntax is right; PCRE2 cannot do it, or the name does not exist. */
static void what_pcre2_does_not_support_is_refused_when_compiled(void **state)
{
    static const char *const patterns[] = { "(?<=a*)b", "(?<=a{1,2})b", "\\p{NoSuchProperty}",
                                            "\\k<none>", "(a)\\2" };

    (void)state;
    for (size_t i = 0; i < countof(patterns); i++) {
        struct error err = { "", "" };

        assert_true(regex_check(patterns[i], strlen(patterns[i]), NULL));
        assert_null(regex_compile(patterns[i], strlen(patterns[i]), &err));
        assert_string_equal(err.code, "invalid_pattern");
        assert_non_null(strstr(err.text, "not supported"));
    }
}

static void groups_nested_too_deep_are_refused(void **state)
{
    char pattern[2 * 300 + 1];
    struct error err;

    (void)state;
    memset(pattern, '(', 300);
    memset(pattern + 300, ')', 300);
    pattern[600] = '\0';
    assert_false(regex_check(pattern, 600, &err));
    assert_non_null(strstr(err.text, "nested too deep"));
}

static void a_search_without_end_is_given_up(void **state)
{
    static const char *const patterns[] = { "^(a+)+$", "^(a|aa)+$", "^(\\w+\\s?)*$", "^(a+a+)+$" };
    char text[41];

    (void)state;
    for (size_t i = 0; i < countof(patterns); i++) {
        struct regex *regex = regex_compile(patterns[i], strlen(patterns[i]), NULL);
        struct error err = { "", "" };

        memset(text, 'a', 40);
        text[40] = '!';
        assert_int_equal(regex_match(regex, text, 41, &err), REGEX_ERROR);
        assert_string_equal(err.code, "pattern_too_costly");
        assert_int_equal(regex_match(regex, "aaa", 3, NULL), REGEX_YES);
        regex_free(regex);
    }
}

static void text_that_is_not_utf8_matches_nothing(void **state)
{
    struct regex *regex = regex_compile("a", 1, NULL);
    struct error err = { "", "" };

    (void)state;
    assert_int_equal(regex_match(regex, "a\xff", 2, &err), REGEX_NO);
    assert_int_equal(regex_match(regex, "a", 1, &err), REGEX_YES);
    assert_string_equal(err.text, "");
    regex_free(regex);
    regex_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_mean_what_ecma_262_says),
        cmocka_unit_test(classes_mean_what_ecma_262_says),
        cmocka_unit_test(what_is_not_ecma_262_is_refused_with_the_place),
        cmocka_unit_test(what_pcre2_does_not_support_is_refused_when_compiled),
        cmocka_unit_test(groups_nested_too_deep_are_refused),
        cmocka_unit_test(a_search_without_end_is_given_up),
        cmocka_unit_test(text_that_is_not_utf8_matches_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
