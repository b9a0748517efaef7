#include "platform/macos/ax/askers.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform/macos/system/appkit.h"

enum { THREADS_MAX = 12 };

struct askers {
    pthread_mutex_t lock;
    pthread_cond_t came;
    struct link waiting, asked;
    size_t count;            /* inquiries that wait */
    size_t threads, resting; /* resting: threads without a question */
    bool over;
    void (*woken)(void *arg);
    void *arg;
};

/* The threads of all askers. */
static size_t running;
static pthread_mutex_t running_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_ended = PTHREAD_COND_INITIALIZER;

static void count_running(int more)
{
    pthread_mutex_lock(&running_lock);
    running += (size_t)more;
    pthread_cond_broadcast(&one_ended);
    pthread_mutex_unlock(&running_lock);
}

void askers_await(void)
{
    pthread_mutex_lock(&running_lock);
    while (running)
        pthread_cond_wait(&one_ended, &running_lock);
    pthread_mutex_unlock(&running_lock);
}

struct askers *askers_new(void (*woken)(void *arg), void *arg)
{
    struct askers *askers = mem_zero(sizeof *askers);

    pthread_mutex_init(&askers->lock, NULL);
    pthread_cond_init(&askers->came, NULL);
    list_init(&askers->waiting);
    list_init(&askers->asked);
    askers->woken = woken;
    askers->arg = arg;
    return askers;
}

static void free_inquiries(struct link *list)
{
    struct link *link;

    while ((link = list_pop(list))) {
        struct inquiry *inquiry = container_of(link, struct inquiry, link);

        inquiry->free(inquiry);
    }
}

/* Called by the last owner. */
static void free_askers(struct askers *askers)
{
    free_inquiries(&askers->waiting);
    free_inquiries(&askers->asked);
    pthread_mutex_destroy(&askers->lock);
    pthread_cond_destroy(&askers->came);
    free(askers);
}

static void ask_inquiry(void *arg)
{
    struct inquiry *inquiry = arg;

    inquiry->ask(inquiry);
}

/* Called with the lock held, which is released meanwhile. */
static void run_inquiry(struct askers *askers, struct link *link)
{
    askers->resting--;
    pthread_mutex_unlock(&askers->lock);
    appkit_around(ask_inquiry, container_of(link, struct inquiry, link));
    pthread_mutex_lock(&askers->lock);
    askers->resting++;
    list_push(&askers->asked, link);
    if (!askers->over)
        askers->woken(askers->arg);
}

static void *run_asker(void *arg)
{
    struct askers *askers = arg;
    struct link *link;
    bool last;

    pthread_mutex_lock(&askers->lock);
    while (!askers->over) {
        link = list_pop(&askers->waiting);
        askers->count -= link != NULL;
        if (link)
            run_inquiry(askers, link);
        else
            pthread_cond_wait(&askers->came, &askers->lock);
    }
    last = --askers->threads == 0;
    pthread_mutex_unlock(&askers->lock);
    if (last)
        free_askers(askers);
    count_running(-1);
    return NULL;
}

/* Makes sure that a thread is there. Called with the lock held. */
static void have_asker_thread(struct askers *askers)
{
    pthread_attr_t detached;
    pthread_t thread;

    if (askers->count <= askers->resting || askers->threads == THREADS_MAX)
        return;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, run_asker, askers) == 0) {
        count_running(1);
        askers->threads++;
        askers->resting++;
    }
    pthread_attr_destroy(&detached);
}

void askers_put(struct askers *askers, struct inquiry *inquiry)
{
    pthread_mutex_lock(&askers->lock);
    list_push(&askers->waiting, &inquiry->link);
    askers->count++;
    have_asker_thread(askers);
    pthread_cond_signal(&askers->came);
    pthread_mutex_unlock(&askers->lock);
}

struct inquiry *askers_take(struct askers *askers)
{
    struct link *link;

    pthread_mutex_lock(&askers->lock);
    link = list_pop(&askers->asked);
    pthread_mutex_unlock(&askers->lock);
    return link ? container_of(link, struct inquiry, link) : NULL;
}

void askers_free(struct askers *askers)
{
    bool last;

    if (!askers)
        return;
    pthread_mutex_lock(&askers->lock);
    askers->over = true;
    last = askers->threads == 0;
    pthread_cond_broadcast(&askers->came);
    pthread_mutex_unlock(&askers->lock);
    if (last)
        free_askers(askers);
}
