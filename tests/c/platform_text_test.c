/* Typed text is exact: what the receiving program holds afterwards is the proof.
 *
 * On X11 the programs are real: a terminal's shell writes what it reads to a file, editors are
 * asked by copying all they hold. The fake's window holds what was typed. */
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

    assert_ok(stage.ops->input->send(stage.desktop, stage_ticket(), &input, &out, &stage.err));
    return out;
}

static void stage_keys(const char *name)
{
    struct input input = { .kind = INPUT_KEYS };
    struct input_outcome out;

    assert_ok(chord_parse(name, &input.chord, &stage.err));
    assert_ok(stage.ops->input->send(stage.desktop, stage_ticket(), &input, &out, &stage.err));
}

/* --- receivers -------------------------------------------------------------------- */

/* The program's window; one of the test before may still be there. */
static void await_app(pid_t pid)
{
    struct ticket ticket = ticket_of(STAGE_MS);
    struct window_ref ref = { 0 };

    while (!ref.id) {
        struct window_list list;

        assert_ok(stage.ops->windows->list(stage.desktop, &ticket, NULL, &list, &stage.err));
        for (size_t i = 0; i < list.count; i++) {
            if (list.items[i].ref.pid == pid)
                ref = list.items[i].ref;
        }
        window_list_free(&list);
        assert_true(ticket_wait(&ticket, -1, ticket_now() + 10, &stage.err));
    }
    assert_true(stage_do(&ref, WINDOW_FOCUS).done);
}

/* All that an editor holds, by selecting and copying it; the caller frees. Copies until two
 * answers are the same: an editor may still be drawing what it took. */
static char *copy_all(const char *expected)
{
    struct ticket ticket = ticket_of(20000);
    char *text = mem_strdup("");

    while (strcmp(text, expected) != 0 && ticket_wait(&ticket, -1, ticket_now() + 20, NULL)) {
        struct clip clip = { 0 };
        const struct clip_part *part;

        stage_keys("ctrl+a");
        stage_keys("ctrl+c");
        stage.ops->clipboard->read(stage.desktop, stage_ticket(), NULL, 0, &clip, NULL);
        part = clip_part(&clip, "text/plain");
        if (part) {
            free(text);
            text = mem_strdup(part->data);
        }
        clip_free(&clip);
    }
    return text;
}

/* With a home of its own: an editor that was killed asks next time what to do about it. */
static pid_t start_app(const char *program)
{
    char *home = mem_printf("HOME=%s", stage.folder);

    pid_t pid = stage_spawn((const char *[]){ "env", home, program, NULL }, program);
    free(home);
    return pid;
}

static void check_editor(const char *program, const char *app, const char *text)
{
    char *held;

    if (stage.fake) {
        struct window_ref ref = stage_window(app, place);

        stage_type(text);
        held = fake_text(stage.fake, ref.id);
    } else {
        await_app(start_app(program));
        stage_type(text);
        held = copy_all(text);
    }
    assert_string_equal(held, text);
    free(held);
}

/* What a terminal's program has read, once it has `len` bytes or the time is up. */
static void check_terminal(const char *text)
{
    struct ticket ticket = ticket_of(20000);
    struct buf held = { 0 };
    char *path, *shell;

    if (stage.fake) {
        check_editor("xterm", "XTerm", text);
        return;
    }
    path = mem_printf("%s/read", stage.folder);
    shell = mem_printf("stty raw -echo; echo > %s; exec cat >> %s", path, path);
    await_app(
        stage_spawn((const char *[]){ "xterm", "-u8", "-e", "sh", "-c", shell, NULL }, "xterm"));
    while (!file_read_all(path, 1 << 20, &held, NULL) || held.len == 0) {
        held.len = 0;
        assert_true(ticket_wait(&ticket, -1, ticket_now() + 5, NULL));
    }
    stage_type(text);
    do {
        held.len = 0;
        assert_true(file_read_all(path, 1 << 20, &held, NULL));
    } while (held.len < strlen(text) + 1 && ticket_wait(&ticket, -1, ticket_now() + 5, NULL));
    for (size_t i = 0; i < held.len; i++)
        held.data[i] = held.data[i] == '\r' ? '\n' : held.data[i]; /* Return, as it is */
    assert_string_equal(buf_text(&held) + 1, text);
    buf_free(&held);
    free(shell);
    free(path);
}

/* The layout; the tests after it get `us` again. */
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

/* xterm answers no ping. */
static void a_terminal_is_not_given_more_than_it_can_be_told(void **state)
{
    struct input input = { .kind = INPUT_TEXT, .text = str_from(foreign) };
    struct input_outcome out;

    (void)state;
    if (stage.fake)
        return;
    await_app(stage_spawn((const char *[]){ "xterm", NULL }, "xterm"));
    assert_false(stage.ops->input->send(stage.desktop, stage_ticket(), &input, &out, &stage.err));
    assert_string_equal(stage.err.code, "paste_instead");
    assert_int_equal(out.characters, 0);
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
    if (stage.fake)
        skip();
    await_app(start_app("gnome-calculator"));
    stage_type("12*34\n");
    char *held = copy_all("408");
    assert_string_equal(held, "408");
    free(held);
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
    assert_true(out.settled);
    out = stage_type("日本");
    assert_int_equal(out.characters, 2);
    assert_true(stage.fake || strstr(out.route, "1 keymap"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, text_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_terminal_gets_plain_text),
        CASE(a_terminal_gets_foreign_text),
        CASE(a_terminal_is_not_given_more_than_it_can_be_told),
        CASE(an_editor_gets_plain_text),
        CASE(an_editor_gets_foreign_text),
        CASE(an_editor_gets_emoji),
        CASE(a_qt_editor_gets_all_of_it),
        CASE(a_gtk4_entry_gets_numbers),
        CASE(a_german_layout_types_the_same),
        CASE(a_french_layout_types_the_same),
        CASE(a_russian_layout_types_latin_and_cyrillic),
        CASE(a_second_group_is_used_and_left_again),
        CASE(ten_thousand_characters_arrive),
        CASE(the_outcome_counts_and_tells_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
