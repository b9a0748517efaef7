/* The arithmetic of trying again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/retry.h"

static const double almost_one = 1 - 1e-12;
static const struct retry_policy policy = { .max_attempts = 9, .base_ms = 100, .max_ms = 1000 };

static void the_wait_doubles_up_to_the_limit(void **state)
{
    (void)state;
    assert_int_equal(retry_backoff_ms(&policy, 1, almost_one), 99);
    assert_int_equal(retry_backoff_ms(&policy, 2, almost_one), 199);
    assert_int_equal(retry_backoff_ms(&policy, 4, almost_one), 799);
    assert_int_equal(retry_backoff_ms(&policy, 5, almost_one), 999);
    assert_int_equal(retry_backoff_ms(&policy, 4000000000u, almost_one), 999);
}

static void chance_takes_any_part_of_it(void **state)
{
    (void)state;
    assert_int_equal(retry_backoff_ms(&policy, 3, 0), 0);
    assert_int_equal(retry_backoff_ms(&policy, 3, 0.25), 100);
    assert_int_equal(retry_backoff_ms(&policy, 3, 0.5), 200);
}

static void extreme_policies_do_not_overflow(void **state)
{
    struct retry_policy huge = { .base_ms = UINT64_MAX / 2 + 1, .max_ms = UINT64_MAX };
    struct retry_policy none = { .base_ms = 0, .max_ms = 0 };
    struct retry_policy inverted = { .base_ms = 500, .max_ms = 10 };

    (void)state;
    assert_true(retry_backoff_ms(&huge, 9, 0.5) >= UINT64_MAX / 2 - 4096);
    assert_int_equal(retry_backoff_ms(&none, 9, almost_one), 0);
    assert_int_equal(retry_backoff_ms(&inverted, 1, almost_one), 9);
    assert_int_equal(retry_asked_ms(&none, 5000, 0.5), 0);
}

static void what_is_asked_for_is_waited_spread_and_capped(void **state)
{
    (void)state;
    assert_int_equal(retry_asked_ms(&policy, 500, 0), 500);
    assert_int_equal(retry_asked_ms(&policy, 500, 0.5), 550);
    assert_int_equal(retry_asked_ms(&policy, 990, 0.5), 1000);
    assert_int_equal(retry_asked_ms(&policy, 60000, 0.5), 1000);
    assert_int_equal(retry_asked_ms(&policy, UINT64_MAX, 0.5), 1000);
    assert_int_equal(retry_asked_ms(&policy, 0, 0), 0);
}

enum { NOW = 784111777 }; /* 1994-11-06 08:49:37 UTC */

static void waits(const char *value, int64_t now, uint64_t want)
{
    uint64_t ms = 12345;

    if (!retry_after_parse(str_from(value), now, &ms))
        fail_msg("\"%s\" was not understood", value);
    assert_int_equal(ms, want);
}

static void means_nothing(const char *value)
{
    uint64_t ms;

    if (retry_after_parse(str_from(value), NOW, &ms))
        fail_msg("\"%s\" was taken for %llu ms", value, (unsigned long long)ms);
}

static void seconds_are_understood(void **state)
{
    (void)state;
    waits("0", NOW, 0);
    waits("120", NOW, 120000);
    waits("  7\t", NOW, 7000);
    waits("99999999999999999999999999", NOW, UINT64_C(3153600000000));
}

static void three_forms_of_dates_are_understood(void **state)
{
    (void)state;
    waits("Sun, 06 Nov 1994 08:49:37 GMT", NOW - 10, 10000);
    waits("Sun Nov  6 08:49:37 1994", NOW - 10, 10000);
    waits("Saturday, 01-Jan-00 00:00:10 GMT", 946684800, 10000);
    waits("Thu, 01 Jan 1970 00:00:05 GMT", 0, 5000);
    waits("Thu, 29 Feb 2024 23:59:60 GMT", 1709251199, 1000);
    waits("Fri, 01 Mar 2024 00:00:00 GMT", 1709251199, 1000);
    waits("Tue, 01 Mar 2100 00:00:00 GMT", 4107542399, 1000); /* 2100 has no leap day */
}

static void a_date_that_has_passed_is_now(void **state)
{
    (void)state;
    waits("Sun, 06 Nov 1994 08:49:37 GMT", NOW + 1000, 0);
}

static void anything_else_is_no_answer(void **state)
{
    (void)state;
    means_nothing("");
    means_nothing(" ");
    means_nothing("-1");
    means_nothing("1.5");
    means_nothing("10s");
    means_nothing("soon");
    means_nothing("Sun, 06 Nov 1994 08:49:37");
    means_nothing("Sun, 06 Nov 1994 08:49:37 GMT or so");
    means_nothing("Sun, 06 Foo 1994 08:49:37 GMT");
    means_nothing("Sun, 32 Nov 1994 08:49:37 GMT");
    means_nothing("Sun, 06 Nov 1994 24:49:37 GMT");
    means_nothing("Sun, 06 Nov 1994 08:49:37 GMT                                             x");
}

static void what_passes_and_what_may_be_repeated(void **state)
{
    (void)state;
    assert_true(retry_status(429) && retry_status(500) && retry_status(503) && retry_status(529));
    assert_false(retry_status(200) || retry_status(400) || retry_status(404) || retry_status(501));
    assert_true(retry_method("GET") && retry_method("DELETE") && retry_method("PUT"));
    assert_false(retry_method("POST") || retry_method("PATCH") || retry_method("get"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wait_doubles_up_to_the_limit),
        cmocka_unit_test(chance_takes_any_part_of_it),
        cmocka_unit_test(extreme_policies_do_not_overflow),
        cmocka_unit_test(what_is_asked_for_is_waited_spread_and_capped),
        cmocka_unit_test(seconds_are_understood),
        cmocka_unit_test(three_forms_of_dates_are_understood),
        cmocka_unit_test(a_date_that_has_passed_is_now),
        cmocka_unit_test(anything_else_is_no_answer),
        cmocka_unit_test(what_passes_and_what_may_be_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
