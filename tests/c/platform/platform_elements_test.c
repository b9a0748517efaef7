/* Elements, on the desktop that is tested: the stage is that of elements_run.h. */
#include "elements_run.h"

/* --- reading ----------------------------------------------------------------------- */

static size_t place_of(const struct element_tree *tree, uint64_t id)
{
    size_t at = 0;

    while (at < tree->count && tree->items[at].id != id)
        at++;
    return at;
}

static void a_tree_has_parents_before_children(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });

    (void)state;
    for (size_t i = 0; i < tree.count; i++) {
        const struct element_info *node = &tree.items[i];
        size_t parent = place_of(&tree, node->parent);

        assert_int_equal(place_of(&tree, node->id), i); /* no id twice */
        assert_non_null(node->name);
        assert_non_null(node->value);
        assert_non_null(node->native);
        assert_true(node->children < 0 || node->listed <= node->children);
        if (node->depth == 0)
            continue;
        assert_true(parent < i);
        assert_int_equal(tree.items[parent].depth + 1, node->depth);
    }
    assert_false(tree.cut); /* even if two have the same child, as popovers of GTK 3 */
    element_tree_free(&tree);
}

static void a_budget_cuts_a_tree_and_says_so(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ .nodes = 5 });

    (void)state;
    assert_int_equal(tree.count, 5);
    assert_true(tree.cut);
    element_tree_free(&tree);
    tree = read_tree((struct element_query){ .depth = 1 });
    assert_true(tree.cut);
    for (size_t i = 0; i < tree.count; i++)
        assert_in_range(tree.items[i].depth, 0, 1);
    element_tree_free(&tree);
    tree = read_tree((struct element_query){ .children = 2 });
    assert_true(tree.cut);
    for (size_t i = 0; i < tree.count; i++)
        assert_in_range(tree.items[i].listed, 0, 2);
    element_tree_free(&tree);
}

static void a_tree_below_an_element_begins_with_it(void **state)
{
    struct element_tree all = read_tree((struct element_query){ 0 }), part;
    struct element_info *list = NULL;

    (void)state;
    for (size_t i = 1; i < all.count; i++)
        list = all.items[i].listed > 1 ? &all.items[i] : list;
    assert_non_null(list);
    if (!list)
        return;
    part = read_tree((struct element_query){ .root = list->id });
    assert_int_equal(part.items[0].id, list->id);
    assert_int_equal(part.items[0].depth, 0);
    assert_int_equal(part.items[1].parent, list->id);
    assert_true(part.count < all.count);
    element_tree_free(&part);
    element_tree_free(&all);
}

static void a_window_is_read_alone(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 }), one;
    uint64_t window = tree.items[1].window; /* the first may be the application */

    (void)state;
    assert_true(window != 0);
    one = read_tree((struct element_query){ .pid = app, .window = window });
    for (size_t i = 0; i < one.count; i++)
        assert_true(one.items[i].role == ELEMENT_APPLICATION || one.items[i].window == window);
    element_tree_free(&one);
    element_tree_free(&tree);
}

static void elements_are_read_again_in_the_same_order(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 }), again;
    uint64_t ids[3] = { tree.items[1].id, UINT64_MAX - 1, tree.items[0].id };

    (void)state;
    assert_ok(
        stage.ops->elements->get(stage.desktop, stage_deadline(), ids, 3, &again, &stage.err));
    assert_int_equal(again.count, 3);
    assert_string_equal(again.items[0].name, tree.items[1].name);
    assert_int_equal(again.items[0].role, tree.items[1].role);
    assert_true(again.items[1].gone);
    assert_int_equal(again.items[1].id, ids[1]);
    assert_int_equal(again.items[2].id, ids[2]);
    element_tree_free(&again);
    element_tree_free(&tree);
}

static void the_element_at_a_point_is_the_one_that_is_seen_there(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });
    struct element_info *button = first(&tree, ELEMENT_BUTTON, 0, ELEMENT_CAN_ACT);
    struct point centre = { button->bounds.x + button->bounds.width / 2,
                            button->bounds.y + button->bounds.height / 2 };
    uint64_t id;

    (void)state;
    assert_true(button->placed);
    assert_ok(
        stage.ops->elements->at(stage.desktop, stage_deadline(), app, centre, &id, &stage.err));
    for (size_t at = place_of(&tree, id); id != button->id;) { /* or an element in it */
        assert_true(at < tree.count);
        id = tree.items[at].parent;
        at = place_of(&tree, id);
    }
    assert_ok(stage.ops->elements->at(stage.desktop, stage_deadline(), app,
                                      (struct point){ -5000, -5000 }, &id, &stage.err));
    assert_int_equal(id, 0);
    element_tree_free(&tree);
}

