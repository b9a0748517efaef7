/* The looks that are due: their order, what repeats the last one, and the room that they take. */
#include "platform/looks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/util.h"

static size_t due(const struct looks *looks)
{
    return looks->count - looks->first;
}

/* Each kind of look twice, and then with another window, process and number. */
static void a_look_that_repeats_the_last_one_is_not_due_twice(void **state)
{
    static const struct {
        enum look_at at;
        size_t same, other; /* looks that are due after two that are alike, and one more */
    } cases[] = {
        { LOOK_WINDOWS, 1, 2 },  { LOOK_WINDOW, 1, 2 }, { LOOK_FOCUS, 1, 2 },
        { LOOK_DISPLAYS, 1, 2 }, { LOOK_APP, 2, 3 },    { LOOK_END, 1, 2 },
        { LOOK_EVENT, 2, 3 },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct looks looks = { 0 };
        struct look look = { .at = cases[i].at, .window = 7, .pid = 8 };

        looks_add(&looks, look);
        looks_add(&looks, look);
        assert_int_equal(due(&looks), cases[i].same);
        look.pid = 9;
        looks_add(&looks, look);
        assert_int_equal(due(&looks), cases[i].other);
        free(looks.items);
    }
}

static void a_look_that_was_taken_is_due_again(void **state)
{
    struct looks looks = { 0 };

    (void)state;
    for (int i = 0; i < 3; i++) {
        looks_add(&looks, (struct look){ .at = LOOK_FOCUS });
        assert_int_equal(due(&looks), 1);
        assert_int_equal(looks_take(&looks).at, LOOK_FOCUS);
        assert_int_equal(due(&looks), 0);
    }
    free(looks.items);
}

/* Two come while one is taken, and the other way round: the order stays, and room is used again. */
static void looks_come_out_in_their_order_from_little_room(void **state)
{
    struct looks looks = { 0 };
    uint64_t added = 0, taken = 0;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < 1 + round % 2; i++)
            looks_add(&looks, (struct look){ .at = LOOK_WINDOW, .window = ++added });
        for (int i = 0; i < 2 - round % 2 && due(&looks); i++)
            assert_int_equal(looks_take(&looks).window, ++taken);
    }
    while (due(&looks))
        assert_int_equal(looks_take(&looks).window, ++taken);
    assert_int_equal(taken, added);
    assert_true(looks.room <= 16);
    free(looks.items);
}

/* --- events ----------------------------------------------------------------------------------- */

static int told;

static void on_event(void *arg, struct watch_event *event)
{
    assert_int_equal(event->hotkey, *(const unsigned *)arg);
    assert_true(event->at != 0);
    told++;
}

static void an_event_is_told_if_its_kind_is_wanted_or_it_is_of_a_hotkey(void **state)
{
    static const struct {
        enum watch_what what;
        unsigned hotkey, kinds;
        bool told;
    } cases[] = {
        { WATCH_CLIPBOARD_CHANGED, 0, WATCH_CLIPBOARD, true },
        { WATCH_CLIPBOARD_CHANGED, 0, WATCH_WINDOWS, false },
        { WATCH_ACTIVE_AGAIN, 0, WATCH_ACTIVE | WATCH_WINDOWS, true },
        { WATCH_ACTIVE_AGAIN, 0, WATCH_CLIPBOARD, false },
        { WATCH_HOTKEY_PRESSED, 3, 0, true },
        { WATCH_HOTKEY_RELEASED, 3, WATCH_WINDOWS, true },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        unsigned hotkey = cases[i].hotkey;
        struct watch_told to = { .event = on_event, .arg = &hotkey };
        struct watched watched = { .kinds = cases[i].kinds, .told = &to };
        struct looks looks = { 0 };
        struct look look;

        told = 0;
        looks_add_event(&looks, cases[i].what, hotkey);
        look = looks_take(&looks);
        look_tell(&look, &watched);
        assert_int_equal(told, cases[i].told);
        watched.told = NULL;
        look_tell(&look, &watched); /* nobody listens now */
        free(looks.items);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_that_repeats_the_last_one_is_not_due_twice),
        cmocka_unit_test(a_look_that_was_taken_is_due_again),
        cmocka_unit_test(looks_come_out_in_their_order_from_little_room),
        cmocka_unit_test(an_event_is_told_if_its_kind_is_wanted_or_it_is_of_a_hotkey),
    };

    return cmocka_run_group_tests_name("looks", tests, NULL, NULL);
}
