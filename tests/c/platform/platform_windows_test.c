/* Windows and displays, on the desktop that is tested. */
#include "platform_run.h"

static const struct rect place = { 100, 120, 400, 300 };

static void a_window_is_listed_with_all_that_is_known(void **state)
{
    struct window_ref ref = stage_window("first window", place);
    struct window_info info = stage_info(&ref);

    (void)state;
    assert_string_equal(info.title, "first window");
    assert_true(stage_is("x11") || strcmp(info.app, "xev") == 0);
    assert_true(info.ref.pid > 0);
    assert_true(info.ref.started > 0);
    assert_true(info.focused);
    assert_true(info.on_screen);
    assert_int_equal(info.order, 0);
    assert_int_equal(info.state, 0);
    assert_int_equal(info.kind, WINDOW_NORMAL);
    assert_true(info.frame.x <= info.content.x && info.frame.y <= info.content.y);
    assert_true(stage_is("macos") || info.frame.y < info.content.y); /* it is not reported there */
    assert_true(info.frame.width >= info.content.width);
    window_info_free(&info);
}

static void the_list_is_front_most_first(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);
    struct window_list list;

    (void)state;
    stage_focus(&one);
    assert_ok(stage.ops->windows->list(stage.desktop, stage_deadline(), NULL, &list, &stage.err));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].ref.id, one.id);
    assert_int_equal(list.items[1].ref.id, two.id);
    assert_true(list.items[0].focused && !list.items[1].focused);
    assert_int_equal(list.items[1].order, 1);
    window_list_free(&list);
    struct window_query query = { .pid = two.pid };
    assert_ok(stage.ops->windows->list(stage.desktop, stage_deadline(), &query, &list, &stage.err));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].ref.id, two.id);
    window_list_free(&list);
}

static void a_window_is_moved_to_the_point_asked(void **state)
{
    struct window_ref ref = stage_window("mover", place);
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 333, 222, 0, 0 } };
    struct window_outcome out = stage_act(&ref, change);

    (void)state;
    assert_string_equal(out.note, "");
    assert_true(out.done);
    assert_true(out.after.x == 333 && out.after.y == 222);
    assert_true(out.before.width == out.after.width && out.before.height == out.after.height);
    struct window_info info = stage_info(&ref);
    assert_true(info.frame.x == 333 && info.frame.y == 222);
    window_info_free(&info);
    assert_true(stage_act(&ref, change).done); /* again: an action without effect is done, too */
}

static void a_desktop_that_is_not_real_keeps_no_endless_log(void **state)
{
    struct window_ref ref = stage_window("mover", place);
    char *log;

    (void)state;
    if (!stage.fake) /* a real desktop keeps no log */
        return;
    for (int i = 0; i < 10000; i++)
        stage_act(&ref, (struct window_change){ .verb = WINDOW_MOVE, .to = { i % 50, 9, 0, 0 } });
    log = fake_take_log(stage.fake);
    assert_in_range(strlen(log), 1000, 65536);
    free(log);
}

static void a_window_is_resized_frame_and_all(void **state)
{
    struct window_ref ref = stage_window("sizer", place);
    struct window_change change = { .verb = WINDOW_RESIZE, .to = { 0, 0, 512, 384 } };
    struct window_outcome out = stage_act(&ref, change);

    (void)state;
    assert_string_equal(out.note, "");
    assert_true(out.done && out.after.width == 512 && out.after.height == 384);
    assert_true(out.after.x == out.before.x && out.after.y == out.before.y);
    change = (struct window_change){ .verb = WINDOW_PLACE, .to = { 20, 30, 300, 200 } };
    out = stage_act(&ref, change);
    assert_true(out.done && out.after.x == 20 && out.after.y == 30 && out.after.width == 300 &&
                out.after.height == 200);
}

static void minimize_and_restore_are_seen(void **state)
{
    struct window_ref ref = stage_window("sinker", place);
    struct window_outcome out = stage_do(&ref, WINDOW_MINIMIZE);

    (void)state;
    assert_true(out.done && (out.state & WINDOW_MINIMIZED) && !out.focused);
    struct window_info info = stage_info(&ref);
    assert_false(info.on_screen);
    window_info_free(&info);
    out = stage_do(&ref, WINDOW_RESTORE);
    assert_true(out.done && !(out.state & WINDOW_MINIMIZED));
    assert_true(out.after.width == out.before.width);
}

static void assert_stays(const struct window_ref *ref, struct rect frame, const char *what)
{
    struct window_info info = stage_info(ref);

    if (memcmp(&frame, &info.frame, sizeof frame) != 0)
        fail_msg("%s: reported %gx%g at %g,%g; it is %gx%g at %g,%g", what, frame.width,
                 frame.height, frame.x, frame.y, info.frame.width, info.frame.height, info.frame.x,
                 info.frame.y);
    window_info_free(&info);
}

/* Openbox lets the frame glide to the taskbar and back; the reported place is not one on the
 * way. */
