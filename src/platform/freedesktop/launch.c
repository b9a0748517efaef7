/* Starting programs: forked twice, so that init reaps them and our SIGCHLD stays ours.
 *
 * Between fork and exec only functions that are allowed in a process with threads are called; the
 * reason of a failed exec comes back through a pipe that a good one closes. */
#include "platform/freedesktop/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "files/file.h"
#include "platform/freedesktop/proc.h"

extern char **environ; /* NOLINT(readability-redundant-declaration): POSIX leaves it to us */

/* The variables of a program that we start. */
static const char *const ours[] = { "GTK_MODULES", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON",
                                    "JAVA_TOOL_OPTIONS", "DESKTOP_STARTUP_ID" };

static bool is_ours(const char *entry)
{
    for (size_t i = 0; i < countof(ours); i++) {
        size_t len = strlen(ours[i]);

        if (strncmp(entry, ours[i], len) == 0 && entry[len] == '=')
            return true;
    }
    return false;
}

/* True if a list like "a:b" has the entry. */
static bool list_has(const char *list, const char *entry)
{
    size_t len = strlen(entry), size;

    for (; *list; list += size + (list[size] == ':')) {
        size = strcspn(list, ":");
        if (size == len && memcmp(list, entry, len) == 0)
            return true;
    }
    return false;
}

/* The user's modules, and after them those with which GTK 2 tells of its elements. */
static char *gtk_modules(void)
{
    static const char *const added[] = { "gail", "atk-bridge" };
    const char *own = getenv("GTK_MODULES");
    struct buf text = { 0 };

    buf_addf(&text, "GTK_MODULES=%s", own ? own : "");
    for (size_t i = 0; i < countof(added); i++) {
        if (!own || !list_has(own, added[i]))
            buf_addf(&text, "%s%s", i > 0 || (own && *own) ? ":" : "", added[i]);
    }
    return buf_take(&text);
}

static char *qt_accessibility(void)
{
    const char *own = getenv("QT_LINUX_ACCESSIBILITY_ALWAYS_ON");

    return mem_printf("QT_LINUX_ACCESSIBILITY_ALWAYS_ON=%s", own ? own : "1");
}

/* The user's options, and those with which Java tells of its elements, if its wrapper is installed:
 * Java ends if it cannot load it. NULL: neither. */
static char *java_options(void)
{
    static const char wrapper[] = "/usr/share/java/java-atk-wrapper.jar";
    const char *own = getenv("JAVA_TOOL_OPTIONS");

    if (access(wrapper, R_OK) != 0 || (own && strstr(own, "assistive_technologies")))
        return own ? mem_printf("JAVA_TOOL_OPTIONS=%s", own) : NULL;
    return mem_printf("JAVA_TOOL_OPTIONS=%s%s-Djavax.accessibility.assistive_technologies="
                      "org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:%s",
                      own ? own : "", own ? " " : "", wrapper);
}

/* The environment with our variables, the last ones of the list, so that applications of all
 * toolkits tell of their elements; made before the fork. */
static char **environment(const char *startup_id)
{
    size_t count = 0, kept = 0;
    char *java = java_options(), **out;

    while (environ[count])
        count++;
    out = mem_alloc(sizeof *out * (count + countof(ours) + 1));
    for (size_t i = 0; i < count; i++) {
        if (!is_ours(environ[i]))
            out[kept++] = environ[i];
    }
    out[kept++] = gtk_modules();
    out[kept++] = qt_accessibility();
    if (java)
        out[kept++] = java;
    out[kept++] = mem_printf("DESKTOP_STARTUP_ID=%s", startup_id);
    out[kept] = NULL;
    return out;
}

static void environment_free(char **list)
{
    size_t count = 0;

    while (list[count])
        count++;
    for (; count > 0 && is_ours(list[count - 1]); count--)
        free(list[count - 1]); /* the others are borrowed */
    free(list);
}

static void report_number(int fd, int number)
{
    ssize_t rc = write(fd, &number, sizeof number);

    (void)rc;
}

static void become(char *const argv[], const char *folder, char **env, int fd)
{
    int null = open("/dev/null", O_RDWR);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    for (int i = 0; i < 3; i++)
        dup2(null, i);
    if (folder && *folder && chdir(folder) != 0) {
        report_number(fd, errno);
        _exit(127);
    }
    execvpe(argv[0], argv, env);
    report_number(fd, errno);
    _exit(127);
}

/* In the first child: the second one is the program. */
static void split(char *const argv[], const char *folder, char **env, int fd)
{
    pid_t pid;

    setsid();
    pid = fork();
    if (pid == 0)
        become(argv, folder, env, fd);
    if (pid < 0)
        report_number(fd, errno);
    else
        report_number(fd, -(int)pid);
    _exit(0);
}

/* Reads the reports: a negative number is the id, a positive one the reason of a failure. */
static int read_reports(int fd, int *failure)
{
    int number, pid = 0;

    while (read(fd, &number, sizeof number) == (ssize_t)sizeof number) {
        if (number < 0)
            pid = -number;
        else if (number > 0)
            *failure = number;
    }
    return pid;
}

int launch(char *const argv[], const char *folder, const char *startup_id, struct error *err)
{
    char **env = environment(startup_id);
    int fds[2], pid = 0, failure = 0;
    pid_t first;

    if (pipe2(fds, O_CLOEXEC) != 0) {
        failure = errno;
    } else {
        first = fork();
        if (first == 0)
            split(argv, folder, env, fds[1]);
        failure = first < 0 ? errno : 0;
        close(fds[1]);
        if (first > 0) {
            pid = read_reports(fds[0], &failure);
            while (waitpid(first, NULL, 0) < 0 && errno == EINTR)
                ;
        }
        close(fds[0]);
    }
    environment_free(env);
    if (!failure && pid)
        return pid;
    error_set(err, "launch_failed", "\"%.200s\" cannot be started: %s", argv[0],
              strerror(failure ? failure : ECHILD));
    return 0;
}

/* True if a variable of the process begins so; `len` counts the NUL where it must be all. */
static bool has_variable(int pid, const char *wanted, size_t len)
{
    char *path = mem_printf("/proc/%d/environ", pid);
    struct buf text = { 0 };
    bool found = false;

    if (file_read_all(path, 1 << 20, &text, NULL) && text.len >= len) {
        for (size_t i = 0; i + len <= text.len && !found; i++)
            found = (i == 0 || text.data[i - 1] == '\0') && memcmp(text.data + i, wanted, len) == 0;
    }
    buf_free(&text);
    free(path);
    return found;
}

bool launched_with(int pid, const char *startup_id)
{
    char *wanted = mem_printf("DESKTOP_STARTUP_ID=%s", startup_id);
    bool found = has_variable(pid, wanted, strlen(wanted) + 1);

    free(wanted);
    return found;
}

bool launched_here(int pid)
{
    static const char ours_by[] = "DESKTOP_STARTUP_ID=" LAUNCH_ID;
    size_t len = sizeof ours_by - 1;
    int parent = 0;

    return proc_started(pid, &parent) && has_variable(pid, ours_by, len) &&
           !has_variable(parent, ours_by, len);
}
