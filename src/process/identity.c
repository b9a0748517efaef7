/* responsibility_get_pid_responsible_for_pid() and responsibility_spawnattrs_setdisclaim(). */
#include "process/identity.h"

#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/module.h"

/* darwin's spawn.h: the new program takes the caller's place, as exec does. */
#ifndef POSIX_SPAWN_SETEXEC
#define POSIX_SPAWN_SETEXEC 0x0040
#endif

/* Holds the process id of who was started again: a child, whose own differs, is not fooled. */
#define DONE "PERIGEE_OWN_IDENTITY"

#define PANES "x-apple.systempreferences:com.apple.preference.security?Privacy_"

const struct identity_pane identity_pane_accessibility = { "Accessibility", PANES "Accessibility" };
const struct identity_pane identity_pane_automation = { "Automation", PANES "Automation" };
const struct identity_pane identity_pane_screen = { "Screen Recording", PANES "ScreenCapture" };

extern char **environ; /* NOLINT(readability-redundant-declaration): POSIX leaves it to us */

static char **arguments;

void identity_init(char **argv)
{
    arguments = argv;
}

static char *process_path(int pid)
{
    enum { PATH_SIZE = 4096 };         /* PROC_PIDPATHINFO_MAXSIZE of sys/proc_info.h */
    int (*ask)(int, void *, uint32_t); /* libproc.h */
    void *symbol = dlsym(RTLD_DEFAULT, "proc_pidpath");
    char path[PATH_SIZE];
    int len;

    if (!symbol)
        return mem_strdup(pid == getpid() ? module_executable() : "");
    memcpy(&ask, &symbol, sizeof ask);
    len = ask(pid, path, sizeof path);
    return len > 0 ? mem_strndup(path, (size_t)len) : mem_strdup("");
}

static int responsible_process(void)
{
    pid_t (*ask)(pid_t);
    void *symbol = dlsym(RTLD_DEFAULT, "responsibility_get_pid_responsible_for_pid");
    int pid;

    if (!symbol)
        return getpid();
    memcpy(&ask, &symbol, sizeof ask);
    pid = ask(getpid());
    return pid > 0 ? pid : getpid();
}

int identity_responsible(char **path)
{
    int pid = responsible_process();

    *path = process_path(pid);
    return pid;
}

char *identity_advice(const struct identity_pane *pane)
{
    char *path, *text;
    int pid = identity_responsible(&path);
    /* the end of a long path says more: .../Claude.app/Contents/MacOS/Claude */
    size_t len = strlen(path), most = 70;
    const char *shown = len > most ? path + len - most : path;

    while (((unsigned char)*shown & 0xC0) == 0x80)
        shown++;
    text =
        mem_printf("Allow it in System Settings > Privacy & Security > %s (open \"%s\") for %s%s "
                   "(process %d), which is responsible for this program. Then restart that program",
                   pane->name, pane->url, shown > path ? "..." : "",
                   *shown ? shown : "the program that started it", pid);
    free(path);
    return text;
}

/* --- the bundle ---------------------------------------------------------------------- */

void identity_enter_bundle(char **argv)
{
    const char *program = module_executable();
    char *before = argv[0];

    if (!strstr(program, ".app/Contents/MacOS/") || !before || strcmp(before, program) == 0)
        return;
    argv[0] = mem_strdup(program);
    execv(program, argv);
    free(argv[0]); /* it goes on as it is */
    argv[0] = before;
}

/* --- answering for oneself --------------------------------------------------------- */

typedef int disclaim_function(posix_spawnattr_t *attributes, int disclaim);

static bool restart_disclaimed(disclaim_function *disclaim, struct error *err)
{
    posix_spawnattr_t attributes;
    char mark[16];
    pid_t pid;
    int rc = posix_spawnattr_init(&attributes);

    if (rc != 0)
        return error_errno(err, rc, "cannot prepare to restart");
    snprintf(mark, sizeof mark, "%d", (int)getpid());
    setenv(DONE, mark, 1);
    rc = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETEXEC);
    if (rc == 0)
        rc = disclaim(&attributes, 1);
    if (rc == 0)
        rc = posix_spawn(&pid, module_executable(), NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    unsetenv(DONE);
    return error_errno(err, rc, "cannot restart \"%.200s\" with an identity of its own",
                       module_executable());
}

/* True in the program that was started again; what it starts itself has to ask for itself. */
static bool was_started_again(void)
{
    const char *mark = getenv(DONE);
    bool done = mark && strtol(mark, NULL, 10) == (long)getpid();

    unsetenv(DONE);
    return done;
}

bool identity_disown(struct error *err)
{
    disclaim_function *disclaim;
    void *symbol = dlsym(RTLD_DEFAULT, "responsibility_spawnattrs_setdisclaim");
    static bool own;

    if (own)
        return true;
    if (was_started_again()) {
        own = responsible_process() == getpid();
        return own || error_set(err, "not_disowned",
                                "this program was restarted, and process %d is still responsible "
                                "for its permissions. Omit --own-identity",
                                responsible_process());
    }
    if (!symbol || !arguments)
        return error_set(err, "not_supported",
                         "--own-identity is only for macOS, where permissions are granted to the "
                         "program that started this one. Omit it here");
    memcpy(&disclaim, &symbol, sizeof disclaim);
    return restart_disclaimed(disclaim, err);
}
