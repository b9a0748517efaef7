/* Guests of another kind than Lua: their server sends pidfds and files, may be too busy to hear,
 * and is ended when it has nothing to do. This program is the server as well (be_server()). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#ifdef __linux__
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/util.h"
#include "guest/control.h"
#include "guest/guest.h"
#include "guest/jail/jail.h"

/* --- the server ------------------------------------------------------------------------------- */

static void tell(uint32_t verb, uint32_t id, int32_t status, int fd)
{
    const struct control_record record = { verb, id, status };

    control_send(CONTROL_FD, &record, fd);
}

/* A guest that says its own number and its server's, and then waits for its end. */
static void be_guest(int socket)
{
    struct buf out = { 0 };
    size_t begun = frame_begin(&out, FRAME_LOG, 0);

    bytes_u32(&out, (uint32_t)getpid());
    bytes_u32(&out, (uint32_t)getppid());
    frame_end(&out, begun);
    close(CONTROL_FD);
    if (write(socket, out.data, out.len) > 0)
        pause();
    _exit(0);
}

static void add_file(struct buf *out, enum frame_kind kind, const char *name, const char *text)
{
    size_t begun = frame_begin(out, kind, 0);

    bytes_str(out, str_from(name));
    bytes_str(out, str_from(text));
    frame_end(out, begun);
}

static void hand_over(uint32_t id)
{
    int fd = memfd_create("files", MFD_CLOEXEC);
    struct buf out = { 0 };

    add_file(&out, FRAME_FILE, "a.txt", "one");
    add_file(&out, FRAME_FILE, "b.txt", "two");
    if (write(fd, out.data, out.len) < 0)
        _exit(1);
    tell(CONTROL_FILES, id, 2, fd);
    close(fd);
    buf_free(&out);
}

/* Waits for the guest's end, and kills it when it is told to. */
static int wait_for(pid_t pid)
{
    struct control_record record = { 0 };
    struct pollfd control = { .fd = CONTROL_FD, .events = POLLIN };
    int fd, status = 0;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (poll(&control, 1, 1) <= 0)
            continue;
        if (control_receive(CONTROL_FD, &record, &fd) == CONTROL_OVER)
            kill(0, SIGKILL);
        if (record.verb == CONTROL_KILL)
            kill(pid, SIGKILL);
    }
    return status;
}

static int be_server(bool busy)
{
    struct control_record record = { 0 };
    uint32_t last = 0;
    int fd, status;

    tell(CONTROL_READY, JAIL_CALLS, 0, -1);
    while (control_receive(CONTROL_FD, &record, &fd) == CONTROL_READ) {
        if (record.verb == CONTROL_FORK) {
            pid_t pid = fork();

            if (pid == 0)
                be_guest(fd);
            close(fd);
            last = record.id;
            fd = (int)syscall(SYS_pidfd_open, pid, 0);
            tell(CONTROL_CHILD, last, 0, fd);
            close(fd);
            if (busy)
                pause(); /* as one that imports for seconds */
            status = wait_for(pid);
            hand_over(last);
            tell(CONTROL_END, last, status, -1);
        }
    }
    kill(0, SIGKILL);
    return 1;
}

/* --- the engine's side ------------------------------------------------------------------------ */

struct world {
    uv_loop_t loop;
    uv_timer_t alive; /* guests at rest do not keep a loop alive; an engine has other handles */
    struct guests *guests;
    struct guest *guest;
    pid_t pid, server; /* that the guest said */
    char files[64];
    int count;
    bool ended, files_first;
    struct error err;
};

static void on_frame(void *arg, struct frame *frame)
{
    struct world *world = arg;

    world->pid = (pid_t)bytes_get_u32(&frame->payload);
    world->server = (pid_t)bytes_get_u32(&frame->payload);
}

static void on_ended(void *arg, const struct error *err)
{
    struct world *world = arg;

    world->ended = true;
    world->err = *err;
    world->guest = NULL;
}

static void on_files(void *arg, struct frame *frame, int count)
{
    struct world *world = arg;
    size_t used = strlen(world->files);

    world->count = count;
    if (!frame) {
        world->files_first = !world->ended;
        return;
    }
    struct str name = bytes_get_str(&frame->payload), text = bytes_get_str(&frame->payload);

    snprintf(world->files + used, sizeof world->files - used, "%.*s=%.*s;", (int)name.len, name.ptr,
             (int)text.len, text.ptr);
}

static const struct guest_events events = { on_frame, on_ended, on_files };
static const char *const quick_words[] = { "--quick-server", NULL };
static const char *const busy_words[] = { "--busy-server", NULL };
static const char *const no_words[] = { "--no-server", NULL };

static void on_tick(uv_timer_t *timer)
{
    (void)timer;
}

static void world_make(struct world *world, const struct guest_kind *kind)
{
    *world = (struct world){ 0 };
    uv_loop_init(&world->loop);
    uv_timer_init(&world->loop, &world->alive);
    uv_timer_start(&world->alive, on_tick, 1, 1);
    world->guests = guests_new(&world->loop, kind);
}

static void world_open(struct world *world, const struct guest_kind *kind)
{
    struct error err;

    world_make(world, kind);
    world->guest = guest_new(world->guests, &events, world, &err);
    assert_non_null(world->guest);
}

static void count_processes(uv_handle_t *handle, void *arg)
{
    *(size_t *)arg += handle->type == UV_PROCESS;
}

