/* What only the macOS backend does, on the simulation: permissions, secure input, applications
 * that hang, the ways to take a picture, bundles, text in chunks. */
#include <pthread.h>
#include <sys/stat.h>

#include "files/secrets.h"
#include "platform/helper_program.h"
#include "platform/macos/system/bundles.h"
#include "platform/macos/system/permission.h"
#include "platform_run.h"

static const struct rect place = { 100, 120, 400, 300 };

static bool send(struct input input)
{
    struct input_outcome out;

    return stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err);
}

/* --- the guard of keys ---------------------------------------------------------- */

extern const struct helper_program perigee_guard;

static void die_with_keys_down(void)
{
    struct input shift = { .kind = INPUT_KEY_DOWN, .chord = { MOD_SHIFT, KEY_NONE, 0 } };

    if (send(shift) &&
        send((struct input){ .kind = INPUT_PRESS, .button = BUTTON_RIGHT, .here = true }))
        kill(getpid(), SIGKILL);
    _exit(1);
}

/* Before all other tests: what is pressed later starts a guard that outlives this one. */
static void a_killed_process_has_told_its_guard_what_is_down(void **state)
{
    char *log = mem_printf("%s/told", stage.folder);
    struct deadline deadline = deadline_of(STAGE_MS);
    struct buf told = { 0 };
    int status;
    pid_t pid;

    (void)state;
    setenv("PERIGEE_GUARD_LOG", log, 1);
    pid = fork();
    if (pid == 0)
        die_with_keys_down();
    unsetenv("PERIGEE_GUARD_LOG");
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (!file_read_all(log, 4096, &told, NULL) || told.len == 0)
        assert_true(deadline_wait(&deadline, -1, deadline_now() + 10, &stage.err));
    assert_non_null(strstr(buf_text(&told), "56   1   2   3")); /* kVK_Shift, the right button */
    buf_free(&told);
    free(log);
}

/* It is told of Shift and Command, Command up again, and its client is gone. */
static void the_guard_lets_go_of_what_is_still_down(void **state)
{
    static const unsigned char told[] = { 56, 1, 55, 1, 55, 0 };
    int before = dup(STDIN_FILENO), fds[2];

    (void)state;
    assert_true(
        send((struct input){ .kind = INPUT_KEY_DOWN, .chord = { MOD_SHIFT, KEY_NONE, 0 } }));
    assert_int_not_equal(fake_held(stage.fake), 0);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], told, sizeof told), sizeof told);
    close(fds[1]);
    dup2(fds[0], STDIN_FILENO);
    close(fds[0]);
    assert_int_equal(perigee_guard.run(), 0);
    dup2(before, STDIN_FILENO);
    close(before);
    assert_int_equal(fake_held(stage.fake), 0);
}

/* --- permissions --------------------------------------------------------------------------- */

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

/* Who left a question unanswered is left alone by lists of all windows, for a while. */
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

/* From macOS 14 on it is the application in front that gives way, or not. */
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
    assert_true(stage_do(&third, WINDOW_MINIMIZE).done); /* its title tells */
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
    /* who is in front, which windows there are, and one for each */
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
    sim_deny(PERMISSION_ACCESSIBILITY, true); /* the order of windows tells, too */
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

/* --- input ------------------------------------------------------------------------------------ */

static void secure_input_names_who_holds_it(void **state)
{
    (void)state;
    stage_window("password", place);
    sim_secure_input(true);
    assert_false(send((struct input){ .kind = INPUT_TEXT, .text = STR("secret") }));
    assert_string_equal(stage.err.code, "secure_input");
    assert_non_null(strstr(stage.err.text, "4242"));
    assert_true(send((struct input){ .kind = INPUT_MOVE, .at = { 5, 5 } }));
}

