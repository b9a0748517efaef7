/* The place of elements: the window of each top-level element, and the bounds in it. No display is
 * asked: the windows are a list. */
#include "platform/atspi_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PID = 7 };

static struct window_info window_at(uint64_t id, const char *title, struct rect content,
                                    double title_bar)
{
    return (struct window_info){
        .ref = { .pid = PID, .id = id },
        .title = (char *)(uintptr_t)title,
        .content = content,
        .frame = { content.x, content.y - title_bar, content.width, content.height + title_bar },
    };
}

static struct atspi_frame frame_of(uint64_t id, const char *name, struct rect raw)
{
    return (struct atspi_frame){
        id, PID, raw.width > 0, raw, (char *)(uintptr_t)name,
    };
}

static struct element_info element_of(uint64_t id, uint64_t frame, struct rect bounds)
{
    return (struct element_info){ .id = id,
                                  .window = frame,
                                  .role = ELEMENT_GROUP,
                                  .states = ELEMENT_SHOWN,
                                  .placed = bounds.width > 0,
                                  .bounds = bounds };
}

static void place(struct element_info *items, size_t count, struct atspi_frame *frames,
                  size_t frame_count, struct window_info *windows, size_t window_count)
{
    struct element_tree tree = { .items = items, .count = count };

    atspi_place(&tree, &(struct atspi_frames){ frames, frame_count },
                &(struct window_list){ windows, window_count });
}

static void assert_bounds(const struct element_info *info, struct rect want)
{
    assert_true(info->placed);
    assert_true(rect_same(info->bounds, want));
}

static void bounds_of_the_desktop_stay(void **state)
{
    struct window_info windows[] = { window_at(1, "Other", (struct rect){ 0, 0, 640, 480 }, 20),
                                     window_at(2, "Letter", (struct rect){ 50, 70, 400, 300 },
                                               20) };
    struct atspi_frame frames[] = { frame_of(11, "Letter", (struct rect){ 50, 70, 400, 300 }) };
    struct element_info items[] = { element_of(11, 11, (struct rect){ 50, 70, 400, 300 }),
                                    element_of(12, 11, (struct rect){ 60, 90, 80, 24 }) };

    (void)state;
    place(items, 2, frames, 1, windows, 2);
    assert_int_equal(items[0].window, 2);
    assert_int_equal(items[1].window, 2);
    assert_bounds(&items[1], (struct rect){ 60, 90, 80, 24 });
}

/* A window of GTK 4: it reports from its own corner, and leaves out the shadow. */
static void bounds_of_a_window_are_moved_into_it(void **state)
{
    struct window_info windows[] = { window_at(1, "Letter", (struct rect){ 50, 70, 440, 340 }, 0) };
    struct atspi_frame frames[] = { frame_of(11, "Letter", (struct rect){ 0, 0, 400, 300 }) };
    struct element_info items[] = { element_of(12, 11, (struct rect){ 10, 20, 80, 24 }) };

    (void)state;
    place(items, 1, frames, 1, windows, 1);
    assert_bounds(&items[0], (struct rect){ 80, 110, 80, 24 });
}

static void bounds_in_logical_pixels_are_scaled(void **state)
{
    struct window_info windows[] = { window_at(1, "Letter", (struct rect){ 100, 60, 800, 600 },
                                               40) };
    struct atspi_frame frames[] = { frame_of(11, "Letter", (struct rect){ 50, 30, 400, 300 }) };
    struct element_info items[] = { element_of(12, 11, (struct rect){ 60, 50, 80, 24 }) };

    (void)state;
    place(items, 1, frames, 1, windows, 1);
    assert_bounds(&items[0], (struct rect){ 120, 100, 160, 48 });
}

/* A window of GTK 3 whose bounds include the title bar. */
static void bounds_with_the_title_bar_are_those_of_the_frame(void **state)
{
    struct window_info windows[] = { window_at(1, "Letter", (struct rect){ 50, 70, 400, 300 },
                                               20) };
    struct atspi_frame frames[] = { frame_of(11, "Letter", (struct rect){ 0, 0, 400, 320 }) };
    struct element_info items[] = { element_of(12, 11, (struct rect){ 10, 20, 80, 24 }) };

    (void)state;
    place(items, 1, frames, 1, windows, 1);
    assert_bounds(&items[0], (struct rect){ 60, 70, 80, 24 });
}

