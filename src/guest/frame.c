#include "guest/frame.h"

size_t frame_begin(struct buf *out, enum frame_kind kind, uint32_t id)
{
    size_t begun = out->len;

    bytes_u32(out, 0);
    buf_addc(out, (char)kind);
    bytes_u32(out, id);
    return begun;
}

void frame_end(struct buf *out, size_t begun)
{
    bytes_set_u32(out->data + begun, (uint32_t)(out->len - begun - FRAME_HEAD));
}

enum frame_read frame_next(const struct buf *in, size_t *at, size_t max, struct frame *out,
                           struct error *err)
{
    struct bytes from = { { in->data + *at, in->len - *at }, false };
    size_t len = bytes_get_u32(&from);
    int kind = bytes_get_u8(&from);
    uint32_t id = bytes_get_u32(&from);
    const char *payload;

    if (from.bad)
        return FRAME_WANTS_MORE;
    if (len > max || kind >= FRAME_KINDS) {
        error_set(err, "bad_frame",
                  "the script's process sent what is not a message (kind %d, %zu bytes)", kind,
                  len);
        return FRAME_BAD;
    }
    payload = bytes_take(&from, len);
    if (!payload)
        return FRAME_WANTS_MORE;
    *out = (struct frame){ (enum frame_kind)kind, id, { { payload, len }, false } };
    *at += FRAME_HEAD + len;
    return FRAME_READ;
}
