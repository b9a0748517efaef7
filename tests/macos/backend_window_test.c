/* Windows of the macOS backend on the simulation: applications that hang, windows that look alike,
 * the ways to take a picture. */
#include "backend_run.h"

/* --- applications that hang ------------------------------------------------------------------ */

static void an_application_that_hangs_costs_its_own_call(void **state)
{
    struct window_ref hung = stage_window("hung", place), other = stage_window("other", place);
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 10, 30, 0, 0 } };
    struct window_outcome out;

    (void)state;
    sim_hang(hung.pid);
    assert_fails(
        stage.ops->windows->act(stage.desktop, stage_deadline(), &hung, &change, &out, &stage.err),
        "app_hung");
    assert_true(stage_act(&other, change).done);
}

static void look_at(const struct window_ref *ref)
{
    struct window_info info = stage_info(ref);

    window_info_free(&info);
}

/* Lists of all windows do not ask an application again for a while after it left a question
 * unanswered. */
static void lists_do_not_wait_again_for_who_hangs(void **state)
{
    struct window_ref hung = stage_window("hung", place);
    struct window_list list;
    int asked;

    (void)state;
    stage_window("other", place);
    sim_hang(hung.pid);
    asked = sim_unanswered();
    look_at(&hung);
    assert_int_equal(sim_unanswered(), asked + 1);
    for (int i = 0; i < 3; i++) {
        assert_ok(
            stage.ops->windows->list(stage.desktop, stage_deadline(), NULL, &list, &stage.err));
        assert_int_equal(list.count, 2);
        window_list_free(&list);
    }
    assert_int_equal(sim_unanswered(), asked + 1);
}

/* From macOS 14 on, the application in front decides whether it gives way. */
static void what_is_activated_comes_to_the_front_by_accessibility_too(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);
    struct app_outcome out;

    (void)state;
    sim_refuse_activation(true);
    assert_true(stage_do(&one, WINDOW_FOCUS).done);
    assert_ok(
        stage.ops->apps->activate(stage.desktop, stage_deadline(), two.pid, 0, &out, &stage.err));
    assert_true(out.done);
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    assert_ok(
        stage.ops->apps->activate(stage.desktop, stage_deadline(), one.pid, 0, &out, &stage.err));
    assert_false(out.done);
    assert_non_null(strstr(out.note, "kept the focus"));
}

/* --- which window is which ------------------------------------------------------------------ */

/* Two windows of one application that share title and frame, as maximized ones do. */
static struct window_ref stage_twins(struct window_ref *other)
{
    struct window_ref one = stage_window("twin", place);
    struct window_ref two = { .id = fake_add_window(stage.fake, one.pid, "twin", place) };
    struct window_info info = stage_info(&two);

    *other = info.ref;
    window_info_free(&info);
    return one;
}

static void windows_of_one_frame_and_title_are_told_apart_by_number(void **state)
{
    struct window_ref two, one = stage_twins(&two);
    struct window_info first, second;

    (void)state;
    assert_true(stage_do(&one, WINDOW_MINIMIZE).done);
    first = stage_info(&one);
    second = stage_info(&two);
    assert_true(first.state & WINDOW_MINIMIZED);
    assert_false(second.state & WINDOW_MINIMIZED);
    window_info_free(&first);
    window_info_free(&second);
    assert_true(stage_do(&one, WINDOW_RESTORE).done);
    assert_true(stage_do(&two, WINDOW_FOCUS).done);
    first = stage_info(&one);
    second = stage_info(&two);
    assert_true(second.focused && !first.focused);
    window_info_free(&first);
    window_info_free(&second);
}

static void windows_that_cannot_be_told_apart_are_refused(void **state)
{
    struct window_change change = { .verb = WINDOW_MINIMIZE };
    struct window_ref two, one = stage_twins(&two), third;
    struct window_outcome out;

    (void)state;
    sim_hide_numbers(true);
    assert_fails(
        stage.ops->windows->act(stage.desktop, stage_deadline(), &two, &change, &out, &stage.err),
        "window_ambiguous");
    third = (struct window_ref){ .pid = one.pid,
                                 .id = fake_add_window(stage.fake, one.pid, "another", place) };
    assert_true(stage_do(&third, WINDOW_MINIMIZE).done); /* found by its title */
}

