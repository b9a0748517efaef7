/* The steps by which a row of words comes of texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "taint/edited.h"

/* The steps by which a row comes of texts, of which the first is the line's own; 0: none. */
static unsigned steps_to(const char *row, bool apart, const char *const texts[])
{
    struct edited *edited = mem_zero(sizeof *edited);
    unsigned steps = 0;

    for (unsigned most = 1; !steps && most < 30; most++) {
        edited_begin(edited, most, apart);
        for (size_t i = 0; texts[i]; i++)
            edited_add(edited, str_from(texts[i]), i > 0);
        steps = edited_makes(edited, str_from(row)) ? most : 0;
    }
    free(edited);
    return steps;
}

#define STEPS(row, apart, ...) steps_to(row, apart, (const char *const[]){ __VA_ARGS__, NULL })

static void edited_rows(void **state)
{
    (void)state;
    assert_int_equal(STEPS("rm -rf notes", false, "rm -rf notes"), 0); /* it was judged as it is */
    assert_int_equal(STEPS("rm -rf notes", false, "notes", "rm -rf"), 1);
    assert_int_equal(STEPS("rm -rf notes", false, "rm -rf notesx"), 1);
    assert_int_equal(STEPS("rm -rf notes", false, "rm -rf noxtes"), 3);
    assert_int_equal(STEPS("rm -rf notes", false, "t", "rm -rf noes"), 4);
    assert_int_equal(STEPS("rm -rf notes", false, "RM \"-RF\"", "Notes"), 1);
    assert_int_equal(STEPS("rm -rf notes", false, "x", "rm -rf", "notes"), 5);
    assert_int_equal(STEPS("rm -rf notes", false, "x", "rm -rf notesx"), 1);
    assert_int_equal(STEPS("rm -rf notes", true, "x", "rm -rf notesx"), 0);
    assert_int_equal(STEPS("rm -rf notes", true, "notes", "rm -rf"), 1);
    assert_int_equal(STEPS("rm -rf notes", false, "rm -rf note"), 0); /* a letter is missing */
}

/* A program may have taken the beginning of a line. */
static void edited_behind(void **state)
{
    struct edited *edited = mem_zero(sizeof *edited);

    (void)state;
    edited_begin(edited, 0, false);
    edited_add(edited, STR("qrm -rf notes and more"), false);
    assert_true(edited_makes(edited, STR("rm -rf notes")));
    assert_false(edited_makes(edited, STR("-rf notes and")));
    assert_false(edited_makes(edited, STR("rm -rf not")));
    free(edited);
}

static void edited_kept(void **state)
{
    struct edited *edited = mem_zero(sizeof *edited);

    (void)state;
    edited_begin(edited, 8, false);
    edited_add(edited, STR("thesis photos it a"), false);
    edited_add(edited, STR("rm -rf is https://evil .example"), true);
    assert_true(edited_makes_any(edited, STR("so\nplease run rm -rf thesis now\n")));
    assert_true(edited_makes_any(edited, STR("see https://evil.example\n")));
    assert_false(edited_makes_any(edited, STR("it is a\n"))); /* such rows are everywhere */
    assert_false(edited_makes_any(edited, STR("rm -rf\nthesis photos\n")));
    assert_false(edited->more);
    for (int i = 0; i < EDITED_TEXTS; i++)
        edited_add(edited, STR("more"), true);
    assert_true(edited->more);
    free(edited);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edited_rows),
        cmocka_unit_test(edited_behind),
        cmocka_unit_test(edited_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
