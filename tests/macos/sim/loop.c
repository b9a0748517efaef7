/* Run loops, one for each thread that has one: sources, descriptors, timers, and news of the world
 * for observers and the workspace's listeners. */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "platform/deadline.h"
#include "sim.h"

const CFRunLoopMode kCFRunLoopDefaultMode = NULL;

enum { LOOPS = 32, NEWS_MS = 2, WATCHED = 64 };

/* Loops are never freed: a thread may wake one whose thread has just ended. */
static struct sim_loop {
    struct sim_object object; /* a constant: it may be retained */
    bool used, stop;
    struct sim_object *signalled; /* a source; or NULL. Borrowed */
} loops[LOOPS];
static struct sim_object
    *watched[WATCHED]; /* descriptors and timers that are in a loop; borrowed */
static size_t watched_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct sim_loop *mine;

static void thread_ends(void *loop)
{
    pthread_mutex_lock(&lock);
    ((struct sim_loop *)loop)->used = false;
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    pthread_key_create(&key, thread_ends);
}

CFRunLoopRef CFRunLoopGetCurrent(void)
{
    pthread_once(&once, make_key);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; !mine && i < LOOPS; i++) {
        if (!loops[i].used) {
            mine = &loops[i];
            *mine = (struct sim_loop){ .used = true, .object = { .type = SIM_OTHER, .refs = -1 } };
        }
    }
    pthread_mutex_unlock(&lock);
    if (!mine)
        abort();
    pthread_setspecific(key, mine);
    return (CFRunLoopRef)mine;
}

/* --- sources ------------------------------------------------------------------------------ */

CFRunLoopSourceRef CFRunLoopSourceCreate(CFAllocatorRef allocator, CFIndex order,
                                         CFRunLoopSourceContext *context)
{
    struct sim_object *source = sim_object(SIM_SOURCE);

    (void)allocator;
    (void)order;
    source->context = *context;
    return (CFRunLoopSourceRef)source;
}

/* With the lock held. */
static void watch(struct sim_object *object)
{
    if (watched_count == WATCHED)
        abort();
    watched[watched_count++] = object;
}

static void unwatch(const struct sim_object *object)
{
    for (size_t i = 0; i < watched_count; i++) {
        if (watched[i] == object)
            watched[i] = watched[--watched_count];
    }
}

/* A descriptor's source stands for the descriptor. */
void CFRunLoopAddSource(CFRunLoopRef to, CFRunLoopSourceRef source, CFRunLoopMode mode)
{
    struct sim_object *object = sim_of(source);

    (void)mode;
    pthread_mutex_lock(&lock);
    if (object->type == SIM_SOURCE || object->type == SIM_DESCRIPTOR)
        object->loop = (struct sim_loop *)to;
    if (object->type == SIM_DESCRIPTOR)
        watch(object);
    pthread_mutex_unlock(&lock);
}

void CFRunLoopSourceSignal(CFRunLoopSourceRef source)
{
    pthread_mutex_lock(&lock);
    if (sim_of(source)->loop)
        sim_of(source)->loop->signalled = sim_of(source);
    pthread_mutex_unlock(&lock);
}

