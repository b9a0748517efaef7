/* What goes wrong on a desktop, through the worker as the engine uses it. X11 only: the fake's
 * own faults are in platform_worker_test.c. The display server of the last tests is their own. */
#include "io_help.h"

#include "platform_run.h"

#include "platform/worker/worker.h"

static const struct rect place = { 100, 120, 300, 200 };

static struct worker *worker;

struct call {
    struct job job;
    struct input input;
    struct input_outcome sent;
    struct window_list list;
    struct window_ref ref;
    struct window_change change;
    struct window_outcome outcome;
    struct point cursor;
};

static struct {
    bool over, ok, hung;
    struct error err;
    struct window_outcome outcome;
    size_t windows;
    struct point cursor;
} last;

static bool run_list(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                     struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->windows->list(desktop, deadline, NULL, &call->list, err);
}

static bool run_act(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                    struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->windows->act(desktop, deadline, &call->ref, &call->change, &call->outcome, err);
}

static bool run_input(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                      struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->input->send(desktop, deadline, &call->input, &call->sent, err);
}

static bool run_cursor(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                       struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->displays->cursor(desktop, deadline, &call->cursor, err);
}

static void done(struct job *job, const struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    last.over = true;
    last.ok = err == NULL;
    last.hung = job->hung;
    last.err = err ? *err : (struct error){ "", "" };
    last.windows = err ? 0 : call->list.count;
    if (err)
        return;
    last.outcome = call->outcome;
    last.cursor = call->cursor;
}

static void destroy(struct job *job)
{
    struct call *call = container_of(job, struct call, job);

    window_list_free(&call->list);
    free(call);
}

static struct call *start(bool (*run)(struct job *, const struct platform_ops *, struct desktop *,
                                      struct deadline *, struct error *),
                          uint64_t timeout_ms)
{
    struct call *call = mem_zero(sizeof *call);
    struct error err;

    call->job.queue = QUEUE_QUERY;
    call->job.timeout_ms = timeout_ms;
    call->job.run = run;
    call->job.done = done;
    call->job.destroy = destroy;
    last.over = false;
    assert_true(worker_start(worker, &call->job, &err));
    return call;
}

static void list_windows(uint64_t timeout_ms)
{
    start(run_list, timeout_ms);
    run_until(&last.over);
}

static int faults_start(void **state)
{
    struct worker_options options = { 0 };

    if (stage_start(state) != 0 || loop_setup(state) != 0)
        return -1;
    options.ops = stage.ops;
    options.shared = stage.shared;
    worker = worker_new(&loop, &options);
    return 0;
}

/* X servers of single tests. One that is killed leaves its socket in /tmp, where every program that
 * looks for the user's display tries it: they are asked to end. */
static pid_t servers[8];
static size_t server_count;

static void end_last_server(void)
{
    pid_t server = servers[--server_count];

    kill(server, SIGCONT);
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
}