static void text_comes_whole_through_its_chunks(void **state)
{
    static const char text[] = "a line that is longer than twenty units, naïve 世界 "
                               "🎉👩‍👩‍👧‍👦 over\tthe end\nof one\r\nand another";
    static const char typed[] = "a line that is longer than twenty units, naïve 世界 "
                                "🎉👩‍👩‍👧‍👦 over\tthe end\nof one\nand another";
    struct window_ref ref = stage_window("typed", place);
    char *held;

    (void)state;
    assert_true(send((struct input){ .kind = INPUT_TEXT, .text = STR(text) }));
    held = fake_text(stage.fake, ref.id);
    assert_string_equal(held, typed);
    free(held);
}

/* Half of the family would be shown as people of their own; the simulation ends the test then. */
static void an_event_of_text_has_whole_characters_and_its_time(void **state)
{
    struct window_ref ref = stage_window("typed", place);
    struct input_outcome out;
    struct input input = { .kind = INPUT_TEXT,
                           .text = STR(
                               "nineteen units, so \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91"
                               "\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7 comes in an event e\xCC\x81") };
    char *held;

    (void)state;
    sim_forget_text();
    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    held = fake_text(stage.fake, ref.id);
    assert_string_equal(held, input.text.ptr);
    free(held);
    assert_int_equal(out.characters, 45);
    assert_true(sim_text_pause() >= 19 && sim_text_pause() != UINT64_MAX);
}

static void typed_text_is_looked_for_where_it_shows(void **state)
{
    struct input input = { .kind = INPUT_TEXT, .text = STR("read back\r\nby lines") };
    struct input_outcome out;

    (void)state;
    stage_window("typed", place);
    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    assert_true(out.settled);
    sim_hide_text(true);
    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    assert_false(out.settled);
}

static void a_wheel_turns_where_the_pointer_went_and_not_where_it_was(void **state)
{
    struct input input = { .kind = INPUT_SCROLL, .at = { 300, 200 }, .lines = { 0, 2 } };
    struct input_outcome out;
    char *log;

    (void)state;
    stage_window("scrolled", place);
    assert_true(send((struct input){ .kind = INPUT_MOVE, .at = { 5, 5 } }));
    free(fake_take_log(stage.fake));
    sim_late_pointer(1000); /* longer than anyone waits */
    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    log = fake_take_log(stage.fake);
    assert_non_null(strstr(log, "scroll 0,2 at 300,200"));
    free(log);
    sim_late_pointer(0);
}

static void keys_of_other_layouts_are_refused_by_name(void **state)
{
    struct input input = { .kind = INPUT_KEYS };

    (void)state;
    assert_true(chord_parse("cmd+ж", &input.chord, &stage.err));
    assert_false(send(input));
    assert_string_equal(stage.err.code, "unknown_key");
}

static struct input_outcome paste(const char *text)
{
    struct input input = { .kind = INPUT_PASTE, .text = str_from(text) };
    struct input_outcome out;

    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    return out;
}

static void assert_holds(const struct window_ref *ref, const char *text)
{
    char *held = fake_text(stage.fake, ref->id);

    assert_string_equal(held, text);
    free(held);
}

/* Text that accessibility shows is seen to arrive; elsewhere nobody knows, and nobody says so. */
static void what_is_pasted_is_seen_where_it_shows(void **state)
{
    struct window_ref ref = stage_window("editor", place);
    struct input_outcome out;

    (void)state;
    out = paste("one\ttwo");
    assert_true(out.settled);
    assert_string_equal(out.route, "paste meta+v");
    assert_int_equal(out.clipboard, CLIP_WAS_EMPTY);
    sim_hide_text(true);
    assert_false(paste(" three").settled);
    assert_holds(&ref, "one\ttwo three");
}

static void what_is_not_taken_is_an_error(void **state)
{
    struct input input = { .kind = INPUT_PASTE, .text = STR("lost") };

    (void)state;
    stage_window("editor", place);
    assert_true(chord_parse("f5", &input.chord, &stage.err));
    assert_false(send(input));
    assert_string_equal(stage.err.code, "paste_not_taken");
}

