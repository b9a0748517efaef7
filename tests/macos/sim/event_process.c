/* `perigee --event-process` as a thread: its lines and its code are the real ones, its main run
 * loop is this thread's. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/event_process.h"
#include "sim.h"

static size_t running; /* event processes */
static int last_in;    /* the input of the event process that was started last; or -1 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

struct ends {
    int in, out;
};

static void *serve(void *arg)
{
    struct ends ends = *(struct ends *)arg;

    free(arg);
    sim_become_main();
    event_process_serve(ends.in, ends.out);
    pthread_mutex_lock(&lock);
    close(ends.in);
    last_in = last_in == ends.in ? -1 : last_in;
    running--;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

bool event_process_start(struct event_process_child *child, struct error *err)
{
    int to[2], from[2];
    struct ends *ends;
    pthread_t thread;

    if (pipe(to) != 0 || pipe(from) != 0)
        return error_errno(err, errno, "no pipe");
    sim_news_begin();
    ends = mem_alloc(sizeof *ends);
    *ends = (struct ends){ to[0], from[1] };
    pthread_mutex_lock(&lock);
    running++;
    last_in = to[0];
    pthread_mutex_unlock(&lock);
    pthread_create(&thread, NULL, serve, ends);
    pthread_detach(thread);
    *child = (struct event_process_child){ to[1], from[0], 0 };
    return true;
}

void event_process_end(struct event_process_child *child)
{
    if (child->to >= 0)
        close(child->to);
    if (child->from >= 0)
        close(child->from);
    *child = (struct event_process_child){ -1, -1, 0 };
}

void sim_await_event_processes(void)
{
    pthread_mutex_lock(&lock);
    while (running)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}

/* Ends its lines, at which it exits. */
void sim_kill_event_process(void)
{
    int nothing = open("/dev/null", O_RDONLY);

    pthread_mutex_lock(&lock);
    if (last_in >= 0)
        dup2(nothing, last_in);
    pthread_mutex_unlock(&lock);
    close(nothing);
}