static int faults_end(void **state)
{
    int rc;

    worker_free(worker);
    rc = loop_teardown(state);
    while (server_count)
        end_last_server();
    return stage_end(state) || rc;
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
    for (int i = 0; i < 20; i++) { /* others answer meanwhile */
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

/* As a program may set it: any bytes, any length. */
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

/* A menu is no window of the window manager's; it is listed when asked for, with its owner. */
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

/* The user's keys, while a drag of a minute is under way. */
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
    assert_true(worker_input_stopped(worker));
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

/* A server of the test's own, so that it can be stopped and killed. Its number is high because
 * other servers use the first free number from :0 on, even that of a dead server. */
static pid_t own_server(char name[16], const char *wanted)
{
    static int serial;
    int fds[2], got = 0;
    char number[8] = "", fd[8];
    pid_t pid;

    if (!wanted)
        snprintf(name, 16, ":%d", 20000 + (getpid() * 16 + serial++) % 30000);
    assert_int_equal(pipe(fds), 0);
    snprintf(fd, sizeof fd, "%d", fds[1]);
    pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, 1);
        dup2(null, 2);
        close(fds[0]);
        execlp("Xvfb", "Xvfb", wanted ? wanted : name, "-displayfd", fd, "-nolisten", "tcp",
               "-noreset", (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    servers[server_count++] = pid;
    while (got < 7 && read(fds[0], number + got, 1) == 1 && number[got] != '\n')
        got++;
    close(fds[0]);
    number[got] = '\0';
    assert_true(got > 0);
    snprintf(name, 16, ":%s", number);
    return pid;
}

static void a_server_that_hangs_costs_one_call_and_is_found_again(void **state)
{
    char name[16], *before;
    pid_t server;

    (void)state;
    before = mem_strdup(getenv("DISPLAY"));
    server = own_server(name, NULL);
    setenv("DISPLAY", name, 1);
    list_windows(0);
    assert_true(last.ok);
    kill(server, SIGSTOP);
    list_windows(300);
    assert_string_equal(last.err.code, "timeout");
    assert_true(last.hung);
    kill(server, SIGCONT);
    list_windows(0);
    assert_string_equal(last.err.text, "");
    assert_true(last.ok);
    setenv("DISPLAY", before, 1);
    free(before);
}

static void a_server_that_dies_is_found_again_when_it_is_back(void **state)
{
    char name[16], again[16], *before;

    (void)state;
    before = mem_strdup(getenv("DISPLAY"));
    own_server(name, NULL);
    setenv("DISPLAY", name, 1);
    list_windows(0);
    assert_true(last.ok);
    end_last_server();
    list_windows(0);
    assert_true(strcmp(last.err.code, "no_display") == 0 ||
                strcmp(last.err.code, "display_lost") == 0);
    own_server(again, name);
    assert_string_equal(again, name);
    list_windows(0);
    assert_string_equal(last.err.text, "");
    assert_true(last.ok);
    setenv("DISPLAY", before, 1);
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

/* A job of the clipboard queue; `text` is what it read or is to write. */
struct clip_call {
    struct job job;
    bool write;
    struct clip clip;
    struct clip_list history;
};

static struct {
    char text[64];
    size_t remembered;
} clip_seen;

static bool run_clip(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                     struct deadline *deadline, struct error *err)
{
    struct clip_call *call = container_of(job, struct clip_call, job);

    if (call->write)
        return ops->clipboard->keep_history(desktop, deadline, 5, 100, err) &&
               ops->clipboard->write(desktop, deadline, &call->clip, err);
    return ops->clipboard->read(desktop, deadline, NULL, 0, &call->clip, err) &&
           ops->clipboard->history(desktop, deadline, &call->history, err);
}

static void clip_done(struct job *job, const struct error *err)
{
    struct clip_call *call = container_of(job, struct clip_call, job);
    const struct clip_part *text = clip_part(&call->clip, "text/plain");

    last.over = true;
    last.ok = err == NULL;
    last.err = err ? *err : (struct error){ "", "" };
    snprintf(clip_seen.text, sizeof clip_seen.text, "%s", text ? text->data : "");
    clip_seen.remembered = call->history.count;
}

static void clip_destroy(struct job *job)
{
    struct clip_call *call = container_of(job, struct clip_call, job);

    clip_free(&call->clip);
    clip_list_free(&call->history);
    free(call);
}

static void clip_do(const char *write)
{
    struct clip_call *call = mem_zero(sizeof *call);

    call->job = (struct job){
        .queue = QUEUE_CLIPBOARD, .run = run_clip, .done = clip_done, .destroy = clip_destroy
    };
    call->write = write != NULL;
    if (write)
        clip_add(&call->clip, "text/plain", write, strlen(write));
    last.over = false;
    assert_true(worker_start(worker, &call->job, &stage.err));
    run_until(&last.over);
}

static void the_clipboard_is_set_again_on_a_new_server(void **state)
{
    char name[16], again[16], *before;

    (void)state;
    before = mem_strdup(getenv("DISPLAY"));
    own_server(name, NULL);
    setenv("DISPLAY", name, 1);
    clip_do("kept");
    assert_string_equal(last.err.text, "");
    end_last_server();
    clip_do(NULL);
    assert_false(last.ok);
    own_server(again, name);
    clip_do(NULL);
    assert_string_equal(last.err.text, "");
    assert_string_equal(clip_seen.text, "kept");
    assert_int_equal(clip_seen.remembered, 1);
    clip_do("and more");
    clip_do(NULL);
    assert_int_equal(clip_seen.remembered, 2); /* the setting is there again, too */
    setenv("DISPLAY", before, 1);
    free(before);
}

static void a_server_that_dies_ends_a_drag_at_once(void **state)
{
    static const struct point path[] = { { 10, 10 }, { 500, 300 } };
    char name[16], *before;
    struct call *call;
    uint64_t began = deadline_now();

    (void)state;
    before = mem_strdup(getenv("DISPLAY"));
    own_server(name, NULL);
    setenv("DISPLAY", name, 1);
    call = mem_zero(sizeof *call);
    call->job = (struct job){ .queue = QUEUE_INPUT,
                              .timeout_ms = 60000,
                              .run = run_input,
                              .done = done,
                              .destroy = destroy };
    call->input = (struct input){ .kind = INPUT_DRAG, .path = path, .path_count = 2, .ms = 50000 };
    last.over = false;
    assert_true(worker_start(worker, &call->job, &stage.err));
    do {
        start(run_cursor, 0);
        run_until(&last.over);
    } while (last.cursor.x < 12 || last.cursor.x > 500); /* it is on its way */
    last.over = false;
    end_last_server();
    run_until(&last.over);
    assert_string_equal(last.err.code, "display_lost");
    assert_true(deadline_now() - began < 30000);
    setenv("DISPLAY", before, 1);
    free(before);
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
        REAL(a_server_that_hangs_costs_one_call_and_is_found_again),
        REAL(a_server_that_dies_is_found_again_when_it_is_back),
        REAL(a_crash_lets_go_of_what_was_held),
        REAL(the_clipboard_is_set_again_on_a_new_server),
        REAL(a_server_that_dies_ends_a_drag_at_once),
    };

    return stage_run_tests(tests, countof(tests));
}
