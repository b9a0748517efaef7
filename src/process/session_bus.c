/* Reads the environment of other processes, as session_display.c does. */
#include "process/session_bus.h"

#include <ctype.h>
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "process/other_process.h"
#include "process/peer.h"

enum { ADDRESSES = 16 };

static const char bus_variable[] = "DBUS_SESSION_BUS_ADDRESS";

/* The variables that a program of the session needs besides DISPLAY. */
static const char *const settings[] = { "XAUTHORITY", bus_variable, "XDG_RUNTIME_DIR", NULL };

char *session_settings(struct buf *vars)
{
    struct buf kept = { 0 };

    for (const char *const *name = settings; *name; name++) {
        const char *value = other_process_variable(vars, *name);

        if (value && *value) {
            buf_addf(&kept, "%s=%s", *name, value);
            buf_addc(&kept, '\0');
        }
    }
    buf_addc(&kept, '\0');
    return buf_take(&kept);
}

int session_display_number(const char *display)
{
    int number, read = 0;

    if (strncmp(display, "unix:", 5) == 0)
        display += 4;
    if (sscanf(display, ":%5d%n", &number, &read) != 1 || number < 0)
        return -1;
    return display[read] == '\0' || display[read] == '.' ? number : -1;
}

/* --- one bus -------------------------------------------------------------------------------- */

/* Fills the socket's name from "unix:path=NAME,guid=..." and gives the length of the whole; 0: the
 * address is of another kind, or has escapes. */
static socklen_t socket_of_address(const char *address, struct sockaddr_un *to)
{
    static const char path[] = "unix:path=/", abstract[] = "unix:abstract=";
    bool is_path = strncmp(address, path, sizeof path - 1) == 0;
    bool is_abstract = strncmp(address, abstract, sizeof abstract - 1) == 0;
    size_t at = is_abstract ? 1 : 0, len;

    if (!is_path && !is_abstract)
        return 0;
    address = strchr(address, '=') + 1;
    len = strcspn(address, ",;");
    if (len == 0 || len + at >= sizeof to->sun_path || memchr(address, '%', len))
        return 0;
    *to = (struct sockaddr_un){ .sun_family = AF_UNIX };
    memcpy(to->sun_path + at, address, len);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + at + len + (is_path ? 1 : 0));
}

bool session_bus_answers(const char *address)
{
    struct sockaddr_un to;
    socklen_t len = socket_of_address(address, &to);
    int fd = len ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
    bool ok = fd >= 0 && connect(fd, (struct sockaddr *)&to, len) == 0 && peer_is_ours(fd);

    if (fd >= 0)
        close(fd);
    return ok;
}

static char *bus_in(const char *folder)
{
    return mem_printf("unix:path=%s/bus", folder);
}

bool session_bus_known(void)
{
    const char *address = getenv(bus_variable), *folder = getenv("XDG_RUNTIME_DIR");
    char *there;
    bool answers;

    if (address && strncmp(address, "autolaunch:", 11) != 0)
        return true;
    if (!folder || *folder != '/')
        return false;
    there = bus_in(folder);
    answers = session_bus_answers(there);
    free(there);
    return answers;
}

/* --- who has one ------------------------------------------------------------------------------ */

static bool same_display(const char *a, const char *b)
{
    int number = session_display_number(a);

    return number >= 0 ? number == session_display_number(b) : strcmp(a, b) == 0;
}

static bool starts_buses(const char *proc, int pid)
{
    struct buf name = { 0 };
    bool yes;

    other_process_read(proc, pid, "comm", &name);
    yes = strncmp(buf_text(&name), "dbus-", 5) == 0;
    buf_free(&name);
    return yes;
}

/* The bus in this environment, if it is of the display; borrowed from `vars`. */
static const char *bus_of(const struct session_places *places, int pid, const char *display,
                          struct buf *vars)
{
    const char *theirs, *address;

    other_process_read(places->proc, pid, "environ", vars);
    theirs = other_process_variable(vars, "DISPLAY");
    address = other_process_variable(vars, bus_variable);
    return theirs && address && same_display(display, theirs) && !starts_buses(places->proc, pid)
               ? address
               : NULL;
}

static bool ask_ancestors(const struct session_places *places, const char *display,
                          struct session_bus *found)
{
    int pid = places->parent;

    for (int i = 0; i < OTHER_PROCESS_ANCESTORS && pid > 1 && !found->address; i++) {
        struct buf vars = { 0 };
        const char *address = bus_of(places, pid, display, &vars);

        if (address && session_bus_answers(address))
            *found = (struct session_bus){ mem_strdup(address),
                                           other_process_describe(places->proc, pid),
                                           session_settings(&vars) };
        buf_free(&vars);
        pid = other_process_parent(places->proc, pid);
    }
    return found->address != NULL;
}

/* A bus, how many processes have it, and the one of them with the lowest id. */
struct candidate {
    char *address;
    int count, pid;
};

static void count_bus(struct candidate *list, const char *address, int pid)
{
    for (int i = 0; i < ADDRESSES; i++) {
        if (!list[i].address)
            list[i] = (struct candidate){ mem_strdup(address), 0, pid };
        if (strcmp(list[i].address, address) == 0) {
            list[i].count++;
            if (pid < list[i].pid)
                list[i].pid = pid;
            return;
        }
    }
}

static void count_buses(const struct session_places *places, const char *display,
                        struct candidate *list)
{
    DIR *dir = opendir(places->proc);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        int pid = isdigit((unsigned char)*entry->d_name) ? atoi(entry->d_name) : 0;
        struct buf vars = { 0 };
        const char *address = pid && other_process_is_ours(places->proc, entry->d_name)
                                  ? bus_of(places, pid, display, &vars)
                                  : NULL;

        if (address)
            count_bus(list, address, pid);
        buf_free(&vars);
    }
    if (dir)
        closedir(dir);
}

/* Takes the bus of the most processes that answers. */
static void ask_processes(const struct session_places *places, const char *display,
                          struct session_bus *found)
{
    struct candidate list[ADDRESSES] = { 0 }, *best = NULL;

    count_buses(places, display, list);
    for (struct candidate *one = list; one < list + ADDRESSES && one->address; one++) {
        if ((!best || one->count > best->count) && session_bus_answers(one->address))
            best = one;
    }
    if (best) {
        struct buf vars = { 0 };

        other_process_read(places->proc, best->pid, "environ", &vars);
        *found = (struct session_bus){ mem_strdup(best->address),
                                       other_process_describe(places->proc, best->pid),
                                       session_settings(&vars) };
        buf_free(&vars);
    }
    for (int i = 0; i < ADDRESSES; i++)
        free(list[i].address);
}

void session_bus_find(const struct session_places *places, const char *display,
                      struct session_bus *found)
{
    char *there;

    *found = (struct session_bus){ .address = NULL };
    if (ask_ancestors(places, display, found))
        return;
    ask_processes(places, display, found);
    if (found->address || !places->runtime)
        return;
    there = bus_in(places->runtime);
    if (session_bus_answers(there))
        *found = (struct session_bus){ mem_strdup(there), mem_strdup("this user's session"), NULL };
    free(there);
}

void session_bus_clear(struct session_bus *found)
{
    free(found->address);
    free(found->from);
    free(found->settings);
    *found = (struct session_bus){ .address = NULL };
}
