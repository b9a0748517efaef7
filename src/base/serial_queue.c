#include "base/serial_queue.h"

static void take_all(struct link *to, struct link *from)
{
    struct link *link;

    list_init(to);
    while ((link = list_pop(from)))
        list_push(to, link);
}

static void run_round(uv_work_t *work)
{
    struct serial_queue *queue = container_of(work, struct serial_queue, work);

    list_each (link, &queue->round) {
        struct serial_job *job = container_of(link, struct serial_job, link);

        job->run(job);
    }
}

static void on_round_done(uv_work_t *work, int status);

static void begin_round(struct serial_queue *queue)
{
    queue->busy = !list_empty(&queue->waiting);
    take_all(&queue->round, &queue->waiting);
    if (queue->busy)
        uv_queue_work(queue->loop, &queue->work, run_round, on_round_done);
}

static void on_round_done(uv_work_t *work, int status)
{
    struct serial_queue *queue = container_of(work, struct serial_queue, work);
    struct link did, *link;

    (void)status; /* never cancelled */
    take_all(&did, &queue->round);
    begin_round(queue);
    while ((link = list_pop(&did))) { /* the last one may free the queue */
        struct serial_job *job = container_of(link, struct serial_job, link);

        job->done(job);
    }
}

void serial_queue_init(struct serial_queue *queue, uv_loop_t *loop)
{
    *queue = (struct serial_queue){ .loop = loop };
    list_init(&queue->waiting);
    list_init(&queue->round);
}

void serial_queue_add(struct serial_queue *queue, struct serial_job *job)
{
    list_push(&queue->waiting, &job->link);
    if (!queue->busy)
        begin_round(queue);
}