static void an_animation_is_not_taken_for_the_place(void **state)
{
    struct window_ref ref = stage_window("glider", place);
    struct window_info info = stage_info(&ref);
    struct rect frame = info.frame;

    (void)state;
    window_info_free(&info);
    for (int i = 0; i < 3; i++) {
        struct window_outcome out = stage_do(&ref, WINDOW_MINIMIZE);

        assert_memory_equal(&out.after, &frame, sizeof frame);
        assert_stays(&ref, frame, "minimized");
        out = stage_do(&ref, i < 2 ? WINDOW_RESTORE : WINDOW_FOCUS);
        assert_true(out.done && out.focused);
        assert_memory_equal(&out.after, &frame, sizeof frame);
        assert_stays(&ref, frame, "restored");
    }
}

static void maximize_and_fullscreen_end_with_restore(void **state)
{
    struct window_ref ref = stage_window("grower", place);
    struct window_outcome out = stage_do(&ref, WINDOW_MAXIMIZE);
    struct rect normal = out.before;

    (void)state;
    assert_true(out.done && (out.state & WINDOW_MAXIMIZED));
    assert_true(out.after.width > normal.width && out.after.height > normal.height);
    out = stage_do(&ref, WINDOW_RESTORE);
    assert_true(out.done && !(out.state & WINDOW_MAXIMIZED));
    out = stage_do(&ref, WINDOW_SET_FULLSCREEN);
    assert_true(out.done && (out.state & WINDOW_FULLSCREEN));
    out = stage_do(&ref, WINDOW_RESTORE);
    assert_true(out.done && !(out.state & WINDOW_FULLSCREEN));
    assert_true(out.after.width == normal.width && out.after.height == normal.height);
}

static void focus_goes_from_window_to_window(void **state)
{
    struct window_ref one = stage_window("left", place), two = stage_window("right", place);
    struct window_outcome out = stage_do(&one, WINDOW_FOCUS);

    (void)state;
    assert_true(out.done && out.focused);
    stage_do(&two, WINDOW_MINIMIZE);
    out = stage_do(&two, WINDOW_FOCUS);
    assert_true(out.done && out.focused && !(out.state & WINDOW_MINIMIZED));
    struct window_info info = stage_info(&one);
    assert_false(info.focused);
    window_info_free(&info);
}

static void a_closed_window_is_gone_and_its_name_is_stale(void **state)
{
    struct window_ref ref = stage_window("closer", place);
    struct window_outcome out = stage_do(&ref, WINDOW_CLOSE);
    struct window_change change = { .verb = WINDOW_FOCUS };
    struct window_info info;

    (void)state;
    assert_true(out.done && out.gone);
    assert_true(out.before.width > 0);
    assert_fails(stage.ops->windows->get(stage.desktop, stage_deadline(), &ref, &info, &stage.err),
                 "window_not_found");
    assert_fails(
        stage.ops->windows->act(stage.desktop, stage_deadline(), &ref, &change, &out, &stage.err),
        "window_not_found");
}

static void a_name_of_another_process_is_refused(void **state)
{
    struct window_ref ref = stage_window("pinned", place), wrong = ref;
    struct window_info info;

    (void)state;
    wrong.started++;
    assert_fails(
        stage.ops->windows->get(stage.desktop, stage_deadline(), &wrong, &info, &stage.err),
        "window_not_found");
    wrong = ref;
    wrong.pid++;
    assert_fails(
        stage.ops->windows->get(stage.desktop, stage_deadline(), &wrong, &info, &stage.err),
        "window_not_found");
    wrong = (struct window_ref){ .id = 0 };
    assert_fails(
        stage.ops->windows->get(stage.desktop, stage_deadline(), &wrong, &info, &stage.err),
        "window_not_found");
    wrong.id = UINT64_MAX;
    assert_fails(
        stage.ops->windows->get(stage.desktop, stage_deadline(), &wrong, &info, &stage.err),
        "window_not_found");
}

static void windows_with_one_title_keep_apart(void **state)
{
    struct rect other = { 600, 120, 200, 200 };
    struct window_ref one = stage_window("twin", place);
    struct window_list list;
    size_t twins = 0;

    (void)state;
    if (stage.fake) {
        stage_window("twin", other);
    } else {
        stage_spawn(
            (const char *[]){ "xev", "-name", "twin", "-geometry", "200x200+600+120", NULL },
            "twin2");
    }
    for (struct deadline deadline = deadline_of(STAGE_MS); twins < 2;) {
        twins = 0;
        assert_ok(stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, &stage.err));
        for (size_t i = 0; i < list.count; i++)
            twins += strcmp(list.items[i].title, "twin") == 0;
        if (twins == 2)
            assert_true(list.items[0].ref.id != list.items[1].ref.id);
        window_list_free(&list);
    }
    assert_true(stage_do(&one, WINDOW_CLOSE).gone);
}

