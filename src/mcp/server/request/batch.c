/* A batch is answered when the last of its requests is. */
#include "mcp/server/request/batch.h"

#include <stdlib.h>

struct batch {
    struct sink *sink;
    struct buf out; /* "[reply,reply" */
    size_t owed;
};

struct batch *batch_new(struct sink *sink)
{
    struct batch *batch = mem_zero(sizeof *batch);

    batch->sink = sink;
    sink_hold(sink);
    batch->owed = 1; /* the reader's own hold, dropped when all members are read */
    return batch;
}

struct buf *batch_begin(struct batch *batch)
{
    buf_addc(&batch->out, batch->out.len ? ',' : '[');
    return &batch->out;
}

void batch_end(struct batch *batch)
{
    (void)batch; /* replies stay until the last one is in */
}

void batch_hold(struct batch *batch)
{
    batch->owed++;
}

void batch_drop(struct batch *batch)
{
    struct sink *sink = batch->sink;

    if (--batch->owed)
        return;
    if (batch->out.len) { /* only notifications: nothing is sent back */
        struct buf *out = sink->begin(sink);

        buf_add(out, batch->out.data, batch->out.len);
        buf_addc(out, ']');
        sink->end(sink, (struct sink_mark){ .kind = SINK_REPLY });
    }
    buf_free(&batch->out);
    free(batch);
    sink_drop(sink);
}
