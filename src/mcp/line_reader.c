/* A line that lies whole in one read is handed on where it is; only lines that span reads are
 * copied, each byte once, so a long line is linear work. A line over the limit is counted and
 * dropped but for its ends. */
#include "mcp/line_reader.h"

enum { KEEP_CAP = 1024 * 1024 }; /* a line buffer above this is given back after use */

static size_t without_cr(const char *line, size_t len)
{
    return len > 0 && line[len - 1] == '\r' ? len - 1 : len;
}

static void deliver_oversized(struct line_reader *reader, const char *head, size_t head_len)
{
    struct oversized_line line = {
        .head = { head, head_len < LINE_END_SIZE ? head_len : LINE_END_SIZE },
        .tail = { reader->tail, without_cr(reader->tail, reader->tail_len) },
        .len = reader->dropped,
    };

    reader->dropped = 0;
    reader->tail_len = 0;
    reader->events->oversized(reader->arg, &line);
}

static void tail_add(struct line_reader *reader, const char *ptr, size_t len)
{
    if (len == 0)
        return;
    if (len >= LINE_END_SIZE) {
        memcpy(reader->tail, ptr + len - LINE_END_SIZE, LINE_END_SIZE);
        reader->tail_len = LINE_END_SIZE;
        return;
    }
    if (reader->tail_len + len > LINE_END_SIZE) {
        size_t drop = reader->tail_len + len - LINE_END_SIZE;

        reader->tail_len -= drop;
        memmove(reader->tail, reader->tail + drop, reader->tail_len);
    }
    memcpy(reader->tail + reader->tail_len, ptr, len);
    reader->tail_len += len;
}

/* From now on the line is only counted; memory for its long head is given back. */
static void start_dropping(struct line_reader *reader)
{
    struct buf head = { 0 };

    tail_add(reader, reader->line.data, reader->line.len);
    reader->dropped = reader->line.len;
    buf_add(&head, reader->line.data,
            reader->line.len < LINE_END_SIZE ? reader->line.len : LINE_END_SIZE);
    buf_free(&reader->line);
    reader->line = head;
}

static void keep_part(struct line_reader *reader, const char *ptr, size_t len)
{
    if (!reader->dropped && reader->line.len + len <= reader->max_line) {
        buf_add(&reader->line, ptr, len);
        return;
    }
    if (!reader->dropped)
        start_dropping(reader);
    if (reader->line.len < LINE_END_SIZE) {
        size_t room = LINE_END_SIZE - reader->line.len;

        buf_add(&reader->line, ptr, len < room ? len : room);
    }
    tail_add(reader, ptr, len);
    reader->dropped += len;
}

static void deliver_line(struct line_reader *reader, const char *line, size_t len)
{
    len = without_cr(line, len);
    if (len > 0)
        reader->events->line(reader->arg, line, len);
}

static void deliver_kept(struct line_reader *reader)
{
    if (reader->dropped)
        deliver_oversized(reader, reader->line.data, reader->line.len);
    else
        deliver_line(reader, reader->line.data, reader->line.len);
    reader->line.len = 0;
    if (reader->line.cap > KEEP_CAP)
        buf_free(&reader->line);
}

void line_reader_init(struct line_reader *reader, size_t max_line, const struct line_events *events,
                      void *arg)
{
    *reader = (struct line_reader){ .events = events, .arg = arg, .max_line = max_line };
}

void line_reader_take(struct line_reader *reader, const char *ptr, size_t len)
{
    const char *end = ptr + len;

    while (ptr < end && !reader->stopped) {
        const char *newline = memchr(ptr, '\n', (size_t)(end - ptr));
        size_t piece = (size_t)((newline ? newline : end) - ptr);

        if (newline && reader->line.len == 0 && !reader->dropped && piece <= reader->max_line) {
            deliver_line(reader, ptr, piece);
        } else {
            keep_part(reader, ptr, piece);
            if (newline)
                deliver_kept(reader);
        }
        ptr += piece + (newline ? 1 : 0);
    }
}

void line_reader_end(struct line_reader *reader)
{
    if (!reader->stopped && (reader->line.len > 0 || reader->dropped))
        deliver_kept(reader);
}

void line_reader_stop(struct line_reader *reader)
{
    reader->stopped = true;
}

void line_reader_free(struct line_reader *reader)
{
    buf_free(&reader->line);
}
