/* Elements of the macOS backend on the simulation: what AX has beside what the tests of all
 * desktops (platform_elements_test.c) ask for, and its faults. */
#include <pthread.h>

#include "backend_run.h"

static int app; /* process id; the elements are its Settings window's */

static int start(void **state)
{
    if (stage_start(state) != 0)
        return -1;
    app = fake_add_app(stage.fake, "Settings", "org.perigee.Settings");
    fake_add_window(stage.fake, app, "Settings", (struct rect){ 100, 100, 640, 480 });
    return 0;
}

static int add_editor(void)
{
    int pid = fake_add_app(stage.fake, "Text Editor", "org.perigee.TextEditor");

    fake_add_window(stage.fake, pid, "draft.txt", (struct rect){ 200, 200, 640, 480 });
    return pid;
}

static bool try_tree(struct element_query query, uint64_t ms, struct element_tree *out)
{
    struct deadline deadline = deadline_of(ms);

    query.bounds = query.values = query.actions = true;
    return stage.ops->elements->tree(stage.desktop, &deadline, &query, out, &stage.err);
}

static struct element_tree read_tree(struct element_query query)
{
    struct element_tree tree;

    assert_ok(try_tree(query, STAGE_MS, &tree));
    return tree;
}

static const struct element_info *find(const struct element_tree *tree, enum element_role role,
                                       const char *name)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i].role == role && (!name || strcmp(tree->items[i].name, name) == 0))
            return &tree->items[i];
    }
    return NULL;
}

static uint64_t id_of(struct element_query query, enum element_role role, const char *name)
{
    struct element_tree tree = read_tree(query);
    const struct element_info *found = find(&tree, role, name);
    uint64_t id = found ? found->id : 0;

    element_tree_free(&tree);
    assert_true(id != 0);
    return id;
}

static struct element_outcome act(uint64_t id, struct element_change change)
{
    struct element_outcome out;

    assert_ok(
        stage.ops->elements->act(stage.desktop, stage_deadline(), id, &change, &out, &stage.err));
    return out;
}

static struct element_outcome press(uint64_t id)
{
    return act(id, (struct element_change){ .verb = ELEMENT_DO, .name = "press" });
}

/* AppKit answers only when the menu is closed again. */
static void open_menu(uint64_t id)
{
    struct element_change change = { .verb = ELEMENT_DO, .name = "press" };
    struct element_outcome out;
    uint64_t began = deadline_now();

    assert_fails(
        stage.ops->elements->act(stage.desktop, stage_deadline(), id, &change, &out, &stage.err),
        "app_hung");
    assert_true(deadline_now() - began < 900);
}

static struct element_info get(uint64_t id)
{
    struct element_tree tree;
    struct element_info info;

    assert_ok(stage.ops->elements->get(stage.desktop, stage_deadline(), &id, 1, &tree, &stage.err));
    info = tree.items[0];
    tree.items[0] = (struct element_info){ 0 };
    element_tree_free(&tree);
    return info;
}

static unsigned states_of(uint64_t id)
{
    struct element_info info = get(id);
    unsigned states = info.states;

    element_info_free(&info);
    return states;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void most_elements_cost_one_question_or_two(void **state)
{
    struct element_tree tree;
    int before;

    (void)state;
    tree = read_tree((struct element_query){ .pid = app });
    element_tree_free(&tree);
    before = sim_questions();
    assert_ok(stage.ops->elements->tree(stage.desktop, stage_deadline(),
                                        &(struct element_query){ .pid = app }, &tree, &stage.err));
    assert_true(tree.count > 40);
    assert_true((size_t)(sim_questions() - before) < tree.count * 2);
    element_tree_free(&tree);
}

static void a_window_without_a_number_is_known_by_its_frame_and_title(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ .pid = app });
    uint64_t window = tree.items[0].window;

    (void)state;
    assert_true(window != 0);
    element_tree_free(&tree);
    sim_hide_numbers(true);
    tree = read_tree((struct element_query){ .pid = app });
    assert_int_equal(tree.items[0].window, window);
    element_tree_free(&tree);
}

