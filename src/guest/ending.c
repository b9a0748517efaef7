#include "guest/ending.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

void ending_no_jail(struct error *err)
{
    error_set(err, "no_jail",
              "scripts and foreign tools run only where they are shut in, and this system does not "
              "end a process for a forbidden system call: its kernel has no seccomp filter, or the "
              "container hides it. Run perigee doctor, which tells what is missing");
}

void ending_deaf(size_t bytes, struct error *err)
{
    error_set(err, "unread_answers",
              "the script's process did not read the answers to its calls, and was ended when more "
              "than %zu MB waited for it. Make fewer calls at once, and wait for each",
              bytes >> 20);
}

void ending_explain(int status, struct error *err)
{
    int signo = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (WIFEXITED(status) && WEXITSTATUS(status) == ENDING_NO_MEMORY)
        error_set(err, "memory",
                  "not enough memory in the script's process. Work on less at a time");
    else if (signo == SIGSYS)
        error_set(err, "guest_forbidden",
                  "the script's process tried what no script may (a forbidden system call) and was "
                  "ended. Report it if the script is harmless Lua");
    else if (signo == SIGKILL)
        error_set(err, "guest_killed",
                  "the system killed the script's process, most likely because memory ran out. "
                  "Work on less at a time");
    else if (signo)
        error_set(err, "guest_crashed",
                  "the script's process crashed (%s). Simplify the script, and report it if it is "
                  "harmless Lua",
                  strsignal(signo));
    else
        error_set(err, "guest_lost",
                  "the script's process ended without a result. What its tool calls did is done: "
                  "look before trying again");
}
