/* Applications: opening, finding, activating, quitting, on the desktop that is tested. On X11 they
 * are real programs behind desktop entries of the test's own. */
#include <sys/stat.h>
#include <sys/wait.h>

#include "platform_run.h"

static char *data_folder;

static void add_entry(const char *id, const char *text)
{
    char *path = mem_printf("%s/applications/%s.desktop", data_folder, id);

    assert_ok(file_write_atomic(path, text, strlen(text), 0600, &stage.err));
    free(path);
}

static int apps_start(void **state)
{
    char *folder, *dirs;

    if (stage_start(state) != 0)
        return -1;
    if (stage.fake) {
        fake_add_installed(stage.fake, "Test Editor", "test.Editor", "Editor window");
        fake_add_installed(stage.fake, "Windowless", "test.None", NULL);
        return 0;
    }
    data_folder = mem_printf("%s/data", stage.folder);
    folder = mem_printf("%s/applications", data_folder);
    dirs = mem_printf("%s:/usr/share", data_folder);
    mkdir(data_folder, 0700);
    mkdir(folder, 0700);
    setenv("XDG_DATA_DIRS", dirs, 1);
    add_entry("test.Editor",
              "[Desktop Entry]\nType=Application\nName=Test Editor\nName[de]=Testbearbeiter\n"
              "Exec=xterm -class TestEditor -title \"Editor window\" -e sh -c \"echo \\\\$0 "
              "\\\\$@; cat\" %F\n"
              "Icon=test-icon\nStartupWMClass=TestEditor\n");
    add_entry("test.None", "[Desktop Entry]\nType=Application\nName=Windowless\nExec=true\n");
    add_entry("test.Twin1", "[Desktop Entry]\nType=Application\nName=Twin\nExec=true 1\n");
    add_entry("test.Twin2", "[Desktop Entry]\nType=Application\nName=Twin\nExec=true 2\n");
    add_entry("test.Bad", "[Desktop Entry]\nType=Application\nName=Bad\nExec=\"unclosed\n");
    free(folder);
    free(dirs);
    return 0;
}

static int apps_end(void **state)
{
    struct app_list list;

    /* The opened applications are not our children. */
    if (stage.desktop && stage.ops->apps->list(stage.desktop, stage_deadline(), &list, NULL)) {
        for (size_t i = 0; i < list.count && !stage.fake; i++)
            kill(list.items[i].pid, SIGKILL);
        app_list_free(&list);
    }
    free(data_folder);
    data_folder = NULL;
    return stage_end(state);
}

static struct app_opened stage_open(struct app_open what)
{
    struct app_opened out;

    assert_ok(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err));
    return out;
}

static void an_application_is_opened_and_its_window_awaited(void **state)
{
    struct app_opened out = stage_open((struct app_open){ .name = "Test Editor" });
    struct window_info info;

    (void)state;
    assert_string_equal(out.note, "");
    assert_true(out.window.id != 0 && !out.already);
    assert_string_equal(out.app.name, "Test Editor");
    assert_string_equal(out.app.id, "test.Editor");
    assert_true(out.app.pid > 0 && out.app.started > 0);
    assert_true(stage.fake || strcmp(out.app.icon, "test-icon") == 0);
    info = stage_info(&out.window);
    assert_string_equal(info.title, "Editor window");
    window_info_free(&info);
    app_opened_free(&out);
}

static void one_that_runs_comes_to_the_front(void **state)
{
    struct app_opened first = stage_open((struct app_open){ .name = "test.Editor" }), again;
    struct window_info info;

    (void)state;
    stage_window("over it", (struct rect){ 0, 0, 300, 300 });
    again = stage_open((struct app_open){ .name = "test editor" });
    assert_true(again.already);
    assert_int_equal(again.app.pid, first.app.pid);
    info = stage_info(&first.window);
    assert_true(info.focused);
    window_info_free(&info);
    app_opened_free(&again);
    again = stage_open((struct app_open){ .name = "test.Editor", .fresh = true });
    assert_false(again.already);
    assert_int_not_equal(again.app.pid, first.app.pid);
    app_opened_free(&again);
    app_opened_free(&first);
}

static void one_without_a_window_says_that_none_came(void **state)
{
    struct app_opened out = stage_open((struct app_open){ .name = "Windowless", .wait_ms = 3000 });

    (void)state;
    assert_true(out.window.id == 0);
    assert_non_null(strstr(out.note, "window"));
    assert_true(stage.fake || out.ended);
    app_opened_free(&out);
}