static void histories_do_not_keep_what_was_pasted(void **state)
{
    struct clip clip = { 0 };
    struct clip_list list;

    (void)state;
    stage_window("editor", place);
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 9, 99, &stage.err));
    clip_add(&clip, "text/plain", "copied", 6);
    fake_copy(stage.fake, &clip);
    clip_free(&clip);
    assert_ok(stage.ops->clipboard->history(stage.desktop, stage_deadline(), &list, &stage.err));
    clip_list_free(&list);
    assert_int_equal(paste("pasted").clipboard, CLIP_RESTORED);
    assert_ok(stage.ops->clipboard->history(stage.desktop, stage_deadline(), &list, &stage.err));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].parts[0].data, "copied");
    clip_list_free(&list);
}

static void rich_text_and_pictures_go_by_their_identifiers(void **state)
{
    static const char *const types[] = { "text/rtf", "image/tiff", "application/pdf",
                                         "com.example.own", NULL };
    struct clip clip = { 0 }, own, got;

    (void)state;
    for (size_t i = 0; types[i]; i++)
        clip_add(&clip, types[i], types[i], strlen(types[i]));
    assert_ok(stage.ops->clipboard->write(stage.desktop, stage_deadline(), &clip, &stage.err));
    clip_free(&clip);
    assert_ok(perigee_fake.clipboard->read(sim_desktop(), sim_deadline(),
                                           (const char *const[]){ "public.rtf", "public.tiff",
                                                                  "com.adobe.pdf",
                                                                  "com.example.own", NULL },
                                           0, &own, &stage.err));
    assert_int_equal(own.count, 4); /* what other applications ask for */
    clip_free(&own);
    assert_ok(
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), types, 0, &got, &stage.err));
    assert_int_equal(got.count, 4);
    for (size_t i = 0; types[i]; i++)
        assert_string_equal(clip_part(&got, types[i])->data, types[i]);
    clip_free(&got);
}

/* As the Finder copies them: by number, which says nothing to others. */
static void files_come_by_their_paths(void **state)
{
    static const char *const types[] = { "text/uri-list", NULL };
    struct clip clip = { 0 }, got;

    (void)state;
    clip_add(&clip, "text/uri-list", "file:///.file/id=657.12\r\nfile:///tmp/b\r\n", 40);
    fake_copy(stage.fake, &clip);
    clip_free(&clip);
    assert_ok(
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), types, 0, &got, &stage.err));
    assert_string_equal(got.parts[0].data, "file:///sim/657.12\r\nfile:///tmp/b\r\n");
    clip_free(&got);
}

static _Atomic int panics;

static void on_panic(void *arg)
{
    (void)arg;
    panics++;
}

/* A tap that is not allowed makes macOS ask; input that is allowed later is stopped all the same.
 */
static void the_panic_key_is_listened_for_when_that_asks_nobody(void **state)
{
    (void)state;
    panics = 0;
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    stage.ops->input->on_panic(stage.desktop, on_panic, NULL);
    fake_panic(stage.fake);
    assert_int_equal(panics, 0);
    sim_deny(PERMISSION_ACCESSIBILITY, false);
    assert_true(send((struct input){ .kind = INPUT_MOVE, .at = { 5, 5 } }));
    fake_panic(stage.fake);
    assert_int_equal(panics, 1);
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    sim_input_monitoring(true);
    stage.ops->input->on_panic(stage.desktop, on_panic, NULL);
    fake_panic(stage.fake);
    assert_int_equal(panics, 2);
}

/* As the keyboard's own events have them: without, "ctrl+left" does not change the space. */
static void arrows_and_function_keys_carry_their_flags(void **state)
{
    static const struct {
        const char *keys;
        CGEventFlags flags;
    } cases[] = {
        { "ctrl+left",
          kCGEventFlagMaskControl | kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskNumericPad },
        { "f5", kCGEventFlagMaskSecondaryFn },
        { "shift+home", kCGEventFlagMaskShift | kCGEventFlagMaskSecondaryFn },
        { "meta+c", kCGEventFlagMaskCommand },
        { "kp_enter", kCGEventFlagMaskNumericPad },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct input input = { .kind = INPUT_KEYS };

        assert_true(chord_parse(cases[i].keys, &input.chord, &stage.err));
        assert_ok(send(input));
        assert_int_equal(sim_flags(true), cases[i].flags);
        assert_int_equal(sim_flags(false) & kCGEventFlagMaskSecondaryFn, 0); /* or it sticks */
    }
}

