/* Texts of elements, and the field that has the keyboard, on the desktop that is tested: the stage
 * is that of elements_run.h. */
#include "elements_run.h"
#include "json/utf8.h"

/* --- texts --------------------------------------------------------------------------------------
 */

static void assert_text(uint64_t id, int from, int to, const char *expected)
{
    struct element_text text;

    assert_ok(stage.ops->elements->text(stage.desktop, stage_deadline(), id, from, to, &text,
                                        &stage.err));
    assert_string_equal(text.text, expected);
    element_text_free(&text);
}

static void a_text_is_set_and_read_exactly(void **state)
{
    static const char words[] = "Grüße, 世界 \xf0\x9f\x98\x80!";
    struct element_change change = { .verb = ELEMENT_SET_TEXT, .text = STR(words) };
    uint64_t id = id_of(ELEMENT_ENTRY, ELEMENT_EDITABLE, ELEMENT_CAN_WRITE);
    struct element_text text;

    (void)state;
    change.text.len = sizeof words - 1;
    assert_true(act(id, change).agreed);
    assert_text(id, 0, -1, words);
    assert_text(id, 7, 9, "世界");
    assert_text(id, 10, 500, "\xf0\x9f\x98\x80!");
    assert_text(id, 500, -1, "");
    act(id, (struct element_change){ .verb = ELEMENT_CARET, .from = 2, .to = 5 });
    assert_ok(
        stage.ops->elements->text(stage.desktop, stage_deadline(), id, 0, -1, &text, &stage.err));
    assert_int_equal(text.length, 12);
    assert_int_equal(text.selected_from, 2);
    assert_int_equal(text.selected_to, 5);
    element_text_free(&text);
}

/* --- the field that has the keyboard -----------------------------------------------------------
 */

static struct element_field read_field(struct element_field_query query)
{
    struct element_field field;

    assert_ok(
        stage.ops->elements->field(stage.desktop, stage_deadline(), &query, &field, &stage.err));
    return field;
}

/* Puts a text into the stage's entry, with the keyboard and the caret at its end. */
static uint64_t focus_entry(const char *text)
{
    uint64_t id = id_of(ELEMENT_ENTRY, ELEMENT_EDITABLE, ELEMENT_CAN_WRITE);
    int length = (int)utf8_length(text, strlen(text));

    act(id, (struct element_change){ .verb = ELEMENT_FOCUS });
    await_state(id, ELEMENT_FOCUSED, true);
    act(id, (struct element_change){ .verb = ELEMENT_SET_TEXT, .text = str_from(text) });
    act(id, (struct element_change){ .verb = ELEMENT_CARET, .from = length, .to = -1 });
    return id;
}

static const char wide[] = "Grüße, 世界 \xf0\x9f\x98\x80!"; /* 12 characters, 13 UTF-16 units */

static void the_field_with_the_keyboard_tells_what_is_around_its_caret(void **state)
{
    uint64_t id = focus_entry(wide);
    struct element_field field =
        read_field((struct element_field_query){ .before = 4, .behind = 4 });

    (void)state;
    assert_int_equal(field.finding, FIELD_FOUND);
    assert_int_equal(field.id, id);
    assert_int_equal(field.pid, app);
    assert_true(field.focused && field.readable && !field.multiline && !field.paragraph);
    assert_int_equal(field.length, 12);
    assert_int_equal(field.caret, 12);
    assert_int_equal(field.from, 12);
    assert_int_equal(field.to, 12);
    assert_string_equal(field.before, "界 \xf0\x9f\x98\x80!");
    assert_string_equal(field.behind, "");
    assert_null(field.text);
    element_field_free(&field);
}

/* A right guess and wrong ones cost different rounds of questions, and get the same answer. */
static void a_known_field_is_read_alone_whatever_was_expected_of_it(void **state)
{
    const struct {
        int from, length;
    } expected[] = { { 12, 12 }, { 4, 12 }, { 12, 40 }, { 30, 40 }, { 5, 5 }, { 0, 0 } };
    uint64_t id = focus_entry(wide);

    (void)state;
    for (size_t i = 0; i < countof(expected); i++) {
        struct element_field field =
            read_field((struct element_field_query){ .id = id,
                                                     .from = expected[i].from,
                                                     .length = expected[i].length,
                                                     .before = 2,
                                                     .behind = 2 });

        assert_int_equal(field.finding, FIELD_FOUND);
        assert_int_equal(field.id, id);
        assert_int_equal(field.length, 12);
        assert_int_equal(field.from, 12);
        assert_string_equal(field.before, "\xf0\x9f\x98\x80!");
        assert_string_equal(field.behind, "");
        element_field_free(&field);
    }
}

