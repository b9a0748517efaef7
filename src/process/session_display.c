/* Reads the environment of other processes (proc(5)) and looks at the sockets of X servers. */
#include "process/session_display.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "process/other_process.h"
#include "process/session_bus.h"

enum { NUMBERS = 16 };

/* --- one display ---------------------------------------------------------------------------- */

/* For the next attempt; -1: none. A refused socket can be used again, and servers that were killed
 * may have left hundreds of theirs. */
static int probe = -1;

static void probe_close(void)
{
    if (probe >= 0)
        close(probe);
    probe = -1;
}

static bool probe_open(void)
{
    if (probe >= 0)
        return true;
    probe = socket(AF_UNIX, SOCK_STREAM, 0);
    if (probe < 0)
        return false;
    fcntl(probe, F_SETFL, O_NONBLOCK);
    fcntl(probe, F_SETFD, FD_CLOEXEC);
    return true;
}

static bool socket_answers(const char *path)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    bool ok;

    if (strlen(path) >= sizeof to.sun_path || !probe_open())
        return false;
    memcpy(to.sun_path, path, strlen(path) + 1);
    ok = connect(probe, (struct sockaddr *)&to, sizeof to) == 0;
    if (!ok && errno == ECONNREFUSED)
        return false;
    ok = ok || errno == EAGAIN || errno == EINPROGRESS;
    probe_close();
    return ok;
}

/* Whether a server of this user, or of root, answers there. *ours: it belongs to the user. */
static bool server_answers(const char *sockets, int number, bool *ours)
{
    char *path = mem_printf("%s/X%d", sockets, number);
    struct stat st;
    bool ok = lstat(path, &st) == 0 && S_ISSOCK(st.st_mode) &&
              (st.st_uid == geteuid() || st.st_uid == 0) && socket_answers(path);

    *ours = ok && st.st_uid == geteuid();
    free(path);
    return ok;
}

/* --- who has one ------------------------------------------------------------------------------ */

static void take_display(struct session_display *found, const char *display, char *from, char *kept)
{
    found->name = mem_strdup(display);
    found->from = from;
    found->settings = kept;
}

/* True: a process above has the variable, whatever it says. */
static bool ask_ancestors(const struct session_places *places, struct session_display *found)
{
    bool decided = false, ours;
    int pid = places->parent;

    for (int i = 0; i < OTHER_PROCESS_ANCESTORS && pid > 1 && !decided;
         i++, pid = other_process_parent(places->proc, pid)) {
        struct buf vars = { 0 };
        const char *display;
        int number;

        other_process_read(places->proc, pid, "environ", &vars);
        display = other_process_variable(&vars, "DISPLAY");
        number = display ? session_display_number(display) : -1;
        decided = display && (number < 0 || server_answers(places->sockets, number, &ours));
        if (decided && *display)
            take_display(found, display, other_process_describe(places->proc, pid),
                         session_settings(&vars));
        buf_free(&vars);
    }
    return decided;
}

struct tally {
    int numbers[NUMBERS];
    size_t count;
};

/* True: it is new. */
static bool tally_add(struct tally *tally, int number)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->numbers[i] == number)
            return false;
    if (tally->count == NUMBERS)
        return false;
    tally->numbers[tally->count++] = number;
    return true;
}

/* A process of the user: counts its display, and keeps the first one's. */
static void ask_process(const struct session_places *places, int pid, struct tally *tally,
                        struct session_display *found)
{
    struct buf vars = { 0 };
    const char *display;
    int number;
    bool ours;

    other_process_read(places->proc, pid, "environ", &vars);
    display = other_process_variable(&vars, "DISPLAY");
    number = display ? session_display_number(display) : -1;
    if (number >= 0 && server_answers(places->sockets, number, &ours) && tally_add(tally, number) &&
        !found->name)
        take_display(found, display, other_process_describe(places->proc, pid),
                     session_settings(&vars));
    buf_free(&vars);
}

static void ask_processes(const struct session_places *places, struct tally *tally,
                          struct session_display *found)
{
    DIR *dir = opendir(places->proc);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (isdigit((unsigned char)*entry->d_name) &&
            other_process_is_ours(places->proc, entry->d_name))
            ask_process(places, atoi(entry->d_name), tally, found);
    if (dir)
        closedir(dir);
}

/* The display that this entry of the sockets' folder stands for; -1: none. */
static int socket_number(const char *name)
{
    int number, read = 0;

    if (sscanf(name, "X%5d%n", &number, &read) != 1 || name[read] || number < 0)
        return -1;
    return number;
}

