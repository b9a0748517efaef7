/* Typed text is exact: the text that the receiving program has afterwards is the proof.
 *
 * On X11 the programs are real: a terminal's shell writes its input to a file, and all text of an
 * editor is copied. The fake's window keeps typed text. */
#include "json/utf8.h"
#include "platform_run.h"

static const struct rect place = { 60, 60, 500, 400 };

static const char plain[] = "The quick brown fox, 0123456789!\nsecond line\tafter a tab "
                            "~`!@#$%^&*()_+-={}[]|\\:;\"'<>,.?/";
static const char foreign[] = "héllo – 世界 ñ ß €5 Привет שלום ひらがな 한국어 ąćęłńóśźż";
static const char emoji[] = "smile 😀🎉👍🏽 end";

static struct input_outcome stage_type(const char *text)
{
    struct input input = { .kind = INPUT_TEXT, .text = str_from(text) };
    struct input_outcome out;

    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    return out;
}

static struct input_outcome stage_paste(const char *text)
{
    struct input input = { .kind = INPUT_PASTE, .text = str_from(text) };
    struct input_outcome out;

    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    return out;
}

/* Types the text if possible, else pastes it, as a script does. */
static struct input_outcome stage_give(const char *text)
{
    struct input input = { .kind = INPUT_TEXT, .text = str_from(text) };
    struct input_outcome out;

    if (stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err))
        return out;
    assert_string_equal(stage.err.code, "paste_instead");
    return stage_paste(text);
}

static void stage_keys(const char *name)
{
    struct input input = { .kind = INPUT_KEYS };
    struct input_outcome out;

    assert_ok(chord_parse(name, &input.chord, &stage.err));
    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
}

/* --- receivers -------------------------------------------------------------------- */

/* Waits for the program's window; one of the test before may still be there. */
static void await_app(pid_t pid)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    struct window_ref ref = { 0 };

    while (!ref.id) {
        struct window_list list;

        assert_ok(stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, &stage.err));
        for (size_t i = 0; i < list.count; i++) {
            if (list.items[i].ref.pid == pid)
                ref = list.items[i].ref;
        }
        window_list_free(&list);
        assert_true(deadline_wait(&deadline, -1, deadline_now() + 10, &stage.err));
    }
    stage_focus(&ref);
}

/* Waits until the window responds: a new one may take many seconds for that on a busy machine, and
 * a paste would report it. */
static void await_response(void)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    struct input input = { .kind = INPUT_KEYS };
    struct input_outcome out = { .settled = false };

    assert_ok(chord_parse("shift", &input.chord, &stage.err));
    while (!out.settled)
        assert_ok(stage.ops->input->send(stage.desktop, &deadline, &input, &out, &stage.err));
}

/* Reads all text of an editor, by selecting and copying it; the caller frees. Copies until two
 * answers are the same: an editor may still be drawing its input. */
static char *copy_all(const char *expected)
{
    struct deadline deadline = deadline_of(180000);
    char *text = mem_strdup("");

    while (strcmp(text, expected) != 0 && deadline_wait(&deadline, -1, deadline_now() + 20, NULL)) {
        struct clip clip = { 0 };
        const struct clip_part *part;

        stage_keys("ctrl+a");
        stage_keys("ctrl+c");
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), NULL, 0, &clip, NULL);
        part = clip_part(&clip, "text/plain");
        if (part) {
            free(text);
            text = mem_strdup(part->data);
        }
        clip_free(&clip);
    }
    return text;
}

/* Starts an editor with a home of its own: one that was killed asks at the next start what to do
 * about it. */
static pid_t start_app(const char *program)
{
    char *home = mem_printf("HOME=%s", stage.folder);

    pid_t pid = stage_spawn((const char *[]){ "env", home, program, NULL }, program);
    free(home);
    return pid;
}

typedef struct input_outcome (*give_function)(const char *text);

static struct input_outcome check_editor_given(const char *program, const char *app,
                                               const char *text, give_function give)
{
    struct input_outcome out;
    char *held;

    if (stage.fake) {
        struct window_ref ref = stage_window(app, place);

        out = give(text);
        held = fake_text(stage.fake, ref.id);
    } else {
        await_app(start_app(program));
        await_response();
        out = give(text);
        held = copy_all(text);
    }
    assert_string_equal(held, text);
    free(held);
    return out;
}

static void check_editor(const char *program, const char *app, const char *text)
{
    check_editor_given(program, app, text, stage_type);
}

/* Checks the input of a terminal's program, once it has as many bytes as `text` or the time is
 * up. */
static struct input_outcome check_terminal_given(const char *text, give_function give)
{
    struct deadline deadline = deadline_of(180000);
    struct buf held = { 0 };
    struct input_outcome out;
    char *path, *shell;