/* --- acting ------------------------------------------------------------------------ */

static void a_check_box_is_toggled_by_its_action(void **state)
{
    uint64_t id = id_of(ELEMENT_CHECK, 0, ELEMENT_CAN_ACT);
    bool before = (states_of(id) & ELEMENT_CHECKED) != 0;

    (void)state;
    press(id);
    await_state(id, ELEMENT_CHECKED, !before);
    press(id);
    await_state(id, ELEMENT_CHECKED, before);
}

static void one_radio_button_is_on(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });
    struct element_info *on = first(&tree, ELEMENT_RADIO, ELEMENT_CHECKED, ELEMENT_CAN_ACT);
    struct element_info *off = NULL;

    (void)state;
    for (size_t i = 0; i < tree.count; i++) {
        struct element_info *node = &tree.items[i];

        if (node->role == ELEMENT_RADIO && node->parent == on->parent && node != on &&
            is_sensitive(node) && !(node->states & ELEMENT_CHECKED))
            off = node;
    }
    assert_non_null(off);
    if (!off)
        return;
    press(off->id);
    await_state(off->id, ELEMENT_CHECKED, true);
    await_state(on->id, ELEMENT_CHECKED, false);
    element_tree_free(&tree);
}

static void a_number_stays_within_its_limits(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });
    struct element_info *spin = first(&tree, ELEMENT_SPIN, 0, ELEMENT_CAN_COUNT);
    double wanted = spin->least + (spin->step > 0 ? spin->step : 1) * 2;
    struct element_tree now;

    (void)state;
    assert_true(spin->least < spin->most);
    act(spin->id, (struct element_change){ .verb = ELEMENT_SET_NUMBER, .number = wanted });
    now = get_one(spin->id);
    assert_true(now.items[0].number == wanted);
    element_tree_free(&now);
    act(spin->id, (struct element_change){ .verb = ELEMENT_SET_NUMBER, .number = spin->most + 5 });
    now = get_one(spin->id);
    assert_true(now.items[0].number <= spin->most);
    element_tree_free(&now);
    element_tree_free(&tree);
}

static void what_is_off_does_nothing_whatever_it_says(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });

    (void)state;
    for (size_t i = 0; i < tree.count; i++) {
        const struct element_info *node = &tree.items[i];

        if (node->role != ELEMENT_CHECK || (node->states & ELEMENT_ENABLED))
            continue;
        press(node->id);
        assert_int_equal(states_of(node->id) & ELEMENT_CHECKED, node->states & ELEMENT_CHECKED);
        break;
    }
    element_tree_free(&tree);
}

static void what_an_element_cannot_do_is_refused(void **state)
{
    uint64_t button = id_of(ELEMENT_BUTTON, 0, ELEMENT_CAN_ACT);
    struct element_change change = { .verb = ELEMENT_SET_NUMBER, .number = 1 };
    struct element_outcome out;

    (void)state;
    assert_fails(stage.ops->elements->act(stage.desktop, stage_deadline(), button, &change, &out,
                                          &stage.err),
                 "not_supported");
    change = (struct element_change){ .verb = ELEMENT_DO, .name = "no such action" };
    assert_fails(stage.ops->elements->act(stage.desktop, stage_deadline(), button, &change, &out,
                                          &stage.err),
                 "not_supported");
    change = (struct element_change){ .verb = ELEMENT_FOCUS };
    assert_fails(stage.ops->elements->act(stage.desktop, stage_deadline(), UINT64_MAX - 1, &change,
                                          &out, &stage.err),
                 "element_gone");
}

static void a_process_that_does_not_exist_has_no_tree(void **state)
{
    struct element_query query = { .pid = 0x3fffffff };
    struct element_tree tree;

    (void)state;
    assert_false(
        stage.ops->elements->tree(stage.desktop, stage_deadline(), &query, &tree, &stage.err));
    assert_true(*stage.err.code != 0);
}

/* --- events ------------------------------------------------------------------------ */

