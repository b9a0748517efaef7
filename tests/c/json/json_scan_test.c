/* Valid and invalid JSON: one case for each corner of the grammar, in the manner of the public
 * JSONTestSuite. Every accepted text is also built by cJSON, so that the two cannot disagree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "json/document.h"

struct sample {
    const char *name, *text;
    size_t len;
    const char *code; /* NULL: accepted */
};

#define YES(name, text)                                                                            \
    {                                                                                              \
        name, text, sizeof(text) - 1, NULL                                                         \
    }
#define NO(name, text)                                                                             \
    {                                                                                              \
        name, text, sizeof(text) - 1, "json_syntax"                                                \
    }
#define BAD(name, text, why)                                                                       \
    {                                                                                              \
        name, text, sizeof(text) - 1, why                                                          \
    }

static const struct sample arrays[] = {
    YES("empty", "[]"),
    YES("empty with a space", "[ ]"),
    YES("empty string in it", "[\"\"]"),
    YES("nested empty", "[[],[[]]]"),
    YES("one null", "[null]"),
    YES("mixed", "[null, 1, \"1\", {}, true, false]"),
    YES("spaces around", "  [1]  "),
    YES("line feed between", "[1\n,\n2]"),
    YES("several nulls", "[1,null,null,null,2]"),
    NO("comma only", "[,]"),
    NO("comma first", "[,1]"),
    NO("comma last", "[1,]"),
    NO("two commas", "[1,,2]"),
    NO("two commas last", "[1,,]"),
    NO("no comma", "[1 2]"),
    NO("no comma between arrays", "[[][]]"),
    NO("a colon instead of a comma", "[\"\": 1]"),
    NO("never closed", "[1"),
    NO("never closed after a comma", "[1,"),
    NO("never closed, nested", "[[1]"),
    NO("only opened", "["),
    NO("closed twice", "[1]]"),
    NO("closed by a brace", "[1}"),
    NO("an opening and a brace", "[{"),
    NO("semicolon", "[1;2]"),
    NO("star", "[*]"),
    NO("something after it", "[1]x"),
    NO("a comma after it", "[1],"),
    NO("another after it", "[1][2]"),
    NO("a name without quotes in it", "[a]"),
    NO("a closing bracket alone", "]"),
    NO("lines that never close", "[\"a\",\n4\n,1,"),
};

static const struct sample objects[] = {
    YES("empty", "{}"),
    YES("empty with spaces", "{ \t\r\n}"),
    YES("one member", "{\"a\":1}"),
    YES("two members", "{\"a\":1,\"b\":2}"),
    YES("the same name twice", "{\"a\":1,\"a\":2}"),
    YES("the same member twice", "{\"a\":1,\"a\":1}"),
    YES("empty name", "{\"\":0}"),
    YES("escaped name", "{\"\\u0061\\n\":0}"),
    YES("NUL in the name", "{\"a\\u0000b\":0}"),
    YES("spaces everywhere", " { \"a\" : [ 1 , { } ] , \"b\" : \"\" } "),
    YES("long names",
        "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbb\"}"),
    YES("names beyond ASCII", "{\"\xd0\x9f\xd0\xbe\xd0\xbb\":\"\xe6\xbc\xa2\"}"),
    NO("comma only", "{,}"),
    NO("comma first", "{,\"a\":1}"),
    NO("comma last", "{\"a\":1,}"),
    NO("two commas last", "{\"a\":1,,}"),
    NO("two commas between", "{\"a\":1,,\"b\":2}"),
    NO("no comma", "{\"a\":1 \"b\":2}"),
    NO("no colon", "{\"a\" 1}"),
    NO("two colons", "{\"a\"::1}"),
    NO("comma for the colon", "{\"a\",1}"),
    NO("equals for the colon", "{\"a\"=1}"),
    NO("no value", "{\"a\":}"),
    NO("no value, comma", "{\"a\":,\"b\":1}"),
    NO("name only", "{\"a\"}"),
    NO("a name without quotes", "{a:1}"),
    NO("a name in single quotes", "{'a':1}"),
    NO("a number as name", "{1:1}"),
    NO("null as name", "{null:1}"),
    NO("an array as name", "{[]:1}"),
    NO("several values", "{\"a\":1 2}"),
    NO("never closed", "{\"a\":1"),
    NO("never closed after the colon", "{\"a\":"),
    NO("never closed after the name", "{\"a\""),
    NO("never closed after the comma", "{\"a\":1,"),
    NO("only opened", "{"),
    NO("closed by a bracket", "{\"a\":1]"),
    NO("closed twice", "{\"a\":1}}"),
    NO("a comment after it", "{\"a\":1}/**/"),
    NO("a comment in it", "{\"a\":/*comment*/1}"),
    NO("a line comment", "{\"a\":1}//"),
    NO("a hash after it", "{\"a\":1}#"),
    NO("a closing brace alone", "}"),
    NO("an emoji as name", "{\xf0\x9f\x87\xa8:1}"),
};

