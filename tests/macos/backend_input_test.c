/* Input of the macOS backend on the simulation: the guard of keys, secure input, text in chunks,
 * paste, the panic key, layouts. */
#include <pthread.h>

#include "backend_run.h"
#include "platform/helper_program.h"

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

/* This test is the first: a key that is pressed later starts a guard that outlives the test. */
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

/* The guard is told of Shift and Command, and of Command up again, before its client goes. */
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

/* Half of an emoji of a family would show some of its people; the simulation ends the test then. */
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

/* Pasted text is confirmed only in an application that shows its text to accessibility. */
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

/* A client that reads "timeout" tries again, and pastes text twice that was only slow. */
static void a_time_limit_after_the_key_leaves_a_paste_unknown(void **state)
{
    struct input input = { .kind = INPUT_PASTE, .text = STR("lost") };
    struct deadline deadline = deadline_of(500); /* text that does not arrive is given longer */
    struct input_outcome out;

    (void)state;
    stage_window("editor", place);
    assert_true(chord_parse("f5", &input.chord, &stage.err));
    assert_false(stage.ops->input->send(stage.desktop, &deadline, &input, &out, &stage.err));
    assert_true(out.sent > 0);
    assert_string_equal(stage.err.code, "paste_unknown");
}

/* It shows no text and answers nothing, and the text was called pasted. */
static void a_paste_into_one_that_hangs_is_unknown(void **state)
{
    struct window_ref ref = stage_window("editor", place);

    (void)state;
    sim_hang(ref.pid);
    assert_false(send((struct input){ .kind = INPUT_PASTE, .text = STR("perhaps") }));
    assert_string_equal(stage.err.code, "paste_unknown");
    sim_hang(0);
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
    assert_int_equal(own.count, 4); /* types that other applications ask for */
    clip_free(&own);
    assert_ok(
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), types, 0, &got, &stage.err));
    assert_int_equal(got.count, 4);
    for (size_t i = 0; types[i]; i++)
        assert_string_equal(clip_part(&got, types[i])->data, types[i]);
    clip_free(&got);
}

/* The Finder copies files by number, which means nothing to other applications. */
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

/* The keyboard's own events have these; without them "ctrl+left" does not change the space. */
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
        assert_int_equal(sim_flags(false) & kCGEventFlagMaskSecondaryFn, 0); /* or Fn sticks */
    }
}

/* A modifier that was held before a call that fails is held after it, in events as well. */
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

/* Runs on a queue's thread, as in the program: calls for the main thread alone end the test. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_killed_process_has_told_its_guard_what_is_down),
        CASE(the_guard_lets_go_of_what_is_still_down),
        CASE(secure_input_names_who_holds_it),
        CASE(text_comes_whole_through_its_chunks),
        CASE(an_event_of_text_has_whole_characters_and_its_time),
        CASE(a_wheel_turns_where_the_pointer_went_and_not_where_it_was),
        CASE(keys_of_other_layouts_are_refused_by_name),
        CASE(what_is_pasted_is_seen_where_it_shows),
        CASE(what_is_not_taken_is_an_error),
        CASE(a_time_limit_after_the_key_leaves_a_paste_unknown),
        CASE(a_paste_into_one_that_hangs_is_unknown),
        CASE(histories_do_not_keep_what_was_pasted),
        CASE(rich_text_and_pictures_go_by_their_identifiers),
        CASE(files_come_by_their_paths),
        CASE(the_panic_key_is_listened_for_when_that_asks_nobody),
        CASE(arrows_and_function_keys_carry_their_flags),
        CASE(a_failed_action_leaves_held_modifiers_as_they_were),
        CASE(volume_keys_are_the_systems_own),
        CASE(keys_are_found_on_a_thread_that_must_not_ask_for_layouts),
        CASE(shortcuts_work_in_layouts_without_latin_letters),
    };

    return cmocka_run_group_tests_name("backend_input", tests, NULL, NULL);
}