static void actions_of_the_applications_own_are_not_offered(void **state)
{
    struct element_tree tree = read_tree((struct element_query){ .pid = add_editor() });
    const struct element_info *text = find(&tree, ELEMENT_TEXT, NULL);

    (void)state;
    assert_non_null(text);
    assert_string_equal(text->actions, "showMenu");
    element_tree_free(&tree);
}

static void an_action_has_both_its_names(void **state)
{
    uint64_t id = id_of((struct element_query){ .pid = app }, ELEMENT_CHECK, "Wrap long lines");
    struct element_change change = { .verb = ELEMENT_DO, .name = "AXPress" };

    (void)state;
    assert_string_equal(act(id, change).route, "ax action AXPress");
    assert_true(states_of(id) & ELEMENT_CHECKED);
    assert_string_equal(press(id).route, "ax action press");
    assert_false(states_of(id) & ELEMENT_CHECKED);
}

/* A row has no name of its own: the text in it has. */
static void a_row_is_called_as_the_text_in_it(void **state)
{
    int files = fake_add_app(stage.fake, "Files", "org.perigee.Files");
    struct element_query query = { .pid = files };
    struct element_info info;
    uint64_t row;

    (void)state;
    fake_add_window(stage.fake, files, "Home", (struct rect){ 80, 60, 800, 600 });
    row = id_of(query, ELEMENT_TREE_ITEM, "Home");
    info = get(row);
    assert_string_equal(info.name, "Home");
    assert_string_equal(info.actions, "showMenu\nexpand");
    element_info_free(&info);
    act(row, (struct element_change){ .verb = ELEMENT_DO, .name = "expand" });
    assert_true(states_of(row) & ELEMENT_EXPANDED);
    id_of(query, ELEMENT_TREE_ITEM, "Documents");
}

/* --- menus ------------------------------------------------------------------------------------ */

static void a_menu_shows_its_items_while_it_is_open(void **state)
{
    struct element_query query = { .pid = add_editor() },
                         all = { .pid = query.pid, .hidden = true };
    uint64_t menu = id_of(query, ELEMENT_MENU, "View");
    uint64_t item = id_of(all, ELEMENT_MENU, "Zoom");
    struct element_tree tree = read_tree(query);

    (void)state;
    assert_null(find(&tree, ELEMENT_MENU, "Zoom"));
    assert_int_equal(find(&tree, ELEMENT_MENU_BAR, NULL)->window, 0);
    element_tree_free(&tree);
    assert_false(states_of(item) & ELEMENT_SHOWN);
    open_menu(menu);
    assert_true(states_of(menu) & ELEMENT_EXPANDED);
    assert_true(states_of(item) & ELEMENT_SHOWN);
    tree = read_tree(query);
    assert_non_null(find(&tree, ELEMENT_MENU, "Zoom"));
    element_tree_free(&tree);
}

static void an_item_that_was_checked_stays_a_check_item(void **state)
{
    struct element_query query = { .pid = add_editor(), .hidden = true };
    uint64_t item = id_of(query, ELEMENT_CHECK_ITEM, "Toolbar");
    struct element_info info;

    (void)state;
    assert_true(states_of(item) & ELEMENT_CHECKED);
    press(item);
    info = get(item);
    assert_int_equal(info.role, ELEMENT_CHECK_ITEM);
    assert_true((info.states & (ELEMENT_CHECKABLE | ELEMENT_CHECKED)) == ELEMENT_CHECKABLE);
    element_info_free(&info);
    assert_int_equal(id_of(query, ELEMENT_CHECK_ITEM, "Toolbar"), item);
}

static void the_list_of_a_pop_up_button_is_there_while_it_is_open(void **state)
{
    struct element_query query = { .pid = app, .hidden = true };
    struct element_tree tree = read_tree(query);
    uint64_t box = find(&tree, ELEMENT_COMBO, NULL)->id;

    (void)state;
    assert_null(find(&tree, ELEMENT_MENU_ITEM, "Monospace"));
    element_tree_free(&tree);
    open_menu(box);
    press(id_of(query, ELEMENT_MENU_ITEM, "Monospace"));
    tree = read_tree(query);
    assert_string_equal(find(&tree, ELEMENT_COMBO, NULL)->value, "Monospace");
    element_tree_free(&tree);
}