static const struct sample numbers[] = {
    YES("zero", "0"),
    YES("minus zero", "-0"),
    YES("minus zero with a fraction", "-0.0"),
    YES("one", "1"),
    YES("minus one", "-1"),
    YES("many digits", "[123456789012345678901234567890]"),
    YES("fraction", "0.5"),
    YES("long fraction", "3.14159265358979323846264338327950288"),
    YES("exponent", "1e5"),
    YES("exponent, capital", "1E5"),
    YES("exponent with plus", "1e+5"),
    YES("exponent with minus", "1E-5"),
    YES("fraction and exponent", "123.456e78"),
    YES("zero with exponent", "0e1"),
    YES("zero with signed exponent", "0e+1"),
    YES("minus and exponent", "-1.5e-3"),
    YES("exponent with zeros", "1e0005"),
    YES("close to zero",
        "-0.00000000000000000000000000000000000000000000000000000000000000000000000001"),
    YES("too small is zero", "1e-400"),
    YES("smallest", "5e-324"),
    YES("largest", "1.7976931348623157e308"),
    YES("space after", "1 "),
    YES("zeros that do not overflow", "0e999"),
    NO("plus", "+1"),
    NO("two minuses", "--1"),
    NO("plus and minus", "+-1"),
    NO("minus only", "-"),
    NO("minus and a space", "- 1"),
    NO("minus and a letter", "-a"),
    NO("minus infinity", "-Infinity"),
    NO("infinity", "Infinity"),
    NO("inf", "[Inf]"),
    NO("NaN", "NaN"),
    NO("minus NaN", "[-NaN]"),
    NO("leading zero", "01"),
    NO("leading zeros", "[000]"),
    NO("minus and leading zero", "-01"),
    NO("zero zero", "00"),
    NO("point first", ".5"),
    NO("minus and point", "-.5"),
    NO("point last", "1."),
    NO("zero and point", "[0.]"),
    NO("point and exponent", "0.e1"),
    NO("minus, point last", "-2."),
    NO("point without digits and exponent", "2.e+3"),
    NO("two points", "1.2.3"),
    NO("exponent without digits", "1e"),
    NO("exponent, plus, no digits", "0E+"),
    NO("exponent, minus, no digits", "1e-"),
    NO("exponent first", "e5"),
    NO("fraction in the exponent", "1e5.5"),
    NO("two exponents", "1eE2"),
    NO("exponent with two signs", "1e+-2"),
    NO("hexadecimal", "0x42"),
    NO("hexadecimal, one digit", "[0x1]"),
    NO("hexadecimal digits", "1a"),
    NO("letter after it", "[1ea]"),
    NO("space in it", "1 000"),
    NO("comma for the point", "1,5"),
    NO("underscore", "1_000"),
    NO("quote in it", "[1+2]"),
    NO("fullwidth digit", "[\xef\xbc\x91]"),
    NO("with a suffix", "[1f]"),
    NO("minus then quote", "[-\"1\"]"),
    BAD("too large", "1e309", "json_number"),
    BAD("too large, negative", "[-1e309]", "json_number"),
    BAD("far too large", "123123e100000", "json_number"),
    BAD("far too large, exponent with digits beyond 64 bits", "0.4e00669999999999999999999999",
        "json_number"),
    BAD("too large without exponent",
        "[10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "00"
        "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "00"
        "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "00"
        "000000000000000000000000000000000000000000000000]",
        "json_number"),
};

