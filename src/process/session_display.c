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

enum { ENVIRON_BYTES = 256 * 1024, ANCESTORS = 32, NUMBERS = 16 };

/* The variables that a program of the session needs besides DISPLAY. */
static const char *const settings[] = { "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
                                        NULL };

/* --- one process -------------------------------------------------------------------------- */

/* /proc/PID/NAME; empty where it cannot be read. */
static void read_proc_file(const char *proc, int pid, const char *name, struct buf *out)
{
    char *path = mem_printf("%s/%d/%s", proc, pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t n = 1;

    while (fd >= 0 && n > 0 && out->len < ENVIRON_BYTES) {
        n = read(fd, buf_reserve(out, 4096), 4096);
        out->len += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    free(path);
}

/* The value in NAME=value\0NAME=value\0; NULL: there is none. */
static const char *variable_value(struct buf *vars, const char *name)
{
    size_t len = strlen(name);
    const char *text = buf_text(vars), *end = text + vars->len;

    for (; text < end; text += strlen(text) + 1)
        if (strncmp(text, name, len) == 0 && text[len] == '=')
            return text + len + 1;
    return NULL;
}

/* The process that started it: the fourth field of stat, behind a name that may hold anything. */
static int parent_of(const char *proc, int pid)
{
    struct buf stat = { 0 };
    const char *behind;
    int parent = 0;

    read_proc_file(proc, pid, "stat", &stat);
    behind = strrchr(buf_text(&stat), ')');
    if (!behind || sscanf(behind, ") %*c %d", &parent) != 1)
        parent = 0;
    buf_free(&stat);
    return parent;
}

/* "process 4711 (gnome-shell)" */
static char *describe_process(const char *proc, const char *what, int pid)
{
    struct buf name = { 0 };
    char *text;

    read_proc_file(proc, pid, "comm", &name);
    while (name.len && name.data[name.len - 1] == '\n')
        name.len--;
    text = mem_printf("%s %d (%s)", what, pid, buf_text(&name));
    buf_free(&name);
    return text;
}

static char *settings_of(struct buf *vars)
{
    struct buf kept = { 0 };

    for (const char *const *name = settings; *name; name++) {
        const char *value = variable_value(vars, *name);

        if (value && *value) {
            buf_addf(&kept, "%s=%s", *name, value);
            buf_addc(&kept, '\0');
        }
    }
    buf_addc(&kept, '\0');
    return buf_take(&kept);
}

/* --- one display ---------------------------------------------------------------------------- */

/* The number in ":0", ":0.1" or "unix:0"; -1: it is on another machine, or nothing. */
static int display_number(const char *display)
{
    int number, read = 0;

    if (strncmp(display, "unix:", 5) == 0)
        display += 4;
    if (sscanf(display, ":%5d%n", &number, &read) != 1 || number < 0)
        return -1;
    return display[read] == '\0' || display[read] == '.' ? number : -1;
}

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

    for (int i = 0; i < ANCESTORS && pid > 1 && !decided; i++, pid = parent_of(places->proc, pid)) {
        struct buf vars = { 0 };
        const char *display;
        int number;

        read_proc_file(places->proc, pid, "environ", &vars);
        display = variable_value(&vars, "DISPLAY");
        number = display ? display_number(display) : -1;
        decided = display && (number < 0 || server_answers(places->sockets, number, &ours));
        if (decided && *display)
            take_display(found, display, describe_process(places->proc, "process", pid),
                         settings_of(&vars));
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

static bool is_own_process(const char *proc, const char *name)
{
    char *path = mem_printf("%s/%s", proc, name);
    struct stat st;
    bool ours = stat(path, &st) == 0 && st.st_uid == geteuid();

    free(path);
    return ours;
}

/* A process of the user: counts its display, and keeps the first one's. */
static void ask_process(const struct session_places *places, int pid, struct tally *tally,
                        struct session_display *found)
{
    struct buf vars = { 0 };
    const char *display;
    int number;
    bool ours;

    read_proc_file(places->proc, pid, "environ", &vars);
    display = variable_value(&vars, "DISPLAY");
    number = display ? display_number(display) : -1;
    if (number >= 0 && server_answers(places->sockets, number, &ours) && tally_add(tally, number) &&
        !found->name)
        take_display(found, display, describe_process(places->proc, "process", pid),
                     settings_of(&vars));
    buf_free(&vars);
}

static void ask_processes(const struct session_places *places, struct tally *tally,
                          struct session_display *found)
{
    DIR *dir = opendir(places->proc);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (isdigit((unsigned char)*entry->d_name) && is_own_process(places->proc, entry->d_name))
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

static void set_missing(const char *pairs)
{
    for (; pairs && *pairs; pairs += strlen(pairs) + 1) {
        const char *equals = strchr(pairs, '=');
        char *name = mem_strndup(pairs, (size_t)(equals - pairs));

        setenv(name, equals + 1, 0);
        free(name);
    }
}

void session_display_adopt(void)
{
    static const char proc[] = "/proc", sockets[] = "/tmp/.X11-unix";
    const struct session_places places = { proc, sockets, getppid() };
    const char *desktop = getenv("PERIGEE_DESKTOP");
    static bool looked;

    if (looked || getenv("DISPLAY") || (desktop && *desktop && strcmp(desktop, "native") != 0))
        return;
    looked = true;
    session_display_find(&places, &adopted);
    if (!adopted.name)
        return;
    setenv("DISPLAY", adopted.name, 1);
    set_missing(adopted.settings);
    log_info("DISPLAY is not set: using %s, the display of %s", adopted.name, adopted.from);
}

const struct session_display *session_display_adopted(void)
{
    return &adopted;
}