/* --- applications with faults ------------------------------------------------------------------
 */

static void a_hung_application_is_a_clear_answer_in_time(void **state)
{
    struct element_query query = { .pid = app };
    uint64_t began = deadline_now(), id = id_of(query, ELEMENT_CHECK, NULL);
    struct element_change change = { .verb = ELEMENT_FOCUS };
    struct deadline deadline;
    struct element_outcome out;
    struct element_tree tree;

    (void)state;
    sim_hang(app);
    assert_false(try_tree(query, 200, &tree));
    assert_string_equal(stage.err.code, "app_hung");
    deadline = deadline_of(500);
    assert_false(stage.ops->elements->act(stage.desktop, &deadline, id, &change, &out, &stage.err));
    assert_string_equal(stage.err.code, "app_hung");
    assert_true(deadline_now() - began < 5000);
}

static void *read_hung(void *arg)
{
    struct element_tree tree;
    struct error err;
    struct deadline deadline = deadline_of(900);
    struct element_query query = { .pid = app };

    *(bool *)arg = stage.ops->elements->tree(stage.desktop, &deadline, &query, &tree, &err);
    return NULL;
}

static void a_hung_application_does_not_hold_up_another(void **state)
{
    int editor = add_editor();
    bool read = true;
    pthread_t thread;
    uint64_t began;

    (void)state;
    sim_hang(app);
    assert_int_equal(pthread_create(&thread, NULL, read_hung, &read), 0);
    began = deadline_now();
    id_of((struct element_query){ .pid = editor }, ELEMENT_TEXT, NULL);
    assert_true(deadline_now() - began < 800);
    pthread_join(thread, NULL);
    assert_false(read);
}

static void *listen_to_hung(void *arg)
{
    struct element_events events;
    struct error err;
    struct deadline deadline = deadline_of(900);

    *(bool *)arg = stage.ops->elements->events(stage.desktop, &deadline, app, 0, 0, &events, &err);
    return NULL;
}

static void a_hung_application_does_not_hold_up_the_events_of_another(void **state)
{
    int editor = add_editor();
    struct element_events events;
    bool listens = true;
    pthread_t thread;
    uint64_t began;

    (void)state;
    sim_hang(app);
    assert_int_equal(pthread_create(&thread, NULL, listen_to_hung, &listens), 0);
    began = deadline_now();
    assert_ok(stage.ops->elements->events(stage.desktop, stage_deadline(), editor, 0, 0, &events,
                                          &stage.err));
    assert_true(deadline_now() - began < 800);
    pthread_join(thread, NULL);
    assert_false(listens);
}

static void what_a_slow_application_told_in_time_is_kept(void **state)
{
    struct element_tree tree;

    (void)state;
    sim_slow(app, 20);
    assert_ok(try_tree((struct element_query){ .pid = app }, 400, &tree));
    assert_true(tree.cut);
    assert_in_range(tree.count, 1, 30);
    element_tree_free(&tree);
}

static void without_the_permission_the_error_says_where_it_is_granted(void **state)
{
    struct element_tree tree;

    (void)state;
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    assert_false(try_tree((struct element_query){ .pid = app }, STAGE_MS, &tree));
    assert_string_equal(stage.err.code, "permission_denied_access");
    assert_non_null(strstr(stage.err.text, "Accessibility"));
}

/* --- the field that has the keyboard --------------------------------------------------------- */

static bool try_field(struct element_field_query query, uint64_t ms, struct element_field *out)
{
    struct deadline deadline = deadline_of(ms);

    return stage.ops->elements->field(stage.desktop, &deadline, &query, out, &stage.err);
}

static void focus(enum element_role role)
{
    act(id_of((struct element_query){ .pid = app }, role, NULL),
        (struct element_change){ .verb = ELEMENT_FOCUS });
}

