/* One set of tests for every backend of platform.h.
 *
 * PERIGEE_TEST_DESKTOP=x11 runs them on the display of DISPLAY with real programs; without it they
 * run on the fake. A stage makes windows with a title: on X11 each is an xev, which prints its
 * events. */
#ifndef PERIGEE_TESTS_PLATFORM_RUN_H
#define PERIGEE_TESTS_PLATFORM_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/file.h"
#include "platform/backends.h"
#include "platform/element_log.h"
#include "platform/fake/fake.h"
#include "platform/platform.h"
#ifdef STAGE_MACOS
#include "platform/macos/elements.h"
#include "platform/macos/input.h"
#include "sim.h" /* tests/macos/sim */

extern const struct platform_ops perigee_macos; /* platform/macos/backend.c */
#endif

enum { STAGE_MS = 30000, STAGE_CHILDREN = 256 }; /* the time only guards against hanging */

static struct stage {
    const struct platform_ops *ops;
    struct fake *fake; /* NULL: a real desktop */
    void *shared;
    struct desktop *desktop;
    struct deadline deadline;
    struct error err;
    pid_t children[STAGE_CHILDREN];
    size_t child_count;
    char *folder;
} stage;

static inline bool stage_is(const char *name)
{
    return strcmp(stage.ops->name, name) == 0;
}

/* Fails the test with the message of the error. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        if (!(call))                                                                               \
            fail_msg("%s: %s: %s", #call, stage.err.code, stage.err.text);                         \
    } while (0)

#define assert_fails(call, expected)                                                               \
    do {                                                                                           \
        assert_false(call);                                                                        \
        assert_string_equal(stage.err.code, expected);                                             \
    } while (0)

static inline struct deadline *stage_deadline(void)
{
    stage.deadline = deadline_of(STAGE_MS);
    return &stage.deadline;
}

/* Chooses the backend under test, and the fake desktop it works on, if it is one. */
static inline void stage_choose(void)
{
#ifdef STAGE_MACOS
    stage.fake = fake_new();
    sim_use(stage.fake);
    stage.ops = &perigee_macos;
#else
    const char *which = getenv("PERIGEE_TEST_DESKTOP");

    if (which && strcmp(which, "fake") != 0) {
        stage.ops = platform_named(which, &stage.err);
        return;
    }
    stage.ops = &perigee_fake;
    stage.shared = stage.fake = fake_new();
#endif
}

/* In a test's initial_state: the desktops that it can run on. On others the test is not listed at
 * all. */
static char on_real_desktops[] = "with programs of others", not_on_macos[] = "not on a Mac";

static inline bool stage_can_run(const struct CMUnitTest *test)
{
    const char *which = getenv("PERIGEE_TEST_DESKTOP");
    bool macos = false, real = which && strcmp(which, "fake") != 0;

#ifdef STAGE_MACOS
    macos = true;
    real = false;
#endif
    if (test->initial_state == on_real_desktops)
        return real;
    return test->initial_state != not_on_macos || !macos;
}

/* Runs the tests for the backend under test. */
static inline int stage_run_tests(const struct CMUnitTest tests[], size_t count)
{
    struct CMUnitTest *here = mem_alloc(count * sizeof *here);
    size_t n = 0;
    int failed;

    for (size_t i = 0; i < count; i++)
        if (stage_can_run(&tests[i]))
            here[n++] = tests[i];
    failed = _cmocka_run_group_tests("tests", here, n, NULL, NULL);
    free(here);
    return failed;
}

static inline int stage_start(void **state)
{
    (void)state;
    stage.err = (struct error){ "", "" };
    stage_choose();
    stage.folder = folder_make_temp(NULL);
    stage.desktop = stage.ops ? stage.ops->open(stage.shared, &stage.err) : NULL;
    if (stage.desktop && stage.ops->turn)
        stage.ops->turn();
    if (!stage.desktop)
        print_error("%s: %s\n", stage.err.code, stage.err.text);
    return stage.desktop && stage.folder ? 0 : -1;
}

/* Checks that the macOS backend has released every reference it was given. */
static inline void stage_leave_simulation(void)
{
#ifdef STAGE_MACOS
    macos_elements_end();
    sim_use(NULL);
    keys_note_layouts(); /* there is no keyboard any more */
    assert_int_equal(sim_live(), 0);
#endif
}

static inline void stage_kill(pid_t pid)
{
    kill(pid, SIGCONT);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Waits until the window manager knows that the programs' windows are gone. Otherwise it could pass
 * on their focus after the next test has given it to a window. */
static inline void stage_await_no_windows(void)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    struct window_list list;
    size_t left;

    do {
        if (!stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, NULL))
            return; /* the display is gone as well */
        left = list.count;
        window_list_free(&list);
    } while (left > 0 && deadline_wait(&deadline, -1, deadline_now() + 5, NULL));
}

