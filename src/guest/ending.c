#include "guest/ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "guest/jail/jail.h"
#include "process/emulation.h"

/* Explains why no list of system calls holds on this machine, if that is not the kernel's doing. */
static bool explain_processor(struct error *err)
{
    struct emulation emulation;
    struct utsname system;

    if (emulation_find(&emulation))
        error_set(err, "no_jail",
                  "scripts and foreign tools run only where they are shut in, and %s, which "
                  "emulates this program's processor, does not end a process for a forbidden "
                  "system call. Use a build or a container image for this machine's own "
                  "processor%s%s",
                  emulation.by, *emulation.machine ? ", " : "", emulation.machine);
    else if (!jail_has_list() && uname(&system) == 0)
        error_set(err, "no_jail",
                  "scripts and foreign tools run only where they are shut in, and this program "
                  "has no list of system calls for this processor (%.60s). Use a machine with "
                  "another: x86_64, arm64 or riscv64",
                  system.machine);
    else
        return false;
    return true;
}

void ending_no_jail(struct error *err)
{
    if (!explain_processor(err))
        error_set(err, "no_jail",
                  "scripts and foreign tools run only where they are shut in, and this system does "
                  "not end a process for a forbidden system call: its kernel has no seccomp "
                  "filter, or the container hides it. Run perigee doctor, which tells what is "
                  "missing");
}

void ending_no_interpreter(const char *language, const char *interpreter, struct error *err)
{
    error_set(err, "no_interpreter",
              "%s (%s) ended before it could run a script. Its message is on stderr or in the log. "
              "Check that it starts, or configure another",
              language, interpreter);
}

void ending_deaf(size_t bytes, struct error *err)
{
    error_set(err, "unread_answers",
              "the script's process did not read the answers to its calls, and was ended when more "
              "than %zu MB waited for it. Make fewer calls at once, and wait for each",
              bytes >> 20);
}

/* The numbers of system calls depend on the processor's architecture. */
#if defined __x86_64__
#define ARCHITECTURE "x86_64"
#elif defined __aarch64__
#define ARCHITECTURE "aarch64"
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE "riscv64"
#else
#define ARCHITECTURE "this system"
#endif

static void explain_forbidden(int call, const char *language, struct error *err)
{
    char number[48] = "";

    if (call != ENDING_NO_CALL)
        snprintf(number, sizeof number, ", number %d of " ARCHITECTURE ",", call);
    error_set(err, "guest_forbidden",
              "the script's process made a system call%s that no script may make, and was ended. "
              "Harmless %s makes none: run perigee doctor, and report it with what that prints",
              number, language);
}

void ending_explain(int status, int call, const char *language, struct error *err)
{
    int signo = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (WIFEXITED(status) && WEXITSTATUS(status) == ENDING_NO_MEMORY)
        error_set(err, "memory",
                  "not enough memory in the script's process. Work on less at a time");
    else if (signo == SIGSYS)
        explain_forbidden(call, language, err);
    else if (signo == SIGKILL)
        error_set(err, "guest_killed",
                  "the system killed the script's process, most likely because memory ran out. "
                  "Work on less at a time");
    else if (signo)
        error_set(err, "guest_crashed",
                  "the script's process crashed (%s). Simplify the script, and report it if it is "
                  "harmless %s",
                  strsignal(signo), language);
    else
        error_set(err, "guest_lost",
                  "the script's process ended without a result. What its tool calls did is done: "
                  "look before trying again");
}