    if (stage.fake)
        return check_editor_given("xterm", "XTerm", text, give);
    path = mem_printf("%s/read", stage.folder);
    shell = mem_printf("stty raw -echo; echo > %s; exec cat >> %s", path, path);
    await_app(
        stage_spawn((const char *[]){ "xterm", "-u8", "-e", "sh", "-c", shell, NULL }, "xterm"));
    while (!file_read_all(path, 1 << 20, &held, NULL) || held.len == 0) {
        held.len = 0;
        assert_true(deadline_wait(&deadline, -1, deadline_now() + 5, NULL));
    }
    out = give(text);
    do {
        held.len = 0;
        assert_true(file_read_all(path, 1 << 20, &held, NULL));
    } while (held.len < strlen(text) + 1 && deadline_wait(&deadline, -1, deadline_now() + 5, NULL));
    for (size_t i = 0; i < held.len; i++)
        held.data[i] = held.data[i] == '\r' ? '\n' : held.data[i]; /* Return, as it is */
    assert_string_equal(buf_text(&held) + 1, text);
    buf_free(&held);
    free(shell);
    free(path);
    return out;
}

static void check_terminal(const char *text)
{
    check_terminal_given(text, stage_type);
}

/* Sets the layout; later tests get `us` again. */
static void set_layout(const char *layout, const char *variant)
{
    pid_t pid;

    if (stage.fake)
        return;
    pid = stage_spawn((const char *[]){ "setxkbmap", "-layout", layout, "-variant", variant, NULL },
                      "setxkbmap");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    stage.child_count--;
}

static int text_end(void **state)
{
    set_layout("us", "");
    return stage_end(state);
}

/* --- cases ------------------------------------------------------------------------ */

static void a_terminal_gets_plain_text(void **state)
{
    (void)state;
    check_terminal(plain);
}

static void a_terminal_gets_foreign_text(void **state)
{
    (void)state;
    check_terminal("héllo ñ ß €5 Привет"); /* no more than the spare keys hold at once */
}

/* xterm does not answer pings. */
static void a_terminal_is_not_given_more_than_it_can_be_told(void **state)
{
    struct input input = { .kind = INPUT_TEXT, .text = str_from(foreign) };
    struct input_outcome out;

    (void)state;
    if (stage.fake)
        return;
    await_app(stage_spawn((const char *[]){ "xterm", NULL }, "xterm"));
    assert_false(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    assert_string_equal(stage.err.code, "paste_instead");
    assert_int_equal(out.characters, 0);
}

/* It pastes from PRIMARY, by Shift+Insert; line ends and tabs stay keys. */
static void a_terminal_is_given_by_paste_what_cannot_be_typed(void **state)
{
    char *text = mem_printf("%s\n\tsecond %s\n", foreign, emoji);
    struct input_outcome out = check_terminal_given(text, stage_give);

    (void)state;
    assert_int_equal(out.characters, utf8_length(text, strlen(text)));
    if (!stage.fake) {
        assert_string_equal(out.route, "paste shift+insert, primary");
        assert_int_equal(out.clipboard, CLIP_WAS_EMPTY);
    }
    free(text);
}

static void pasting_leaves_the_clipboard_as_it_was(void **state)
{
    struct clip clip = { 0 }, back;
    struct input_outcome out;

    (void)state;
    clip_add(&clip, "text/plain", "was here", 8);
    clip_add(&clip, "text/html", "<i>was here</i>", 15);
    assert_ok(stage.ops->clipboard->write(stage.desktop, stage_deadline(), &clip, &stage.err));
    clip_free(&clip);
    if (stage.fake) {
        stage_window("editor", place);
    } else {
        await_app(start_app("mousepad"));
    }
    out = stage_paste("pasted 世界\nand more");
    assert_int_equal(out.clipboard, CLIP_RESTORED);
    assert_true(out.settled);
    assert_int_equal(out.characters, 18);
    assert_true(stage.fake || strcmp(out.route, "paste ctrl+v") == 0);
    assert_ok(
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), NULL, 0, &back, &stage.err));
    assert_string_equal(clip_part(&back, "text/plain")->data, "was here");
    assert_string_equal(clip_part(&back, "text/html")->data, "<i>was here</i>");
    clip_free(&back);
    if (!stage.fake) {
        char *held = copy_all("pasted 世界\nand more");

        assert_string_equal(held, "pasted 世界\nand more");
        free(held);
    }
}

static void an_editor_is_pasted_into(void **state)
{
    char *text = mem_printf("%s\n%s\n\tend", foreign, emoji);

    (void)state;
    check_editor_given("mousepad", "Mousepad", text, stage_paste);
    free(text);
}