/* Each range between the first characters and the last ones, expected rightly and wrongly. */
static void a_field_is_read_again_in_every_range(void **state)
{
    static const char *const characters[] = {
        "G", "r", "ü", "ß", "e", ",", " ", "世", "界", " ", "\xf0\x9f\x98\x80", "!"
    };
    uint64_t id = focus_entry(wide);

    (void)state;
    for (int from = 0; from <= 12; from++) {
        for (int rest = 0; from + rest <= 12; rest++) {
            struct element_field field =
                read_field((struct element_field_query){ .id = id,
                                                         .again = true,
                                                         .from = from,
                                                         .rest = rest,
                                                         .length = rest % 2 ? 12 : 20,
                                                         .before = 1,
                                                         .behind = 1 });
            struct buf text = { 0 };

            for (int i = from; i < 12 - rest; i++)
                buf_adds(&text, characters[i]);
            assert_string_equal(field.text, buf_text(&text));
            assert_string_equal(field.before, from ? characters[from - 1] : "");
            assert_string_equal(field.behind, rest ? characters[12 - rest] : "");
            buf_free(&text);
            element_field_free(&field);
        }
    }
}

static void a_range_that_is_longer_than_the_text_is_cut(void **state)
{
    uint64_t id = focus_entry("abc");
    struct element_field field =
        read_field((struct element_field_query){ .id = id, .again = true, .from = 7, .rest = 9 });

    (void)state;
    assert_int_equal(field.length, 3);
    assert_string_equal(field.text, "");
    element_field_free(&field);
}

static void a_field_without_the_keyboard_is_only_read_again(void **state)
{
    uint64_t id = focus_entry("abc"), other = id_of(ELEMENT_CHECK, 0, ELEMENT_CAN_FOCUS);
    struct element_field field;

    (void)state;
    act(other, (struct element_change){ .verb = ELEMENT_FOCUS });
    await_state(id, ELEMENT_FOCUSED, false);
    field = read_field((struct element_field_query){ .id = id });
    assert_int_not_equal(field.finding, FIELD_FOUND);
    field = read_field((struct element_field_query){ .id = id, .again = true });
    assert_int_equal(field.finding, FIELD_FOUND);
    assert_false(field.focused);
    assert_string_equal(field.text, "abc");
    element_field_free(&field);
    field = read_field((struct element_field_query){ 0 });
    assert_int_not_equal(field.finding, FIELD_FOUND);
}

static void a_selection_is_what_typed_text_will_replace(void **state)
{
    uint64_t id;
    struct element_field field;

    (void)state;
    if (stage.fake) /* it has no selection of its own */
        skip();
    id = focus_entry(wide);
    act(id, (struct element_change){ .verb = ELEMENT_CARET, .from = 7, .to = 9 });
    field = read_field((struct element_field_query){ .before = 1, .behind = 2 });
    assert_int_equal(field.from, 7);
    assert_int_equal(field.to, 9);
    assert_string_equal(field.before, " ");
    assert_string_equal(field.behind, " \xf0\x9f\x98\x80");
    element_field_free(&field);
}

static void an_application_that_has_elements_is_present_without_a_search(void **state)
{
    struct element_field field;

    (void)state;
    focus_entry("abc");
    field = read_field((struct element_field_query){ .present = true });
    assert_int_equal(field.finding, FIELD_UNKNOWN);
    assert_int_equal(field.pid, app);
    assert_int_equal(field.id, 0);
}

static void one_without_elements_is_absent(void **state)
{
    struct element_field field;
    int calculator;

    (void)state;
#ifdef STAGE_MACOS
    skip(); /* a Mac has elements for every application */
#endif
    if (!stage.fake)
        skip();
    calculator = fake_add_app(stage.fake, "Calculator", "org.perigee.Calculator");
    fake_add_window(stage.fake, calculator, "Calculator", (struct rect){ 0, 0, 200, 200 });
    field = read_field((struct element_field_query){ 0 });
    assert_int_equal(field.finding, FIELD_ABSENT);
    assert_int_equal(field.pid, calculator);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(a_text_is_set_and_read_exactly),
        TEST(the_field_with_the_keyboard_tells_what_is_around_its_caret),
        TEST(a_known_field_is_read_alone_whatever_was_expected_of_it),
        TEST(a_field_is_read_again_in_every_range),
        TEST(a_range_that_is_longer_than_the_text_is_cut),
        TEST(a_field_without_the_keyboard_is_only_read_again),
        TEST(a_selection_is_what_typed_text_will_replace),
        TEST(an_application_that_has_elements_is_present_without_a_search),
        TEST(one_without_elements_is_absent),
    };
    return elements_run_tests(tests, countof(tests));
}
