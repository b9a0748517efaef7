/* Pointer and keys, on the desktop that is tested. On X11 the receiver is xev, which prints its
 * events; typed text is proved by programs in platform_text_test.c. */
#include "platform_run.h"

static const struct rect place = { 100, 120, 400, 300 };

static struct input_outcome stage_send(struct input input)
{
    struct input_outcome out;

    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    return out;
}

static const char *send_fails(struct input input)
{
    struct input_outcome out;

    stage.err = (struct error){ "", "" };
    assert_false(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    return stage.err.code;
}

static struct chord chord(const char *name)
{
    struct chord out;

    assert_ok(chord_parse(name, &out, &stage.err));
    return out;
}

/* Checks the log of the fake, or a count in the output of xev. */
static void assert_seen(const char *window, const char *in_fake, const char *in_xev, int times)
{
    if (stage.fake) {
        char *log = fake_take_log(stage.fake);

        assert_non_null(strstr(log, in_fake));
        free(log);
    } else {
        assert_int_equal(stage_count(window, in_xev, times), times);
    }
}

static struct point middle(const struct window_ref *ref)
{
    struct window_info info = stage_info(ref);
    struct point at = { info.content.x + info.content.width / 2,
                        info.content.y + info.content.height / 2 };

    window_info_free(&info);
    return (struct point){ (int)at.x, (int)at.y };
}

static void the_pointer_is_where_it_was_sent(void **state)
{
    struct input_outcome out = stage_send((struct input){ .kind = INPUT_MOVE, .at = { 77, 88 } });
    struct point at;

    (void)state;
    assert_true(out.pointer.x == 77 && out.pointer.y == 88);
    assert_ok(stage.ops->displays->cursor(stage.desktop, stage_deadline(), &at, &stage.err));
    assert_true(at.x == 77 && at.y == 88);
    stage_send((struct input){ .kind = INPUT_MOVE, .at = { 10, 10 }, .ms = 40 });
    assert_ok(stage.ops->displays->cursor(stage.desktop, stage_deadline(), &at, &stage.err));
    assert_true(at.x == 10 && at.y == 10);
}

static void a_click_reaches_the_window_under_it(void **state)
{
    struct window_ref ref = stage_window("clicked", place);
    struct point at = middle(&ref);

    (void)state;
    stage_send((struct input){ .kind = INPUT_CLICK, .at = at });
    assert_seen("clicked", "click left 1", "ButtonPress", 1);
    stage_send((struct input){ .kind = INPUT_CLICK, .at = at, .count = 2 });
    assert_seen("clicked", "click left 2", "ButtonRelease", 3);
    stage_send((struct input){ .kind = INPUT_CLICK, .here = true, .button = BUTTON_RIGHT });
    assert_seen("clicked", "click right 1", "button 3, same_screen", 2);
}

static void a_wheel_turns_by_lines(void **state)
{
    struct window_ref ref = stage_window("scrolled", place);

    (void)state;
    stage_send((struct input){ .kind = INPUT_SCROLL, .at = middle(&ref), .lines = { 0, 3 } });
    assert_seen("scrolled", "scroll 0,3", "button 5, same_screen", 6);
    stage_send((struct input){ .kind = INPUT_SCROLL, .here = true, .lines = { 0, -2 } });
    assert_seen("scrolled", "scroll 0,-2", "button 4, same_screen", 4);
}

static void a_wheel_turns_by_pixels(void **state)
{
    struct window_ref ref = stage_window("scrolled", place);
    struct input input = { .kind = INPUT_SCROLL, .at = middle(&ref), .pixels = true };

    (void)state;
    input.lines = (struct point){ 0, 2 * INPUT_LINE_PIXELS };
    stage_send(input);
    assert_seen("scrolled", "scroll 0,106 pixels", "button 5, same_screen", 4);
}

static void a_button_stays_down_until_it_is_released(void **state)
{
    struct window_ref ref = stage_window("pressed", place);

    (void)state;
    stage_send((struct input){ .kind = INPUT_PRESS, .at = middle(&ref) });
    assert_true(!stage.fake || fake_held(stage.fake) == 1);
    stage_send((struct input){ .kind = INPUT_RELEASE, .here = true });
    assert_seen("pressed", "release left", "ButtonRelease", 1);
    stage_send((struct input){ .kind = INPUT_PRESS, .at = middle(&ref) });
    stage.ops->input->release_all(stage.desktop);
    assert_true(stage.fake ? fake_held(stage.fake) == 0
                           : stage_count("pressed", "ButtonRelease", 2) == 2);
}

static void a_drag_moves_with_the_button_down(void **state)
{
    struct window_ref ref = stage_window("dragged", place);
    struct point from = middle(&ref), path[] = { from, { from.x + 60, from.y + 40 } };

    (void)state;
    stage_send((struct input){ .kind = INPUT_DRAG, .path = path, .path_count = 2, .ms = 50 });
    if (stage.fake) {
        assert_seen("dragged", "drag left", "", 0);
        return;
    }
    assert_int_equal(stage_count("dragged", "ButtonRelease", 1), 1);
    assert_true(stage_count("dragged", "state 0x100", 4) >= 4); /* motion with button 1 */
    assert_string_equal(
        send_fails((struct input){ .kind = INPUT_DRAG, .path = path, .path_count = 1 }),
        "bad_point");
}

static void a_chord_holds_its_modifiers(void **state)
{
    stage_window("keys", place);
    (void)state;
    stage_send((struct input){ .kind = INPUT_KEYS, .chord = chord("ctrl+shift+t") });
    assert_seen("keys", "keys ctrl+shift+t x1", "keysym 0x54, T", 2);
    stage_send((struct input){ .kind = INPUT_KEYS, .chord = chord("F5"), .count = 2 });
    assert_seen("keys", stage_is("macos") ? "keys f5 x1\nkeys f5 x1" : "keys f5 x2",
                "keysym 0xffc2, F5", 4);
    stage_send((struct input){ .kind = INPUT_KEYS, .chord = chord("cmd+c") });
    assert_seen("keys", "keys", "keysym 0x63, c", 2);
    stage_send((struct input){ .kind = INPUT_KEYS, .chord = chord("+"), .ms = 20 });
    assert_seen("keys", "keys + x1", "keysym 0x2b, plus", 2);
}

static void a_key_held_is_let_go_at_the_end(void **state)
{
    stage_window("held", place);
    (void)state;
    stage_send((struct input){ .kind = INPUT_KEY_DOWN, .chord = chord("shift") });
    assert_true(!stage.fake || fake_held(stage.fake) == 1);
    stage.ops->input->release_all(stage.desktop);
    assert_true(stage.fake ? fake_held(stage.fake) == 0
                           : stage_count("held", "KeyRelease", 1) == 1);
}

static void a_failed_call_lets_go_of_what_it_pressed(void **state)
{
    struct input hold = { .kind = INPUT_KEYS, .chord = chord("ctrl+shift"), .ms = 60000 };
    struct input_outcome out;
    struct deadline deadline;

    (void)state;
    stage_window("let go", place);
    deadline = deadline_of(stage.fake ? 100 : 1000); /* enough to press; modifiers do not repeat */
    assert_fails(stage.ops->input->send(stage.desktop, &deadline, &hold, &out, &stage.err),
                 "timeout");
    assert_true(stage.fake ? fake_held(stage.fake) == 0
                           : stage_count("let go", "KeyRelease", 2) == 2);
}

static void what_cannot_be_sent_is_refused(void **state)
{
    struct chord none;

    (void)state;
    assert_string_equal(send_fails((struct input){ .kind = INPUT_CLICK, .at = { -5, 10 } }),
                        "bad_point");
    assert_string_equal(send_fails((struct input){ .kind = INPUT_CLICK, .at = { 1e9, 10 } }),
                        "bad_point");
    assert_string_equal(send_fails((struct input){ .kind = INPUT_TEXT, .text = STR("a\x01") }),
                        "bad_text");
    assert_string_equal(send_fails((struct input){ .kind = INPUT_TEXT, .text = STR("\xff") }),
                        "bad_text");
    assert_false(chord_parse("ctrl+hyper", &none, &stage.err));
    assert_string_equal(stage.err.code, "unknown_key");
}

static int panics;

static void on_panic(void *arg)
{
    (void)arg;
    panics++;
}

/* Another program presses the keys: they come as a user's do. */
static void ctrl_alt_escape_is_noticed(void **state)
{
    struct deadline deadline = deadline_of(STAGE_MS);

    (void)state;
    panics = 0;
    stage.ops->input->on_panic(stage.desktop, on_panic, NULL);
    if (stage.fake)
        fake_panic(stage.fake);
    else
        stage_run((const char *[]){ "xdotool", "key", "ctrl+alt+Escape", NULL });
    while (panics == 0) {
        assert_true(stage.ops->alive(stage.desktop));
        assert_true(deadline_wait(&deadline, -1, deadline_now() + 5, &stage.err));
    }
    assert_int_equal(panics, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, stage_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_pointer_is_where_it_was_sent),
        CASE(a_click_reaches_the_window_under_it),
        CASE(a_wheel_turns_by_lines),
        CASE(a_wheel_turns_by_pixels),
        CASE(a_button_stays_down_until_it_is_released),
        CASE(a_drag_moves_with_the_button_down),
        CASE(a_chord_holds_its_modifiers),
        CASE(a_key_held_is_let_go_at_the_end),
        CASE(a_failed_call_lets_go_of_what_it_pressed),
        CASE(what_cannot_be_sent_is_refused),
        CASE(ctrl_alt_escape_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