static const struct sample strings[] = {
    YES("empty", "\"\""),
    YES("one letter", "\"a\""),
    YES("a space", "\" \""),
    YES("all short escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
    YES("unicode escapes", "\"\\u0060\\u012a\\u12AB\""),
    YES("a surrogate pair", "\"\\uD801\\udc37\""),
    YES("two surrogate pairs", "\"\\ud83d\\ude39\\ud83d\\udc8d\""),
    YES("the last character", "\"\\uDBFF\\uDFFF\""),
    YES("escaped backslash before u", "\"\\\\u0000\""),
    YES("escaped quote", "\"\\\"\""),
    YES("escaped double backslash", "\"\\\\\""),
    YES("escaped backslash and n", "\"\\\\n\""),
    YES("escaped control", "\"\\u0012\""),
    YES("NUL", "\"\\u0000\""),
    YES("DEL as it is", "\"\x7f\""),
    YES("comments are text", "\"a/*b*/c/*d//e\""),
    YES("two bytes", "\"\xc3\xa9\""),
    YES("three bytes", "\"\xe2\x82\xac\""),
    YES("four bytes", "\"\xf0\x9f\x98\x80\""),
    YES("lowest of two bytes", "\"\xc2\x80\""),
    YES("lowest of three bytes", "\"\xe0\xa0\x80\""),
    YES("lowest of four bytes", "\"\xf0\x90\x80\x80\""),
    YES("last before the surrogates", "\"\xed\x9f\xbf\""),
    YES("first after the surrogates", "\"\xee\x80\x80\""),
    YES("last character as it is", "\"\xf4\x8f\xbf\xbf\""),
    YES("noncharacters", "\"\xef\xbf\xbf\xef\xbf\xbe\xf0\x9b\xbf\xbf\""),
    YES("escaped noncharacter", "\"\\uFFFF\\uFDD0\""),
    YES("line separators as they are", "\"\xe2\x80\xa8\xe2\x80\xa9\""),
    YES("byte order mark inside", "\"\xef\xbb\xbf\""),
    YES("mixed lengths", "\"aaaaaaa\xc3\xa9"
                         "bbbbbbbbbbbbbbbb\xf0\x9f\x98\x80\\n\xe2\x82\xac\""),
    NO("never closed", "\""),
    NO("never closed, long", "\"abcdefghijklmnopqrstuvwxyz"),
    NO("never closed after an escape", "\"\\\""),
    NO("ends in a backslash", "\"\\"),
    NO("single quotes", "'a'"),
    NO("no quotes", "abc"),
    NO("line feed as it is", "[\"a\nb\"]"),
    NO("tab as it is", "[\"\t\"]"),
    NO("carriage return as it is", "[\"\r\"]"),
    NO("NUL as it is", "[\"a\0b\"]"),
    NO("unit separator as it is", "[\"\x1f\"]"),
    NO("control far in a long string", "[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\x01\"]"),
    NO("escape of x", "\"\\x00\""),
    NO("escape of a", "\"\\a\""),
    NO("escape of a quote of the other kind", "\"\\'\""),
    NO("escape of zero", "\"\\0\""),
    NO("escape of U", "\"\\U0041\""),
    NO("escape of a tab", "\"\\\t\""),
    NO("escape of NUL", "[\"\\\0\"]"),
    NO("escape of an emoji", "\"\\\xf0\x9f\x8c\x80\""),
    NO("u without digits", "\"\\u\""),
    NO("u with one digit", "\"\\u1\""),
    NO("u with three digits", "\"\\u00A\""),
    NO("u with a letter beyond f", "\"\\u00g0\""),
    NO("u with braces", "\"\\u{41}\""),
    NO("u at the end", "\"\\u"),
    NO("u with digits at the end", "\"\\u12"),
    NO("second half cut off", "\"\\uD834\\uDd\""),
    NO("a quote after it", "\"x\"\""),
    NO("a name in brackets, escaped bracket", "[\"\\]\"]x"),
    BAD("lone first half", "\"\\uD800\"", "json_surrogate"),
    BAD("lone second half", "\"\\uDFAA\"", "json_surrogate"),
    BAD("halves in the wrong order", "\"\\uDC00\\uD800\"", "json_surrogate"),
    BAD("first half twice", "\"\\uD800\\uD800\"", "json_surrogate"),
    BAD("first half and a letter", "\"\\uD800a\"", "json_surrogate"),
    BAD("first half and an escape", "\"\\uD800\\n\"", "json_surrogate"),
    BAD("first half and another character", "\"\\uD800\\u0041\"", "json_surrogate"),
    BAD("first half twice and a second", "\"\\uD834\\uD834\\uDd1e\"", "json_surrogate"),
    BAD("half in a name", "{\"\\uDEAD\":1}", "json_surrogate"),
    BAD("a byte beyond UTF-8", "\"\xff\"", "json_utf8"),
    BAD("a stray tail", "\"\x80\"", "json_utf8"),
    BAD("a stray tail after text", "\"aaaaaaaaaaaaaaaa\xbf\"", "json_utf8"),
    BAD("two bytes, cut off", "\"\xc3\"", "json_utf8"),
    BAD("three bytes, cut off", "\"\xe2\x82\"", "json_utf8"),
    BAD("four bytes, cut off", "\"\xf0\x9f\x98\"", "json_utf8"),
    BAD("cut off by the end", "\"\xe2\x82", "json_utf8"),
    BAD("slash in two bytes", "\"\xc0\xaf\"", "json_utf8"),
    BAD("NUL in two bytes", "\"\xc0\x80\"", "json_utf8"),
    BAD("overlong, three bytes", "\"\xe0\x80\xaf\"", "json_utf8"),
    BAD("overlong, four bytes", "\"\xf0\x80\x80\xaf\"", "json_utf8"),
    BAD("six bytes", "\"\xfc\x83\xbf\xbf\xbf\xbf\"", "json_utf8"),
    BAD("a surrogate in UTF-8", "\"\xed\xa0\x80\"", "json_utf8"),
    BAD("a pair of surrogates in UTF-8", "\"\xed\xa0\xbd\xed\xb8\x80\"", "json_utf8"),
    BAD("above the last character", "\"\xf4\x90\x80\x80\"", "json_utf8"),
    BAD("Latin-1", "\"\xe9\"", "json_utf8"),
    BAD("in a name", "{\"\xff\":1}", "json_utf8"),
};

static const struct sample structure[] = {
    YES("true", "true"),
    YES("false", "false"),
    YES("null", "null"),
    YES("a lonely string", "\"abc\""),
    YES("a lonely number", "42"),
    YES("a line feed last", "[1]\n"),
    YES("all white space", "\t\r\n [\t1\r\n]\t\r\n "),
    NO("nothing", ""),
    NO("only white space", " \n\t"),
    NO("a byte order mark", "\xef\xbb\xbf{}"),
    NO("a byte order mark only", "\xef\xbb\xbf"),
    NO("UTF-16", "[\0\"\0\xe9\0\"\0]\0"),
    NO("a NUL last", "1\0"),
    NO("NULs", "\0\0"),
    NO("vertical tab", "[\v1]"),
    NO("form feed", "[\f]"),
    NO("no-break space", "[\xc2\xa0]"),
    NO("word joiner", "[\xe2\x81\xa0]"),
    NO("byte 1 as white space", "[\x01]"),
    NO("true, cut off", "tru"),
    NO("false, cut off", "[fals]"),
    NO("null, cut off", "nul"),
    NO("true with a capital", "True"),
    NO("true in capitals", "TRUE"),
    NO("null with more", "nulll"),
    NO("false with more", "falsey"),
    NO("undefined", "undefined"),
    NO("two values", "1 2"),
    NO("two objects", "{}{}"),
    NO("an angle bracket", "<null>"),
    NO("an ampersand", "[&]"),
    NO("a letter in another script", "[\xc3\xa5]"),
    NO("a lone byte", "\xe9"),
    NO("a bracket in an object", "{[}"),
    NO("open, quote", "[\""),
    NO("open object, quote", "{\""),
    NO("a comment", "// x\n1"),
    NO("a backslash", "\\"),
    NO("a colon", ":"),
    NO("a comma", ","),
};

static void check_samples(const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &samples[i];
        char *exact = malloc(sample->len ? sample->len : 1); /* reading past it would be seen */
        struct error err = { "", "" };
        struct json_doc *doc;

        memcpy(exact, sample->text, sample->len);
        doc = json_parse(exact, sample->len, NULL, &err);
        free(exact);
        if (!doc != (sample->code != NULL) || (!doc && strcmp(err.code, sample->code) != 0))
            fail_msg("%s: %s: got \"%s\" (%s), wanted \"%s\"", sample->name, sample->text, err.code,
                     err.text, sample->code ? sample->code : "");
        json_doc_free(doc);
    }
}