static inline int stage_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < stage.child_count; i++)
        stage_kill(stage.children[i]);
    if (stage.child_count > 0 && stage.desktop && !stage.fake)
        stage_await_no_windows();
    stage.child_count = 0;
    if (stage.ops)
        stage.ops->close(stage.desktop);
    stage_leave_simulation();
    fake_free(stage.fake);
    folder_remove_all(stage.folder, NULL);
    free(stage.folder);
    stage = (struct stage){ 0 };
    return 0;
}

/* Starts a program of the stage, with its output in the file `out` of the stage's folder. */
static inline pid_t stage_spawn(const char *const argv[], const char *out)
{
    char *path = mem_printf("%s/%s", stage.folder, out);
    pid_t pid = fork();

    assert_true(pid >= 0 && stage.child_count < STAGE_CHILDREN);
    if (pid == 0) {
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

        dup2(fd, 1);
        dup2(fd, 2);
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    free(path);
    stage.children[stage.child_count++] = pid;
    return pid;
}

/* Runs a program to its end: a program that presses keys must not be killed before it lets go. */
static inline int stage_run(const char *const argv[])
{
    int status;
    pid_t pid = stage_spawn(argv, argv[0]);

    assert_int_equal(waitpid(pid, &status, 0), pid);
    stage.child_count--;
    return status;
}

/* Waits for the window with this title. */
static inline struct window_ref stage_await(const char *title)
{
    struct deadline deadline = deadline_of(STAGE_MS);

    for (;;) {
        struct window_list list;
        struct window_ref ref = { 0 };

        assert_ok(stage.ops->windows->list(stage.desktop, &deadline, NULL, &list, &stage.err));
        for (size_t i = 0; i < list.count; i++) {
            if (strcmp(list.items[i].title, title) == 0)
                ref = list.items[i].ref;
        }
        window_list_free(&list);
        if (ref.id)
            return ref;
        if (!deadline_wait(&deadline, -1, deadline_now() + 10, &stage.err))
            fail_msg("no window \"%s\" came", title);
    }
}

static inline struct window_info stage_info(const struct window_ref *ref)
{
    struct window_info info;

    assert_ok(stage.ops->windows->get(stage.desktop, stage_deadline(), ref, &info, &stage.err));
    return info;
}

static inline struct window_outcome stage_act(const struct window_ref *ref,
                                              struct window_change change)
{
    struct window_outcome out;

    if (!change.wait_ms)
        change.wait_ms = STAGE_MS / 2; /* the machine may be busy */
    assert_ok(
        stage.ops->windows->act(stage.desktop, stage_deadline(), ref, &change, &out, &stage.err));
    return out;
}

static inline struct window_outcome stage_do(const struct window_ref *ref, enum window_verb verb)
{
    return stage_act(ref, (struct window_change){ .verb = verb });
}

/* Gives a window the focus and waits for it, longer than the backend does on a busy machine. */
static inline void stage_focus(const struct window_ref *ref)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    bool focused = stage_do(ref, WINDOW_FOCUS).done;

    while (!focused) {
        struct window_info info = stage_info(ref);

        focused = info.focused;
        window_info_free(&info);
        if (!deadline_wait(&deadline, -1, deadline_now() + 10, &stage.err))
            fail_msg("the window did not get the focus");
    }
}

/* Makes a window of a process of its own, with the focus; its events go to the file of its
 * title. */
static inline struct window_ref stage_window(const char *title, struct rect frame)
{
    struct window_ref ref;
    char geometry[64];

    if (stage.fake) {
        uint64_t id =
            fake_add_window(stage.fake, fake_add_app(stage.fake, "xev", "xev"), title, frame);

        ref = (struct window_ref){ .id = id };
        struct window_info info = stage_info(&ref);
        ref = info.ref;
        window_info_free(&info);
        return ref;
    }
    snprintf(geometry, sizeof geometry, "%.0fx%.0f+%.0f+%.0f", frame.width, frame.height, frame.x,
             frame.y);
    stage_spawn((const char *[]){ "xev", "-name", title, "-geometry", geometry, NULL }, title);
    ref = stage_await(title);
    stage_focus(&ref);
    return ref;
}

/* Counts the text in the program's output, once it is there `least` times. */
static inline int stage_count(const char *file, const char *text, int least)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    char *path = mem_printf("%s/%s", stage.folder, file);
    int count;

    do {
        struct buf out = { 0 };

        count = 0;
        file_read_all(path, 64 << 20, &out, NULL);
        for (const char *at = buf_text(&out); (at = strstr(at, text)); at += strlen(text))
            count++;
        buf_free(&out);
    } while (count < least && deadline_wait(&deadline, -1, deadline_now() + 5, NULL));
    free(path);
    return count;
}

#endif