static void a_qt_editor_is_pasted_into(void **state)
{
    char *text = mem_printf("%s\n%s", foreign, emoji);

    (void)state;
    check_editor_given("featherpad", "FeatherPad", text, stage_paste);
    free(text);
}

/* Text that is too long for a property goes in pieces. */
static void half_a_megabyte_is_pasted(void **state)
{
    struct buf text = { 0 };

    (void)state;
    while (text.len < (size_t)512 << 10)
        buf_adds(&text, "0123456789 ÄÖÜ ");
    check_editor_given("mousepad", "Mousepad", buf_text(&text), stage_paste);
    buf_free(&text);
}

/* xev reads nothing, and answers no ping that would show that it has seen the key. */
static void what_nobody_has_pasted_yet_is_unknown(void **state)
{
    struct input input = { .kind = INPUT_PASTE, .text = STR("lost") };
    struct input_outcome out;

    (void)state;
    if (stage.fake)
        return;
    stage_window("no editor", place);
    assert_false(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    assert_string_equal(stage.err.code, "paste_unknown");
    assert_int_equal(out.characters, 0);
}

/* A caller that gets "timeout" tries again, and pastes slow text twice. */
static void a_time_limit_after_the_key_leaves_a_paste_unknown(void **state)
{
    struct input input = { .kind = INPUT_PASTE, .text = STR("lost") };
    struct deadline deadline = deadline_of(1500); /* less than UNREAD_MS of paste.c */
    struct input_outcome out;

    (void)state;
    if (stage.fake)
        return;
    stage_window("no editor", place);
    assert_false(stage.ops->input->send(stage.desktop, &deadline, &input, &out, &stage.err));
    assert_string_equal(stage.err.code, out.sent ? "paste_unknown" : "timeout");
}

static void text_for_nobody_is_refused(void **state)
{
    struct input input = { .kind = INPUT_TEXT, .text = STR("lost") };
    struct input_outcome out;

    (void)state;
    assert_false(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    assert_string_equal(stage.err.code, "no_focus");
}

static void an_editor_gets_plain_text(void **state)
{
    (void)state;
    check_editor("mousepad", "Mousepad", plain);
}

static void an_editor_gets_foreign_text(void **state)
{
    (void)state;
    check_editor("mousepad", "Mousepad", foreign);
}

static void an_editor_gets_emoji(void **state)
{
    (void)state;
    check_editor("mousepad", "Mousepad", emoji);
}

static void a_qt_editor_gets_all_of_it(void **state)
{
    char *text = mem_printf("%s %s", foreign, emoji);

    (void)state;
    check_editor("featherpad", "FeatherPad", text);
    free(text);
}

static void a_gtk4_entry_gets_numbers(void **state)
{
    (void)state;
    await_app(start_app("gnome-calculator"));
    stage_type("12*34\n");
    char *held = copy_all("408");
    assert_string_equal(held, "408");
    free(held);
}

/* No spaces, no operators: a calculator has its own ideas about these. */
static void a_gtk4_entry_gets_foreign_text(void **state)
{
    static const char text[] = "héllo_wörld_Привет_世界_한국어_😀🎉";

    (void)state;
    set_layout("fr", "");
    check_editor("gnome-calculator", "", text);
}

static void a_gtk4_entry_is_pasted_into(void **state)
{
    (void)state;
    check_editor_given("gnome-calculator", "", "pasted_wörld_世界_😀", stage_paste);
}

static void a_qt_editor_under_a_russian_layout(void **state)
{
    (void)state;
    set_layout("ru", "");
    check_editor("featherpad", "FeatherPad", "Привет, мир! and Latin: {x} [y] #1 ß é");
}

static void a_qt_editor_under_a_german_layout(void **state)
{
    (void)state;
    set_layout("de", "");
    check_editor("featherpad", "FeatherPad", plain);
}

static void an_editor_under_a_french_layout(void **state)
{
    (void)state;
    set_layout("fr", "");
    check_editor("mousepad", "Mousepad", plain);
}

static void a_terminal_under_a_russian_layout(void **state)
{
    (void)state;
    set_layout("ru", "");
    check_terminal("echo Привет, world; ls -la | wc");
}

static void a_german_layout_types_the_same(void **state)
{
    (void)state;
    set_layout("de", "");
    check_editor("mousepad", "Mousepad", plain);
}

static void a_french_layout_types_the_same(void **state)
{
    (void)state;
    set_layout("fr", "");
    check_terminal(plain);
}

static void a_russian_layout_types_latin_and_cyrillic(void **state)
{
    (void)state;
    set_layout("ru", "");
    check_editor("mousepad", "Mousepad", "Привет, мир! and Latin, too: {x} [y] #1");
}

static void a_second_group_is_used_and_left_again(void **state)
{
    (void)state;
    set_layout("us,ru", ",");
    check_editor("mousepad", "Mousepad", "Latin and кириллица and Latin");
    if (!stage.fake)
        check_terminal("back to latin");
}

static void ten_thousand_characters_arrive(void **state)
{
    struct buf text = { 0 };

    (void)state;
    for (int i = 0; text.len < 10000; i++)
        buf_addf(&text, "line %d with Some words & signs\n", i);
    text.len = 10000;
    check_editor("mousepad", "Mousepad", buf_text(&text));
    buf_free(&text);
}

/* A spare key that we filled is recognized in a map of any width. */
static void spare_keys_are_spare_again_for_the_next_text(void **state)
{
    (void)state;
    await_app(start_app("mousepad"));
    stage_type(foreign);
    stage_type("ā ē ī ō ū ǎ ě ǐ ǒ ǔ ḁ ḇ ḉ ḋ ḕ ḟ ḡ ḣ ḭ ḱ ḻ ḿ");
    char *text = mem_printf("%s%s", foreign, "ā ē ī ō ū ǎ ě ǐ ǒ ǔ ḁ ḇ ḉ ḋ ḕ ḟ ḡ ḣ ḭ ḱ ḻ ḿ");
    char *held = copy_all(text);
    assert_string_equal(held, text);
    free(held);
    free(text);
}

static void the_outcome_counts_and_tells_the_way(void **state)
{
    struct input_outcome out;

    (void)state;
    if (stage.fake) {
        stage_window("editor", place);
    } else {
        await_app(start_app("mousepad"));
    }
    out = stage_type("abc");
    assert_int_equal(out.characters, 3);
    assert_true(out.settled || stage_is("macos")); /* a Mac does not report it */
    out = stage_type("日本");
    assert_int_equal(out.characters, 2);
    assert_true(stage.fake || strstr(out.route, "1 keymap"));
}

/* The map of the keyboard is kept from text to text, and was that of the layout before. */
static void a_layout_that_changes_between_two_texts_is_noticed(void **state)
{
    static const char *const layouts[] = { "fr", "ru", "us,ru", "de", "us" };
    static const char text[] = "azqw €5;", all[] = "azqw €5;azqw €5;azqw €5;azqw €5;azqw €5;";
    char *held;

    (void)state;
    if (stage.fake)
        return;
    await_app(start_app("mousepad"));
    await_response();
    for (size_t i = 0; i < countof(layouts); i++) {
        set_layout(layouts[i], "");
        stage_type(text);
    }
    held = copy_all(all);
    assert_string_equal(held, all);
    free(held);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, text_end)
#define REAL(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, stage_start, text_end, on_real_desktops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_terminal_gets_plain_text),
        CASE(a_terminal_gets_foreign_text),
        CASE(a_terminal_is_not_given_more_than_it_can_be_told),
        CASE(a_terminal_is_given_by_paste_what_cannot_be_typed),
        CASE(pasting_leaves_the_clipboard_as_it_was),
        CASE(an_editor_is_pasted_into),
        CASE(a_qt_editor_is_pasted_into),
        CASE(half_a_megabyte_is_pasted),
        CASE(what_nobody_has_pasted_yet_is_unknown),
        CASE(a_time_limit_after_the_key_leaves_a_paste_unknown),
        CASE(text_for_nobody_is_refused),
        CASE(an_editor_gets_plain_text),
        CASE(an_editor_gets_foreign_text),
        CASE(an_editor_gets_emoji),
        CASE(a_qt_editor_gets_all_of_it),
        REAL(a_gtk4_entry_gets_numbers),
        REAL(a_gtk4_entry_gets_foreign_text),
        REAL(a_gtk4_entry_is_pasted_into),
        CASE(a_qt_editor_under_a_russian_layout),
        CASE(a_qt_editor_under_a_german_layout),
        CASE(an_editor_under_a_french_layout),
        CASE(a_terminal_under_a_russian_layout),
        CASE(a_german_layout_types_the_same),
        CASE(a_french_layout_types_the_same),
        CASE(a_russian_layout_types_latin_and_cyrillic),
        CASE(a_layout_that_changes_between_two_texts_is_noticed),
        CASE(a_second_group_is_used_and_left_again),
        CASE(ten_thousand_characters_arrive),
        REAL(spare_keys_are_spare_again_for_the_next_text),
        CASE(the_outcome_counts_and_tells_the_way),
    };

    return stage_run_tests(tests, countof(tests));
}
