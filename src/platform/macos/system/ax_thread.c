/* The one thread that asks accessibility.
 *
 * Applications and Apple's own library are used to clients that ask from one thread. Each question
 * has its time limit, so a caller waits for seconds at most; a call that does not come back all the
 * same keeps its thread, and the others go on with another. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/list.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/ax.h"
#include "platform/macos/system/cf.h"

enum { STUCK_MS = 10000, LOOK_S = 1 };

/* A caller's request; it is on the caller's stack until it is done. */
struct ax_call {
    struct link link;
    void (*work)(void *arg);
    void *arg;
    bool done;
};

struct ax_thread {
    uint64_t since; /* time when its call began; 0: it rests */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER; /* signalled for a new call */
static pthread_cond_t done = PTHREAD_COND_INITIALIZER; /* signalled when a call is over */
static struct link waiting = { &waiting, &waiting };
static struct ax_thread *current;
static _Thread_local bool here;

/* Sets the process' limit, which elements of windows and buttons have instead of their
 * application's (AXUIElement.h on AXUIElementSetMessagingTimeout). */
static void limit_all_questions(void)
{
    AXUIElementRef all = AXUIElementCreateSystemWide();

    if (all)
        AXUIElementSetMessagingTimeout(all, (float)AX_TIMEOUT);
    cf_release(all);
}

static void make_call(struct ax_thread *thread, struct ax_call *call)
{
    thread->since = deadline_now();
    pthread_mutex_unlock(&lock);
    appkit_around(call->work, call->arg);
    pthread_mutex_lock(&lock);
    thread->since = 0;
    call->done = true;
    pthread_cond_broadcast(&done);
}

static void *thread_main(void *arg)
{
    struct ax_thread *thread = arg;
    struct link *link;

    here = true;
    limit_all_questions();
    pthread_mutex_lock(&lock);
    while (thread == current) {
        link = list_pop(&waiting);
        if (link)
            make_call(thread, container_of(link, struct ax_call, link));
        else
            pthread_cond_wait(&came, &lock);
    }
    pthread_mutex_unlock(&lock);
    free(thread);
    return NULL;
}

/* Makes sure that a thread takes calls, as far as the system gives one. Called with the lock
 * held. */
static void have_ax_thread(void)
{
    struct ax_thread *thread;
    pthread_attr_t detached;
    pthread_t id;

    if (current && (!current->since || deadline_now() - current->since < STUCK_MS))
        return;
    thread = mem_zero(sizeof *thread);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&id, &detached, thread_main, thread) == 0)
        current = thread; /* a thread that is stuck ends when it comes back */
    else
        free(thread);
    pthread_attr_destroy(&detached);
}

static void wait_for_done(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_S;
    pthread_cond_timedwait(&done, &lock, &until);
}

void ax_do(void (*work)(void *arg), void *arg)
{
    struct ax_call call = { .work = work, .arg = arg };

    if (here) {
        work(arg);
        return;
    }
    pthread_mutex_lock(&lock);
    list_push(&waiting, &call.link);
    have_ax_thread();
    pthread_cond_signal(&came);
    while (current && !call.done) {
        wait_for_done();
        have_ax_thread(); /* replaces a thread that is stuck */
    }
    if (!current)
        list_remove(&call.link);
    pthread_mutex_unlock(&lock);
    if (!call.done) /* the system gives no thread */
        work(arg);
}