static void a_field_counts_characters_and_not_units(void **state)
{
    struct element_field field;

    (void)state;
    focus(ELEMENT_ENTRY);
    act(id_of((struct element_query){ .pid = app }, ELEMENT_ENTRY, NULL),
        (struct element_change){ .verb = ELEMENT_SET_TEXT,
                                 .text = STR("\xf0\x9f\x98\x80\xf0\x9f\x98\x80 a") });
    assert_ok(try_field((struct element_field_query){ .before = 3 }, STAGE_MS, &field));
    assert_int_equal(field.finding, FIELD_FOUND);
    assert_int_equal(field.length, 4);
    assert_int_equal(field.window, 0); /* AX names none */
    element_field_free(&field);
    assert_ok(
        try_field((struct element_field_query){ .id = id_of((struct element_query){ .pid = app },
                                                            ELEMENT_ENTRY, NULL),
                                                .again = true,
                                                .from = 1,
                                                .rest = 2,
                                                .before = 5,
                                                .behind = 1 },
                  STAGE_MS, &field));
    assert_string_equal(field.before, "\xf0\x9f\x98\x80");
    assert_string_equal(field.text, "\xf0\x9f\x98\x80");
    assert_string_equal(field.behind, " ");
    element_field_free(&field);
}

static void a_password_is_found_and_not_read(void **state)
{
    struct element_field field;

    (void)state;
    focus(ELEMENT_PASSWORD);
    assert_ok(try_field((struct element_field_query){ .before = 3 }, STAGE_MS, &field));
    assert_int_equal(field.finding, FIELD_FOUND);
    assert_false(field.readable);
    assert_null(field.before);
    assert_null(field.behind);
    element_field_free(&field);
}

/* AX says of a terminal too that its value cannot be set, and it takes keys. */
static void what_is_no_field_of_text_is_not_judged(void **state)
{
    struct element_field field;

    (void)state;
    focus(ELEMENT_CHECK);
    assert_ok(try_field((struct element_field_query){ 0 }, STAGE_MS, &field));
    assert_int_equal(field.finding, FIELD_UNKNOWN);
    assert_int_equal(field.pid, app);
}

static void a_field_of_a_hung_application_is_a_clear_answer_in_time(void **state)
{
    uint64_t began, id;
    struct element_field field;

    (void)state;
    focus(ELEMENT_ENTRY);
    id = id_of((struct element_query){ .pid = app }, ELEMENT_ENTRY, NULL);
    began = deadline_now();
    sim_hang(app);
    assert_false(try_field((struct element_field_query){ 0 }, 200, &field));
    assert_string_equal(stage.err.code, "app_hung");
    assert_false(try_field((struct element_field_query){ .id = id }, 200, &field));
    assert_string_equal(stage.err.code, "app_hung");
    assert_true(deadline_now() - began < 5000);
}

static void without_the_permission_no_field_is_read(void **state)
{
    struct element_field field;

    (void)state;
    sim_deny(PERMISSION_ACCESSIBILITY, true);
    assert_false(try_field((struct element_field_query){ 0 }, STAGE_MS, &field));
    assert_string_equal(stage.err.code, "permission_denied_access");
}

/* Types where the keyboard is. */
static bool is_seen_to_arrive(const char *text)
{
    struct input input = { .kind = INPUT_TEXT, .text = str_from(text) };
    struct input_outcome out;

    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err));
    return out.settled;
}

static void typed_text_is_looked_for_in_a_field_that_shows_it(void **state)
{
    (void)state;
    focus(ELEMENT_ENTRY);
    assert_true(is_seen_to_arrive("read back"));
    focus(ELEMENT_PASSWORD);
    assert_false(is_seen_to_arrive("not read"));
    focus(ELEMENT_ENTRY);
    sim_hang(app);
    assert_false(is_seen_to_arrive("not told"));
    sim_hang(0);
    app = add_editor();
    focus(ELEMENT_TEXT);
    assert_true(is_seen_to_arrive("read back\r\nby lines"));
}

static void errors_of_elements_are_told_apart(void **state)
{
    static const struct {
        AXError error;
        const char *code;
    } cases[] = {
        { kAXErrorCannotComplete, "no_tree" }, /* at once: it does not hang, but has none */
        { kAXErrorAPIDisabled, "permission_denied_access" },
        { kAXErrorInvalidUIElement, "element_gone" },
        { kAXErrorNotImplemented, "not_supported" },
        { kAXErrorAttributeUnsupported, "not_supported" },
    };
    uint64_t id = id_of((struct element_query){ .pid = app }, ELEMENT_LABEL, NULL);

    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct element_text text;

        sim_fail(app, cases[i].error);
        assert_fails(stage.ops->elements->text(stage.desktop, stage_deadline(), id, 0, -1, &text,
                                               &stage.err),
                     cases[i].code);
    }
}

