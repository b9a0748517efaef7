/* Events are the same however the bytes come: all at once, one by one, or in pieces whose sizes the
 * first byte gives. */
#include "fuzz.h"

#include "http/sse.h"

enum { EVENT_MAX = 256 };

static void take(struct sse *sse, struct buf *seen)
{
    struct sse_event event;
    enum sse_step step;

    while ((step = sse_next(sse, &event)) == SSE_EVENT) {
        MUST(event.data.len <= EVENT_MAX);
        buf_add(seen, event.type.ptr, event.type.len);
        buf_addc(seen, 1);
        buf_add(seen, event.data.ptr, event.data.len);
        buf_addc(seen, 2);
        buf_add(seen, event.id.ptr, event.id.len);
        buf_addc(seen, 3);
    }
    if (step == SSE_TOO_LARGE)
        MUST(sse_next(sse, &event) == SSE_TOO_LARGE);
}

static void play(struct str text, size_t piece, struct buf *seen)
{
    struct sse sse;

    sse_init(&sse, EVENT_MAX);
    for (size_t at = 0; at < text.len; at += piece) {
        sse_feed(&sse, text.ptr + at, text.len - at < piece ? text.len - at : piece);
        take(&sse, seen);
    }
    buf_addf(seen, "%lld", (long long)sse.retry_ms);
    MUST(sse.retry_ms >= -1);
    sse_free(&sse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = fuzz_copy(data, size);
    struct str text = { copy, size };
    struct buf whole = { 0 }, single = { 0 }, pieces = { 0 };

    if (size) {
        play(text, size, &whole);
        play(text, 1, &single);
        play(text, 1 + (unsigned char)copy[0] % 7, &pieces);
    }
    MUST(str_same(buf_str(&whole), buf_str(&single)));
    MUST(str_same(buf_str(&whole), buf_str(&pieces)));
    buf_free(&whole);
    buf_free(&single);
    buf_free(&pieces);
    free(copy);
    return 0;
}
