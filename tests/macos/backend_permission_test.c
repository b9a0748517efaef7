/* Permissions of the macOS backend on the simulation: calls that fail without each, and how they
 * are asked for. */
#include "backend_run.h"
#include "platform/macos/system/permission.h"

static void a_picture_without_its_permission_names_the_pane(void **state)
{
    struct capture what = { .kind = CAPTURE_DISPLAY };
    struct picture picture;

    (void)state;
    sim_deny(PERMISSION_SCREEN, true);
    assert_fails(
        stage.ops->capture->take(stage.desktop, stage_deadline(), &what, &picture, &stage.err),
        "permission_denied_screen");
    assert_non_null(strstr(stage.err.text, "Screen Recording"));
    assert_non_null(strstr(stage.err.text, "x-apple.systempreferences:"));
    assert_non_null(strstr(stage.err.text, "Privacy_ScreenCapture"));
    assert_false(stage.ops->permitted(stage.desktop, PERMISSION_SCREEN, NULL));
}

static void titles_prove_the_permission_for_the_screen(void **state)
{
    struct window_ref ref = stage_window("shown", place);
    struct capture what = { .kind = CAPTURE_WINDOW, .window = ref };
    struct picture picture;

    (void)state;
    sim_preflight_lies(true);
    assert_true(stage.ops->permitted(stage.desktop, PERMISSION_SCREEN, &stage.err));
    assert_ok(
        stage.ops->capture->take(stage.desktop, stage_deadline(), &what, &picture, &stage.err));
    picture_free(&picture);
}

static void windows_are_acted_on_with_accessibility_only(void **state)
{
    struct window_ref ref = stage_window("refused", place);
    struct window_change change = { .verb = WINDOW_MINIMIZE };
    struct window_outcome out;
    struct window_list list;

    (void)state;
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    assert_fails(
        stage.ops->windows->act(stage.desktop, stage_deadline(), &ref, &change, &out, &stage.err),
        "permission_denied_access");
    assert_non_null(strstr(stage.err.text, "Accessibility"));
    assert_false(send((struct input){ .kind = INPUT_CLICK, .at = { 200, 200 } }));
    assert_string_equal(stage.err.code, "permission_denied_access");
    assert_ok(stage.ops->windows->list(stage.desktop, stage_deadline(), NULL, &list, &stage.err));
    assert_int_equal(list.count, 1); /* the list needs none of it */
    assert_true(list.items[0].focused);
    window_list_free(&list);
}

static void titles_come_from_accessibility_where_the_screen_is_refused(void **state)
{
    struct window_ref ref = stage_window("still named", place);
    struct window_info info;

    (void)state;
    sim_deny(PERMISSION_SCREEN, true);
    info = stage_info(&ref);
    assert_string_equal(info.title, "still named");
    window_info_free(&info);
}

static void automation_is_asked_without_a_dialog(void **state)
{
    (void)state;
    assert_true(automation_granted("com.apple.finder", &stage.err));
    sim_deny(PERMISSION_AUTOMATION, true);
    assert_fails(automation_granted("com.apple.finder", &stage.err),
                 "permission_denied_automation");
    assert_non_null(strstr(stage.err.text, "Privacy_Automation"));
    assert_fails(stage.ops->may_automate(stage.desktop, "com.apple.finder", &stage.err),
                 "permission_denied_automation");
    sim_never_asked(true); /* the pane has nothing to switch on yet */
    assert_fails(automation_granted("com.apple.finder", &stage.err),
                 "permission_denied_automation");
    assert_non_null(strstr(stage.err.text, "answer the dialog"));
    assert_non_null(strstr(stage.err.text, "doctor --ask"));
}

static void what_is_asked_for_is_granted_by_the_user(void **state)
{
    (void)state;
    for (int i = PERMISSION_ACCESSIBILITY; i <= PERMISSION_SCREEN; i++) {
        enum permission permission = (enum permission)i;
        int before = sim_asked(permission);

        sim_deny(permission, true);
        assert_ok(stage.ops->ask(stage.desktop, permission, NULL, &stage.err));
        assert_int_equal(sim_asked(permission), before + 1);
    }
    sim_deny(PERMISSION_AUTOMATION, true);
    sim_allow_asking(true);
    assert_ok(
        stage.ops->ask(stage.desktop, PERMISSION_AUTOMATION, "com.apple.Keynote", &stage.err));
}

/* CGRequestScreenCaptureAccess() alone is reported not to enter a program in the pane. */
static void asking_for_the_screen_makes_the_pane_list_the_program(void **state)
{
    (void)state;
    sim_deny(PERMISSION_SCREEN, true);
    sim_without_dialog(true);
    assert_false(sim_in_pane());
    assert_fails(stage.ops->ask(stage.desktop, PERMISSION_SCREEN, NULL, &stage.err),
                 "permission_denied_screen");
    assert_true(sim_in_pane());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_picture_without_its_permission_names_the_pane),
        CASE(titles_prove_the_permission_for_the_screen),
        CASE(windows_are_acted_on_with_accessibility_only),
        CASE(titles_come_from_accessibility_where_the_screen_is_refused),
        CASE(automation_is_asked_without_a_dialog),
        CASE(what_is_asked_for_is_granted_by_the_user),
        CASE(asking_for_the_screen_makes_the_pane_list_the_program),
    };

    return cmocka_run_group_tests_name("backend_permission", tests, NULL, NULL);
}
