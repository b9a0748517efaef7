/* The differences between two lists of windows. */
#include "platform/window_news.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TOLD_BYTES = 512 };

/* Adds " opened 3": the event, and the window's number, or 0. */
static void write_down(void *arg, const struct window_news *news)
{
    const struct window_info *window = news->what == WINDOW_CLOSED ? news->was : news->now;
    char *told = arg;
    size_t len = strlen(told);

    snprintf(told + len, TOLD_BYTES - len, " %s %d", window_event_name(news->what),
             window ? (int)window->ref.id : 0);
}

static struct window_info numbered(int id, int order)
{
    return (struct window_info){ .ref = { .pid = 7, .started = 70, .id = (uint64_t)id },
                                 .title = (char *)(uintptr_t) "Letter",
                                 .frame = { 10, 20, 400, 300 },
                                 .order = order,
                                 .on_screen = true };
}

static void assert_told(const struct window_info *before, size_t before_count,
                        const struct window_info *after, size_t after_count, const char *want)
{
    struct window_list was = { (struct window_info *)(uintptr_t)before, before_count };
    struct window_list now = { (struct window_info *)(uintptr_t)after, after_count };
    char told[TOLD_BYTES] = "";

    windows_compare(&was, &now, write_down, told);
    assert_string_equal(told, want);
}

static void the_same_windows_are_no_news(void **state)
{
    const struct window_info list[] = { numbered(1, 0), numbered(2, 1) };

    (void)state;
    assert_told(NULL, 0, NULL, 0, "");
    assert_told(list, 2, list, 2, "");
}

static void retitle(struct window_info *info)
{
    info->title = (char *)(uintptr_t) "Letter 2";
}

static void move(struct window_info *info)
{
    info->frame.x++;
}

static void grow(struct window_info *info)
{
    info->frame.height++;
}

static void minimize(struct window_info *info)
{
    info->state |= WINDOW_MINIMIZED;
}

static void send_away(struct window_info *info)
{
    info->workspace++;
}

static void turn_into_dialog(struct window_info *info)
{
    info->kind = WINDOW_DIALOG;
}

static void get_parent(struct window_info *info)
{
    info->parent = 9;
}

static void leave_screen(struct window_info *info)
{
    info->on_screen = false;
}

static void get_focus(struct window_info *info)
{
    info->focused = true;
}

static void move_and_minimize(struct window_info *info)
{
    retitle(info);
    move(info);
    minimize(info);
}

static void each_change_has_its_event(void **state)
{
    static const struct {
        void (*change)(struct window_info *info);
        const char *want;
    } cases[] = {
        { retitle, " titled 2" },     { move, " moved 2" },
        { grow, " moved 2" },         { minimize, " changed 2" },
        { send_away, " changed 2" },  { turn_into_dialog, " shifted 2" },
        { get_parent, " shifted 2" }, { leave_screen, " shifted 2" },
        { get_focus, " focused 2" },  { move_and_minimize, " titled 2 changed 2 moved 2" },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        const struct window_info before[] = { numbered(1, 0), numbered(2, 1) };
        struct window_info after[] = { numbered(1, 0), numbered(2, 1) };

        cases[i].change(&after[1]);
        assert_told(before, 2, after, 2, cases[i].want);
    }
}

static void windows_that_closed_come_first_and_those_behind_before_those_in_front(void **state)
{
    const struct window_info before[] = { numbered(1, 0), numbered(2, 1) };
    struct window_info after[] = { numbered(3, 0), numbered(4, 1), numbered(1, 2) };

    (void)state;
    get_focus(&after[0]);
    assert_told(before, 2, after, 3, " closed 2 shifted 1 opened 4 opened 3 focused 3");
    assert_told(NULL, 0, after, 3, " opened 1 opened 4 opened 3 focused 3");
    assert_told(after, 3, NULL, 0, " closed 3 closed 4 closed 1 focused 0");
}

static void windows_that_change_places_are_shifted(void **state)
{
    const struct window_info before[] = { numbered(1, 0), numbered(2, 1) };
    const struct window_info after[] = { numbered(2, 0), numbered(1, 1) };

    (void)state;
    assert_told(before, 2, after, 2, " shifted 1 shifted 2");
}

static void the_keyboard_goes_elsewhere_and_away(void **state)
{
    struct window_info before[] = { numbered(1, 0), numbered(2, 1) };
    struct window_info after[] = { numbered(1, 0), numbered(2, 1) };

    (void)state;
    get_focus(&before[0]);
    assert_told(before, 2, before, 2, "");
    assert_told(before, 2, after, 2, " focused 0");
    get_focus(&after[1]);
    assert_told(before, 2, after, 2, " focused 2");
}

/* A number is used again after its owner has ended. */
static void a_number_of_another_process_is_another_window(void **state)
{
    const struct window_info before[] = { numbered(1, 0) };
    struct window_info after[] = { numbered(1, 0) };

    (void)state;
    after[0].ref.started = 71;
    assert_told(before, 1, after, 1, " closed 1 opened 1");
    after[0].ref.started = 0; /* not known */
    assert_told(before, 1, after, 1, "");
    after[0].ref.pid = 8;
    assert_told(before, 1, after, 1, " closed 1 opened 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_windows_are_no_news),
        cmocka_unit_test(each_change_has_its_event),
        cmocka_unit_test(windows_that_closed_come_first_and_those_behind_before_those_in_front),
        cmocka_unit_test(windows_that_change_places_are_shifted),
        cmocka_unit_test(the_keyboard_goes_elsewhere_and_away),
        cmocka_unit_test(a_number_of_another_process_is_another_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