static void a_window_costs_its_application_one_question(void **state)
{
    struct window_ref two, one = stage_twins(&two);
    struct window_query query = { .pid = one.pid };
    struct window_list list;
    int before = sim_questions();

    (void)state;
    assert_ok(stage.ops->windows->list(stage.desktop, stage_deadline(), &query, &list, &stage.err));
    assert_int_equal(list.count, 2);
    /* one for the application in front, one for the list of windows, one for each window */
    assert_int_equal(sim_questions() - before, 1 + 1 + 2);
    window_list_free(&list);
}

static void the_application_in_front_is_known_where_the_workspace_stands_still(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);
    struct window_info info;

    (void)state;
    assert_true(stage_do(&one, WINDOW_FOCUS).done);
    sim_freeze_workspace(true);
    assert_true(stage_do(&two, WINDOW_FOCUS).done);
    sim_deny(PERMISSION_ACCESSIBILITY, true); /* the order of windows shows it as well */
    info = stage_info(&two);
    assert_true(info.focused);
    window_info_free(&info);
}

static void a_refused_activation_is_not_the_last_word(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);
    struct app_outcome out;

    (void)state;
    assert_true(stage_do(&two, WINDOW_FOCUS).done);
    sim_refuse_all_but_reopening(true);
    assert_ok(
        stage.ops->apps->activate(stage.desktop, stage_deadline(), one.pid, 0, &out, &stage.err));
    assert_true(out.done);
    assert_true(sim_reopened() > 0);
    assert_true(stage_do(&two, WINDOW_FOCUS).done);
}

static void a_window_of_another_space_is_said_to_be_there(void **state)
{
    struct window_ref two, one = stage_twins(&two);
    struct window_info info;

    (void)state;
    sim_elsewhere(two.id);
    info = stage_info(&two);
    assert_true((info.state & WINDOW_HIDDEN) && (info.state & WINDOW_ELSEWHERE));
    window_info_free(&info);
    info = stage_info(&one);
    assert_false(info.state & WINDOW_ELSEWHERE);
    window_info_free(&info);
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Takes pictures of a window and of a part of the display: both have to come by this route. */
static void assert_taken(const struct window_ref *ref, const char *route)
{
    struct capture kinds[] = { { .kind = CAPTURE_WINDOW, .window = *ref },
                               { .kind = CAPTURE_REGION, .region = { 10, 20, 64, 48 } } };
    struct picture picture;

    for (size_t i = 0; i < countof(kinds); i++) {
        assert_ok(stage.ops->capture->take(stage.desktop, stage_deadline(), &kinds[i], &picture,
                                           &stage.err));
        assert_string_equal(picture.route, route);
        assert_int_equal(picture.image.width, i ? 64 : (int)place.width);
        assert_int_equal(picture.image.height, i ? 48 : (int)place.height);
        assert_true(picture.origin.x == (i ? 10 : place.x));
        picture_free(&picture);
    }
}

static void pictures_come_by_what_is_there(void **state)
{
    struct window_ref ref = stage_window("shown", place);

    (void)state;
    assert_taken(&ref, "screencapturekit");
    sim_list_nothing(true); /* though the window exists */
    assert_taken(&ref, "coregraphics");
    sim_without_sckit(true);
    assert_taken(&ref, "coregraphics");
    sim_without_graphics(true);
    assert_taken(&ref, "screencapture");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_application_that_hangs_costs_its_own_call),
        CASE(lists_do_not_wait_again_for_who_hangs),
        CASE(what_is_activated_comes_to_the_front_by_accessibility_too),
        CASE(windows_of_one_frame_and_title_are_told_apart_by_number),
        CASE(windows_that_cannot_be_told_apart_are_refused),
        CASE(a_window_costs_its_application_one_question),
        CASE(the_application_in_front_is_known_where_the_workspace_stands_still),
        CASE(a_refused_activation_is_not_the_last_word),
        CASE(a_window_of_another_space_is_said_to_be_there),
        CASE(pictures_come_by_what_is_there),
    };

    return cmocka_run_group_tests_name("backend_window", tests, NULL, NULL);
}
