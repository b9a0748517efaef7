/* The choice of the desktop: by its name, by the session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "platform/backends.h"

static void the_fake_is_taken_by_its_name_only(void **state)
{
    struct error err = { "", "" };
    const struct platform_ops *ops;

    (void)state;
    setenv("PERIGEE_DESKTOP", "fake", 1);
    ops = platform_native(&err);
    assert_non_null(ops);
    assert_string_equal(ops->name, "fake");
    assert_ptr_equal(platform_named("fake", &err), ops);
    unsetenv("DISPLAY");
    unsetenv("PERIGEE_DESKTOP");
    ops = platform_native(&err);
    assert_non_null(ops);
    assert_string_not_equal(ops->name, "fake");
}

static void unset_empty_and_native_are_the_sessions_own(void **state)
{
    struct error err = { "", "" };
    const struct platform_ops *own;

    (void)state;
    unsetenv("PERIGEE_DESKTOP");
    own = platform_native(&err);
    assert_non_null(own);
    setenv("PERIGEE_DESKTOP", "", 1);
    assert_ptr_equal(platform_native(&err), own);
    setenv("PERIGEE_DESKTOP", "native", 1);
    assert_ptr_equal(platform_native(&err), own);
    setenv("PERIGEE_DESKTOP", own->name, 1);
    assert_ptr_equal(platform_native(&err), own);
}

static void an_unknown_name_is_refused_with_those_there_are(void **state)
{
    struct error err = { "", "" };
    const char *first = platform_module(0);

    (void)state;
    assert_non_null(first);
    assert_null(platform_named("windows", &err));
    assert_string_equal(err.code, "bad_desktop");
    assert_non_null(strstr(err.text, "\"windows\""));
    assert_non_null(strstr(err.text, first));
    assert_non_null(strstr(err.text, "fake"));
    assert_null(platform_named("", &err));
    assert_null(platform_named("windows", NULL));
}

static void every_module_opens_by_its_name(void **state)
{
    const char *name;
    size_t count = 0;

    (void)state;
    for (; (name = platform_module(count)); count++) {
        struct error err = { "", "" };
        const struct platform_ops *ops = platform_named(name, &err);

        assert_string_equal(err.text, "");
        assert_string_equal(ops->name, name);
    }
    assert_true(count >= 1);
}

static void what_no_module_has_is_not_supported(void **state)
{
    struct error err = { "", "" };

    (void)state;
    assert_null(platform_extra("perigee_no_such_symbol", &err));
    assert_string_equal(err.code, "not_supported");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fake_is_taken_by_its_name_only),
        cmocka_unit_test(unset_empty_and_native_are_the_sessions_own),
        cmocka_unit_test(an_unknown_name_is_refused_with_those_there_are),
        cmocka_unit_test(every_module_opens_by_its_name),
        cmocka_unit_test(what_no_module_has_is_not_supported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
