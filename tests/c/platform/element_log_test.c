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

    pthread_mutex_init(&log->lock, NULL);
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

static void *add_one(void *log)
{
    element_log_add(log, &(struct element_event){ .pid = 7 });
    return NULL;
}

static void *wake_all(void *arg)
{
    struct element_log *log = arg;

    pthread_mutex_lock(&log->lock);
    element_log_wake(log);
    pthread_mutex_unlock(&log->lock);
    return NULL;
}

/* Waits while another thread does this, for a minute at most. The lock is held from before the
 * thread's beginning until the wait has begun. */
static bool is_woken_by(struct element_log *log, void *(*act)(void *log))
{
    enum { MINUTE = 60000 };
    struct deadline deadline = deadline_of(2 * MINUTE);
    uint64_t until = deadline_now() + MINUTE;
    pthread_t thread;
    struct error err;
    bool ok;

    pthread_mutex_lock(&log->lock);
    assert_int_equal(pthread_create(&thread, NULL, act, log), 0);
    ok = element_log_wait(log, &deadline, until, &err);
    pthread_mutex_unlock(&log->lock);
    pthread_join(thread, NULL);
    return ok && deadline_now() < until;
}

static void a_wait_ends_with_an_event_and_with_a_wake(void **state)
{
    struct element_log *log = filled(0);

    (void)state;
    assert_true(is_woken_by(log, add_one));
    assert_int_equal(element_log_next(log), 2);
    assert_true(is_woken_by(log, wake_all));
    assert_int_equal(element_log_next(log), 2);
    assert_null(log->waiters);
    free(log);
}

static void a_wait_ends_when_it_is_not_wanted_any_more(void **state)
{
    struct element_log *log = filled(0);
    struct deadline deadline = deadline_of(0);
    struct error err;

    (void)state;
    atomic_store(&deadline.stop, DEADLINE_CANCELLED);
    pthread_mutex_lock(&log->lock);
    assert_false(element_log_wait(log, &deadline, 0, &err));
    assert_string_equal(err.code, "cancelled");
    assert_null(log->waiters);
    pthread_mutex_unlock(&log->lock);
    free(log);
}

static void hearers_are_counted_once_for_each_connection(void **state)
{
    struct element_log *log = filled(0);
    bool one = false, other = false;

    (void)state;
    element_log_hear(log, &one, true);
    element_log_hear(log, &one, true);
    element_log_hear(log, &other, true);
    assert_int_equal(atomic_load(&log->hearers), 2);
    element_log_hear(log, &one, false);
    element_log_hear(log, &one, false);
    assert_int_equal(atomic_load(&log->hearers), 1);
    free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_begin_at_one),
        cmocka_unit_test(who_asks_again_gets_what_is_new),
        cmocka_unit_test(one_process_is_told_of_its_own),
        cmocka_unit_test(what_was_dropped_is_counted),
        cmocka_unit_test(a_wait_ends_with_an_event_and_with_a_wake),
        cmocka_unit_test(a_wait_ends_when_it_is_not_wanted_any_more),
        cmocka_unit_test(hearers_are_counted_once_for_each_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