static void a_call_with_no_time_left_says_so(void **state)
{
    struct window_list list;
    struct deadline deadline = deadline_of(1);

    (void)state;
    deadline_wait(&deadline, -1, deadline_now() + 5, NULL);
    assert_fails(stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, &stage.err),
                 "timeout");
    deadline = deadline_of(STAGE_MS);
    atomic_store(&deadline.stop, DEADLINE_CANCELLED);
    assert_fails(stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, &stage.err),
                 "cancelled");
}

static void displays_have_bounds_and_one_is_main(void **state)
{
    struct display_list list;

    (void)state;
    assert_ok(stage.ops->displays->list(stage.desktop, stage_deadline(), &list, &stage.err));
    assert_true(list.count >= 1);
    assert_true(list.items[0].main);
    assert_true(list.items[0].bounds.x == 0 && list.items[0].bounds.y == 0);
    assert_true(list.items[0].bounds.width >= 640 && list.items[0].bounds.height >= 480);
    assert_true(list.items[0].work.width <= list.items[0].bounds.width);
    assert_true(list.items[0].scale > 0 && list.items[0].name[0]);
    display_list_free(&list);
}

/* The right half is the main display: the left one lies at negative coordinates. */
static void a_second_display_lies_beside_the_main_one(void **state)
{
    struct display_list list;
    struct window_ref ref;
    struct window_outcome out;
    double width;

    (void)state;
    assert_ok(stage.ops->displays->list(stage.desktop, stage_deadline(), &list, &stage.err));
    width = list.items[0].bounds.width;
    display_list_free(&list);
    if (stage.fake) {
        fake_add_display(stage.fake, "LEFT", (struct rect){ -640, 0, 640, 480 }, 1);
    } else {
        char *right = mem_printf("%.0f/300x400/200+640+0", width - 640);

        stage_run((const char *[]){ "xrandr", "--setmonitor", "*RIGHT", right, "screen", NULL });
        stage_run((const char *[]){ "xrandr", "--setmonitor", "LEFT", "640/300x480/200+0+0", "none",
                                    NULL });
        free(right);
    }
    assert_ok(stage.ops->displays->list(stage.desktop, stage_deadline(), &list, &stage.err));
    assert_int_equal(list.count, 2);
    assert_true(list.items[0].main && list.items[0].bounds.x == 0);
    assert_false(list.items[1].main);
    assert_string_equal(list.items[1].name, "LEFT");
    assert_true(list.items[1].bounds.x == -640 && list.items[1].bounds.width == 640);
    display_list_free(&list);
    ref = stage_window("on the left", place);
    out = stage_act(&ref, (struct window_change){ .verb = WINDOW_MOVE, .to = { -600, 50, 0, 0 } });
    assert_true(out.done && out.after.x == -600 && out.after.y == 50);
    struct picture picture;
    struct capture what = { .kind = CAPTURE_WINDOW, .window = ref };
    assert_ok(
        stage.ops->capture->take(stage.desktop, stage_deadline(), &what, &picture, &stage.err));
    assert_true(picture.origin.x == -600 && picture.origin.y == 50);
    picture_free(&picture);
    if (!stage.fake) {
        stage_run((const char *[]){ "xrandr", "--delmonitor", "RIGHT", NULL });
        stage_run((const char *[]){ "xrandr", "--delmonitor", "LEFT", NULL });
    }
}

static void many_windows_are_listed_at_once(void **state)
{
#ifdef STAGE_MACOS
    enum { MANY = 60 }; /* the simulation lists all of them for each that opens */
#else
    enum { MANY = 200 };
#endif
    struct window_list list;
    size_t count = 0;
    char title[32];

    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(title, sizeof title, "window %d", i);
        if (stage.fake)
            stage_window(title, place);
        else
            stage_spawn((const char *[]){ "xev", "-name", title, NULL }, title);
    }
    for (struct deadline deadline = deadline_of(STAGE_MS); count < MANY;) {
        assert_ok(stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, &stage.err));
        count = list.count;
        window_list_free(&list);
    }
    assert_int_equal(count, MANY);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, stage_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_window_is_listed_with_all_that_is_known),
        CASE(the_list_is_front_most_first),
        CASE(a_window_is_moved_to_the_point_asked),
        CASE(a_desktop_that_is_not_real_keeps_no_endless_log),
        CASE(a_window_is_resized_frame_and_all),
        CASE(minimize_and_restore_are_seen),
        CASE(an_animation_is_not_taken_for_the_place),
        CASE(maximize_and_fullscreen_end_with_restore),
        CASE(focus_goes_from_window_to_window),
        CASE(a_closed_window_is_gone_and_its_name_is_stale),
        CASE(a_name_of_another_process_is_refused),
        CASE(windows_with_one_title_keep_apart),
        CASE(a_call_with_no_time_left_says_so),
        CASE(displays_have_bounds_and_one_is_main),
        CASE(a_second_display_lies_beside_the_main_one),
        CASE(many_windows_are_listed_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
