/* Takes one line after the other off the input. A line that ends in CR counts
 * at once, without a look at the next byte: that may be minutes away. */
#include "http/sse.h"

static const char mark[] = "\xEF\xBB\xBF"; /* byte order mark */

void sse_init(struct sse *sse, size_t max_event)
{
    *sse = (struct sse){ .max_event = max_event, .retry_ms = -1 };
}

void sse_free(struct sse *sse)
{
    buf_free(&sse->input);
    buf_free(&sse->data);
    buf_free(&sse->type);
    buf_free(&sse->last_id);
}

void sse_feed(struct sse *sse, const char *ptr, size_t len)
{
    if (sse->failed)
        return;
    buf_drop(&sse->input, sse->start);
    sse->seen -= sse->start;
    sse->start = 0;
    buf_add(&sse->input, ptr, len);
}

static size_t unread_bytes(const struct sse *sse)
{
    return sse->input.len - sse->start;
}

/* False while it is not known whether the stream begins with a mark. */
static bool sse_begin(struct sse *sse)
{
    size_t len = unread_bytes(sse);

    if (len == 0)
        return false;
    if (len > 3)
        len = 3;
    sse->begun = true;
    if (memcmp(sse->input.data + sse->start, mark, len) != 0)
        return true;
    sse->begun = len == 3;
    if (sse->begun)
        sse->start += 3;
    return sse->begun;
}

/* The next line without its end; false when it is not complete yet. */
static bool take_sse_line(struct sse *sse, struct str *line)
{
    if (sse->skip_lf && sse->start < sse->input.len) {
        sse->skip_lf = false;
        if (sse->input.data[sse->start] == '\n')
            sse->start++;
    }
    if (sse->seen < sse->start)
        sse->seen = sse->start;
    for (; sse->seen < sse->input.len; sse->seen++) {
        char c = sse->input.data[sse->seen];

        if (c != '\n' && c != '\r')
            continue;
        *line = (struct str){ sse->input.data + sse->start, sse->seen - sse->start };
        sse->skip_lf = c == '\r';
        sse->start = ++sse->seen;
        return true;
    }
    return false;
}

static void set_buf(struct buf *buf, struct str value)
{
    buf->len = 0;
    buf_add(buf, value.ptr, value.len);
}

static void set_retry(struct sse *sse, struct str value)
{
    int64_t ms = 0;

    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9' || ms > INT32_MAX)
            return;
        ms = ms * 10 + (value.ptr[i] - '0');
    }
    if (value.len > 0)
        sse->retry_ms = ms;
}

static void take_field(struct sse *sse, struct str line)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    struct str name = { line.ptr, colon ? (size_t)(colon - line.ptr) : line.len };
    struct str value = { colon ? colon + 1 : "", colon ? line.len - name.len - 1 : 0 };

    if (value.len > 0 && *value.ptr == ' ') {
        value.ptr++;
        value.len--;
    }
    if (str_same(name, STR("data"))) {
        buf_add(&sse->data, value.ptr, value.len);
        buf_addc(&sse->data, '\n');
    } else if (str_same(name, STR("event"))) {
        set_buf(&sse->type, value);
    } else if (str_same(name, STR("id"))) {
        if (value.len == 0 || !memchr(value.ptr, '\0', value.len))
            set_buf(&sse->last_id, value);
    } else if (str_same(name, STR("retry"))) {
        set_retry(sse, value);
    }
}

static void hand_event_out(const struct sse *sse, struct sse_event *event)
{
    event->type = sse->type.len ? buf_str(&sse->type) : STR("message");
    event->data = (struct str){ sse->data.data, sse->data.len - 1 }; /* without the last LF */
    event->id = sse->last_id.len ? buf_str(&sse->last_id) : STR("");
}

static enum sse_step sse_fail(struct sse *sse)
{
    sse->failed = true;
    return SSE_TOO_LARGE;
}

enum sse_step sse_next(struct sse *sse, struct sse_event *event)
{
    bool complete = false;
    struct str line;

    if (sse->failed)
        return SSE_TOO_LARGE;
    if (!sse->begun && !sse_begin(sse))
        return SSE_MORE;
    while (take_sse_line(sse, &line)) {
        if (line.len > sse->max_event)
            return sse_fail(sse);
        if (line.len > 0) {
            take_field(sse, line);
            if (sse->data.len > sse->max_event + 1)
                return sse_fail(sse);
            continue;
        }
        complete = sse->data.len > 0;
        if (complete)
            break;
        sse->type.len = 0;
    }
    if (!complete)
        return unread_bytes(sse) > sse->max_event ? sse_fail(sse) : SSE_MORE;
    hand_event_out(sse, event);
    sse->data.len = 0; /* the bytes stay where they are until the next call */
    sse->type.len = 0;
    return SSE_EVENT;
}