/* Whether there is a socket at all: most machines without a display have none. */
static bool any_socket(const char *sockets)
{
    DIR *dir = opendir(sockets);
    struct dirent *entry;
    bool any = false;

    while (dir && !any && (entry = readdir(dir)))
        any = socket_number(entry->d_name) >= 0;
    if (dir)
        closedir(dir);
    return any;
}

/* The numbers of the user's servers that answer. */
static void ask_sockets(const char *sockets, struct tally *tally)
{
    DIR *dir = opendir(sockets);
    struct dirent *entry;
    bool ours;

    while (dir && (entry = readdir(dir))) {
        int number = socket_number(entry->d_name);

        if (number >= 0 && server_answers(sockets, number, &ours) && ours)
            tally_add(tally, number);
    }
    if (dir)
        closedir(dir);
}

static int by_display_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* More than one: nothing is taken. */
static void refuse_several(struct session_display *found, struct tally *tally)
{
    struct buf list = { 0 };

    if (tally->count < 2)
        return;
    session_display_clear(found);
    qsort(tally->numbers, tally->count, sizeof *tally->numbers, by_display_number);
    for (size_t i = 0; i < tally->count; i++)
        buf_addf(&list, "%s:%d", i ? ", " : "", tally->numbers[i]);
    found->several = buf_take(&list);
}

static void find_display(const struct session_places *places, struct session_display *found)
{
    struct tally used = { .count = 0 }, own = { .count = 0 };

    *found = (struct session_display){ .name = NULL };
    if (ask_ancestors(places, found))
        return;
    if (!any_socket(places->sockets))
        return; /* no need to read the environment of every process */
    ask_processes(places, &used, found);
    refuse_several(found, &used);
    if (used.count)
        return;
    ask_sockets(places->sockets, &own);
    if (own.count == 1) {
        char name[16];

        snprintf(name, sizeof name, ":%d", own.numbers[0]);
        take_display(found, name, mem_strdup("the only X server of this user"), NULL);
    }
    refuse_several(found, &own);
}

void session_display_find(const struct session_places *places, struct session_display *found)
{
    find_display(places, found);
    probe_close();
}

void session_display_clear(struct session_display *found)
{
    free(found->name);
    free(found->from);
    free(found->several);
    free(found->settings);
    *found = (struct session_display){ .name = NULL };
}

/* --- for this process ----------------------------------------------------------- */

static struct session_display adopted;
static struct session_bus adopted_bus;

static void set_missing(const char *pairs)
{
    for (; pairs && *pairs; pairs += strlen(pairs) + 1) {
        const char *equals = strchr(pairs, '=');
        char *name = mem_strndup(pairs, (size_t)(equals - pairs));

        setenv(name, equals + 1, 0);
        free(name);
    }
}

static void adopt_display(const struct session_places *places)
{
    session_display_find(places, &adopted);
    if (!adopted.name)
        return;
    setenv("DISPLAY", adopted.name, 1);
    set_missing(adopted.settings);
    log_info("DISPLAY is not set: using %s, the display of %s", adopted.name, adopted.from);
}

static void adopt_bus(const struct session_places *places)
{
    const char *display = getenv("DISPLAY");

    if (!display || !*display || session_bus_known())
        return;
    session_bus_find(places, display, &adopted_bus);
    if (!adopted_bus.address)
        return;
    setenv("DBUS_SESSION_BUS_ADDRESS", adopted_bus.address, 1);
    set_missing(adopted_bus.settings);
    log_info("DBUS_SESSION_BUS_ADDRESS is not set: using %s, the bus of %s", adopted_bus.address,
             adopted_bus.from);
}

void session_display_adopt(void)
{
    static const char proc[] = "/proc", sockets[] = "/tmp/.X11-unix";
    const char *desktop = getenv("PERIGEE_DESKTOP");
    struct session_places places = { proc, sockets, NULL, getppid() };
    static bool looked;

    if (looked || (desktop && *desktop && strcmp(desktop, "native") != 0))
        return;
    looked = true;
    places.runtime = mem_printf("/run/user/%u", (unsigned)geteuid());
    if (!getenv("DISPLAY"))
        adopt_display(&places);
    adopt_bus(&places);
    free((char *)places.runtime);
}

const struct session_display *session_display_adopted(void)
{
    return &adopted;
}

const struct session_bus *session_bus_adopted(void)
{
    return &adopted_bus;
}
