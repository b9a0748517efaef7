/* Texts of elements, on the desktop that is tested: the stage is that of elements_run.h. */
#include "elements_run.h"

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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(a_text_is_set_and_read_exactly),
    };
    return elements_run_tests(tests, countof(tests));
}
