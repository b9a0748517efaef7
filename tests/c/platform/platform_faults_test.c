/* Applications and windows that hang or vanish, odd titles, and ends of our own process. */
#include "faults_run.h"

static const struct rect place = { 100, 120, 300, 200 };

static bool run_act(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                    struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->windows->act(desktop, deadline, &call->ref, &call->change, &call->outcome, err);
}

static void a_stopped_application_costs_its_own_call_only(void **state)
{
    struct window_ref ref;
    struct call *call;

    (void)state;
    ref = stage_window("stopped", place);
    kill(ref.pid, SIGSTOP);
    call = mem_zero(sizeof *call);
    call->job =
        (struct job){ .queue = QUEUE_QUERY, .run = run_act, .done = done, .destroy = destroy };
    call->ref = ref;
    call->change = (struct window_change){ .verb = WINDOW_CLOSE, .wait_ms = 1500 };
    last.over = false;
    assert_true(worker_start(worker, &call->job, &stage.err));
    for (int i = 0; i < 20; i++) { /* other windows answer meanwhile */
        struct window_info info = stage_info(&ref);

        assert_string_equal(info.title, "stopped");
        window_info_free(&info);
    }
    run_until(&last.over);
    assert_true(last.ok && !last.outcome.done && !last.outcome.gone);
    assert_non_null(strstr(last.outcome.note, "hang"));
    kill(ref.pid, SIGCONT);
}

static void a_window_closed_between_list_and_act_is_not_found(void **state)
{
    struct window_change change = { .verb = WINDOW_MOVE, .to = { 5, 5, 0, 0 } };
    struct window_outcome out;
    struct window_ref ref;

    (void)state;
    ref = stage_window("short lived", place);
    stage_kill(stage.children[--stage.child_count]);
    while (
        stage.ops->windows->act(stage.desktop, stage_deadline(), &ref, &change, &out, &stage.err))
        ;
    assert_string_equal(stage.err.code, "window_not_found");
}

