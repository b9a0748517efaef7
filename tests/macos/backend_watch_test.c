/* Events of the macOS backend on the simulation, beyond those of every desktop, which
 * tests/desktop/lua/events_test.lua has: applications that hang, permissions, keys that are taken,
 * the event process's end. */
#include <Carbon/Carbon.h>

#include "platform_run.h"

#include "platform/macos/ax/askers.h"
#include "platform/macos/event_process.h"
#include "platform/worker/desktop_watcher.h"

static const struct rect place = { 100, 120, 400, 300 };

enum { TOLD_MAX = 256, KEY_Q = 12 }; /* kVK_ANSI_Q */

static struct {
    uv_loop_t loop;
    uv_timer_t tick; /* looks whether the time is over */
    struct desktop_watcher *watcher;
    struct watch_event events[TOLD_MAX];
    size_t count;
    uint64_t settled;
    struct error refused;
    unsigned refused_key;
} told;

static void on_event(void *arg, struct watch_event *event)
{
    (void)arg;
    assert_true(told.count < TOLD_MAX);
    told.events[told.count++] = *event;
    *event = (struct watch_event){ .what = event->what };
}

static void on_settled(void *arg, uint64_t number, const struct error *err)
{
    (void)arg;
    if (err)
        fail_msg("%s: %s", err->code, err->text);
    told.settled = number;
}

static void on_refused(void *arg, unsigned hotkey, const struct error *why)
{
    (void)arg;
    told.refused = *why;
    told.refused_key = hotkey;
}

static void on_dropped(void *arg, size_t count)
{
    (void)arg;
    fail_msg("%zu events were dropped", count);
}

static void on_tick(uv_timer_t *tick)
{
    (void)tick;
}

/* Turns the loop once, for 2 ms at most. */
static void turn(void)
{
    uv_run(&told.loop, UV_RUN_ONCE);
}

static void want_keys(unsigned kinds, const struct watch_hotkey *keys, size_t count)
{
    struct watch_wanted wanted = { kinds, keys, count };
    uint64_t number = desktop_watcher_want(told.watcher, &wanted);
    struct deadline deadline = deadline_of(STAGE_MS);

    told.refused = (struct error){ "", "" };
    while (told.settled < number) {
        assert_true(deadline_ok(&deadline, &stage.err));
        turn();
    }
}

static void want(unsigned kinds)
{
    want_keys(kinds, NULL, 0);
}

static struct desktop_watcher *new_watcher(void)
{
    static const struct desktop_watcher_hooks hooks = { on_event, on_settled, on_refused,
                                                        on_dropped, NULL };

    return desktop_watcher_new(&told.loop, stage.ops, stage.shared, watch_desktop, &hooks,
                               &stage.err);
}

static int start(void **state)
{
    memset(&told, 0, sizeof told);
    if (stage_start(state) != 0)
        return -1;
    uv_loop_init(&told.loop);
    uv_timer_init(&told.loop, &told.tick);
    uv_timer_start(&told.tick, on_tick, 2, 2);
    told.watcher = new_watcher();
    return told.watcher ? 0 : -1;
}

static void forget(void)
{
    for (size_t i = 0; i < told.count; i++)
        watch_event_clear(&told.events[i]);
    told.count = 0;
}

static int end(void **state)
{
    desktop_watcher_free(told.watcher);
    uv_close((uv_handle_t *)&told.tick, NULL);
    uv_run(&told.loop, UV_RUN_DEFAULT);
    uv_loop_close(&told.loop);
    forget();
    askers_await();
    return stage_end(state);
}

/* Waits for an event of this kind, and of this window if one is given. Returns its index. */
static size_t await_event(enum watch_what what, uint64_t window)
{
    struct deadline deadline = deadline_of(STAGE_MS);

    for (;;) {
        for (size_t i = 0; i < told.count; i++)
            if (told.events[i].what == what && (!window || told.events[i].window.ref.id == window))
                return i;
        if (!deadline_ok(&deadline, &stage.err))
            fail_msg("event %d did not come", (int)what);
        turn();
    }
}

static bool was_told(enum watch_what what, uint64_t window)
{
    for (size_t i = 0; i < told.count; i++)
        if (told.events[i].what == what && (!window || told.events[i].window.ref.id == window))
            return true;
    return false;
}

