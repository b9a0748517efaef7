/* The stage for tests of elements, on the desktop that is tested.
 *
 * On the fake it is its settings window. Elsewhere it is the program that PERIGEE_TEST_ELEMENTS
 * names: one with a check box, radio buttons, an entry, a number and a push button, as
 * gtk3-widget-factory; without it nothing runs there. */
#ifndef PERIGEE_TESTS_ELEMENTS_RUN_H
#define PERIGEE_TESTS_ELEMENTS_RUN_H

#include "platform_run.h"

static int app; /* the process under test */

static int elements_start(void **state)
{
    const char *program = getenv("PERIGEE_TEST_ELEMENTS");

    if (stage_start(state) != 0)
        return -1;
    if (stage.ops->elements->ready && !stage.ops->elements->ready(&stage.err))
        return -1;
    if (stage.fake) {
        app = fake_add_app(stage.fake, "Settings", "org.perigee.Settings");
        fake_add_window(stage.fake, app, "Settings", (struct rect){ 100, 100, 640, 480 });
    } else if (program) {
        app = stage_spawn((const char *[]){ program, NULL }, "program");
    }
    return 0;
}

/* Reads a tree with values, bounds and actions; waits until the application has reported it. */
static struct element_tree read_tree(struct element_query query)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    struct element_tree tree;

    if (!query.pid && !query.root)
        query.pid = app;
    query.bounds = query.values = query.actions = true;
    while (!stage.ops->elements->tree(stage.desktop, stage_deadline(), &query, &tree, &stage.err) ||
           tree.count < 2) {
        element_tree_free(&tree);
        if (stage.fake || !deadline_wait(&deadline, -1, deadline_now() + 20, &stage.err))
            fail_msg("no tree: %s", stage.err.text);
    }
    return tree;
}

static bool is_sensitive(const struct element_info *node)
{
    return (node->states & ELEMENT_ENABLED) && (node->states & ELEMENT_SHOWN);
}

/* The first element of this role that takes input, with all these states and abilities. */
static struct element_info *first(const struct element_tree *tree, enum element_role role,
                                  unsigned states, unsigned abilities)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct element_info *node = &tree->items[i];

        if (node->role == role && is_sensitive(node) && (node->states & states) == states &&
            (node->abilities & abilities) == abilities)
            return node;
    }
    fail_msg("the stage has no %s", element_role_name(role));
    return NULL;
}

static uint64_t id_of(enum element_role role, unsigned states, unsigned abilities)
{
    struct element_tree tree = read_tree((struct element_query){ 0 });
    uint64_t id = first(&tree, role, states, abilities)->id;

    element_tree_free(&tree);
    return id;
}

static struct element_tree get_one(uint64_t id)
{
    struct element_tree tree;

    assert_ok(stage.ops->elements->get(stage.desktop, stage_deadline(), &id, 1, &tree, &stage.err));
    assert_int_equal(tree.count, 1);
    return tree;
}

static unsigned states_of(uint64_t id)
{
    struct element_tree tree = get_one(id);
    unsigned states = tree.items[0].states;

    element_tree_free(&tree);
    return states;
}

/* Waits for a state: toolkits act a moment after they have answered. */
static void await_state(uint64_t id, unsigned state, bool set)
{
    struct deadline deadline = deadline_of(STAGE_MS);

    while (((states_of(id) & state) != 0) != set) {
        if (!deadline_wait(&deadline, -1, deadline_now() + 5, &stage.err))
            fail_msg("the state did not come");
    }
}

static struct element_outcome act(uint64_t id, struct element_change change)
{
    struct element_outcome out;

    assert_ok(
        stage.ops->elements->act(stage.desktop, stage_deadline(), id, &change, &out, &stage.err));
    return out;
}

/* Presses an element by its first action. */
static inline void press(uint64_t id)
{
    struct element_tree tree = get_one(id);
    char *name = mem_strndup(tree.items[0].actions, strcspn(tree.items[0].actions, "\n"));

    element_tree_free(&tree);
    assert_true(act(id, (struct element_change){ .verb = ELEMENT_DO, .name = name }).agreed);
    free(name);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, elements_start, stage_end)

static int elements_run_tests(const struct CMUnitTest *tests, size_t count)
{
    const char *which = getenv("PERIGEE_TEST_DESKTOP");

    if (which && strcmp(which, "fake") != 0 && !getenv("PERIGEE_TEST_ELEMENTS")) {
        printf("1..0 # SKIP PERIGEE_TEST_ELEMENTS names no program\n");
        return 0;
    }
    return stage_run_tests(tests, count);
}

#endif
