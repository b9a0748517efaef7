/* The fake as a copy of another desktop, which is a fake here, too: actions on the copy do not
 * reach the other one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "platform/fake/fake.h"
#include "platform/fake/mirror.h"

static struct fake *copy;
static struct desktop *real, *dry;
static const struct platform_ops *ops;
static struct error err;
static struct deadline none = { .wake_fd = -1 };

static int start(void **state)
{
    (void)state;
    copy = fake_mirror_new(&perigee_fake);
    ops = fake_mirror_ops(copy);
    dry = ops->open(copy, &err);
    real = perigee_fake.open(copy->mirror->shared, &err);
    assert_non_null(dry);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ops->close(dry);
    perigee_fake.close(real);
    fake_free(copy);
    return 0;
}

static struct window_info front(struct desktop *desktop)
{
    struct window_list list;
    struct window_info found;

    assert_true(ops->windows->list(desktop, &none, NULL, &list, &err));
    found = list.items[0];
    list.items[0] = (struct window_info){ 0 };
    window_list_free(&list);
    return found;
}

static void assert_same(const struct window_info *a, const struct window_info *b)
{
    assert_int_equal(a->ref.id, b->ref.id);
    assert_int_equal(a->ref.pid, b->ref.pid);
    assert_string_equal(a->title, b->title);
    assert_memory_equal(&a->frame, &b->frame, sizeof a->frame);
    assert_memory_equal(&a->content, &b->content, sizeof a->content);
    assert_int_equal(a->focused, b->focused);
}

static void a_copy_shows_what_the_other_desktop_has(void **state)
{
    struct window_info here = front(dry), there = front(real);
    struct display_list displays, others;

    (void)state;
    assert_same(&here, &there);
    window_info_free(&here);
    window_info_free(&there);
    assert_true(ops->displays->list(dry, &none, &displays, &err));
    assert_true(ops->displays->list(real, &none, &others, &err));
    assert_int_equal(displays.count, 2);
    assert_int_equal(displays.items[1].id, others.items[1].id);
    assert_true(displays.items[1].scale == others.items[1].scale);
    display_list_free(&displays);
    display_list_free(&others);
}

static void a_window_moves_only_in_the_copy(void **state)
{
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 11, 22, 0, 0 } };
    struct window_info before = front(real), after;
    struct window_outcome outcome;

    (void)state;
    assert_true(ops->windows->act(dry, &none, &before.ref, &change, &outcome, &err));
    assert_true(outcome.after.x == 11 && outcome.after.y == 22);
    after = front(real);
    assert_same(&after, &before);
    window_info_free(&before);
    window_info_free(&after);
}

static const struct element_info *find(const struct element_tree *tree, enum element_role role)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i].role == role)
            return &tree->items[i];
    }
    fail_msg("no %s", element_role_name(role));
    return NULL;
}

static struct element_tree read_tree(struct desktop *desktop)
{
    struct window_info window = front(desktop);
    struct element_query query = {
        .pid = window.ref.pid, .bounds = true, .values = true, .actions = true
    };
    struct element_tree tree;

    assert_true(ops->elements->tree(desktop, &none, &query, &tree, &err));
    window_info_free(&window);
    return tree;
}

static void a_text_is_written_only_in_the_copy(void **state)
{
    struct element_change change = { .verb = ELEMENT_SET_TEXT, .text = STR("dry") };
    struct element_tree here = read_tree(dry), there = read_tree(real);
    const struct element_info *text = find(&here, ELEMENT_TEXT);
    struct element_outcome outcome;

    (void)state;
    assert_int_equal(here.count, there.count);
    assert_int_equal(text->id, find(&there, ELEMENT_TEXT)->id);
    assert_memory_equal(&text->bounds, &find(&there, ELEMENT_TEXT)->bounds, sizeof text->bounds);
    assert_true(ops->elements->act(dry, &none, text->id, &change, &outcome, &err));
    element_tree_free(&here);
    element_tree_free(&there);
    here = read_tree(dry);
    there = read_tree(real);
    assert_string_equal(find(&here, ELEMENT_TEXT)->value, "dry");
    assert_string_equal(find(&there, ELEMENT_TEXT)->value, "");
    element_tree_free(&here);
    element_tree_free(&there);
}

/* The application's own reaction is not known. */
static void a_button_is_pressed_and_nothing_comes_of_it(void **state)
{
    struct element_tree tree = read_tree(dry);
    struct element_change change = { .verb = ELEMENT_DO, .name = "click" };
    struct element_outcome outcome;
    size_t count = tree.count;

    (void)state;
    assert_true(
        ops->elements->act(dry, &none, find(&tree, ELEMENT_BUTTON)->id, &change, &outcome, &err));
    assert_true(outcome.agreed);
    element_tree_free(&tree);
    tree = read_tree(dry);
    assert_int_equal(tree.count, count);
    element_tree_free(&tree);
}

static void an_application_is_opened_only_in_the_copy(void **state)
{
    struct app_open what = { .name = "Calculator" };
    struct element_query query = { 0 };
    struct element_tree tree;
    struct app_opened opened;
    struct app_list apps;

    (void)state;
    assert_true(ops->apps->open(dry, &none, &what, &opened, &err));
    assert_int_not_equal(opened.window.id, 0);
    query.pid = opened.app.pid;
    assert_false(ops->elements->tree(dry, &none, &query, &tree, &err));
    assert_string_equal(err.code, "no_tree");
    app_opened_free(&opened);
    assert_true(ops->apps->list(real, &none, &apps, &err));
    assert_int_equal(apps.count, 2);
    app_list_free(&apps);
}

static void a_picture_is_of_the_other_desktop(void **state)
{
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 11, 22, 0, 0 } };
    struct window_info window = front(dry);
    struct capture what = { .kind = CAPTURE_WINDOW, .window = window.ref };
    struct window_outcome outcome;
    struct picture picture;

    (void)state;
    assert_true(ops->windows->act(dry, &none, &window.ref, &change, &outcome, &err));
    assert_true(ops->capture->take(dry, &none, &what, &picture, &err));
    assert_int_equal(picture.image.width, window.frame.width * picture.scale);
    assert_true(picture.origin.x == 11 && picture.origin.y == 22);
    picture_free(&picture);
    window_info_free(&window);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
    static const struct CMUnitTest tests[] = {
        TEST(a_copy_shows_what_the_other_desktop_has),
        TEST(a_window_moves_only_in_the_copy),
        TEST(a_text_is_written_only_in_the_copy),
        TEST(a_button_is_pressed_and_nothing_comes_of_it),
        TEST(an_application_is_opened_only_in_the_copy),
        TEST(a_picture_is_of_the_other_desktop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