/* True on a busy machine, where the application was not waited for any longer. */
static bool is_late(size_t event, uint64_t began)
{
    enum { PATIENCE_MS = 45 };

    return told.events[event].at - began > (uint64_t)PATIENCE_MS * 1000000;
}

/* Moves another window and waits for that event: events that were to come before have come then. */
static void settle(const struct window_ref *other)
{
    static double at = 10;
    struct window_change change = { .verb = WINDOW_MOVE, .to = { at += 7, 31, 0, 0 } };

    forget();
    stage_act(other, change);
    await_event(WATCH_WINDOW_MOVED, other->id);
}

/* --- applications ------------------------------------------------------------------------- */

static void one_that_hangs_does_not_delay_what_others_tell(void **state)
{
    struct window_ref hung = stage_window("hung", place), other = stage_window("other", place);
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 10, 30, 0, 0 } };
    int unanswered;

    (void)state;
    want(WATCH_WINDOWS | WATCH_APPS);
    sim_hang(hung.pid);
    unanswered = sim_unanswered();
    /* its observer reports a change, and it does not answer the question that follows */
    sim_window_did(hung.pid, hung.id, "AXFocusedWindowChanged");
    stage_act(&other, change);
    await_event(WATCH_WINDOW_MOVED, other.id);
    /* the question to the hung one still waits: it takes a second */
    assert_int_equal(sim_unanswered(), unanswered);
}

static void one_that_hangs_from_the_start_does_not_keep_others_from_being_watched(void **state)
{
    struct window_ref hung = stage_window("hung", place), other = stage_window("other", place);
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 10, 30, 0, 0 } };

    (void)state;
    sim_hang(hung.pid);
    want(WATCH_WINDOWS);
    stage_act(&other, change);
    await_event(WATCH_WINDOW_MOVED, other.id);
    assert_false(was_told(WATCH_WINDOW_CHANGED, hung.id));
}

static void what_a_window_of_a_hung_application_does_is_told_later(void **state)
{
    struct window_ref hung = stage_window("hung", place);
    uint64_t fresh;

    (void)state;
    want(WATCH_WINDOWS);
    sim_hang(hung.pid);
    fresh = fake_add_window(stage.fake, hung.pid, "fresh", place);
    await_event(WATCH_WINDOW_OPENED, fresh);
}

static void what_ends_takes_its_windows_with_it(void **state)
{
    struct window_ref one = stage_window("one", place);
    struct app_outcome out;
    size_t closed, ended;

    (void)state;
    want(WATCH_WINDOWS | WATCH_APPS);
    assert_ok(
        stage.ops->apps->quit(stage.desktop, stage_deadline(), one.pid, 0, true, &out, &stage.err));
    closed = await_event(WATCH_WINDOW_CLOSED, one.id);
    ended = await_event(WATCH_APP_CLOSED, 0);
    assert_true(closed < ended);
    assert_int_equal(told.events[ended].app.pid, one.pid);
}

static void a_title_comes_with_the_window_even_without_the_permission_for_the_screen(void **state)
{
    struct window_ref one = stage_window("one", place);
    uint64_t fresh, began;
    size_t opened;

    (void)state;
    sim_deny(PERMISSION_SCREEN, true);
    want(WATCH_WINDOWS);
    began = uv_hrtime();
    fresh = fake_add_window(stage.fake, one.pid, "fresh", place);
    opened = await_event(WATCH_WINDOW_OPENED, fresh);
    if (strcmp(told.events[opened].window.title, "fresh") == 0)
        return;
    assert_true(is_late(opened, began));
    await_event(WATCH_WINDOW_TITLED, fresh);
}

static void without_the_permission_for_accessibility_windows_are_told_of_later(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);
    uint64_t fresh;

    (void)state;
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    want(WATCH_WINDOWS);
    fresh = fake_add_window(stage.fake, one.pid, "fresh", place);
    await_event(WATCH_WINDOW_OPENED, fresh);
    /* events come as usual once the permission is given */
    sim_deny(PERMISSION_ACCESSIBILITY, false);
    settle(&two);
}

static void a_window_that_is_minimized_is_not_told_of_as_hidden(void **state)
{
    struct window_ref one = stage_window("one", place);

    uint64_t began;
    size_t changed;

    (void)state;
    stage_window("two", place);
    want(WATCH_WINDOWS);
    began = uv_hrtime();
    assert_true(stage_do(&one, WINDOW_MINIMIZE).done);
    changed = await_event(WATCH_WINDOW_CHANGED, one.id);
    assert_true(is_late(changed, began) || told.events[changed].window.state & WINDOW_MINIMIZED);
}