/* What was held before a call that fails is held after it, in its events, too. */
static void a_failed_action_leaves_held_modifiers_as_they_were(void **state)
{
    struct input hold = { .kind = INPUT_KEY_DOWN, .chord = { MOD_SHIFT, KEY_NONE, 0 } };
    struct input keys = { .kind = INPUT_KEYS };

    (void)state;
    assert_true(send(hold));
    assert_false(
        send((struct input){ .kind = INPUT_CLICK, .at = { -5, 1e6 }, .modifiers = MOD_META }));
    assert_true(chord_parse("f5", &keys.chord, &stage.err));
    assert_true(send(keys));
    assert_int_equal(sim_flags(true), kCGEventFlagMaskShift | kCGEventFlagMaskSecondaryFn);
    stage.ops->input->release_all(stage.desktop);
    assert_true(send(keys));
    assert_int_equal(sim_flags(true), kCGEventFlagMaskSecondaryFn);
}

static void volume_keys_are_the_systems_own(void **state)
{
    struct input input = { .kind = INPUT_KEYS, .count = 2 };

    (void)state;
    assert_true(chord_parse("volumedown", &input.chord, &stage.err));
    assert_ok(send(input));
    assert_int_equal(sim_media_keys(1), 2); /* NX_KEYTYPE_SOUND_DOWN */
}

/* On a queue's thread, as in the program: what only the main thread may be asked ends the test. */
static void *press_on_a_queue(void *arg)
{
    struct input input = { .kind = INPUT_KEYS };
    bool *ok = arg;

    *ok = chord_parse("cmd+c", &input.chord, &stage.err) && send(input);
    return NULL;
}

static bool press_elsewhere(void)
{
    pthread_t queue;
    bool ok = false;

    assert_int_equal(pthread_create(&queue, NULL, press_on_a_queue, &ok), 0);
    pthread_join(queue, NULL);
    return ok;
}

static void keys_are_found_on_a_thread_that_must_not_ask_for_layouts(void **state)
{
    (void)state;
    assert_true(press_elsewhere());
}

static void shortcuts_work_in_layouts_without_latin_letters(void **state)
{
    struct input input = { .kind = INPUT_KEYS };

    (void)state;
    sim_cyrillic_layout(true);
    stage.ops->turn();
    assert_true(press_elsewhere());
    assert_true(chord_parse("cmd+ж", &input.chord, &stage.err));
    assert_ok(send(input));
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Of a window and of a part of the display, by this way. */
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
    sim_list_nothing(true); /* and the window is there all the same */
    assert_taken(&ref, "coregraphics");
    sim_without_sckit(true);
    assert_taken(&ref, "coregraphics");
    sim_without_graphics(true);
    assert_taken(&ref, "screencapture");
}

/* --- the keychain --------------------------------------------------------------- */

extern const struct keychain perigee_keychain;

static bool kept(const char *folder, const char *want)
{
    struct buf out = { 0 };
    bool same =
        secrets_read(folder, "tokens", &out, &stage.err) && strcmp(buf_text(&out), want) == 0;

    buf_free(&out);
    return same;
}

