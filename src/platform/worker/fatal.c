/* Handlers of fatal signals, in front of the existing ones. */
#include "platform/worker/fatal.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/util.h"
#include "platform/worker/worker.h"

enum { STACK_BYTES = 64 * 1024 };

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static struct sigaction before[countof(fatal)];

/* True if the instruction is run again when the handler returns, and faults again. */
static bool comes_again(int signal_number, const siginfo_t *info)
{
    return signal_number != SIGABRT && info->si_code > 0 && info->si_code != SI_USER;
}

static void on_fatal(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    for (size_t i = 0; i < countof(fatal); i++)
        sigaction(fatal[i], &before[i], NULL); /* also for a fault in the code below */
    worker_release_in_signal();
    if (!comes_again(signal_number, info))
        raise(signal_number); /* blocked until the handler returns */
}

/* Sets a stack for the handler, because one that overflowed cannot run it. Sanitizers bring a stack
 * of their own. */
static void give_stack(void)
{
    static char stack[STACK_BYTES];
    stack_t mine = { .ss_sp = stack, .ss_size = sizeof stack }, there;

    if (sigaltstack(NULL, &there) == 0 && (there.ss_flags & SS_DISABLE))
        sigaltstack(&mine, NULL);
}

void fatal_signals_install(void)
{
    struct sigaction mine = { .sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK };

    give_stack();
    sigemptyset(&mine.sa_mask);
    for (size_t i = 0; i < countof(fatal); i++) {
        if (sigaction(fatal[i], &mine, &before[i]) == 0 && before[i].sa_handler == SIG_IGN)
            sigaction(fatal[i], &before[i], NULL); /* the program that started us ignores it */
    }
}
