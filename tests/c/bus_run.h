/* A D-Bus of a test's own. */
#ifndef PERIGEE_TESTS_BUS_RUN_H
#define PERIGEE_TESTS_BUS_RUN_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"

struct bus_run {
    pid_t pid;     /* 0: it does not run */
    char *address; /* owned */
};

/* Starts it; its socket is in the folder. False: dbus-daemon is not installed. */
static inline bool bus_run_start(struct bus_run *bus, const char *folder)
{
    char *listen = mem_printf("--address=unix:path=%s/bus", folder);
    char said[256] = "";
    int ends[2];
    FILE *out;

    if (pipe(ends) != 0)
        abort();
    bus->pid = fork();
    if (bus->pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("dbus-daemon", "dbus-daemon", "--session", "--nofork", "--nopidfile",
               "--print-address=1", listen, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    out = fdopen(ends[0], "r");
    if (!fgets(said, sizeof said, out))
        said[0] = '\0';
    fclose(out);
    said[strcspn(said, "\n")] = '\0';
    bus->address = mem_strdup(said);
    free(listen);
    return *said != '\0';
}

static inline void bus_run_kill(struct bus_run *bus)
{
    if (bus->pid <= 0)
        return;
    kill(bus->pid, SIGKILL);
    waitpid(bus->pid, NULL, 0);
    bus->pid = 0;
}

static inline void bus_run_end(struct bus_run *bus)
{
    bus_run_kill(bus);
    free(bus->address);
    bus->address = NULL;
}

#endif