static void what_does_not_exist_is_named(void **state)
{
    struct app_open what = { .name = "no such application" };
    struct app_opened out;

    (void)state;
    assert_fails(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err),
                 "app_not_found");
    if (stage.fake)
        return;
    what.name = "Twin";
    assert_fails(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err),
                 "app_ambiguous");
    assert_non_null(strstr(stage.err.text, "test.Twin1"));
    assert_non_null(strstr(stage.err.text, "test.Twin2"));
    what.name = stage.folder; /* it exists, and can be entered, but not started */
    assert_fails(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err),
                 "app_not_found");
    assert_non_null(strstr(stage.err.text, "not a program that can be started"));
    what.name = ".";
    assert_fails(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err),
                 "app_not_found");
    what.name = "/no/such/program";
    assert_fails(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err),
                 "app_not_found");
    assert_string_equal(stage.err.text, "there is no program \"/no/such/program\"");
    what.name = "Bad";
    assert_fails(stage.ops->apps->open(stage.desktop, stage_deadline(), &what, &out, &stage.err),
                 "launch_failed");
}

static void a_program_is_opened_by_its_path(void **state)
{
    const char *const arguments[] = { "-name", "by path; not a shell", NULL };
    struct app_opened out;
    struct window_info info;

    (void)state;
    out = stage_open((struct app_open){ .name = "/usr/bin/xev", .arguments = arguments });
    info = stage_info(&out.window);
    assert_string_equal(info.title, "by path; not a shell");
    window_info_free(&info);
    app_opened_free(&out);
}

static void an_application_is_opened_by_the_path_of_its_entry(void **state)
{
    struct app_opened out;
    char *path;

    (void)state;
    path = mem_printf("%s/applications/test.Editor.desktop", data_folder);
    out = stage_open((struct app_open){ .name = path });
    assert_true(out.window.id != 0);
    assert_string_equal(out.app.id, "test.Editor");
    app_opened_free(&out);
    free(path);
}

static void running_applications_are_listed_the_active_one_first(void **state)
{
    struct app_opened out = stage_open((struct app_open){ .name = "test.Editor" });
    struct app_list list;

    (void)state;
    stage_window("another", (struct rect){ 0, 0, 300, 300 });
    assert_ok(stage.ops->apps->activate(stage.desktop, stage_deadline(), out.app.pid,
                                        out.app.started, &(struct app_outcome){ 0 }, &stage.err));
    assert_ok(stage.ops->apps->list(stage.desktop, stage_deadline(), &list, &stage.err));
    assert_true(list.count >= 2);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].active, list.items[i].pid == out.app.pid);
        if (list.items[i].pid == out.app.pid) {
            assert_string_equal(list.items[i].name, "Test Editor");
            assert_int_equal(list.items[i].windows, 1);
        }
    }
    app_list_free(&list);
    app_opened_free(&out);
}

static struct app_info *find_app(const struct app_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].id, id) == 0)
            return &list->items[i];
    }
    return NULL;
}

/* As an office: one program, several entries, and windows whose class names their entry. */
static void a_windows_class_decides_between_the_entries_of_one_program(void **state)
{
    struct app_opened out;
    struct app_list list;

    (void)state;
    add_entry("a.Start", "[Desktop Entry]\nType=Application\nName=Start\nExec=xterm\n"
                         "StartupWMClass=test-start\n");
    add_entry("b.Writer", "[Desktop Entry]\nType=Application\nName=Writer\nExec=xterm -w\n"
                          "StartupWMClass=test-writer\n");
    add_entry("c.Slides", "[Desktop Entry]\nType=Application\nName=Slides\n"
                          "Exec=xterm -name xterm -class test-slides -e cat\n"
                          "StartupWMClass=test-slides\n");
    out = stage_open((struct app_open){ .name = "c.Slides" });
    assert_string_equal(out.app.name, "Slides");
    assert_ok(stage.ops->apps->list(stage.desktop, stage_deadline(), &list, &stage.err));
    assert_non_null(find_app(&list, "c.Slides"));
    assert_null(find_app(&list, "a.Start"));
    assert_null(find_app(&list, "b.Writer"));
    app_list_free(&list);
    app_opened_free(&out);
}