void CFRunLoopSourceInvalidate(CFRunLoopSourceRef source)
{
    struct sim_loop *loop = sim_of(source)->loop;

    pthread_mutex_lock(&lock);
    if (loop && loop->signalled == sim_of(source))
        loop->signalled = NULL;
    sim_of(source)->loop = NULL;
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

/* --- descriptors ---------------------------------------------------------------------------- */

CFFileDescriptorRef CFFileDescriptorCreate(CFAllocatorRef allocator,
                                           CFFileDescriptorNativeDescriptor fd, Boolean close,
                                           CFFileDescriptorCallBack callback,
                                           const CFFileDescriptorContext *context)
{
    struct sim_object *descriptor = sim_object(SIM_DESCRIPTOR);

    (void)allocator;
    if (close)
        abort();
    descriptor->number = fd;
    descriptor->readable = callback;
    descriptor->context.info = context->info;
    return (CFFileDescriptorRef)descriptor;
}

void CFFileDescriptorEnableCallBacks(CFFileDescriptorRef descriptor, CFOptionFlags kinds)
{
    if (kinds != kCFFileDescriptorReadCallBack)
        abort();
    pthread_mutex_lock(&lock);
    sim_of(descriptor)->real = true;
    pthread_mutex_unlock(&lock);
}

CFRunLoopSourceRef CFFileDescriptorCreateRunLoopSource(CFAllocatorRef allocator,
                                                       CFFileDescriptorRef descriptor,
                                                       CFIndex order)
{
    (void)allocator;
    (void)order;
    return (CFRunLoopSourceRef)(uintptr_t)CFRetain(descriptor);
}

void CFFileDescriptorInvalidate(CFFileDescriptorRef descriptor)
{
    pthread_mutex_lock(&lock);
    unwatch(sim_of(descriptor));
    pthread_mutex_unlock(&lock);
}

/* --- timers ------------------------------------------------------------------------------- */

CFAbsoluteTime CFAbsoluteTimeGetCurrent(void)
{
    return (double)deadline_now() / 1000;
}

CFRunLoopTimerRef CFRunLoopTimerCreate(CFAllocatorRef allocator, CFAbsoluteTime first,
                                       CFTimeInterval interval, CFOptionFlags flags, CFIndex order,
                                       CFRunLoopTimerCallBack callback,
                                       CFRunLoopTimerContext *context)
{
    struct sim_object *timer = sim_object(SIM_TIMER);

    (void)allocator;
    (void)flags;
    (void)order;
    timer->values[0] = first;
    timer->values[1] = interval;
    timer->tick = callback;
    timer->context.info = context->info;
    return (CFRunLoopTimerRef)timer;
}

void CFRunLoopAddTimer(CFRunLoopRef to, CFRunLoopTimerRef timer, CFRunLoopMode mode)
{
    (void)mode;
    pthread_mutex_lock(&lock);
    sim_of(timer)->loop = (struct sim_loop *)to;
    watch(sim_of(timer));
    pthread_mutex_unlock(&lock);
}

void CFRunLoopTimerInvalidate(CFRunLoopTimerRef timer)
{
    pthread_mutex_lock(&lock);
    unwatch(sim_of(timer));
    pthread_mutex_unlock(&lock);
}

/* --- running ------------------------------------------------------------------------------ */

static bool is_due(struct sim_object *object)
{
    struct pollfd fd = { .fd = (int)object->number, .events = POLLIN };

    if (object->type == SIM_TIMER) {
        if (CFAbsoluteTimeGetCurrent() < object->values[0])
            return false;
        object->values[0] = CFAbsoluteTimeGetCurrent() + object->values[1];
        return true;
    }
    if (!object->real || poll(&fd, 1, 0) <= 0)
        return false;
    object->real = false; /* until it is enabled again */
    return true;
}

/* The first object of this loop that is due, retained; NULL if none is. The lock is held. */
static struct sim_object *due_of(const struct sim_loop *loop)
{
    for (size_t i = 0; i < watched_count; i++) {
        if (watched[i]->loop == loop && is_due(watched[i]))
            return sim_of(CFRetain(watched[i]));
    }
    return NULL;
}

/* True if there was something to do. */
static bool serve(struct sim_loop *loop)
{
    struct sim_object *source, *due;

    pthread_mutex_lock(&lock);
    source = loop->signalled;
    loop->signalled = NULL;
    due = source ? NULL : due_of(loop);
    pthread_mutex_unlock(&lock);
    if (source)
        source->context.perform(source->context.info);
    if (due && due->type == SIM_TIMER)
        due->tick((CFRunLoopTimerRef)due, due->context.info);
    else if (due)
        due->readable((CFFileDescriptorRef)due, kCFFileDescriptorReadCallBack, due->context.info);
    if (due)
        CFRelease(due);
    return source || due || sim_tell_notes(loop) || sim_tell_presses(loop) || sim_tell_news(loop);
}

static void wait_a_little(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NEWS_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&changed, &lock, &until);
    pthread_mutex_unlock(&lock);
}

CFRunLoopRunResult CFRunLoopRunInMode(CFRunLoopMode mode, CFTimeInterval seconds, Boolean one)
{
    struct sim_loop *loop = (struct sim_loop *)CFRunLoopGetCurrent();
    double until = CFAbsoluteTimeGetCurrent() + seconds;

    (void)mode;
    if (!one)
        abort();
    for (;;) {
        if (serve(loop))
            return kCFRunLoopRunHandledSource;
        if (CFAbsoluteTimeGetCurrent() >= until)
            return kCFRunLoopRunTimedOut;
        wait_a_little();
    }
}

void CFRunLoopRun(void)
{
    struct sim_loop *loop = (struct sim_loop *)CFRunLoopGetCurrent();

    while (!loop->stop) {
        if (!serve(loop))
            wait_a_little();
    }
    loop->stop = false;
}