static void a_window_that_goes_to_another_space_is_told_of(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);

    (void)state;
    want(WATCH_WINDOWS);
    sim_elsewhere(one.id);
    settle(&two);
    assert_true(told.events[await_event(WATCH_WINDOW_CHANGED, one.id)].window.state &
                WINDOW_ELSEWHERE);
}

static void what_was_there_is_not_told_and_nothing_is_lost_between_two_wants(void **state)
{
    struct window_ref one = stage_window("one", place), two = stage_window("two", place);

    (void)state;
    want(WATCH_WINDOWS);
    for (int i = 0; i < 20; i++) {
        settle(&one);
        want(WATCH_WINDOWS | (i % 2 ? WATCH_APPS : WATCH_CLIPBOARD));
    }
    assert_false(was_told(WATCH_WINDOW_OPENED, 0));
    settle(&two);
}

/* --- hot keys ----------------------------------------------------------------------------- */

static const struct watch_hotkey key = { 7, { MOD_CTRL | MOD_ALT, KEY_CHARACTER, 'k' } };

enum { CODE_OF_K = 0x28 };

static void keys_of_another_program_are_taken(void **state)
{
    (void)state;
    sim_take_key(CODE_OF_K, (UInt32)controlKey | optionKey, false);
    want_keys(WATCH_HOTKEYS, &key, 1);
    assert_int_equal(told.refused_key, 7);
    assert_string_equal(told.refused.code, "hotkey_taken");
    assert_non_null(strstr(told.refused.text, "by another program"));
}

static void keys_of_the_system_are_taken(void **state)
{
    (void)state;
    sim_take_key(CODE_OF_K, (UInt32)controlKey | optionKey, true);
    want_keys(WATCH_HOTKEYS, &key, 1);
    assert_string_equal(told.refused.code, "hotkey_taken");
    assert_non_null(strstr(told.refused.text, "macOS itself uses \"ctrl+alt+k\""));
}

static void keys_that_the_layout_lacks_are_unknown(void **state)
{
    static const struct watch_hotkey odd = { 8, { MOD_CTRL, KEY_CHARACTER, 0x20ac } };

    (void)state;
    want_keys(WATCH_HOTKEYS, &odd, 1);
    assert_string_equal(told.refused.code, "unknown_key");
}

static void keys_are_free_for_the_next_one_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        want_keys(WATCH_HOTKEYS, &key, 1);
        assert_string_equal(told.refused.code, "");
        desktop_watcher_free(told.watcher);
        told.settled = 0;
        told.watcher = new_watcher();
    }
}

/* --- what the event process tells ----------------------------------------------------------- */

static void displays_that_change_are_told_once(void **state)
{
    (void)state;
    want(WATCH_DISPLAYS);
    sim_displays_change();
    await_event(WATCH_DISPLAYS_CHANGED, 0);
    assert_int_equal(told.count, 1);
}

static void an_event_process_that_ends_is_lost_and_another_one_found(void **state)
{
    struct window_ref one = stage_window("one", place);

    (void)state;
    want(WATCH_WINDOWS | WATCH_HOTKEYS);
    sim_kill_event_process();
    await_event(WATCH_LOST, 0);
    await_event(WATCH_FOUND, 0);
    settle(&one);
}

static void assert_same(const struct event_process_news *news)
{
    struct event_process_news read;
    struct buf line = { 0 };

    event_process_line_add(&line, news);
    line.data[line.len - 1] = '\0';
    assert_true(event_process_line_read(line.data, &read));
    assert_int_equal(read.what, news->what);
    assert_int_equal(read.number, news->number);
    assert_string_equal(read.why.text, news->why.text);
    buf_free(&line);
}

static void assert_line(const struct event_process_news *news, const char *text)
{
    struct buf line = { 0 };

    event_process_line_add(&line, news);
    assert_string_equal(buf_text(&line), text);
    buf_free(&line);
    assert_same(news);
}