/* Sets a title as a program may: any bytes, any length. */
static void set_title(const struct window_ref *ref, const char *type, const char *text, size_t len)
{
    char *path = mem_printf("%s/title.py", stage.folder), id[32];
    static const char program[] =
        "import ctypes, sys\n"
        "x = ctypes.CDLL('libX11.so.6')\n"
        "x.XOpenDisplay.restype = ctypes.c_void_p\n"
        "d = ctypes.c_void_p(x.XOpenDisplay(None))\n"
        "data = sys.stdin.buffer.read()\n"
        "atom = lambda n: ctypes.c_ulong(x.XInternAtom(d, n, 0))\n"
        "x.XChangeProperty(d, ctypes.c_ulong(int(sys.argv[1])), atom(b'_NET_WM_NAME'),"
        " atom(sys.argv[2].encode()), 8, 0, data, len(data))\n"
        "x.XSync(d, 0)\n";
    int fds[2], status;
    pid_t pid;

    assert_ok(file_write_atomic(path, program, sizeof program - 1, 0600, &stage.err));
    snprintf(id, sizeof id, "%llu", (unsigned long long)ref->id);
    assert_int_equal(pipe(fds), 0);
    pid = fork();
    if (pid == 0) {
        dup2(fds[0], 0);
        close(fds[1]);
        execlp("python3", "python3", path, id, type, (char *)NULL);
        _exit(127);
    }
    close(fds[0]);
    while (len > 0) {
        ssize_t done_now = write(fds[1], text, len);

        assert_true(done_now > 0);
        text += done_now;
        len -= (size_t)done_now;
    }
    close(fds[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    free(path);
}

static void a_title_is_valid_text_whatever_was_set(void **state)
{
    struct window_ref ref;
    struct window_info info;

    (void)state;
    ref = stage_window("plain", place);
    set_title(&ref, "UTF8_STRING", "bad \xff\xfe bytes \xe4\xb8", 15);
    info = stage_info(&ref);
    assert_string_equal(info.title, "bad \xef\xbf\xbd\xef\xbf\xbd bytes \xef\xbf\xbd");
    window_info_free(&info);
    set_title(&ref, "STRING", "caf\xe9", 4);
    info = stage_info(&ref);
    assert_string_equal(info.title, "café");
    window_info_free(&info);
}

static void a_title_of_100_kilobytes_is_cut(void **state)
{
    size_t len = 100000;
    char *text;
    struct window_ref ref;
    struct window_info info;

    (void)state;
    text = mem_alloc(len);
    for (size_t i = 0; i < len; i++)
        text[i] = "\xc3\xa9"[i % 2];
    ref = stage_window("short", place);
    set_title(&ref, "UTF8_STRING", text, len);
    info = stage_info(&ref);
    assert_true(info.title_cut);
    assert_int_equal(strlen(info.title), WINDOW_TITLE_MAX);
    assert_memory_equal(info.title, text, WINDOW_TITLE_MAX);
    window_info_free(&info);
    free(text);
}

/* A menu is not managed by the window manager; it is listed when asked for, with its owner. */
static void a_menu_is_listed_as_a_popup(void **state)
{
    struct window_query query = { .all_kinds = true };
    struct input input = { .kind = INPUT_KEYS };
    struct input_outcome sent;
    struct window_ref ref;
    struct deadline deadline = deadline_of(STAGE_MS);
    size_t popups = 0;

    (void)state;
    stage_spawn((const char *[]){ "gtk3-demo-application", NULL }, "demo");
    ref = stage_await("Application Class");
    stage_focus(&ref);
    assert_ok(chord_parse("f10", &input.chord, &stage.err));
    while (!popups && deadline_wait(&deadline, -1, deadline_now() + 20, &stage.err)) {
        struct window_list list;

        assert_ok(stage.ops->input->send(stage.desktop, &deadline, &input, &sent, &stage.err));
        assert_ok(stage.ops->windows->list(stage.desktop, &deadline, &query, &list, &stage.err));
        for (size_t i = 0; i < list.count; i++)
            popups += list.items[i].kind == WINDOW_POPUP && list.items[i].ref.pid == ref.pid;
        window_list_free(&list);
    }
    assert_true(popups > 0);
}

static void text_to_a_stopped_application_is_sent_but_not_settled(void **state)
{
    struct input input = { .kind = INPUT_TEXT, .text = STR("abc") };
    struct input_outcome out;
    struct window_ref ref;
    struct deadline deadline = deadline_of(1500);

    (void)state;
    stage_spawn((const char *[]){ "gtk3-demo-application", NULL }, "demo");
    ref = stage_await("Application Class");
    stage_focus(&ref);
    kill(ref.pid, SIGSTOP);
    assert_ok(stage.ops->input->send(stage.desktop, &deadline, &input, &out, &stage.err));
    assert_int_equal(out.characters, 3);
    assert_false(out.settled);
    kill(ref.pid, SIGCONT);
}

/* Presses the user's keys, while a drag of a minute is under way. */
static void the_panic_key_stops_a_long_drag_at_once(void **state)
{
    static const struct point path[] = { { 150, 200 }, { 300, 250 } };
    struct call *call = mem_zero(sizeof *call);

    (void)state;
    stage_window("dragged", place);
    call->job = (struct job){ .queue = QUEUE_INPUT,
                              .timeout_ms = 120000,
                              .run = run_input,
                              .done = done,
                              .destroy = destroy };
    call->input = (struct input){ .kind = INPUT_DRAG, .path = path, .path_count = 2, .ms = 60000 };
    last.over = false;
    assert_true(worker_start(worker, &call->job, &stage.err));
    assert_int_equal(stage_count("dragged", "ButtonPress event", 1), 1);
    stage_run((const char *[]){ "xdotool", "key", "ctrl+alt+Escape", NULL });
    run_until(&last.over);
    assert_string_equal(last.err.code, "stopped");
    assert_int_equal(stage_count("dragged", "ButtonRelease event", 1), 1);
    assert_true(worker_input_stopped(worker, NULL));
}

static void no_display_is_said_with_the_next_step(void **state)
{
    char *before = mem_strdup(getenv("DISPLAY") ? getenv("DISPLAY") : "");

    (void)state;
    setenv("DISPLAY", ":4321", 1);
    list_windows(0);
    assert_string_equal(last.err.code, "no_display");
    assert_non_null(strstr(last.err.text, ":4321"));
    unsetenv("DISPLAY");
    list_windows(0);
    assert_string_equal(last.err.code, "no_display");
    assert_non_null(strstr(last.err.text, "Xvfb"));
    setenv("DISPLAY", before, 1);
    list_windows(0);
    assert_true(last.ok);
    free(before);
}

/* A child presses a key and dies of a signal whose handler lets go. */
static void on_fatal(int number)
{
    worker_release_in_signal();
    _exit(number);
}

static void a_crash_lets_go_of_what_was_held(void **state)
{
    pid_t pid;
    int status;

    (void)state;
    stage_window("crashed", place);
    pid = fork();
    if (pid == 0) {
        struct input input = { .kind = INPUT_KEY_DOWN };
        struct input_outcome out;
        struct deadline deadline = deadline_of(STAGE_MS);
        struct worker_options options = { .ops = stage.ops };
        struct desktop *desktop = stage.ops->open(NULL, NULL);
        uv_loop_t own;

        uv_loop_init(&own);
        worker_new(&own, &options); /* tells the handler which desktop it is */
        signal(SIGSEGV, on_fatal);
        if (!desktop || !chord_parse("ctrl+shift", &input.chord, NULL) ||
            !stage.ops->input->send(desktop, &deadline, &input, &out, NULL))
            _exit(99);
        raise(SIGSEGV);
        _exit(98);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGSEGV);
    assert_int_equal(stage_count("crashed", "KeyPress event", 2), 2);
    assert_int_equal(stage_count("crashed", "KeyRelease event", 2), 2);
}

/* Nothing in the process can act on SIGKILL; its guardian does. */
static void even_a_killed_process_lets_go_of_what_was_held(void **state)
{
    int ready[2];
    pid_t pid;
    char byte;

    (void)state;
    stage_window("killed", place);
    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        struct input keys = { .kind = INPUT_KEY_DOWN };
        struct input button = { .kind = INPUT_PRESS, .at = { 200, 250 } };
        struct input_outcome out;
        struct deadline deadline = deadline_of(STAGE_MS);
        struct desktop *desktop = stage.ops->open(NULL, NULL);

        if (desktop && chord_parse("ctrl+shift", &keys.chord, NULL) &&
            stage.ops->input->send(desktop, &deadline, &button, &out, NULL) &&
            stage.ops->input->send(desktop, &deadline, &keys, &out, NULL))
            (void)!write(ready[1], "!", 1);
        for (;;)
            pause();
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    assert_int_equal(stage_count("killed", "KeyPress event", 2), 2);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(stage_count("killed", "KeyRelease event", 2), 2);
    assert_int_equal(stage_count("killed", "ButtonRelease event", 1), 1);
}

#define REAL(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, faults_start, faults_end, on_real_desktops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        REAL(even_a_killed_process_lets_go_of_what_was_held), /* before we have a guardian */
        REAL(a_stopped_application_costs_its_own_call_only),
        REAL(a_window_closed_between_list_and_act_is_not_found),
        REAL(a_title_is_valid_text_whatever_was_set),
        REAL(a_title_of_100_kilobytes_is_cut),
        REAL(a_menu_is_listed_as_a_popup),
        REAL(text_to_a_stopped_application_is_sent_but_not_settled),
        REAL(the_panic_key_stops_a_long_drag_at_once),
        REAL(no_display_is_said_with_the_next_step),
        REAL(a_crash_lets_go_of_what_was_held),
    };

    return stage_run_tests(tests, countof(tests));
}