static void secrets_move_from_files_into_the_keychain(void **state)
{
    char *path = mem_printf("%s/tokens", stage.folder);

    (void)state;
    secrets_use(NULL);
    assert_ok(secrets_write(stage.folder, "tokens", STR("of a file"), &stage.err));
    secrets_use(&perigee_keychain);
    assert_true(kept(stage.folder, "of a file"));
    assert_ok(secrets_write(stage.folder, "tokens", STR("one"), &stage.err));
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(secrets_write(stage.folder, "tokens", STR("two"), &stage.err));
    assert_true(kept(stage.folder, "two"));
    assert_ok(secrets_write(stage.folder, "tokens", (struct str){ 0 }, &stage.err));
    assert_false(kept(stage.folder, "two"));
    assert_string_equal(stage.err.code, "not_found");
    secrets_use(NULL);
    free(path);
}

/* The simulation ends the test where a call could raise a dialog. */
static void the_keychain_is_asked_without_a_dialog_and_not_by_a_build_of_today(void **state)
{
    (void)state;
    secrets_use(&perigee_keychain);
    assert_ok(secrets_write(stage.folder, "tokens", STR("quiet"), &stage.err));
    assert_true(kept(stage.folder, "quiet"));
    assert_true(sim_keychain_may_ask()); /* as it was */
    secrets_use(NULL);
    assert_true(perigee_keychain.usable());
    sim_sign_ad_hoc(true);
    assert_false(perigee_keychain.usable());
}

static void a_locked_keychain_is_named_and_nothing_is_lost(void **state)
{
    (void)state;
    secrets_use(&perigee_keychain);
    assert_ok(secrets_write(stage.folder, "tokens", STR("precious"), &stage.err));
    sim_lock_keychain(true);
    assert_false(kept(stage.folder, "precious"));
    assert_string_equal(stage.err.code, "keychain_locked");
    assert_non_null(strstr(stage.err.text, "PERIGEE_KEYCHAIN=0"));
    assert_false(secrets_write(stage.folder, "tokens", STR("other"), &stage.err));
    assert_string_equal(stage.err.code, "keychain_locked");
    secrets_use(NULL);
}

/* --- bundles -------------------------------------------------------------------- */

static void make_bundle(const char *home, const char *name)
{
    char *applications = mem_printf("%s/Applications", home);
    char *path = mem_printf("%s/%s.app", applications, name);

    mkdir(applications, 0700);
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
    free(applications);
}

static void bundles_are_found_by_name_and_identifier(void **state)
{
    struct bundle_list list;
    bool found = false;
    char *path;

    (void)state;
    setenv("HOME", stage.folder, 1);
    make_bundle(stage.folder, "Text Shop");
    bundles_list(&list);
    for (size_t i = 0; i < list.count; i++)
        found = found || (strcmp(list.items[i].name, "Text Shop") == 0 &&
                          strcmp(list.items[i].id, "sim.Text Shop.app") == 0);
    bundles_free(&list);
    assert_true(found);
    path = bundle_find("text shop", &stage.err);
    assert_non_null(path);
    assert_non_null(strstr(path, "/Applications/Text Shop.app"));
    free(path);
    path = bundle_find("Text Shop.app", &stage.err);
    assert_non_null(path);
    free(path);
    path = mem_printf("%s/Applications/Text Shop.app/", stage.folder);
    char *found_path = bundle_find(path, &stage.err);
    assert_non_null(found_path);
    assert_int_equal(strlen(found_path), strlen(path) - 1);
    free(found_path);
    free(path);
    assert_null(bundle_find("No Such Thing", &stage.err));
    assert_string_equal(stage.err.code, "app_not_found");
    assert_null(bundle_find("/etc", &stage.err));
    assert_string_equal(stage.err.code, "app_not_found");
}

