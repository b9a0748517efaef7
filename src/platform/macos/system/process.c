/* Processes, by libproc: no run loop is needed and nothing is cached (libproc.h, sys/proc_info.h
 * of xnu). */
#include <libproc.h>
#include <signal.h>
#include <sys/proc_info.h>

#include "platform/macos/system/process.h"

uint64_t process_started(int pid)
{
    struct proc_bsdinfo info;
    enum { ZOMBIE = 5 }; /* SZOMB of sys/proc.h */

    if (pid <= 0 || proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof info) != sizeof info ||
        info.pbi_status == ZOMBIE)
        return 0;
    return (uint64_t)info.pbi_start_tvsec * 1000000 + info.pbi_start_tvusec;
}

char *process_path(int pid)
{
    char path[PROC_PIDPATHINFO_MAXSIZE];
    int len = pid > 0 ? proc_pidpath(pid, path, sizeof path) : 0;

    return len > 0 ? mem_strndup(path, (size_t)len) : mem_strdup("");
}

/* Waits for the end of a process. For one that is not our child, only repeated looks show it. */
bool process_wait_end(struct deadline *deadline, int pid, uint64_t ms)
{
    enum { END_LOOK_MS = 20 };
    uint64_t started = process_started(pid), until = deadline_now() + ms;

    while (started && process_started(pid) == started) {
        if (deadline_now() >= until ||
            !deadline_wait(deadline, -1, deadline_now() + END_LOOK_MS, NULL))
            return false;
    }
    return true;
}
