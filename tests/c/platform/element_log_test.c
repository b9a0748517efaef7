/* Events of elements: their numbers, the ones that a late caller missed, and those of one
 * process. */
#include "platform/element_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct element_log *filled(int count)
{
    struct element_log *log = calloc(1, sizeof *log);

    for (int i = 0; i < count; i++)
        element_log_add(log, &(struct element_event){ .pid = i % 2 ? 7 : 8 });
    return log;
}

static struct element_events since(const struct element_log *log, int pid, uint64_t number)
{
    struct element_events events = { 0 };

    element_log_copy(log, pid, number, &events);
    return events;
}

static void numbers_begin_at_one(void **state)
{
    struct element_log *log = filled(0);
    struct element_events events = since(log, 0, element_log_next(log));

    (void)state;
    assert_int_equal(element_log_next(log), 1);
    assert_int_equal(events.count, 0);
    assert_int_equal(events.missed, 0);
    assert_int_equal(events.next, 1);
    element_events_free(&events);
    free(log);
}

static void who_asks_again_gets_what_is_new(void **state)
{
    struct element_log *log = filled(100);
    struct element_events events = since(log, 0, 41);

    (void)state;
    assert_int_equal(events.count, 60);
    assert_int_equal(events.items[0].number, 41);
    assert_int_equal(events.items[59].number, 100);
    assert_int_equal(events.next, 101);
    element_events_free(&events);
    events = since(log, 0, 101);
    assert_int_equal(events.count, 0);
    element_events_free(&events);
    free(log);
}

static void one_process_is_told_of_its_own(void **state)
{
    struct element_log *log = filled(10);
    struct element_events events = since(log, 7, 1);

    (void)state;
    assert_int_equal(events.count, 5);
    for (size_t i = 0; i < events.count; i++)
        assert_int_equal(events.items[i].pid, 7);
    assert_int_equal(events.items[4].number, 10);
    element_events_free(&events);
    free(log);
}

static void what_was_dropped_is_counted(void **state)
{
    struct element_log *log = filled(ELEMENT_LOG_KEPT + 10);
    struct element_events events = since(log, 0, 5);

    (void)state;
    assert_int_equal(events.missed, 6); /* 5 to 10 */
    assert_int_equal(events.count, ELEMENT_LOG_KEPT);
    assert_int_equal(events.items[0].number, 11);
    assert_int_equal(events.items[events.count - 1].number, ELEMENT_LOG_KEPT + 10);
    element_events_free(&events);
    free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_begin_at_one),
        cmocka_unit_test(who_asks_again_gets_what_is_new),
        cmocka_unit_test(one_process_is_told_of_its_own),
        cmocka_unit_test(what_was_dropped_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