static struct element_events events(uint64_t since, uint64_t wait_ms)
{
    struct element_events out;

    assert_ok(stage.ops->elements->events(stage.desktop, stage_deadline(), app, since,
                                          deadline_now() + wait_ms, &out, &stage.err));
    return out;
}

static void a_change_is_told_to_those_who_listen(void **state)
{
    uint64_t id = id_of(ELEMENT_CHECK, 0, ELEMENT_CAN_ACT), next;
    struct element_events out = events(0, 0);
    bool told = false;

    (void)state;
    assert_int_equal(out.count, 0);
    next = out.next;
    element_events_free(&out);
    press(id);
    while (!told) {
        out = events(next, STAGE_MS / 2);
        assert_true(out.count > 0);
        assert_int_equal(out.missed, 0);
        for (size_t i = 0; i < out.count; i++) {
            assert_true(out.items[i].number >= next);
            assert_int_equal(out.items[i].pid, app);
            told = told || (out.items[i].id == id && out.items[i].kind == ELEMENT_EVENT_STATE);
        }
        next = out.next;
        element_events_free(&out);
    }
}

static void events_that_were_not_fetched_are_counted(void **state)
{
    enum { PRESSES = ELEMENT_LOG_KEPT + 50 };
    uint64_t id = id_of(ELEMENT_CHECK, 0, ELEMENT_CAN_ACT), next;
    struct element_events out = events(0, 0);

    (void)state;
    next = out.next;
    element_events_free(&out);
    if (!stage_is("fake")) /* a real application takes a while for so many */
        return;
    for (int i = 0; i < PRESSES; i++)
        press(id);
    out = events(next, 0);
    assert_int_equal(out.count + out.missed, PRESSES);
    assert_true(out.missed > 0);
    assert_int_equal(out.items[0].number, next + out.missed);
    element_events_free(&out);
}

/* --- only the fake ----------------------------------------------------------------- */

static void an_application_without_a_tree_says_what_to_do(void **state)
{
    int pid;
    struct element_query query = { 0 };
    struct element_tree tree;

    (void)state;
    if (!stage.fake)
        return;
    pid = fake_add_app(stage.fake, "Calculator", "org.perigee.Calculator");
    fake_add_window(stage.fake, pid, "Calculator", (struct rect){ 100, 100, 300, 400 });
    query.pid = pid;
    assert_fails(
        stage.ops->elements->tree(stage.desktop, stage_deadline(), &query, &tree, &stage.err),
        "no_tree");
}

static void rows_that_were_scrolled_away_are_gone(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ 0 }), now;
    struct element_info *list;
    struct input input = { .kind = INPUT_SCROLL, .lines = { 0, 10 } };
    struct input_outcome out;

    (void)state;
    if (stage.fake) {
        list = first(&tree, ELEMENT_LIST, ELEMENT_VIRTUAL, 0);
        assert_int_equal(list->children, 1000);
        assert_int_equal(list->listed, 12);
        input.at = (struct point){ list->bounds.x + 5, list->bounds.y + 5 };
        assert_ok(
            stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
        now = get_one(list[1].id);
        assert_true(now.items[0].gone);
        element_tree_free(&now);
        now = read_tree((struct element_query){ .root = list->id });
        assert_string_equal(now.items[1].name, "Snippet 31");
        assert_int_equal(now.items[1].index, 30);
        element_tree_free(&now);
    }
    element_tree_free(&tree);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(a_tree_has_parents_before_children),
        TEST(a_budget_cuts_a_tree_and_says_so),
        TEST(a_tree_below_an_element_begins_with_it),
        TEST(a_window_is_read_alone),
        TEST(elements_are_read_again_in_the_same_order),
        TEST(the_element_at_a_point_is_the_one_that_is_seen_there),
        TEST(a_check_box_is_toggled_by_its_action),
        TEST(one_radio_button_is_on),
        TEST(a_number_stays_within_its_limits),
        TEST(what_is_off_does_nothing_whatever_it_says),
        TEST(what_an_element_cannot_do_is_refused),
        TEST(a_process_that_does_not_exist_has_no_tree),
        TEST(a_change_is_told_to_those_who_listen),
        TEST(events_that_were_not_fetched_are_counted),
        TEST(an_application_without_a_tree_says_what_to_do),
        TEST(rows_that_were_scrolled_away_are_gone),
    };
    return elements_run_tests(tests, countof(tests));
}