static void arrays_follow_the_grammar(void **state)
{
    (void)state;
    check_samples(arrays, countof(arrays));
}

static void objects_follow_the_grammar(void **state)
{
    (void)state;
    check_samples(objects, countof(objects));
}

static void numbers_follow_the_grammar(void **state)
{
    (void)state;
    check_samples(numbers, countof(numbers));
}

static void strings_follow_the_grammar(void **state)
{
    (void)state;
    check_samples(strings, countof(strings));
}

static void the_whole_follows_the_grammar(void **state)
{
    (void)state;
    check_samples(structure, countof(structure));
}

/* A control character, a quote or a bad byte is found at every place among plain ones: words of
 * eight bytes have no blind spot. */
static void every_position_in_a_string_is_looked_at(void **state)
{
    char text[64];

    (void)state;
    for (size_t len = 3; len < 40; len++) {
        for (size_t at = 1; at + 1 < len; at++) {
            for (int c = 0; c < 256; c++) {
                struct json_scan found;
                bool plain = c >= 0x20 && c < 0x80 && c != '"' && c != '\\';

                memset(text, 'a', len);
                text[0] = text[len - 1] = '"';
                text[at] = (char)c;
                if (json_scan(text, len, NULL, &found, NULL) != plain)
                    fail_msg("byte %d at %zu of %zu", c, at, len);
            }
        }
    }
}