static void write_in(const char *bundle, const char *name, const char *text)
{
    char *path = mem_printf("%s/Applications/%s/%s", stage.folder, bundle, name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

static void bundles_are_found_by_the_name_the_user_sees(void **state)
{
    char *path, *icon, *want;

    (void)state;
    setenv("HOME", stage.folder, 1);
    make_bundle(stage.folder, "Calculator");
    write_in("Calculator.app", "localized", "Rechner");
    path = bundle_find("rechner", &stage.err);
    assert_non_null(path);
    assert_non_null(strstr(path, "/Calculator.app"));
    icon = bundle_icon(path);
    assert_string_equal(icon, path); /* in a catalog */
    free(icon);
    want = mem_printf("%s/Contents", path);
    mkdir(want, 0700);
    free(want);
    want = mem_printf("%s/Contents/Resources", path);
    mkdir(want, 0700);
    free(want);
    write_in("Calculator.app", "Contents/Resources/AppIcon.icns", "icns");
    want = mem_printf("%s/Contents/Resources/AppIcon.icns", path);
    icon = bundle_icon(path);
    assert_string_equal(icon, want);
    free(want);
    free(icon);
    free(path);
}

static void two_bundles_of_one_name_are_refused_with_their_paths(void **state)
{
    char *path;

    (void)state;
    setenv("HOME", stage.folder, 1);
    make_bundle(stage.folder, "Twin");
    make_bundle(stage.folder, "TWIN");
    path = bundle_find("twin", &stage.err);
    assert_null(path);
    assert_string_equal(stage.err.code, "app_ambiguous");
    assert_non_null(strstr(stage.err.text, "/Twin.app"));
    assert_non_null(strstr(stage.err.text, "/TWIN.app"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, stage_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_killed_process_has_told_its_guard_what_is_down),
        CASE(the_guard_lets_go_of_what_is_still_down),
        CASE(a_picture_without_its_permission_names_the_pane),
        CASE(titles_prove_the_permission_for_the_screen),
        CASE(windows_are_acted_on_with_accessibility_only),
        CASE(titles_come_from_accessibility_where_the_screen_is_refused),
        CASE(automation_is_asked_without_a_dialog),
        CASE(what_is_asked_for_is_granted_by_the_user),
        CASE(asking_for_the_screen_makes_the_pane_list_the_program),
        CASE(an_application_that_hangs_costs_its_own_call),
        CASE(lists_do_not_wait_again_for_who_hangs),
        CASE(what_is_activated_comes_to_the_front_by_accessibility_too),
        CASE(windows_of_one_frame_and_title_are_told_apart_by_number),
        CASE(windows_that_cannot_be_told_apart_are_refused),
        CASE(a_window_costs_its_application_one_question),
        CASE(the_application_in_front_is_known_where_the_workspace_stands_still),
        CASE(a_refused_activation_is_not_the_last_word),
        CASE(a_window_of_another_space_is_said_to_be_there),
        CASE(secure_input_names_who_holds_it),
        CASE(text_comes_whole_through_its_chunks),
        CASE(an_event_of_text_has_whole_characters_and_its_time),
        CASE(typed_text_is_looked_for_where_it_shows),
        CASE(a_wheel_turns_where_the_pointer_went_and_not_where_it_was),
        CASE(keys_of_other_layouts_are_refused_by_name),
        CASE(what_is_pasted_is_seen_where_it_shows),
        CASE(what_is_not_taken_is_an_error),
        CASE(histories_do_not_keep_what_was_pasted),
        CASE(rich_text_and_pictures_go_by_their_identifiers),
        CASE(files_come_by_their_paths),
        CASE(the_panic_key_is_listened_for_when_that_asks_nobody),
        CASE(arrows_and_function_keys_carry_their_flags),
        CASE(a_failed_action_leaves_held_modifiers_as_they_were),
        CASE(volume_keys_are_the_systems_own),
        CASE(keys_are_found_on_a_thread_that_must_not_ask_for_layouts),
        CASE(shortcuts_work_in_layouts_without_latin_letters),
        CASE(pictures_come_by_what_is_there),
        CASE(secrets_move_from_files_into_the_keychain),
        CASE(the_keychain_is_asked_without_a_dialog_and_not_by_a_build_of_today),
        CASE(a_locked_keychain_is_named_and_nothing_is_lost),
        CASE(bundles_are_found_by_name_and_identifier),
        CASE(bundles_are_found_by_the_name_the_user_sees),
        CASE(two_bundles_of_one_name_are_refused_with_their_paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