static void an_application_that_ended_is_gone(void **state)
{
    uint64_t id = id_of((struct element_query){ .pid = app }, ELEMENT_CHECK, NULL);
    struct element_events events;
    struct app_outcome out;
    struct element_info info;
    struct element_tree tree;

    (void)state;
    assert_ok(stage.ops->elements->events(stage.desktop, stage_deadline(), app, 0, 0, &events,
                                          &stage.err));
    assert_ok(
        stage.ops->apps->quit(stage.desktop, stage_deadline(), app, 0, true, &out, &stage.err));
    info = get(id);
    assert_true(info.gone);
    element_info_free(&info);
    assert_false(try_tree((struct element_query){ .pid = app }, STAGE_MS, &tree));
    assert_string_equal(stage.err.code, "app_not_found");
    assert_ok(stage.ops->elements->events(stage.desktop, stage_deadline(), 0, events.next, 0,
                                          &events, &stage.err));
    assert_true(events.count > 0);
    assert_int_equal(events.items[events.count - 1].kind, ELEMENT_EVENT_GONE);
    element_events_free(&events);
}

/* --- Electron -----------------------------------------------------------------------------------
 */

static void pages_are_asked_for_and_waited_for(void **state)
{
    struct element_tree tree;

    (void)state;
    sim_electron(app, 3, true);
    tree = read_tree((struct element_query){ .pid = app });
    assert_non_null(find(&tree, ELEMENT_CHECK, NULL));
    element_tree_free(&tree);
}

static void who_does_not_agree_to_tell_of_pages_may_tell_of_them_later(void **state)
{
    struct element_tree tree;

    (void)state;
    sim_electron(app, 1, false);
    assert_false(try_tree((struct element_query){ .pid = app }, STAGE_MS, &tree));
    assert_string_equal(stage.err.code, "no_tree");
    assert_non_null(strstr(stage.err.text, "--force-renderer-accessibility"));
    tree = read_tree((struct element_query){ .pid = app });
    assert_non_null(find(&tree, ELEMENT_CHECK, NULL));
    element_tree_free(&tree);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stage_end)
    const struct CMUnitTest tests[] = {
        TEST(most_elements_cost_one_question_or_two),
        TEST(a_window_without_a_number_is_known_by_its_frame_and_title),
        TEST(actions_of_the_applications_own_are_not_offered),
        TEST(an_action_has_both_its_names),
        TEST(a_row_is_called_as_the_text_in_it),
        TEST(a_menu_shows_its_items_while_it_is_open),
        TEST(an_item_that_was_checked_stays_a_check_item),
        TEST(the_list_of_a_pop_up_button_is_there_while_it_is_open),
        TEST(a_hung_application_is_a_clear_answer_in_time),
        TEST(a_hung_application_does_not_hold_up_another),
        TEST(a_hung_application_does_not_hold_up_the_events_of_another),
        TEST(what_a_slow_application_told_in_time_is_kept),
        TEST(without_the_permission_the_error_says_where_it_is_granted),
        TEST(a_field_counts_characters_and_not_units),
        TEST(a_password_is_found_and_not_read),
        TEST(what_is_no_field_of_text_is_not_judged),
        TEST(a_field_of_a_hung_application_is_a_clear_answer_in_time),
        TEST(without_the_permission_no_field_is_read),
        TEST(typed_text_is_looked_for_in_a_field_that_shows_it),
        TEST(errors_of_elements_are_told_apart),
        TEST(an_application_that_ended_is_gone),
        TEST(pages_are_asked_for_and_waited_for),
        TEST(who_does_not_agree_to_tell_of_pages_may_tell_of_them_later),
    };

    return cmocka_run_group_tests_name("backend_element", tests, NULL, NULL);
}
