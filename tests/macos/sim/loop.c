/* Run loops, one for each thread that has one. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "sim.h"

const CFRunLoopMode kCFRunLoopDefaultMode = NULL;

enum { LOOPS = 16, NEWS_MS = 2 };

/* Never freed: who wakes one may do so when its thread has just ended. */
static struct sim_loop {
    bool used, stop;
    struct sim_object *signalled; /* a source; or NULL. Borrowed */
} loops[LOOPS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Thread_local struct sim_loop *mine;

CFRunLoopRef CFRunLoopGetCurrent(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; !mine && i < LOOPS; i++) {
        if (!loops[i].used) {
            mine = &loops[i];
            *mine = (struct sim_loop){ .used = true };
        }
    }
    pthread_mutex_unlock(&lock);
    if (!mine)
        abort();
    return (CFRunLoopRef)mine;
}

CFRunLoopSourceRef CFRunLoopSourceCreate(CFAllocatorRef allocator, CFIndex order,
                                         CFRunLoopSourceContext *context)
{
    struct sim_object *source = sim_object(SIM_SOURCE);

    (void)allocator;
    (void)order;
    source->context = *context;
    return (CFRunLoopSourceRef)source;
}

void CFRunLoopAddSource(CFRunLoopRef to, CFRunLoopSourceRef source, CFRunLoopMode mode)
{
    (void)mode;
    pthread_mutex_lock(&lock);
    if (sim_of(source)->type == SIM_SOURCE)
        sim_of(source)->loop = (struct sim_loop *)to;
    pthread_mutex_unlock(&lock);
}

void CFRunLoopSourceSignal(CFRunLoopSourceRef source)
{
    pthread_mutex_lock(&lock);
    if (sim_of(source)->loop)
        sim_of(source)->loop->signalled = sim_of(source);
    pthread_mutex_unlock(&lock);
}

void CFRunLoopWakeUp(CFRunLoopRef which)
{
    (void)which;
    pthread_cond_broadcast(&changed);
}

void CFRunLoopStop(CFRunLoopRef which)
{
    ((struct sim_loop *)which)->stop = true;
}

static void wait_a_little(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NEWS_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&changed, &lock, &until);
}

void CFRunLoopRun(void)
{
    struct sim_loop *loop = (struct sim_loop *)CFRunLoopGetCurrent();

    pthread_mutex_lock(&lock);
    while (!loop->stop) {
        struct sim_object *source = loop->signalled;

        loop->signalled = NULL;
        if (!source)
            wait_a_little();
        pthread_mutex_unlock(&lock);
        if (source)
            source->context.perform(source->context.info);
        else
            sim_tell_news(loop);
        pthread_mutex_lock(&lock);
    }
    loop->used = false;
    mine = NULL;
    pthread_mutex_unlock(&lock);
}