/* --- errors ------------------------------------------------------------------ */

static void says(const char *text, const char *code, const char *what)
{
    struct error err = { "", "" };

    assert_null(json_parse(text, strlen(text), NULL, &err));
    assert_string_equal(err.code, code);
    assert_string_equal(err.text, what);
}

static void errors_say_where_and_what(void **state)
{
    (void)state;
    says("[1,]", "json_syntax",
         "invalid JSON at line 1, column 4 (byte 3): expected a value, got \"]\"");
    says("{\n  \"a\": tru\n}", "json_syntax",
         "invalid JSON at line 2, column 11 (byte 12): expected true, got byte 0x0A");
    says("\"\xc3\xa9\xc3\xa9\" x", "json_syntax",
         "invalid JSON at line 1, column 6 (byte 7): expected the end of the text, got \"x\"");
    says("\xef\xbb\xbf{}", "json_syntax",
         "invalid JSON at line 1, column 1 (byte 0): expected a value, got a byte order mark");
    says("{\"a\":1", "json_syntax",
         "invalid JSON at line 1, column 7 (byte 6): expected \",\" or \"}\", got the end of the "
         "text");
    says("{\"a\" 1}", "json_syntax",
         "invalid JSON at line 1, column 6 (byte 5): expected a colon after the member's name, got "
         "\"1\"");
    says("[\xff]", "json_syntax",
         "invalid JSON at line 1, column 2 (byte 1): expected a value, got byte 0xFF");
    says("[\n\n\"\xff\"]", "json_utf8",
         "invalid JSON at line 3, column 2 (byte 4): bytes that are not UTF-8");
    says("[1e999]", "json_number",
         "invalid JSON at line 1, column 2 (byte 1): a number beyond the range of a double (about "
         "1.8e308)");
    says("\"\\ud800\"", "json_surrogate",
         "invalid JSON at line 1, column 2 (byte 1): half of a surrogate pair. Write both halves "
         "for a character above U+FFFF");
}