/* Turns the loop until the servers that have ended are reaped, which keep no loop alive. */
static void turn_until_reaped(struct world *world)
{
    size_t count;

    do {
        count = 0;
        uv_run(&world->loop, UV_RUN_ONCE);
        uv_walk(&world->loop, count_processes, &count);
    } while (count > 0);
}

static void world_close(struct world *world)
{
    uv_close((uv_handle_t *)&world->alive, NULL);
    guests_finish(world->guests);
    assert_int_equal(uv_loop_close(&world->loop), 0);
}

static void turn_until_said(struct world *world)
{
    while (!world->pid)
        uv_run(&world->loop, UV_RUN_ONCE);
}

/* True if it is gone, or dead and waits for its server. */
static bool is_dead(pid_t pid)
{
    char path[40], text[256] = "";
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (!file)
        return true;
    if (!fgets(text, sizeof text, file))
        *text = '\0';
    fclose(file);
    return strstr(text, ") Z") || !*text;
}

static void files_come_before_the_end(void **state)
{
    static const struct guest_kind kind = { "Other", quick_words, NULL, 0, false };
    struct world world;

    (void)state;
    world_open(&world, &kind);
    turn_until_said(&world);
    guest_end(world.guest);
    while (!world.ended)
        uv_run(&world.loop, UV_RUN_ONCE);
    assert_string_equal(world.files, "a.txt=one;b.txt=two;");
    assert_int_equal(world.count, 2);
    assert_true(world.files_first);
    assert_string_equal(world.err.code, "guest_killed");
    world_close(&world);
}

static void a_busy_server_does_not_delay_a_kill(void **state)
{
    static const struct guest_kind kind = { "Other", busy_words, NULL, 0, false };
    struct world world;

    (void)state;
    world_open(&world, &kind);
    turn_until_said(&world);
    /* The pidfd comes by another socket, and perhaps later. */
    for (int i = 0; i < 20; i++)
        uv_run(&world.loop, UV_RUN_NOWAIT);
    guest_end(world.guest);
    while (!is_dead(world.pid))
        guest_end(world.guest), uv_run(&world.loop, UV_RUN_ONCE);
    assert_false(is_dead(world.server));
    guest_free(world.guest);
    world_close(&world);
}

static void a_server_without_work_is_ended(void **state)
{
    static const struct guest_kind kind = { "Other", quick_words, NULL, 1, true };
    struct world world;
    struct error err;
    pid_t first;

    (void)state;
    world_open(&world, &kind);
    turn_until_said(&world);
    first = world.server;
    guest_free(world.guest);
    while (!is_dead(
        first)) /* the timers do not keep the loop alive, and the process does not either */
        uv_run(&world.loop, UV_RUN_NOWAIT);
    world.pid = 0;
    world.guest = guest_new(world.guests, &events, &world, &err);
    assert_non_null(world.guest);
    turn_until_said(&world);
    assert_int_not_equal(world.server, first);
    guest_free(world.guest);
    world_close(&world);
}

static void an_interpreter_that_is_not_there_is_named(void **state)
{
    static const struct guest_kind kind = { "Python", no_words, "/nowhere/python3", 0, false };
    struct world world;

    (void)state;
    world_make(&world, &kind);
    /* Its end may show at once, or later. */
    world.guest = guest_new(world.guests, &events, &world, &world.err);
    while (world.guest && !world.ended)
        uv_run(&world.loop, UV_RUN_ONCE);
    assert_string_equal(world.err.code, "no_interpreter");
    assert_non_null(strstr(world.err.text, "/nowhere/python3"));
    turn_until_reaped(&world);
    world_close(&world);
}

/* Neither descriptors nor memory are left of them. */
static void a_thousand_guests_leave_nothing(void **state)
{
    static const struct guest_kind kind = { "Other", quick_words, NULL, 0, false };
    struct world world;
    struct error err;
    int before = 0, after;

    (void)state;
    world_open(&world, &kind);
    for (int i = 0; i < 1000; i++) {
        if (!world.guest)
            world.guest = guest_new(world.guests, &events, &world, &err);
        assert_non_null(world.guest);
        world.pid = 0;
        world.ended = false;
        world.files[0] = '\0';
        turn_until_said(&world);
        guest_end(world.guest);
        while (!world.ended)
            uv_run(&world.loop, UV_RUN_ONCE);
        if (i == 10)
            before = dup(0), close(before);
    }
    after = dup(0);
    close(after);
    assert_int_equal(after, before);
    world_close(&world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_before_the_end),
        cmocka_unit_test(a_busy_server_does_not_delay_a_kill),
        cmocka_unit_test(a_server_without_work_is_ended),
        cmocka_unit_test(an_interpreter_that_is_not_there_is_named),
        cmocka_unit_test(a_thousand_guests_leave_nothing),
    };

    if (argc > 1 && strcmp(argv[1], "--quick-server") == 0)
        return be_server(false);
    if (argc > 1 && strcmp(argv[1], "--busy-server") == 0)
        return be_server(true);
    if (argc > 1 && strcmp(argv[1], "--no-server") == 0)
        return 1;
    log_set_level(LOG_OFF);
    return cmocka_run_group_tests_name("guest_kinds", tests, NULL, NULL);
}
#else
int main(void)
{
    printf("1..0 # SKIP pidfds are Linux's\n");
    return 0;
}
#endif