static void an_application_without_a_window_is_listed(void **state)
{
    char *program = mem_printf("%s/quiet-app", stage.folder);
    char *command = mem_printf("cp \"$(command -v sleep)\" '%s'", program);
    char *entry = mem_printf(
        "[Desktop Entry]\nType=Application\nName=Quiet\nExec=%s 300\nIcon=quiet\n", program);
    struct app_list list;
    struct app_info *quiet;
    pid_t child;

    (void)state;
    assert_int_equal(system(command), 0);
    add_entry("test.Quiet", entry);
    child = fork();
    if (child == 0) {
        execl(program, program, "300", (char *)NULL);
        _exit(127);
    }
    do {
        assert_ok(stage.ops->apps->list(stage.desktop, stage_deadline(), &list, &stage.err));
        quiet = find_app(&list, "test.Quiet");
    } while (!quiet && (app_list_free(&list), kill(child, 0) == 0)); /* until it has begun */
    assert_non_null(quiet);
    assert_int_equal(quiet->pid, child);
    assert_int_equal(quiet->windows, 0);
    assert_string_equal(quiet->name, "Quiet");
    app_list_free(&list);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    free(entry);
    free(command);
    free(program);
}

static void quitting_closes_the_windows_and_waits_for_the_end(void **state)
{
    struct app_opened out = stage_open((struct app_open){ .name = "test.Editor" });
    struct app_outcome seen;

    (void)state;
    do {
        assert_ok(stage.ops->apps->quit(stage.desktop, stage_deadline(), out.app.pid,
                                        out.app.started, false, &seen, &stage.err));
    } while (strstr(seen.note, "it is still running")); /* on a busy machine, which takes longer */
    assert_string_equal(seen.note, "");
    assert_true(seen.done && !seen.forced);
    assert_fails(stage.ops->apps->quit(stage.desktop, stage_deadline(), out.app.pid,
                                       out.app.started, false, &seen, &stage.err),
                 "app_not_found");
    assert_fails(stage.ops->apps->activate(stage.desktop, stage_deadline(), out.app.pid,
                                           out.app.started, &seen, &stage.err),
                 "app_not_found");
    app_opened_free(&out);
}

static void one_that_does_not_react_is_ended_only_by_force(void **state)
{
    struct app_opened out = stage_open((struct app_open){ .name = "test.Editor" });
    struct app_outcome seen;

    (void)state;
    if (stage.fake)
        fake_set_stays(stage.fake, out.window.id, "Save changes?");
    else
        kill(out.app.pid, SIGSTOP);
    assert_ok(stage.ops->apps->quit(stage.desktop, stage_deadline(), out.app.pid, out.app.started,
                                    false, &seen, &stage.err));
    assert_false(seen.done);
    assert_true(seen.note[0] != '\0');
    if (stage.fake)
        assert_true(seen.window.id != 0); /* without an answer there is no dialog */
    assert_ok(stage.ops->apps->quit(stage.desktop, stage_deadline(), out.app.pid, out.app.started,
                                    true, &seen, &stage.err));
    assert_true(seen.done && seen.forced);
    app_opened_free(&out);
}

static void installed_applications_have_ids(void **state)
{
    struct app_list list;
    bool found = false;

    (void)state;
    assert_ok(stage.ops->apps->installed(stage.desktop, stage_deadline(), &list, &stage.err));
    for (size_t i = 0; i < list.count; i++)
        found = found || (strcmp(list.items[i].id, "test.Editor") == 0 && list.items[i].pid == 0);
    assert_true(found);
    app_list_free(&list);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, apps_start, apps_end)
#define REAL(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, apps_start, apps_end, on_real_desktops)
#define NOT_MACOS(name)                                                                            \
    cmocka_unit_test_prestate_setup_teardown(name, apps_start, apps_end, not_on_macos)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_application_is_opened_and_its_window_awaited),
        CASE(one_that_runs_comes_to_the_front),
        CASE(one_without_a_window_says_that_none_came),
        CASE(what_does_not_exist_is_named),
        REAL(a_windows_class_decides_between_the_entries_of_one_program),
        REAL(an_application_without_a_window_is_listed),
        REAL(a_program_is_opened_by_its_path),
        REAL(an_application_is_opened_by_the_path_of_its_entry),
        CASE(running_applications_are_listed_the_active_one_first),
        CASE(quitting_closes_the_windows_and_waits_for_the_end),
        CASE(one_that_does_not_react_is_ended_only_by_force),
        NOT_MACOS(installed_applications_have_ids), /* there, find_bundle_test.c */
    };

    return stage_run_tests(tests, countof(tests));
}
