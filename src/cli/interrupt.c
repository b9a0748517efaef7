/* A real signal handler, not uv_signal: the second Ctrl-C has to work when the
 * loop does not turn, as in a pattern that backtracks for ever. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/util.h"
#include "process/process.h"

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

static struct {
    uv_async_t *async; /* on the heap: closing it outlives interrupt_stop() */
    void (*fn)(void *arg);
    void *arg;
    struct sigaction before[countof(numbers)];
} watch;

static volatile sig_atomic_t active, came;

static void on_interrupt_signal(int number)
{
    if (came) {
        processes_kill_all();
        _exit(128 + number);
    }
    came = number;
    if (active)
        uv_async_send(watch.async); /* safe in a handler, says its manual */
}

static void on_interrupt_async(uv_async_t *async)
{
    (void)async;
    if (came && active)
        watch.fn(watch.arg);
}

void interrupt_start(uv_loop_t *loop, void (*fn)(void *arg), void *arg)
{
    struct sigaction action = { .sa_handler = on_interrupt_signal, .sa_flags = SA_RESTART };

    watch.fn = fn;
    watch.arg = arg;
    watch.async = mem_alloc(sizeof *watch.async);
    uv_async_init(loop, watch.async, on_interrupt_async);
    active = 1;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < countof(numbers); i++) {
        sigaction(numbers[i], NULL, &watch.before[i]);
        if (watch.before[i].sa_handler == on_interrupt_signal) /* left by interrupt_stop() */
            watch.before[i].sa_handler = SIG_DFL;
        if (watch.before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

static void on_interrupt_async_closed(uv_handle_t *handle)
{
    free(handle);
}

void interrupt_stop(void)
{
    if (!active)
        return;
    /* The program that one has ended may need a moment for that; a second does not wait for it. */
    for (size_t i = 0; i < countof(numbers) && !came; i++)
        sigaction(numbers[i], &watch.before[i], NULL);
    active = 0;
    uv_close((uv_handle_t *)watch.async, on_interrupt_async_closed);
}

void interrupt_wake(void)
{
    if (active)
        uv_async_send(watch.async);
}

int interrupt_signal(void)
{
    return came;
}

void interrupt_clear(void)
{
    came = 0;
}

int interrupt_status(void)
{
    return 128 + came;
}
