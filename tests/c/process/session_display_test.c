/* The display of the session and its bus, found in a made-up /proc and among real sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "files/file.h"
#include "process/session_bus.h"

struct world {
    char *folder, *proc, *sockets;
    int open[8];
    int count;
};

static int set_up(void **state)
{
    struct world *world = mem_zero(sizeof *world);
    const char *tmp = getenv("TMPDIR");

    world->folder = mem_printf("%s/sd-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(world->folder));
    world->proc = mem_printf("%s/proc", world->folder);
    world->sockets = mem_printf("%s/x", world->folder);
    assert_int_equal(mkdir(world->proc, 0700), 0);
    assert_int_equal(mkdir(world->sockets, 0700), 0);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    char *command = mem_printf("rm -rf '%s'", world->folder);

    while (world->count)
        close(world->open[--world->count]);
    assert_int_equal(system(command), 0);
    free(command);
    free(world->folder);
    free(world->proc);
    free(world->sockets);
    free(world);
    return 0;
}

/* Adds an X server's socket; one that is not `alive` refuses, as after a crash. */
static void add_server(struct world *world, int number, bool alive)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(at.sun_path, sizeof at.sun_path, "%s/X%d", world->sockets, number);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    if (alive)
        assert_int_equal(listen(fd, 4), 0);
    world->open[world->count++] = fd;
}

static void write_of(const struct world *world, int pid, const char *name, const char *bytes,
                     size_t len)
{
    char *path = mem_printf("%s/%d/%s", world->proc, pid, name);
    struct error err;

    assert_true(file_write_atomic(path, bytes, len, 0, &err));
    free(path);
}

/* `vars` are separated by blanks. */
static void add_process(const struct world *world, int pid, int parent, const char *name,
                        const char *vars)
{
    char *folder = mem_printf("%s/%d", world->proc, pid);
    char *stat = mem_printf("%d (%s) S %d 1 1", pid, name, parent), *list = mem_strdup(vars);
    size_t len = strlen(list);

    for (char *c = list; *c; c++)
        if (*c == ' ')
            *c = '\0';
    assert_int_equal(mkdir(folder, 0700), 0);
    write_of(world, pid, "stat", stat, strlen(stat));
    write_of(world, pid, "comm", name, strlen(name));
    write_of(world, pid, "environ", list, len + 1);
    free(folder);
    free(stat);
    free(list);
}

static struct session_display find(const struct world *world)
{
    struct session_places places = { world->proc, world->sockets, NULL, 500 };
    struct session_display found;

    session_display_find(&places, &found);
    return found;
}

static void finds(const struct world *world, const char *name, const char *from)
{
    struct session_display found = find(world);

    assert_non_null(found.name);
    assert_string_equal(found.name, name);
    assert_string_equal(found.from, from);
    assert_null(found.several);
    session_display_clear(&found);
}

static void finds_none(const struct world *world, const char *several)
{
    struct session_display found = find(world);

    assert_null(found.name);
    assert_null(found.settings);
    if (several)
        assert_string_equal(found.several, several);
    else
        assert_null(found.several);
    session_display_clear(&found);
}

static void a_client_that_did_not_pass_its_display_on(void **state)
{
    struct world *world = *state;
    struct session_display found;

    add_server(world, 3, true);
    add_server(world, 4, true);
    add_process(world, 500, 490, "node (x) S", "HOME=/h PATH=/bin");
    add_process(world, 490, 1, "claude", "DISPLAY=:4 XAUTHORITY=/h/x HOME=/h XDG_RUNTIME_DIR=/r");
    add_process(world, 600, 1, "xterm", "DISPLAY=:3");
    finds(world, ":4", "process 490 (claude)");
    found = find(world);
    assert_string_equal(found.settings, "XAUTHORITY=/h/x");
    assert_string_equal(found.settings + sizeof "XAUTHORITY=/h/x", "XDG_RUNTIME_DIR=/r");
    session_display_clear(&found);
}

static void an_empty_one_above_means_none(void **state)
{
    struct world *world = *state;

    add_server(world, 3, true);
    add_process(world, 500, 490, "sh", "DISPLAY=");
    add_process(world, 490, 1, "claude", "DISPLAY=:3");
    finds_none(world, NULL);
}

static void one_that_is_far_is_taken_from_above_only(void **state)
{
    struct world *world = *state;

    add_process(world, 700, 1, "xterm", "DISPLAY=localhost:10.0");
    finds_none(world, NULL);
    add_process(world, 500, 1, "sh", "DISPLAY=localhost:10.0");
    finds(world, "localhost:10.0", "process 500 (sh)");
}

static void the_processes_of_the_session_agree(void **state)
{
    struct world *world = *state;

    add_server(world, 0, true);
    add_server(world, 1, true); /* that of the window manager: nothing in the session uses it */
    add_server(world, 7, false);
    add_process(world, 500, 1, "systemd", "HOME=/h");
    add_process(world, 800, 1, "gnome-shell", "DISPLAY=:0.0 WAYLAND_DISPLAY=wayland-0");
    add_process(world, 900, 1, "old", "DISPLAY=:7");
    finds(world, ":0.0", "process 800 (gnome-shell)");
}

static void several_are_named_and_none_is_taken(void **state)
{
    struct world *world = *state;

    add_server(world, 12, true);
    add_server(world, 2, true);
    finds_none(world, ":2, :12");
    add_process(world, 800, 1, "xterm", "DISPLAY=:12");
    finds(world, ":12", "process 800 (xterm)");
    add_process(world, 801, 1, "xterm", "DISPLAY=unix:2");
    finds_none(world, ":2, :12");
}

