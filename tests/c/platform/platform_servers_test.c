/* Display servers that hang, die and come back, and connections to them that break. Servers are the
 * tests' own. */
#include <pthread.h>

#include "faults_run.h"

/* X servers of single tests. One that is killed leaves its socket in /tmp, where every program that
 * looks for the user's display tries it: so the servers are asked to end. */
static pid_t servers[8];
static size_t server_count;

static void end_last_server(void)
{
    pid_t server = servers[--server_count];

    kill(server, SIGCONT);
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
}

static int servers_end(void **state)
{
    int rc = faults_end(state);

    while (server_count)
        end_last_server();
    return rc;
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

/* A job of the clipboard queue; `text` is the text that it read or is to write. */
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

static bool run_cursor(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                       struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->displays->cursor(desktop, deadline, &call->cursor, err);
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

/* --- connections that break ------------------------------------------------------------- */

enum { MOMENTS = 200, MOMENT_US = 25, AFTERWARDS = 600 };

static struct {
    struct desktop *desktop;
    useconds_t after;
} breaking;

static void *break_it(void *arg)
{
    (void)arg;
    usleep(breaking.after);
    stage.ops->interrupt(breaking.desktop);
    return NULL;
}

static bool use(struct desktop *desktop, struct error *err)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    struct input wheel = { .kind = INPUT_SCROLL, .here = true, .lines = { 0, 200 } };
    struct input_outcome sent;
    struct window_list list;

    if (!stage.ops->windows->list(desktop, &deadline, NULL, &list, err))
        return false;
    window_list_free(&list);
    return stage.ops->input->send(desktop, &deadline, &wheel, &sent, err);
}

/* The worker breaks connections of calls that hang in this way. Xlib has tried to write to NULL, at
 * once or some hundred requests later, and to wait for ever. */
static void a_connection_that_breaks_at_any_moment_only_ends_its_call(void **state)
{
    (void)state;
    for (int moment = 0; moment < MOMENTS; moment++) {
        struct desktop *desktop = stage.ops->open(NULL, &stage.err);
        pthread_t thread;

        assert_non_null(desktop);
        breaking.desktop = desktop;
        breaking.after = (useconds_t)(moment * MOMENT_US);
        assert_int_equal(pthread_create(&thread, NULL, break_it, NULL), 0);
        while (use(desktop, &stage.err))
            ;
        assert_string_equal(stage.err.code, "display_lost");
        pthread_join(thread, NULL);
        for (int i = 0; i < AFTERWARDS; i++)
            assert_false(use(desktop, &stage.err));
        stage.ops->close(desktop);
    }
}

#define REAL(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, faults_start, servers_end, on_real_desktops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        REAL(a_server_that_hangs_costs_one_call_and_is_found_again),
        REAL(a_server_that_dies_is_found_again_when_it_is_back),
        REAL(the_clipboard_is_set_again_on_a_new_server),
        REAL(a_server_that_dies_ends_a_drag_at_once),
        REAL(a_connection_that_breaks_at_any_moment_only_ends_its_call),
    };

    return stage_run_tests(tests, countof(tests));
}
