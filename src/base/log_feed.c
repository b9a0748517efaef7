/* A ring of lines. What the loop borrows of it is copied out, since another thread may add. */
#include "base/log_feed.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>

struct feed_line {
    struct log_kept line;
    char *tool, *text; /* owned */
};

static struct {
    bool on;
    pthread_t thread; /* the loop's thread */
    const char *(*who)(void *arg);
    void *arg;
    uv_async_t *more; /* lines came; freed when it is closed */
    struct feed_line ring[LOG_FEED_LINES];
    uint64_t first, next; /* numbers of the oldest line, and of the one to come */
    size_t bytes;
    struct feed_line out; /* the line that was read last */
    struct link readers, waits;
} feed;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void drop_oldest_line(void)
{
    struct feed_line *oldest = &feed.ring[feed.first % LOG_FEED_LINES];

    feed.bytes -= oldest->line.len;
    free(oldest->tool);
    free(oldest->text);
    *oldest = (struct feed_line){ .text = NULL };
    feed.first++;
}

/* The name behind "tool=", or of the tool whose code runs now. */
static const char *tool_of(const char *tag)
{
    if (strncmp(tag, "tool=", 5) == 0)
        return tag + 5;
    if (feed.who && pthread_equal(pthread_self(), feed.thread))
        return feed.who(feed.arg);
    return "";
}

static double now_seconds(void)
{
    struct timeval time;

    gettimeofday(&time, NULL);
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* As log_watch() has it. */
static void feed_add(const struct log_seen *seen)
{
    size_t len = seen->len < LOG_FEED_LINE ? seen->len : LOG_FEED_LINE;
    struct feed_line kept;

    while (len < seen->len && len > 0 && ((unsigned char)seen->text[len] & 0xc0) == 0x80)
        len--; /* no half of a character */
    kept.tool = mem_strdup(tool_of(seen->tag));
    kept.text = mem_strndup(seen->text, len);
    kept.line = (struct log_kept){ .time = now_seconds(),
                                   .level = seen->level,
                                   .call = strncmp(seen->tag, "tool=", 5) == 0,
                                   .watched = seen->watched,
                                   .len = len };
    pthread_mutex_lock(&mutex);
    while (feed.next - feed.first == LOG_FEED_LINES ||
           (feed.first < feed.next && feed.bytes + len > LOG_FEED_BYTES))
        drop_oldest_line();
    feed.ring[feed.next++ % LOG_FEED_LINES] = kept;
    feed.bytes += len;
    if (feed.more)
        uv_async_send(feed.more);
    pthread_mutex_unlock(&mutex);
}

static void on_lines_added(uv_async_t *async)
{
    (void)async;
    wakeups_tell(&feed.waits);
}

/* The least level that a reader wants; at least LOG_INFO, so that there is something to look back
 * at. */
static void settle_level(void)
{
    enum log_level least = LOG_INFO;

    list_each (link, &feed.readers) {
        const struct log_reader *reader = container_of(link, struct log_reader, link);

        if (reader->least < least)
            least = reader->least;
    }
    log_watch(feed_add, least);
}

void log_feed_start(uv_loop_t *loop, const char *(*who)(void *arg), void *arg)
{
    uv_async_t *more = mem_zero(sizeof *more);

    uv_async_init(loop, more, on_lines_added);
    uv_unref((uv_handle_t *)more);
    feed.thread = pthread_self();
    feed.who = who;
    feed.arg = arg;
    feed.on = true;
    list_init(&feed.readers);
    list_init(&feed.waits);
    pthread_mutex_lock(&mutex);
    feed.more = more;
    pthread_mutex_unlock(&mutex);
    settle_level();
}

static void on_async_closed(uv_handle_t *handle)
{
    free(handle);
}

void log_feed_stop(void)
{
    uv_async_t *more = feed.more;

    if (!feed.on)
        return;
    log_watch(NULL, LOG_OFF);
    feed.on = false;
    pthread_mutex_lock(&mutex);
    feed.more = NULL;
    while (feed.first < feed.next)
        drop_oldest_line();
    pthread_mutex_unlock(&mutex);
    free(feed.out.tool);
    free(feed.out.text);
    feed.out = (struct feed_line){ .text = NULL };
    while (list_pop(&feed.readers) || list_pop(&feed.waits))
        ;
    uv_close((uv_handle_t *)more, on_async_closed);
}

/* --- readers ------------------------------------------------------------------------------- */

void log_reader_open(struct log_reader *reader, enum log_level least)
{
    list_init(&reader->link);
    list_init(&reader->wakeup.link);
    reader->least = least;
    reader->lost = 0;
    reader->next = feed.next;
    if (!feed.on)
        return;
    list_push(&feed.readers, &reader->link);
    settle_level();
}

void log_reader_close(struct log_reader *reader)
{
    list_remove(&reader->link);
    list_remove(&reader->wakeup.link);
    if (feed.on)
        settle_level();
}

void log_reader_rewind(struct log_reader *reader)
{
    pthread_mutex_lock(&mutex);
    reader->next = feed.first;
    pthread_mutex_unlock(&mutex);
}

bool log_reader_read(struct log_reader *reader, struct log_kept *line)
{
    bool there;

    free(feed.out.tool);
    free(feed.out.text);
    feed.out = (struct feed_line){ .text = NULL };
    pthread_mutex_lock(&mutex);
    if (reader->next < feed.first) {
        reader->lost += feed.first - reader->next;
        reader->next = feed.first;
    }
    there = reader->next < feed.next;
    if (there) {
        const struct feed_line *kept = &feed.ring[reader->next++ % LOG_FEED_LINES];

        feed.out = (struct feed_line){ kept->line, mem_strdup(kept->tool), mem_strdup(kept->text) };
    }
    pthread_mutex_unlock(&mutex);
    *line = feed.out.line;
    line->tool = feed.out.tool;
    line->text = feed.out.text;
    return there;
}

void log_reader_wait(struct log_reader *reader)
{
    list_remove(&reader->wakeup.link);
    list_push(&feed.waits, &reader->wakeup.link);
    pthread_mutex_lock(&mutex);
    if (reader->next < feed.next && feed.more)
        uv_async_send(feed.more);
    pthread_mutex_unlock(&mutex);
}