static void the_only_server_is_taken_by_its_owner(void **state)
{
    struct world *world = *state;

    finds_none(world, NULL);
    add_server(world, 5, false);
    finds_none(world, NULL);
    add_server(world, 9, true);
    finds(world, ":9", "the only X server of this user");
}

/* Servers that refuse are tried with one socket. */
static void a_server_among_many_that_died(void **state)
{
    struct world *world = *state;

    for (int number = 11; number < 17; number++)
        add_server(world, number, number == 14);
    finds(world, ":14", "the only X server of this user");
    add_server(world, 10, true);
    finds_none(world, ":10, :14");
}

/* --- the bus of a display ------------------------------------------------------- */

/* Gives the address of a bus in the world's folder; one that is not `alive` refuses. */
static char *add_bus(struct world *world, const char *name, bool alive)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(at.sun_path, sizeof at.sun_path, "%s/%s", world->folder, name);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    if (alive)
        assert_int_equal(listen(fd, 4), 0);
    world->open[world->count++] = fd;
    return mem_printf("unix:path=%s,guid=0123", at.sun_path);
}

/* `more` is NULL, or other variables. */
static void add_session_process(const struct world *world, int pid, int parent, const char *name,
                                const char *display, const char *bus, const char *more)
{
    char *vars = mem_printf("DISPLAY=%s DBUS_SESSION_BUS_ADDRESS=%s%s%s", display, bus,
                            more ? " " : "", more ? more : "");

    add_process(world, pid, parent, name, vars);
    free(vars);
}

/* from NULL: none is found. */
static void finds_bus(const struct world *world, const char *display, const char *address,
                      const char *from)
{
    struct session_places places = { world->proc, world->sockets, world->folder, 500 };
    struct session_bus found;

    session_bus_find(&places, display, &found);
    if (!from) {
        assert_null(found.address);
        return;
    }
    assert_non_null(found.address);
    assert_string_equal(found.address, address);
    assert_string_equal(found.from, from);
    session_bus_clear(&found);
}

static void the_bus_of_a_client_that_passed_its_display_alone(void **state)
{
    struct world *world = *state;
    char *right = add_bus(world, "b1", true), *other = add_bus(world, "b2", true);
    char *dead = add_bus(world, "b3", false);

    add_session_process(world, 500, 490, "node", ":4", dead, NULL);
    add_session_process(world, 490, 1, "claude", "unix:4.0", right, "XAUTHORITY=/h/x");
    add_session_process(world, 600, 1, "xterm", ":4", other, NULL);
    finds_bus(world, ":4", right, "process 490 (claude)");
    free(right);
    free(other);
    free(dead);
}

static void the_bus_that_most_processes_of_the_display_have(void **state)
{
    struct world *world = *state;
    char *session = add_bus(world, "b1", true), *inner = add_bus(world, "b2", true);
    char *elsewhere = add_bus(world, "b3", true), *user = NULL;

    add_process(world, 500, 1, "systemd", "HOME=/h");
    for (int pid = 600; pid < 604; pid++)
        add_session_process(world, pid, 1, "dbus-run-session", ":9", elsewhere, NULL);
    add_session_process(world, 610, 1, "sh", ":9", elsewhere, NULL);
    add_session_process(world, 611, 1, "openbox", ":9", session, NULL);
    add_session_process(world, 612, 1, "xterm", ":9", session, NULL);
    add_session_process(world, 613, 1, "calculator", ":9", inner, NULL);
    for (int pid = 620; pid < 624; pid++)
        add_session_process(world, pid, 1, "gnome-shell", ":0", elsewhere, NULL);
    finds_bus(world, ":9", session, "process 611 (openbox)");
    finds_bus(world, ":0", elsewhere, "process 620 (gnome-shell)");
    finds_bus(world, ":5", NULL, NULL);
    user = add_bus(world, "bus", true);
    *strchr(user, ',') = '\0';
    finds_bus(world, ":5", user, "this user's session");
    free(session);
    free(inner);
    free(elsewhere);
    free(user);
}

static void addresses_that_are_tried(void **state)
{
    struct world *world = *state;
    char *alive = add_bus(world, "b1", true), *dead = add_bus(world, "b2", false);

    assert_true(session_bus_answers(alive));
    assert_false(session_bus_answers(dead));
    assert_false(session_bus_answers("unixexec:path=/bin/true"));
    assert_false(session_bus_answers("unix:path=/nowhere"));
    assert_false(session_bus_answers("unix:abstract=/nowhere,guid=1"));
    assert_false(session_bus_answers("unix:path="));
    assert_false(session_bus_answers(""));
    free(alive);
    free(dead);
}

static void what_counts_as_a_bus_that_is_known(void **state)
{
    struct world *world = *state;

    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    setenv("XDG_RUNTIME_DIR", world->folder, 1);
    assert_false(session_bus_known());
    setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:", 1);
    assert_false(session_bus_known());
    free(add_bus(world, "bus", true));
    assert_true(session_bus_known());
    unsetenv("XDG_RUNTIME_DIR");
    assert_false(session_bus_known());
    setenv("DBUS_SESSION_BUS_ADDRESS", "", 1); /* means none, as with DISPLAY */
    assert_true(session_bus_known());
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_client_that_did_not_pass_its_display_on),
        TEST(an_empty_one_above_means_none),
        TEST(one_that_is_far_is_taken_from_above_only),
        TEST(the_processes_of_the_session_agree),
        TEST(several_are_named_and_none_is_taken),
        TEST(the_only_server_is_taken_by_its_owner),
        TEST(a_server_among_many_that_died),
        TEST(the_bus_of_a_client_that_passed_its_display_alone),
        TEST(the_bus_that_most_processes_of_the_display_have),
        TEST(addresses_that_are_tried),
        TEST(what_counts_as_a_bus_that_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