static void windows_of_one_name_are_told_apart_by_their_sizes(void **state)
{
    struct window_info windows[] = { window_at(1, "Open", (struct rect){ 0, 0, 600, 300 }, 0),
                                     window_at(2, "Open", (struct rect){ 9, 9, 300, 600 }, 0) };
    struct atspi_frame frames[] = { frame_of(11, "Open", (struct rect){ 0, 0, 300, 600 }),
                                    frame_of(12, "Open", (struct rect){ 0, 0, 600, 300 }) };
    struct element_info items[] = { element_of(11, 11, (struct rect){ 0 }),
                                    element_of(12, 12, (struct rect){ 0 }) };

    (void)state;
    place(items, 2, frames, 2, windows, 2);
    assert_int_equal(items[0].window, 2);
    assert_int_equal(items[1].window, 1);
    assert_false(items[0].placed);
}

static void a_window_of_another_process_is_not_taken(void **state)
{
    struct window_info windows[] = { window_at(1, "Letter", (struct rect){ 0, 0, 400, 300 }, 0) };
    struct atspi_frame frames[] = { frame_of(11, "Letter", (struct rect){ 0, 0, 400, 300 }) };
    struct element_info items[] = { element_of(12, 11, (struct rect){ 10, 20, 80, 24 }) };

    (void)state;
    windows[0].ref.pid = PID + 1;
    place(items, 1, frames, 1, windows, 1);
    assert_int_equal(items[0].window, 0);
    assert_false(items[0].placed);
    assert_true(items[0].states & ELEMENT_SHOWN); /* the application has no window here */
}

static void a_dialog_of_the_window_manager_is_not_a_group(void **state)
{
    struct window_info windows[] = { window_at(1, "Open", (struct rect){ 0, 0, 400, 300 }, 0) };
    struct atspi_frame frames[] = { frame_of(11, "Open", (struct rect){ 0, 0, 400, 300 }) };
    struct element_info items[] = { element_of(11, 11, (struct rect){ 0, 0, 400, 300 }),
                                    element_of(12, 11, (struct rect){ 1, 1, 9, 9 }) };

    (void)state;
    windows[0].kind = WINDOW_DIALOG;
    place(items, 2, frames, 1, windows, 1);
    assert_int_equal(items[0].role, ELEMENT_DIALOG);
    assert_int_equal(items[1].role, ELEMENT_GROUP);
}

/* A closed dialog of GTK 4 stays in its application, beside the next one of its name. */
static void a_closed_dialog_is_not_shown(void **state)
{
    struct window_info windows[] = { window_at(1, "Open", (struct rect){ 0, 0, 400, 300 }, 0) };
    struct atspi_frame frames[] = { frame_of(11, "Open", (struct rect){ 0 }),
                                    frame_of(12, "Open", (struct rect){ 0, 0, 400, 300 }) };
    struct element_info items[] = { element_of(11, 11, (struct rect){ 0 }),
                                    element_of(12, 12, (struct rect){ 0, 0, 400, 300 }) };

    (void)state;
    place(items, 2, frames, 2, windows, 1);
    assert_false(items[0].states & ELEMENT_SHOWN);
    assert_true(items[1].states & ELEMENT_SHOWN);
    assert_int_equal(items[0].window, 0);
    assert_int_equal(items[1].window, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_of_the_desktop_stay),
        cmocka_unit_test(bounds_of_a_window_are_moved_into_it),
        cmocka_unit_test(bounds_in_logical_pixels_are_scaled),
        cmocka_unit_test(bounds_with_the_title_bar_are_those_of_the_frame),
        cmocka_unit_test(windows_of_one_name_are_told_apart_by_their_sizes),
        cmocka_unit_test(a_window_of_another_process_is_not_taken),
        cmocka_unit_test(a_dialog_of_the_window_manager_is_not_a_group),
        cmocka_unit_test(a_closed_dialog_is_not_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