static void no_place_for_an_error_is_no_crash(void **state)
{
    (void)state;
    assert_null(json_parse("[", 1, NULL, NULL));
    assert_null(json_parse(NULL, 0, NULL, NULL));
}

/* --- chance ------------------------------------------------------------------ */

static uint64_t seed = 20260728;

static size_t random_below(size_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed % limit);
}

static void mutate(struct buf *text)
{
    static const char bytes[] = "{}[]\",:\\u0dD8eE+-.1 \n\0\x1f\x80\xc3\xed\xf0\xff";
    size_t at = random_below(text->len);

    switch (random_below(4)) {
    case 0:
        text->data[at] = bytes[random_below(sizeof bytes)];
        break;
    case 1:
        text->data[at] ^= (char)(1 << random_below(8));
        break;
    case 2:
        text->len = at;
        break;
    default:
        memmove(text->data + at, text->data + at + 1, text->len - at - 1);
        text->len--;
    }
}

/* Texts a few bytes away from good ones: nothing crashes, and cJSON builds every text that the
 * scanner accepts. */
static void damaged_texts_are_judged_alike_by_both_parsers(void **state)
{
    static const char good[] = "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"tools/"
                               "call\",\"params\":{\"name\":\"x\\u00e9\","
                               "\"arguments\":{\"a\":[1,-2.5e3,true,null],\"\\ud83d\\ude00\":"
                               "\"\xe2\x82\xac\\u0000\\n\"}}}";
    unsigned accepted = 0, refused = 0;

    (void)state;
    for (int round = 0; round < 60000; round++) {
        struct buf text = { 0 };
        struct error err = { "", "" };
        struct json_doc *doc;

        buf_add(&text, good, sizeof good - 1);
        for (size_t times = 1 + random_below(3); times && text.len; times--)
            mutate(&text);
        doc = json_parse(text.data, text.len, NULL, &err);
        if (doc)
            accepted++;
        else
            refused++;
        if (!doc && strstr(err.text, "refuses"))
            fail_msg("%.*s: %s", (int)text.len, text.data, err.text);
        json_doc_free(doc);
        buf_free(&text);
    }
    assert_true(accepted > 1000);
    assert_true(refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_follow_the_grammar),
        cmocka_unit_test(objects_follow_the_grammar),
        cmocka_unit_test(numbers_follow_the_grammar),
        cmocka_unit_test(strings_follow_the_grammar),
        cmocka_unit_test(the_whole_follows_the_grammar),
        cmocka_unit_test(every_position_in_a_string_is_looked_at),
        cmocka_unit_test(errors_say_where_and_what),
        cmocka_unit_test(no_place_for_an_error_is_no_crash),
        cmocka_unit_test(damaged_texts_are_judged_alike_by_both_parsers),
    };

    return cmocka_run_group_tests_name("json_scan", tests, NULL, NULL);
}
