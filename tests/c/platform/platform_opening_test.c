/* Opening and closing elements that open, on the stage of elements_run.h. */
#include "elements_run.h"

static uint64_t find_openable(void)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });
    uint64_t id = 0;

    for (size_t i = 0; !id && i < tree.count; i++) {
        struct element_info *node = &tree.items[i];

        if (is_sensitive(node) && (node->states & ELEMENT_EXPANDABLE) &&
            (node->role == ELEMENT_TREE_ITEM || node->role == ELEMENT_TOGGLE))
            id = node->id;
    }
    element_tree_free(&tree);
    return id;
}

/* Shows the elements that open: gtk3-widget-factory has them on its second page, the fake in its
 * file manager. */
static void show_what_opens(void)
{
    struct element_tree tree;
    uint64_t page = 0;

    if (stage.fake) {
        app = fake_add_app(stage.fake, "Files", "org.perigee.Files");
        fake_add_window(stage.fake, app, "Home", (struct rect){ 100, 100, 800, 600 });
        return;
    }
    tree = read_tree((struct element_query){ 0 });
    for (size_t i = 0; i < tree.count; i++) {
        if (strcmp(tree.items[i].name, "Page 2") == 0 && tree.items[i].role == ELEMENT_RADIO)
            page = tree.items[i].id;
    }
    element_tree_free(&tree);
    if (page)
        press(page);
}

static uint64_t openable(void)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    uint64_t id = find_openable();

    if (!id)
        show_what_opens();
    while (!id && deadline_wait(&deadline, -1, deadline_now() + 5, &stage.err))
        id = find_openable();
    if (!id)
        fail_msg("the stage has nothing that opens");
    return id;
}

static void what_opens_is_opened_and_closed(void **state)
{
    uint64_t id = openable();
    bool before = (states_of(id) & ELEMENT_EXPANDED) != 0;

    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        bool open = !before == !turn;
        struct element_change change = { .verb = open ? ELEMENT_EXPAND : ELEMENT_COLLAPSE };

        assert_true(act(id, change).agreed);
        await_state(id, ELEMENT_EXPANDED, open);
        assert_true(act(id, change).agreed); /* it is open or closed already, and stays so */
        assert_true(((states_of(id) & ELEMENT_EXPANDED) != 0) == open);
    }
}

static void what_does_not_open_says_so(void **state)
{
    uint64_t id = id_of(ELEMENT_CHECK, 0, ELEMENT_CAN_ACT);
    bool before = (states_of(id) & ELEMENT_CHECKED) != 0;
    struct element_change change = { .verb = ELEMENT_EXPAND };
    struct element_outcome out;

    (void)state;
    assert_false(
        stage.ops->elements->act(stage.desktop, stage_deadline(), id, &change, &out, &stage.err));
    assert_string_equal(stage.err.code, "not_supported");
    assert_true(((states_of(id) & ELEMENT_CHECKED) != 0) == before);
}

/* "press" opens a combo box, and is the usual action of a button; GTK has one name for opening and
 * closing. */
static void openers_are_told_by_what_they_are_on(void **state)
{
    static const char both[] = "press\nExpand\ncollapse";
    char *name = element_best_opener(both, true, ELEMENT_TREE_ITEM, ELEMENT_EXPANDABLE);

    (void)state;
    assert_string_equal(name, "Expand");
    free(name);
    name = element_best_opener(both, false, ELEMENT_TREE_ITEM, ELEMENT_EXPANDABLE);
    assert_string_equal(name, "collapse");
    free(name);
    name = element_best_opener("press\nshowMenu", true, ELEMENT_COMBO, 0);
    assert_string_equal(name, "showMenu");
    free(name);
    assert_null(element_best_opener("press", true, ELEMENT_BUTTON, 0));
    assert_null(element_best_opener("showMenu", true, ELEMENT_TREE_ITEM, ELEMENT_EXPANDABLE));
    assert_null(element_best_opener("activate", true, ELEMENT_ENTRY, ELEMENT_HAS_POPUP));
    assert_null(element_best_opener("", true, ELEMENT_COMBO, 0));
    assert_null(element_best_opener(NULL, true, ELEMENT_COMBO, 0));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(what_opens_is_opened_and_closed),
        TEST(what_does_not_open_says_so),
        TEST(openers_are_told_by_what_they_are_on),
    };

    return elements_run_tests(tests, countof(tests));
}