static void lines_are_read_as_they_are_written(void **state)
{
    struct event_process_news refused = { .what = EVENT_PROCESS_REFUSED, .number = 3 };
    char wrong[][20] = { "", "app", "app x", "what 3", "refused 3 code" };

    (void)state;
    for (int i = 0; i < EVENT_PROCESS_WHATS; i++)
        if (i != EVENT_PROCESS_REFUSED)
            assert_same(
                &(struct event_process_news){ .what = (enum event_process_what)i, .number = i });
    error_set(&refused.why, "hotkey_taken", "\"a b\" is taken");
    assert_line(&refused, "refused 3 hotkey_taken \"a b\" is taken\n");
    assert_line(&(struct event_process_news){ .what = EVENT_PROCESS_ACTIVE, .number = 512 },
                "active 512\n");
    for (size_t i = 0; i < countof(wrong); i++)
        assert_false(event_process_line_read(wrong[i], &refused));
}

#define WATCH_CASE(name) cmocka_unit_test_setup_teardown(name, start, end)

/* A tap that is not allowed would make macOS ask. */
static void a_recording_needs_a_permission(void **state)
{
    struct watch_told none = { 0 };

    (void)state;
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    assert_false(stage.ops->watch->record(stage.desktop, -1, &none, &stage.err));
    assert_string_equal(stage.err.code, "permission_denied_access");
    sim_deny(PERMISSION_ACCESSIBILITY, false);
}

static const struct input_event *recorded(struct sim_event event)
{
    forget();
    sim_input(event);
    return &told.events[await_event(WATCH_INPUT_CAME, 0)].input;
}

static void keys_buttons_and_the_wheel_are_recorded(void **state)
{
    const struct input_event *input;
    char text[] = "Q";

    (void)state;
    want(WATCH_INPUT);
    input = recorded((struct sim_event){ .type = kCGEventKeyDown,
                                         .key = KEY_Q,
                                         .flags = kCGEventFlagMaskShift,
                                         .at = { 30, 40 },
                                         .text = { .data = text, .len = 1 } });
    assert_int_equal(input->type, kCGEventKeyDown);
    assert_int_equal(input->code, KEY_Q);
    assert_int_equal(input->state, kCGEventFlagMaskShift);
    assert_int_equal(input->plain, 'q');
    assert_int_equal(input->typed, 'Q');
    assert_true(input->at.x == 30 && input->at.y == 40);
    input = recorded((struct sim_event){ .type = kCGEventFlagsChanged, .key = kVK_Shift });
    assert_int_equal(input->code, kVK_Shift);
    input = recorded((struct sim_event){ .type = kCGEventOtherMouseUp, .button = 2 });
    assert_int_equal(input->code, 2);
    input = recorded((struct sim_event){ .type = kCGEventScrollWheel, .lines = { -3, 0 } });
    assert_int_equal(input->code, -3);
    forget();
    sim_input((struct sim_event){ .type = kCGEventMouseMoved });
    sim_input((struct sim_event){ .type = kCGEventKeyUp });
    assert_int_equal(told.events[await_event(WATCH_INPUT_CAME, 0)].input.type, kCGEventKeyUp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCH_CASE(one_that_hangs_does_not_delay_what_others_tell),
        WATCH_CASE(one_that_hangs_from_the_start_does_not_keep_others_from_being_watched),
        WATCH_CASE(what_a_window_of_a_hung_application_does_is_told_later),
        WATCH_CASE(what_ends_takes_its_windows_with_it),
        WATCH_CASE(a_title_comes_with_the_window_even_without_the_permission_for_the_screen),
        WATCH_CASE(without_the_permission_for_accessibility_windows_are_told_of_later),
        WATCH_CASE(a_window_that_is_minimized_is_not_told_of_as_hidden),
        WATCH_CASE(a_window_that_goes_to_another_space_is_told_of),
        WATCH_CASE(what_was_there_is_not_told_and_nothing_is_lost_between_two_wants),
        WATCH_CASE(keys_of_another_program_are_taken),
        WATCH_CASE(keys_of_the_system_are_taken),
        WATCH_CASE(keys_that_the_layout_lacks_are_unknown),
        WATCH_CASE(keys_are_free_for_the_next_one_at_once),
        WATCH_CASE(displays_that_change_are_told_once),
        WATCH_CASE(an_event_process_that_ends_is_lost_and_another_one_found),
        WATCH_CASE(a_recording_needs_a_permission),
        WATCH_CASE(keys_buttons_and_the_wheel_are_recorded),
        cmocka_unit_test(lines_are_read_as_they_are_written),
    };

    signal(SIGPIPE, SIG_IGN); /* as the program does */
    return cmocka_run_group_tests_name("backend_watch", tests, NULL, NULL);
}
