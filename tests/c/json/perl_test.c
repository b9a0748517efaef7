/* Patterns of PCRE2: their captures, the places where a search may be broken off, and where it goes
 * on. The rest is tests/lua/sys_regex_test.lua. Needs the module "pcre2" in the build folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "json/pattern/perl.h"

struct looks {
    unsigned count, pause_at, give_up_at; /* 0: never */
};

static enum perl_look look(void *arg)
{
    struct looks *looks = arg;

    looks->count++;
    if (looks->give_up_at && looks->count >= looks->give_up_at)
        return PERL_GIVE_UP;
    return looks->pause_at && looks->count >= looks->pause_at ? PERL_PAUSE : PERL_GO_ON;
}

static struct perl_pattern *compiled(const char *pattern, unsigned options)
{
    struct error err = { "", "" };
    struct perl_pattern *made = perl_compile(str_from(pattern), options, &err);

    assert_string_equal(err.text, "");
    assert_non_null(made);
    return made;
}

static void groups_and_their_names(void **state)
{
    struct perl_pattern *pattern = compiled("(?<b>x)|(?<a>y)(z)?", 0);
    size_t offsets[8];
    struct looks looks = { 0 };
    struct perl_search search = {
        .text = STR("..y"), .offsets = offsets, .look = look, .arg = &looks
    };
    struct perl_name name;
    struct error err;

    (void)state;
    assert_int_equal(perl_groups(pattern), 3);
    assert_true(perl_name(pattern, 0, &name));
    assert_string_equal(name.name, "a");
    assert_int_equal(name.group, 2);
    assert_true(perl_name(pattern, 1, &name));
    assert_string_equal(name.name, "b");
    assert_false(perl_name(pattern, 2, &name));
    assert_int_equal(perl_search(pattern, &search, &err), PERL_YES);
    assert_int_equal(offsets[0], 2);
    assert_int_equal(offsets[1], 3);
    assert_true(offsets[2] == (size_t)PERL_UNSET && offsets[6] == (size_t)PERL_UNSET);
    assert_int_equal(offsets[4], 2);
    perl_free(pattern);
}

/* Counts how often a search for the "b" at the end of many "a" is broken off, if it is after each
 * look. */
static unsigned count_pauses(const char *text, const char *expression, enum perl_result wanted)
{
    struct perl_pattern *pattern = compiled(expression, 0);
    size_t offsets[4], last = 0;
    unsigned pauses = 0;
    struct perl_search search = { .text = str_from(text), .offsets = offsets, .look = look };
    enum perl_result result;
    struct error err;

    for (;;) {
        struct looks looks = { .pause_at = 1 };

        search.arg = &looks;
        result = perl_search(pattern, &search, &err);
        if (result != PERL_PAUSED)
            break;
        assert_true(search.resume > last);
        search.at = last = search.resume;
        pauses++;
    }
    assert_int_equal(result, wanted);
    if (result == PERL_YES)
        assert_int_equal(offsets[1], strlen(text));
    perl_free(pattern);
    return pauses;
}

static void a_search_goes_on_where_it_was_broken_off(void **state)
{
    static char text[2001];

    (void)state;
    memset(text, 'a', 2000);
    text[1999] = 'b';
    assert_true(count_pauses(text, "a+[cd]|ab", PERL_YES) > 100);
    assert_true(count_pauses(text, "(?<=a)(?:a(?=x)|b)", PERL_YES) > 10);
    assert_true(count_pauses(text, "a+[cd]", PERL_NO) > 100);
    assert_int_equal(count_pauses(text, "\\G(?:a|b)*b", PERL_YES), 0); /* \G would be elsewhere */
    assert_int_equal(count_pauses(text, "^(?:a|b)*b", PERL_YES), 0);   /* one place only */
}

static void a_search_is_given_up(void **state)
{
    struct perl_pattern *pattern = compiled("^(a+)+$", 0);
    size_t offsets[4];
    struct looks looks = { .give_up_at = 1000 };
    struct perl_search search = { .text = STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
                                  .offsets = offsets,
                                  .look = look,
                                  .arg = &looks };
    struct error err;

    (void)state;
    assert_int_equal(perl_search(pattern, &search, &err), PERL_GAVE_UP);
    assert_int_equal(looks.count, 1000);
    search.text = STR("aaa");
    assert_int_equal(perl_search(pattern, &search, &err), PERL_YES);
    perl_free(pattern);
}

/* The clock is checked for the bytes that an item passes, and not only for the number of items. */
static void a_long_item_is_looked_at(void **state)
{
    static char text[100000];
    struct perl_pattern *pattern = compiled("a+[bc]", 0);
    size_t offsets[2];
    struct looks looks = { .give_up_at = 20 };
    struct perl_search search = {
        .text = { text, sizeof text }, .offsets = offsets, .look = look, .arg = &looks
    };
    struct error err;

    (void)state;
    memset(text, 'a', sizeof text);
    assert_int_equal(perl_search(pattern, &search, &err), PERL_GAVE_UP);
    assert_true(looks.count == 20);
    perl_free(pattern);
}

static void errors_name_the_place(void **state)
{
    struct error err = { "", "" };

    (void)state;
    assert_null(perl_compile(STR("\xC3\xA4(b"), 0, &err));
    assert_string_equal(err.code, "invalid_pattern");
    assert_non_null(strstr(err.text, "at character 4: "));
    assert_null(perl_compile(STR("a\0("), 0, &err));
    assert_null(perl_compile(STR("\xFF"), 0, &err));
    assert_string_equal(err.code, "invalid_pattern");
    perl_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_and_their_names),
        cmocka_unit_test(a_search_goes_on_where_it_was_broken_off),
        cmocka_unit_test(a_search_is_given_up),
        cmocka_unit_test(a_long_item_is_looked_at),
        cmocka_unit_test(errors_name_the_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
